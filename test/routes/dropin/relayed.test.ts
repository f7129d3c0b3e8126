import { describe, expect, test } from 'vitest'
import { until } from '../../fakes/until.ts'
import * as alternate from './alternate-stage.ts'
import { accepting, JOB, stage, VIDEO } from './stage.ts'

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
