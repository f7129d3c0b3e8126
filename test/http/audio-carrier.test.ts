import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Agent } from 'undici'
import type { AudioCarrier, SpooledAudio } from '../../src/core/media.ts'
import { createAudioCarrier, sweepSpool, type AudioCarrierOptions } from '../../src/http/carriers.ts'
import { type GuardRules, type Lookup, compilePolicy, createGuardedAgent } from '../../src/http/guard.ts'
import { answer, startReceiver, type Receiver } from '../fakes/receiver.ts'
import { must } from '../fakes/must.ts'

const LOOPBACK: GuardRules = { ports: [443], allow: [{ cidr: '127.0.0.0/8', http: true }] }
const WAV = { 'content-type': 'audio/wav' }
const NEVER = new AbortController().signal

let source: Receiver
let folder: string
const closers: (() => Promise<void>)[] = []
beforeEach(async () => {
  source = await startReceiver()
  folder = join(await mkdtemp(join(tmpdir(), 'talkbridge-audio-')), 'spool')
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  await source.close()
  await rm(join(folder, '..'), { recursive: true })
})

interface Given {
  rules?: GuardRules
  lookup?: Lookup
  limits?: AudioCarrierOptions['limits']
}
const carrierOf = ({ rules = LOOPBACK, lookup, limits }: Given = {}): AudioCarrier => {
  const agent = createGuardedAgent({ policy: compilePolicy(rules), ...(lookup && { lookup }) })
  const own = new Agent()
  closers.push(
    () => agent.close(),
    () => own.destroy(),
  )
  return createAudioCarrier({ agent, own, folder, ...(limits && { limits }) })
}
const files = (): string[] => (existsSync(folder) ? readdirSync(folder) : [])
const fetched = async (carrier: AudioCarrier, path = '/a.wav'): Promise<SpooledAudio> => {
  const outcome = await carrier.fetch(source.url + path, NEVER)
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.audio
}
/** What came of it, and that nothing is left of it. */
const refusalOf = async (carrier: AudioCarrier, url = `${source.url}/a.wav`) => {
  const outcome = await carrier.fetch(url, NEVER)
  expect(files()).toEqual([])
  return outcome.ok ? 'fetched' : [outcome.code, outcome.retryable]
}

describe('fetching', () => {
  test('leaves the bytes in a file of its own until it is removed', async () => {
    source.respond(answer(200, { 'content-type': 'audio/mpeg; rate=1' }, 'sound'))
    const audio = await fetched(carrierOf(), '/a.mp3?sig=1')
    expect(audio).toMatchObject({ contentType: 'audio/mpeg', sizeBytes: 5 })
    expect(files().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['sound'])
    expect(source.requests).toMatchObject([{ method: 'GET', url: '/a.mp3?sig=1' }])
    expect(source.requests[0]?.headers['authorization']).toBeUndefined()
    await audio.remove()
    expect(files()).toEqual([])
  })

  test('takes exactly as much as is allowed, and no byte more', async () => {
    const carrier = carrierOf({ limits: { sizeBytes: 5 } })
    source.script(answer(200, WAV, '12345'), { kind: 'big', status: 200, sizeBytes: 6 })
    await (await fetched(carrier)).remove()
    expect(await refusalOf(carrier)).toEqual(['file_too_large', false])
  })

  test('an announced size over the limit is not read at all', async () => {
    source.respond({
      kind: 'raw',
      bytes: 'HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\ncontent-length: 52428801\r\n\r\n',
    })
    expect(await refusalOf(carrierOf())).toEqual(['file_too_large', false])
  })

  test('a body without end ends at the limit', async () => {
    source.respond({ kind: 'big', status: 200, sizeBytes: 1_000_000_000 })
    expect(await refusalOf(carrierOf({ limits: { sizeBytes: 100_000 } }))).toEqual(['file_too_large', false])
  })

  test.each<[string, Parameters<Receiver['respond']>[0], [string, boolean]]>([
    ['not there', answer(404), ['audio_unreachable', false]],
    ['forbidden', answer(403, WAV, 'no'), ['audio_unreachable', false]],
    ['a server that broke', answer(500), ['audio_unreachable', true]],
    ['a server with much to do', answer(429), ['audio_unreachable', true]],
    ['a part of it', answer(206, WAV, 'part'), ['audio_unreachable', false]],
    ['nothing', answer(200, WAV, ''), ['audio_unreachable', false]],
    ['a page', answer(200, { 'content-type': 'text/html' }, '<p>'), ['unsupported_media_type', false]],
    ['no type, and no audio', answer(200, {}, '<p>'), ['unsupported_media_type', false]],
    ['compressed', answer(200, { ...WAV, 'content-encoding': 'gzip' }, 'x'), ['unsupported_media_type', false]],
    ['a connection that is cut', { kind: 'reset' }, ['audio_unreachable', true]],
    ['no HTTP', { kind: 'raw', bytes: 'SSH-2.0\r\n' }, ['audio_unreachable', true]],
    [
      'less than it announced',
      { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\ncontent-length: 9\r\n\r\nshort' },
      ['audio_unreachable', true],
    ],
    ['a redirect to nowhere', answer(302), ['audio_unreachable', false]],
  ])('%s is no audio', async (_name, behaviour, refusal) => {
    source.respond(behaviour)
    expect(await refusalOf(carrierOf())).toEqual(refusal)
  })

  test.each<[string, Parameters<Receiver['respond']>[0], AudioCarrierOptions['limits']]>([
    ['never answers', { kind: 'hang' }, { totalMs: 150 }],
    ['never ends', { kind: 'hang_body', status: 200 }, { totalMs: 150 }],
    ['sends a byte at a time, for ever', { kind: 'drip', status: 200, everyMs: 5 }, { totalMs: 150 }],
    ['falls silent', { kind: 'hang_body', status: 200 }, { silenceMs: 100 }],
  ])('a server that %s is given up', async (_name, behaviour, limits) => {
    source.respond(behaviour)
    expect(await refusalOf(carrierOf({ limits }))).toEqual(['audio_unreachable', true])
  })

  test('more than was announced is not taken', async () => {
    const bytes = 'HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\ncontent-length: 3\r\nconnection: close\r\n\r\nabcdef'
    source.respond({ kind: 'raw', bytes })
    expect((await fetched(carrierOf())).sizeBytes).toBe(3)
  })

  test('stops with its signal, and leaves nothing', async () => {
    source.respond({ kind: 'drip', status: 200, everyMs: 5 })
    const stopping = new AbortController()
    const fetching = carrierOf().fetch(`${source.url}/a.wav`, stopping.signal)
    await source.received(1)
    stopping.abort(new Error('stopped'))
    await expect(fetching).rejects.toThrow('stopped')
    expect(files()).toEqual([])
  })

  test('a disk that takes nothing is a fault of ours', async () => {
    source.respond(answer(200, WAV, 'sound'))
    writeFileSync(folder, 'a file stands where the folder should be')
    await expect(carrierOf().fetch(`${source.url}/a.wav`, NEVER)).rejects.toThrow('EEXIST')
  })

  test('what an earlier process left is swept', async () => {
    source.respond(answer(200, WAV, 'sound'))
    await fetched(carrierOf())
    expect(files()).toHaveLength(1)
    await sweepSpool(folder, 'alone')
    expect(files()).toEqual([])
    await sweepSpool(join(folder, 'never-made'), 'alone')
  })
})

describe('two processes with one folder', () => {
  test('one that starts sweeps what was left long ago, and not what the other has under way', async () => {
    source.respond(answer(200, WAV, 'sound'))
    await fetched(carrierOf())
    await fetched(carrierOf())
    const [left, underWay] = files()
    const longAgo = new Date(Date.now() - 3_600_000)
    utimesSync(join(folder, must(left)), longAgo, longAgo)
    await sweepSpool(folder, 'others too')
    expect(files()).toEqual([underWay])
  })
})

describe('the guard', () => {
  const STRICT: GuardRules = { ports: [443], allow: [] }

  test.each([
    ['plain http', 'http://audio.example/a.wav'],
    ['a private address', 'https://10.0.0.1/a.wav'],
    ['loopback', 'https://127.0.0.1/a.wav'],
    ['another port', 'https://audio.example:9000/a.wav'],
    ['a user name', 'https://me@audio.example/a.wav'],
  ])('refuses %s', async (_name, url) => {
    const carrier = carrierOf({ rules: STRICT, lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
    expect(await refusalOf(carrier, url)).toEqual(['audio_url_not_allowed', false])
    expect(carrier.fault(url)).not.toBeNull()
  })

  test('refuses a name that leads to a private address', async () => {
    const lookup: Lookup = async () => [{ address: '169.254.169.254', family: 4 }]
    const carrier = carrierOf({ lookup })
    const url = `http://audio.example:${source.port}/a.wav`
    expect(await refusalOf(carrier, url)).toEqual(['audio_url_not_allowed', false])
    expect(carrier.fault('https://audio.example/a.wav')).toBeNull()
  })

  test('vets every redirect, and follows few', async () => {
    const carrier = carrierOf()
    source.script(answer(302, { location: 'https://10.0.0.1/a.wav' }))
    expect(await refusalOf(carrier)).toEqual(['audio_url_not_allowed', false])
    source.script(answer(302, { location: 'file:///etc/passwd' }))
    expect(await refusalOf(carrier)).toEqual(['audio_url_not_allowed', false])
    source.script(answer(301, { location: '/b.wav' }), answer(200, WAV, 'sound'))
    expect((await fetched(carrier)).sizeBytes).toBe(5)
    expect(source.requests.at(-1)?.url).toBe('/b.wav')
    await sweepSpool(folder, 'alone')
    source.respond(answer(307, { location: '/a.wav' }))
    expect(await refusalOf(carrier)).toEqual(['audio_unreachable', false])
    expect(source.requests).toHaveLength(8)
  })
})

describe('putting', () => {
  const upload = (uploadUrl: string) => ({
    uploadUrl,
    method: 'PUT',
    headers: { 'content-type': 'audio/wav', 'x-signed': 'yes' },
    audioUrl: 'https://storage.example/a',
    expiresAtMs: null,
    verbatim: null,
  })
  const put = async (uploadUrl: string, given: Given = {}, ownOrigin = 'https://main.example') => {
    source.script(answer(200, WAV, 'sound'))
    const audio = await fetched(carrierOf(given))
    const outcome = await audio.put(upload(uploadUrl), ownOrigin, NEVER)
    await audio.remove()
    expect(files()).toEqual([])
    return outcome.kind
  }

  test('sends the file with the headers that were signed, and no credential', async () => {
    expect(await put(`${source.url}/put?sig=s`)).toBe('stored')
    const request = source.requests.at(-1)
    expect(request).toMatchObject({
      method: 'PUT',
      url: '/put?sig=s',
      body: 'sound',
      headers: { 'content-type': 'audio/wav', 'x-signed': 'yes', 'content-length': '5' },
    })
    expect(request?.headers['transfer-encoding']).toBeUndefined()
    expect(request?.headers['authorization']).toBeUndefined()
  })

  test('leads to the backend’s own origin, or where the guard allows', async () => {
    const place = await startReceiver()
    closers.push(() => place.close())
    source.respond(answer(200, WAV, 'sound'))
    const allow = [{ cidr: '127.0.0.0/8', http: true, ports: [source.port] }]
    const audio = await fetched(carrierOf({ rules: { ports: [443], allow } }))
    const kindOf = async (url: string, own: string) => (await audio.put(upload(url), own, NEVER)).kind
    expect(await kindOf(`${source.url}/x`, place.url)).toBe('stored')
    expect(await kindOf(`${place.url}/x`, place.url)).toBe('stored')
    for (const url of [
      `${place.url}/x`,
      'https://10.0.0.1/x',
      'ftp://files.example/x',
      'no url',
      'https://u@h.example/',
    ])
      expect(await kindOf(url, 'https://main.example'), url).toBe('refused')
    expect(place.requests).toHaveLength(1)
  })

  test.each([
    [403, 'refused'],
    [409, 'refused'],
    [302, 'refused'],
    [429, 'failed'],
    [503, 'failed'],
  ])('status %i: %s', async (status, kind) => {
    source.respond(answer(status))
    expect(await put(`${source.url}/put`)).toBe(kind)
  })

  test('storage that answers nothing is given up', async () => {
    source.respond({ kind: 'hang' })
    expect(await put(`${source.url}/put`, { limits: { totalMs: 150 } })).toBe('failed')
  })
})
