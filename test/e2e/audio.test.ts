import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UploadView, ProblemView } from '../../src/core/api/videos.ts'
import { bearer, KEYS } from '../fakes/gateway.ts'
import { answer, startReceiver, type Receiver } from '../fakes/receiver.ts'
import { MAIN, stage, type Stage } from './harness.ts'

const { image_url } = MAIN
const WAV = `RIFF$${'\0'.repeat(3)}WAVE${'sound '.repeat(50)}`
const JSON_TYPE = { 'content-type': 'application/json' }

const source = async (): Promise<Receiver> => {
  const started = await startReceiver()
  onTestFinished(() => started.close())
  started.respond(answer(200, { 'content-type': 'audio/wav' }, WAV))
  return started
}
const reserve = async (s: Stage): Promise<UploadView> => {
  const body = JSON.stringify({ content_type: 'audio/wav', size_bytes: WAV.length })
  const response = await s.call('/uploads', { method: 'POST', body, headers: JSON_TYPE })
  expect(response.status).toBe(201)
  return UploadView.parse(await response.json())
}
const put = async ({ upload_url, method, headers }: UploadView): Promise<void> => {
  expect((await fetch(upload_url, { method, headers, body: WAV })).status).toBe(200)
}
const refused = async (s: Stage, body: object, headers: Record<string, string> = {}) => {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } }
  const response = await s.call('/videos', init)
  const { code, param, status } = ProblemView.parse(await response.json())
  expect(status).toBe(response.status)
  return [status, code, param]
}
const asked = (s: Stage, operation: string) => s.sandbox.ledger().requests.filter((one) => one.operation === operation)
const spooled = (s: Stage): string[] => {
  const folder = join(dirname(s.gateway().gateway.deps.config.store.path), 'audio-spool')
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Where the link of an upload, of a quarter of an hour, is good for as long as a slow machine takes. */
const slowStage = () => stage({ sandbox: { speed: 50 } })

describe('a hosted upload', () => {
  test('is spoken by its id, and by its URL with any signature', async () => {
    const s = await slowStage()
    const upload = await reserve(s)
    await put(upload)
    const video = await s.create({ image_url, upload_id: upload.id, webhook_url: `${s.receiver.url}/hook` })
    expect(video).toMatchObject({
      source: 'audio',
      input: { upload_id: upload.id, audio_url: null, text: null },
      routing: { chosen_by: 'id' },
    })
    expect(await s.ended(video.id)).toMatchObject({ status: 'completed', error: null, source: 'audio' })
    const event = await s.verified((await s.receiver.received(1))[0])
    expect(event).toMatchObject({ type: 'video.completed', data: { source: 'audio' } })

    const rotated = new URL(upload.audio_url)
    rotated.search = '?expires=1&sig=old'
    const key = { 'idempotency-key': 'k-1' }
    const byUrl = await s.create({ image_url, audio_url: upload.audio_url }, key)
    const again = await s.create({ image_url, audio_url: rotated.href }, key)
    expect(again.id).toBe(byUrl.id)
    expect(await s.ended(byUrl.id)).toMatchObject({ status: 'completed' })
    expect(s.sandbox.ledger().jobs).toHaveLength(2)
    expect(asked(s, 'createHostedAudioUploadUrl')).toHaveLength(1)
  })

  test('is its client’s alone, by id and by URL', async () => {
    const s = await slowStage()
    const upload = await reserve(s)
    await put(upload)
    const bert = bearer(KEYS.bert)
    const before = asked(s, 'createVideoFromAudio').length
    expect(await refused(s, { image_url, upload_id: upload.id }, bert)).toEqual([400, 'upload_not_found', 'upload_id'])
    expect(await refused(s, { image_url, upload_id: 'upl_none' }, bert)).toEqual([400, 'upload_not_found', 'upload_id'])
    const byUrl = await refused(s, { image_url, audio_url: upload.audio_url }, bert)
    expect(byUrl).toEqual([400, 'upload_not_found', 'audio_url'])
    expect(asked(s, 'createVideoFromAudio')).toHaveLength(before)
  })

  test('that is not there yet is refused, and its key stays free', async () => {
    const s = await slowStage()
    const upload = await reserve(s)
    const key = { 'idempotency-key': 'k-1' }
    const body = { image_url, upload_id: upload.id }
    expect((await refused(s, body, key)).slice(0, 2)).toEqual([400, 'upload_not_finished'])
    await put(upload)
    expect((await s.ended((await s.create(body, key)).id)).status).toBe('completed')
  })

  test('that cannot be checked at the moment waits, and is tried again', async () => {
    const s = await slowStage()
    const upload = await reserve(s)
    await put(upload)
    const code = 'hosted_audio_upload_unavailable'
    const fault = { kind: 'status', status: 400, code, retryable: true, retry_after_seconds: 1 }
    await s.fault('primary', { operation: 'createVideoFromAudio', ...fault })
    const video = await s.create({ image_url, upload_id: upload.id })
    expect(video).toMatchObject({ status: 'queued', queue: { reason: 'backend_unavailable' } })
    expect((await s.ended(video.id)).status).toBe('completed')
    expect(asked(s, 'createVideoFromAudio').map(({ status }) => status)).toEqual([400, 202])
  })

  test('on a backend without audio: said so before anything is sent', async () => {
    const s = await slowStage()
    const upload = await reserve(s)
    const body = { puppet_id: 'pup_ada', backend: 'alt' }
    const cannot = (param: string) => [422, 'capability_not_supported', param]
    expect(await refused(s, { ...body, audio_url: 'https://a.example/a.wav' })).toEqual(cannot('audio_url'))
    // It lies elsewhere: that is what contradicts the request.
    expect(await refused(s, { ...body, upload_id: upload.id })).toEqual([400, 'invalid_request', 'upload_id'])
  })
})

describe('audio from elsewhere', () => {
  test('is fetched once, hosted, and spoken', async () => {
    const s = await stage()
    const from = await source()
    const video = await s.create({ image_url, audio_url: `${from.url}/a.wav?take=1` })
    expect(video).toMatchObject({ status: 'queued', source: 'audio', input: { audio_url: `${from.url}/a.wav?take=1` } })
    expect((await s.ended(video.id)).status).toBe('completed')
    expect(from.requests.map(({ url }) => url)).toEqual(['/a.wav?take=1'])
    const { jobs, charges } = s.sandbox.ledger()
    expect([jobs.length, charges.length]).toEqual([1, 1])
    expect(asked(s, 'createHostedAudioUploadUrl')).toHaveLength(1)
    expect(asked(s, 'createVideoFromAudio').map((one) => [one.idempotency_key?.slice(-2), one.status])).toEqual([
      ['.1', 400],
      ['.2', 202],
    ])
    expect(spooled(s)).toEqual([])
    const logged = s.gateway().logs.join('\n')
    for (const secret of ['take=1', 'sig=', 'signature=']) expect(logged).not.toContain(secret)
  })

  test('that cannot be had is the answer, and leaves nothing behind', async () => {
    const s = await stage()
    const from = await source()
    const audio_url = `${from.url}/a.wav`
    from.script(answer(404))
    expect(await refused(s, { image_url, audio_url })).toEqual([422, 'audio_unreachable', 'audio_url'])
    from.script(answer(200, { 'content-type': 'text/html' }, '<p>'))
    expect(await refused(s, { image_url, audio_url })).toEqual([415, 'unsupported_media_type', 'audio_url'])
    from.script({
      kind: 'raw',
      bytes: 'HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\ncontent-length: 52428801\r\n\r\n',
    })
    expect(await refused(s, { image_url, audio_url })).toEqual([413, 'file_too_large', 'audio_url'])
    from.script(answer(302, { location: 'https://10.0.0.1/a.wav' }))
    expect(await refused(s, { image_url, audio_url })).toEqual([422, 'audio_url_not_allowed', 'audio_url'])
    const list = (await (await s.call('/videos')).json()) as { data: unknown[] }
    expect(list.data).toEqual([])
    expect(asked(s, 'createHostedAudioUploadUrl')).toEqual([])
    expect(spooled(s)).toEqual([])
  })

  test.each([
    ['a private address', 'https://169.254.169.254/latest', [422, 'audio_url_not_allowed', 'audio_url']],
    ['plain http', 'http://files.example/a.wav', [400, 'invalid_request', 'audio_url']],
  ])('%s is refused', async (_name, audio_url, expected) => {
    const s = await stage({ config: { webhooks: { allow: [] } } })
    expect(await refused(s, { image_url, audio_url })).toEqual(expected)
  })

  test('is refused where the gateway is not to bring it', async () => {
    const s = await stage({ config: { engine: { transfer_audio: false } } })
    const from = await source()
    expect((await refused(s, { image_url, audio_url: `${from.url}/a.wav` })).slice(0, 2)).toEqual([
      400,
      'upload_not_found',
    ])
    expect(from.requests).toEqual([])
  })

  test('is begun anew after a restart in the middle of it, and paid once', async () => {
    const s = await stage()
    const from = await source()
    from.script({ kind: 'hang' })
    const creating = s.create({ image_url, audio_url: `${from.url}/a.wav` })
    await from.received(1)
    expect(await s.restart()).toBe(true)
    const { id } = await creating
    expect((await s.ended(id)).status).toBe('completed')
    expect(from.requests).toHaveLength(2)
    expect(s.sandbox.ledger().charges).toHaveLength(1)
    expect(spooled(s)).toEqual([])
  })
})
