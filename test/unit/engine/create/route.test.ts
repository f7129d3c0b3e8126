import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../src/core/errors.ts'
import { parseId, route, type RouteRequest } from '../../../../src/engine/create/route.ts'
import { accountOf, backendOf, backendsOf, capabilities, scriptedAdapter } from '../../../fakes/adapter.ts'
import { accountId } from '../../../fakes/records.ts'
import type { Backend, Backends } from '../../../../src/engine/upstream/accounts.ts'

const BACKENDS = backendsOf('main', 'second', 'alt')

const request = (given: Partial<RouteRequest> = {}): RouteRequest => ({
  backend: null,
  voiceId: null,
  puppetId: null,
  imageUrl: null,
  audio: null,
  ...given,
})

describe('ids', () => {
  test.each([
    ['main:v1', 'main', 'v1'],
    ['main:a:b', 'main', 'a:b'],
    ['main:', 'main', ''],
    ['v1', null, 'v1'],
    ['elsewhere:v1', null, 'elsewhere:v1'],
    [':v1', null, ':v1'],
    ['MAIN:v1', null, 'MAIN:v1'],
    ['', null, ''],
  ])('%s', (id, backend, native) => {
    expect(parseId(id, BACKENDS)).toEqual({ backend, native })
  })
})

describe('route', () => {
  test.each<[string, Partial<RouteRequest>, string, string]>([
    ['nothing said: the default', {}, 'second', 'default'],
    ['the request’s own', { backend: 'alt' }, 'alt', 'request'],
    ['a qualified voice', { voiceId: 'main:v1' }, 'main', 'id'],
    ['a qualified puppet', { puppetId: 'alt:p1' }, 'alt', 'id'],
    ['both of one backend', { voiceId: 'alt:v1', puppetId: 'alt:p1' }, 'alt', 'id'],
    ['a native id routes nowhere', { voiceId: 'v1' }, 'second', 'default'],
    ['the request’s own, with its own id', { backend: 'main', voiceId: 'main:v1' }, 'main', 'request'],
  ])('%s', (_, given, name, chosenBy) => {
    const routed = route(request(given), BACKENDS, 'second')
    expect(routed.backend.name).toBe(name)
    expect(routed.note).toEqual({
      chosen_by: chosenBy,
      rule: null,
      pool: null,
      considered: [{ backend: name, verdict: 'chosen', reason: null }],
    })
  })

  test('hands on native ids', () => {
    const routed = route(request({ voiceId: 'alt:v:1', puppetId: 'p1' }), BACKENDS, 'main')
    expect(routed).toMatchObject({ voiceId: 'v:1', puppetId: 'p1' })
  })

  test('a default that the client does not see: its first backend', () => {
    expect(route(request(), backendsOf('second', 'alt'), 'main').backend.name).toBe('second')
  })

  const refusal = (given: Partial<RouteRequest>, visible = BACKENDS): [string, string | undefined] => {
    try {
      route(request(given), visible, 'main')
    } catch (error) {
      if (error instanceof Problem) return [error.code, error.extras.param]
    }
    throw new Error('nothing was refused')
  }

  test.each<[string, Partial<RouteRequest>, string]>([
    ['a backend that is not there', { backend: 'nowhere' }, 'backend'],
    ['an id of another backend than asked for', { backend: 'main', voiceId: 'alt:v1' }, 'voice_id'],
    ['a puppet of another backend than asked for', { backend: 'main', puppetId: 'alt:p1' }, 'puppet_id'],
    ['ids of two backends', { voiceId: 'main:v1', puppetId: 'alt:p1' }, 'puppet_id'],
  ])('%s is refused, naming the field', (_, given, param) => {
    expect(refusal(given)).toEqual(['invalid_request', param])
  })

  test('a backend that another client has is as unknown as none', () => {
    expect(refusal({ backend: 'alt' }, backendsOf('main'))).toEqual(['invalid_request', 'backend'])
  })

  test('an id of a backend that the client does not see does not route', () => {
    const routed = route(request({ voiceId: 'alt:v1' }), backendsOf('main'), 'main')
    expect(routed).toMatchObject({ backend: { name: 'main' }, voiceId: 'alt:v1' })
  })

  test('no backend at all', () => {
    expect(refusal({}, new Map())).toEqual(['insufficient_scope', undefined])
  })
})

describe('a video from audio', () => {
  const able = capabilities('audio_source')
  const backend = (name: string, takesAudio: boolean, given: Partial<Backend> = {}, account = name): Backend => {
    const adapter = scriptedAdapter(() => 0, 'primary', takesAudio ? able : capabilities())
    return { ...backendOf(name, accountOf(adapter, { id: accountId(account) })), ...given }
  }
  const visible = (...all: Backend[]): Backends => new Map(all.map((one) => [one.name, one]))
  const uploadOf = (name: string, account = name) => ({ backend: name, account: accountId(account) })
  const audio = (upload: ReturnType<typeof uploadOf> | null = null) => ({ param: 'upload_id' as const, upload })
  const main = backend('main', true)
  const alt = backend('alt', false)

  const outcome = (given: Partial<RouteRequest>, backends: Backends, defaultName: string): string => {
    try {
      const { note } = route(request({ audio: audio(), ...given }), backends, defaultName)
      const words = note.considered.map(
        ({ backend: name, reason }) => `${name}${reason === null ? '' : ` (${reason})`}`,
      )
      return `${note.chosen_by}: ${words.join(', ')}`
    } catch (error) {
      if (error instanceof Problem) return `${error.code} ${error.extras.param ?? ''}`.trim()
      throw error
    }
  }

  test.each<[string, Partial<RouteRequest>, Backends, string, string]>([
    ['the default takes it', {}, visible(main, alt), 'main', 'default: main'],
    [
      'the default cannot: no other is chosen unasked',
      {},
      visible(main, alt),
      'alt',
      'capability_not_supported upload_id',
    ],
    ['the only one cannot', {}, visible(alt), 'alt', 'capability_not_supported upload_id'],
    [
      'the one that was asked for cannot',
      { backend: 'alt' },
      visible(main, alt),
      'main',
      'capability_not_supported upload_id',
    ],
    [
      'the default drains: the first that can',
      {},
      visible(backend('main', true, { drain: true }), alt, backend('third', true)),
      'main',
      'default: main (draining), alt (cannot take audio), third',
    ],
    [
      'the default drains, and no other can',
      {},
      visible(backend('main', true, { drain: true }), alt),
      'main',
      'backend_unavailable',
    ],
    ['an upload routes', { audio: audio(uploadOf('main')) }, visible(main, alt), 'alt', 'id: main'],
    [
      'an upload under the same name',
      { backend: 'main', audio: audio(uploadOf('main')) },
      visible(main),
      'main',
      'request: main',
    ],
    [
      'an upload elsewhere',
      { backend: 'third', audio: audio(uploadOf('main')) },
      visible(main, backend('third', true)),
      'main',
      'invalid_request upload_id',
    ],
    [
      'an upload under another name of its account',
      { backend: 'third', audio: audio(uploadOf('main')) },
      visible(main, backend('third', true, {}, 'main')),
      'main',
      'request: third',
    ],
    [
      'an upload whose backend has another name now',
      { audio: audio(uploadOf('old', 'main')) },
      visible(alt, main),
      'alt',
      'id: main',
    ],
    [
      'a puppet elsewhere',
      { puppetId: 'alt:p', audio: audio(uploadOf('main')) },
      visible(main, alt),
      'main',
      'invalid_request upload_id',
    ],
    [
      'an upload that nobody sees any more',
      { audio: audio(uploadOf('gone')) },
      visible(main),
      'main',
      'upload_not_found upload_id',
    ],
  ])('%s', (_name, given, backends, defaultName, expected) => {
    expect(outcome(given, backends, defaultName)).toBe(expected)
  })

  test('the refusal says who can', () => {
    expect(() => route(request({ audio: audio() }), visible(main, alt), 'alt')).toThrow(
      'these of your backends can: main',
    )
  })
})
