import { afterEach, describe, expect, test } from 'vitest'
import { scriptedAdapter } from '../fakes/adapter.ts'
import { accountId, refused } from '../fakes/records.ts'
import {
  audioBackend,
  audioInput,
  EXTERNAL,
  NOT_HOSTED,
  problemOf,
  sentBy,
  scriptedCarrier,
  UPLOAD,
  uploadsOf,
} from './audio.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'

let engine: Engine
const start = async (options: EngineOptions = {}): Promise<void> => {
  engine = await openEngine({
    adapter: audioBackend,
    carrier: scriptedCarrier(),
    uploads: uploadsOf(UPLOAD, {
      ...UPLOAD,
      id: 'upl_bert',
      client: 'bert',
      audioUrl: 'https://storage.example/bert.wav?sig=b',
    }),
    ...options,
  })
  engine.videos.start()
}
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

const refusalOf = async (work: Promise<unknown>) => {
  const { code, extras } = await problemOf(work)
  return { code, param: extras.param }
}
const sent = () => sentBy(engine.adapter)

describe('what goes to the backend', () => {
  test('of the client’s own upload: what was signed last', async () => {
    await start()
    const { video } = await engine.create({ input: audioInput({ upload_id: 'upl_1' }) })
    expect(video).toMatchObject({ phase: 'accepted', transfer: null, routing: { chosen_by: 'id' } })
    expect(sent()).toEqual([['.1', UPLOAD.audioUrl]])
    expect(await engine.videos.render(video)).toMatchObject({
      source: 'audio',
      input: { upload_id: 'upl_1', audio_url: null, text: null },
    })
  })

  test('of the client’s own upload by its URL, whatever its signature: the same', async () => {
    await start()
    const asked = 'https://storage.example/own.wav?sig=new&x=1'
    const { video } = await engine.create({ input: audioInput({ audio_url: asked }) })
    expect(video).toMatchObject({ transfer: null, input: { audio_url: asked }, routing: { chosen_by: 'id' } })
    expect(sent()).toEqual([['.1', UPLOAD.audioUrl]])
  })

  test('of anything else: the URL as it was given', async () => {
    await start()
    const { video } = await engine.create({ input: audioInput() })
    expect(video).toMatchObject({ transfer: { step: 'possible', tries: 0 }, routing: { chosen_by: 'default' } })
    expect(sent()).toEqual([['.1', EXTERNAL]])
  })
})

describe('refused before anything is sent', () => {
  const nothingSent = (): void => expect(sent()).toEqual([])

  test.each([
    ['an unknown upload', { upload_id: 'upl_9' }, 'upload_not_found', 'upload_id'],
    ['another client’s upload', { upload_id: 'upl_bert' }, 'upload_not_found', 'upload_id'],
    [
      'another client’s, by URL',
      { audio_url: 'https://storage.example/bert.wav?sig=b' },
      'upload_not_found',
      'audio_url',
    ],
    ['plain http that nothing allows', { audio_url: 'http://files.example/a.wav' }, 'invalid_request', 'audio_url'],
  ])('%s', async (_name, input, code, param) => {
    await start()
    expect(await refusalOf(engine.create({ input: audioInput(input) }))).toEqual({ code, param })
    nothingSent()
  })

  test('an upload whose account is there no more', async () => {
    await start({ uploads: uploadsOf({ ...UPLOAD, account: accountId('gone') }) })
    const refusal = refusalOf(engine.create({ input: audioInput({ upload_id: 'upl_1' }) }))
    expect(await refusal).toEqual({ code: 'upload_not_found', param: 'upload_id' })
    nothingSent()
  })

  test.each(['audio_url', 'upload_id'])('a backend that takes no audio names %s', async (param) => {
    await start({ adapter: (now) => scriptedAdapter(now, 'alternate') })
    const given = param === 'audio_url' ? { audio_url: EXTERNAL } : { upload_id: 'upl_1' }
    const refusal = refusalOf(engine.create({ input: audioInput(given) }))
    expect(await refusal).toEqual({ code: 'capability_not_supported', param })
    nothingSent()
  })
})

describe('idempotency', () => {
  const again = async (first: string, second: string) => {
    await start()
    await engine.create({ input: audioInput({ audio_url: first }) }, 'key-1')
    return engine.create({ input: audioInput({ audio_url: second }) }, 'key-1')
  }

  test('rotated signatures of one upload are one input', async () => {
    const { replayed } = await again(UPLOAD.audioUrl, 'https://storage.example/own.wav?sig=rotated')
    expect(replayed).toBe(true)
    expect(sent()).toHaveLength(1)
  })

  test('two queries of a URL that is no upload are two inputs', async () => {
    const refusal = refusalOf(again('https://files.example/a?take=1', 'https://files.example/a?take=2'))
    expect((await refusal).code).toBe('idempotency_key_conflict')
  })
})

describe('an upload that is not finished', () => {
  const PENDING = () => refused({ code: 'upload_not_finished', retryable: true })

  test('is the client’s to finish, and leaves nothing', async () => {
    await start()
    engine.adapter.creates.push(PENDING())
    const create = () => engine.create({ input: audioInput({ upload_id: 'upl_1' }) }, 'key-1')
    expect((await refusalOf(create())).code).toBe('upload_not_finished')
    expect((await create()).replayed).toBe(false)
    expect(sent()).toHaveLength(2)
  })

  test('is never fetched: it is an upload', async () => {
    await start()
    engine.adapter.creates.push(NOT_HOSTED())
    expect((await refusalOf(engine.create({ input: audioInput({ upload_id: 'upl_1' }) }))).code).toBe(
      'upload_not_found',
    )
  })

  test('that the backend cannot check now waits, and goes again', async () => {
    await start()
    engine.adapter.creates.push(refused({ code: 'upload_check_unavailable', retryable: true }, 'check'))
    const { video } = await engine.create({ input: audioInput({ upload_id: 'upl_1' }) })
    expect(video).toMatchObject({ phase: 'waiting', status: 'queued' })
    await engine.pass(31_000)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted' })
    expect(sent()).toEqual([
      ['.1', UPLOAD.audioUrl],
      ['.1', UPLOAD.audioUrl],
    ])
  })
})
