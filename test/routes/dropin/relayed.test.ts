import { describe, expect, test } from 'vitest'
import { until } from '../../fakes/until.ts'
import { KEYS } from '../../fakes/gateway.ts'
import * as alternate from './alternate-stage.ts'
import { accepting, IMAGE, JOB, stage, VIDEO } from './stage.ts'

/** With the same interface behind, what the contract does not show reaches the client as the service says it. */

const HINTS = { next_poll_at: expect.any(String) as unknown, nextPollAt: expect.any(String) as unknown }

/** A job as the primary service answers it once the gateway has polled. */
const polled = async (answer: Record<string, unknown>, isThere: (body: Record<string, unknown>) => boolean) => {
  const { app, post, get } = await stage({ runsEngine: true, isBeyondContract: true })
  const made = await post('/videos/text', VIDEO)
  app.main.answer({ body: answer })
  const read = async () => (await get(made.body.status_url)).body as Record<string, unknown>
  await until(async () => isThere(await read()))
  const id = String(made.body.id)
  const path = `/api/v1/videos/${id}`
  const shown = { id, operation_id: id, request_id: id, status_url: path, content_location: path }
  return { id, shown, body: await read() }
}

describe('a job on /api/v1', () => {
  test.each([{ error_message: 'No face.', retryable: true }, {}])('that failed: %j and no more', async (said) => {
    const { shown, body } = await polled({ id: JOB, status: 'error', ...said }, ({ status }) => status === 'error')
    expect(body).toEqual({ ...shown, status: 'error', ...said })
  })

  test('with a word that the gateway does not know', async () => {
    const { shown, body } = await polled({ id: JOB, status: 'Shelved' }, ({ status }) => status === 'Shelved')
    expect(body).toEqual({ ...shown, status: 'Shelved', ...HINTS })
  })

  test('in an envelope, under more names, and its file under each', async () => {
    const link = 'https://cdn.example/1.mp4?sig=1'
    const job = { id: JOB, jobId: JOB, status: 'completed', video_url: link, file: { href: link }, percent: 100 }
    const isThere = ({ data }: Record<string, unknown>) => Object(data).status === 'completed'
    const { id, shown, body } = await polled({ data: job, took: 3 }, isThere)
    expect(body).toEqual({ took: 3, data: { ...job, ...shown, jobId: id } })
  })

  test('says when to come back as the gateway does, under the names of the service', async () => {
    const { app, post } = await stage()
    app.main.answer(accepting({ retry_after_seconds: 900 }))
    const { body, headers } = await post('/videos/text', VIDEO)
    expect(body.retry_after_seconds).toBe(Number(headers['retry-after']))
    expect(body).not.toHaveProperty('retryAfter')
  })
})

describe('a video on /v1', () => {
  test('in an envelope, with a word of its own', async () => {
    const on = await alternate.stage({ runsEngine: true, isBeyondContract: true })
    const clip = { id: 'clip_9', status: 'processing', puppet_id: 'pup_1', created_at: '2026-11-20T09:59:00Z' }
    on.app.alt.answer(({ method }) =>
      method === 'POST'
        ? { status: 201, body: { video: clip } }
        : { body: { video: { ...clip, status: 'rejected', error: { reason: 'No face.' } } } },
    )
    const { id } = alternate.bodyOf(await on.create().expect(201))['video'] as { id: string }
    const read = async () => alternate.bodyOf(await on.get(`/videos/${id}`).expect(200))['video']
    await until(async () => Object(await read()).status === 'rejected')
    expect(await read()).toMatchObject({ id, status: 'rejected', error: { reason: 'No face.' } })
    const list = alternate.bodyOf(await on.get('/videos').expect(200))['data']
    expect(list).toMatchObject([{ id, status: 'rejected', puppet_id: 'pup_1' }])
  })
})

test('an older video is in the list of /v1 without the links that were read with it', async () => {
  const on = await alternate.stage({ runsEngine: true, isBeyondContract: true, dropin: { history: { alt: 'anna' } } })
  const line = { id: 'clip_1', status: 'completed', created_at: '2020-01-01T00:00:00Z', page: 'https://app.example/1' }
  const links = { download_url: 'https://cdn.example/1.mp4', still: { url: 'https://cdn.example/1.png?sig=1', w: 9 } }
  const pagination = { page: 1, limit: 100, total: 1, total_pages: 1 }
  on.app.alt.answer({ body: { data: [{ ...line, ...links }], pagination } })
  const list = async () => alternate.bodyOf(await on.get('/videos').expect(200))['data'] as object[]
  await until(async () => (await list()).length === 1)
  expect(await list()).toEqual([{ ...line, puppet_id: null, duration_sec: null, still: { w: 9 } }])
})

describe('a refusal of the service', () => {
  const REFUSAL = { error: 'UNSUITABLE', reference: 'r-1', see: { docs: 'https://docs.example/e' } }

  test('on /api/v1 comes as it came; one of the key or the rate is the gateway’s own', async () => {
    const { app, post } = await stage({ isBeyondContract: true })
    app.main.answer({ status: 422, body: REFUSAL })
    const refused = await post('/videos/text', VIDEO)
    expect([refused.status, refused.body]).toEqual([422, REFUSAL])
    app.main.answer({ status: 403, body: REFUSAL })
    const { body } = await post('/videos/text', VIDEO)
    expect(JSON.stringify(body)).not.toMatch(/UNSUITABLE|r-1/)
  })

  test('that is none is the gateway’s own error, never a success', async () => {
    const notice = { maintenance: true }
    const on = await alternate.stage({ isBeyondContract: true })
    const { app, post, get } = await stage({ isBeyondContract: true })
    for (const status of [200, 302]) {
      on.app.alt.answer({ status, body: notice })
      expect(alternate.bodyOf(await on.get('/voices').expect(502))).toMatchObject({ error: { code: 'backend_error' } })
      app.main.answer({ status, body: notice })
      const list = await get('/api/v1/voices/service').expect(502)
      expect(list.body).toMatchObject({ error: 'backend_error' })
      const made = await post('/puppets', { imageUrl: IMAGE }).expect(502)
      expect(made.body).toMatchObject({ error: 'backend_error' })
    }
  })

  test('with 429 on /api/v1 comes as it came only with the contract’s code', async () => {
    const { app, post } = await stage({ isBeyondContract: true })
    app.main.answer({ status: 429, body: { message: 'Your IP 10.2.3.4 sent too much' } })
    const upload = { mime_type: 'audio/mpeg', content_length: 1_000 }
    const bare = await post('/uploads/audio-url', upload).expect(429)
    expect(bare.body).toMatchObject({ error: 'monthly_quota_exceeded' })
    expect(JSON.stringify(bare.body)).not.toContain('10.2.3.4')
    const full = { error: 'concurrent_job_limit_reached', message: 'All slots are taken.', slots: 2 }
    app.main.answer({ status: 429, body: full })
    expect((await post('/uploads/audio-url', upload).expect(429)).body).toEqual(full)
  })

  test('on /v1 comes as it came, and the gateway’s own refusals look like it from then on', async () => {
    const on = await alternate.stage({ isBeyondContract: true })
    const before = alternate.bodyOf(await on.get('/videos/none').expect(404))
    expect(before).toEqual({ error: { code: 'video_not_found', message: expect.any(String) as unknown } })
    const said = { fault: { kind: 'NO_PUPPET', status: 404 }, code: 'NO_PUPPET', detail: 'None.', at: [1] }
    on.app.alt.answer({ status: 404, body: said })
    expect(alternate.bodyOf(await on.create().expect(404))).toEqual(said)
    const text = expect.stringMatching(/\S/) as unknown
    const shaped = (status: number, code: string) => ({ fault: { kind: code, status }, code, detail: text })
    expect(alternate.bodyOf(await on.get('/videos/none').expect(404))).toEqual(shaped(404, 'VIDEO_NOT_FOUND'))
    expect(alternate.bodyOf(await on.create({}).expect(400))).toEqual(shaped(400, 'INVALID_REQUEST'))
    const cold = { code: 'TEAPOT', message: 'No.' }
    for (const [status, body] of [
      [429, cold],
      [403, cold],
      [502, cold],
      [400, { message: 'No.' }],
    ] as const) {
      on.app.alt.answer({ status, body })
      await on.create()
      expect(alternate.bodyOf(await on.get('/videos/none').expect(404))).toEqual(shaped(404, 'VIDEO_NOT_FOUND'))
    }
  })

  test('on /v1 gives its form only to clients that have its backend behind them', async () => {
    const on = await alternate.stage({
      isBeyondContract: true,
      clients: [
        { id: 'anna', key: KEYS.anna },
        { id: 'bert', key: KEYS.bert, backends: ['main'] },
      ],
    })
    const said = { code: 'NO_PUPPET', detail: 'None.', status: 404 }
    on.app.alt.answer({ status: 404, body: said })
    await on.create().expect(404)
    expect(Object.keys(alternate.bodyOf(await on.get('/videos/none')))).toEqual(Object.keys(said))
    const plain = { error: { code: expect.any(String) as unknown, message: expect.any(String) as unknown } }
    expect(alternate.bodyOf(await on.get('/videos/none', KEYS.bert).expect(404))).toEqual(plain)
    // Without a key: the form of the service that is behind the surface.
    expect(Object.keys(alternate.bodyOf(await on.app.raw.get('/v1/videos').expect(401)))).toEqual(Object.keys(said))
  })
})

test('a create on /v1 is answered with the status that the service gives, also while it waits', async () => {
  const on = await alternate.stage({ isBeyondContract: true, backends: { alt: { slots: 1 } } })
  on.app.alt.answer({ status: 202, body: { id: 'clip_1', status: 'processing' } })
  const first = await on.create().expect(202)
  const waiting = await on.create().expect(202)
  expect(alternate.bodyOf(waiting)).toMatchObject({ status: 'processing' })
  expect(alternate.bodyOf(waiting)['id']).not.toBe(alternate.bodyOf(first)['id'])
  expect(on.alt.creates()).toHaveLength(1)
})

test.each([
  [204, undefined],
  [200, { accepted: true }],
  [203, { id: 'clip_2', status: 'processing' }],
])('a create on /v1 that the service answers %i %j is 201', async (status, body) => {
  const on = await alternate.stage({ isBeyondContract: true })
  on.app.alt.next({ status, ...(body && { body }) })
  expect(alternate.bodyOf(await on.create().expect(201))).toMatchObject({ status: 'processing' })
})
