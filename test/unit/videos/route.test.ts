import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { parseId, route, type RouteRequest } from '../../../src/videos/route.ts'
import { backendsOf } from '../../fakes/adapter.ts'

const BACKENDS = backendsOf('main', 'second', 'alt')

const request = (given: Partial<RouteRequest> = {}): RouteRequest => ({
  backend: null,
  voiceId: null,
  puppetId: null,
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
