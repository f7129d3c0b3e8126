import { beforeEach, describe, expect, test } from 'vitest'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

describe('POST /videos/{id}/cancel', () => {
  let app: TestApp
  beforeEach(async () => {
    app = await testApp({ clock: fakeClock(), backends: { main: { slots: 1 } } })
    servePrimary(app.main)
    serveAlternate(app.alt)
  })
  const cancel = (id: string, key: string = KEYS.anna) =>
    app.raw.post(`/unified/v1/videos/${id}/cancel`).set(bearer(key))
  const waiting = async () => {
    await app.post(MAIN_BODY)
    const video = expectVideo(await app.post(MAIN_BODY), 202)
    expect(video.queue).toEqual({ position: 1, reason: 'no_free_slot' })
    return video
  }

  test('a video that waits is canceled, stays so, and asks nothing of its backend', async () => {
    const { id } = await waiting()
    const sent = app.upstream()
    const canceled = expectVideo(await cancel(id), 200)
    expect([canceled.source, Object.values(canceled.input).filter((value) => value !== null)]).toEqual(['text', []])
    expect(canceled).toMatchObject({ id, status: 'canceled', queue: null, error: null, backend_job_id: null })
    expect(expectVideo(await app.get(`/videos/${id}`), 200)).toMatchObject({ status: 'canceled' })
    expect(expectVideo(await cancel(id), 200)).toMatchObject({ status: 'canceled' })
    expect(app.upstream()).toBe(sent)
  })

  test('the next in line moves up', async () => {
    const { id } = await waiting()
    const next = expectVideo(await app.post(MAIN_BODY), 202)
    expect(next.queue?.position).toBe(2)
    await cancel(id)
    expect(expectVideo(await app.get(`/videos/${next.id}`), 200).queue?.position).toBe(1)
  })

  test.each([
    ['with its backend', MAIN_BODY],
    ['with a backend that has no queue', ALT_BODY],
  ])('one that is %s may be paid: 409', async (_, body) => {
    const { id } = expectVideo(await app.post(body), 202)
    expectProblem(await cancel(id), 'video_not_cancelable')
    expect(expectVideo(await app.get(`/videos/${id}`), 200).status).not.toBe('canceled')
  })

  test('one in doubt may be paid: 409', async () => {
    app.main.next({ fault: 'reset' })
    const { id } = expectVideo(await app.post(MAIN_BODY), 202)
    expectProblem(await cancel(id), 'video_not_cancelable')
  })

  test('another client’s is not there', async () => {
    const { id } = await waiting()
    expectProblem(await cancel(id, KEYS.bert), 'video_not_found')
    expect(expectVideo(await app.get(`/videos/${id}`), 200).status).toBe('queued')
  })
})
