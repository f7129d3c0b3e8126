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

describe('POST /videos/cancel', () => {
  let app: TestApp
  beforeEach(async () => {
    const limits = { requests_per_minute: 1_000_000, queued_videos: 200 }
    const clients = Object.entries(KEYS).map(([id, key]) => ({ id, key, limits }))
    app = await testApp({ clock: fakeClock(), backends: { main: { slots: 1 } }, clients })
    servePrimary(app.main)
  })
  const cancelAll = (body: object, key: string = KEYS.anna) =>
    app.raw.post('/unified/v1/videos/cancel').set(bearer(key)).send(body)
  const june = { metadata: { batch: 'june' } }
  /** The first one is with the backend, the others wait. */
  const made = async (count: number, more: object = june) => {
    const ids: string[] = []
    for (let n = 0; n < count; n += 1) ids.push(expectVideo(await app.post({ ...MAIN_BODY, ...more }), 202).id)
    return ids
  }
  const statusOf = async (id: string) => expectVideo(await app.get(`/videos/${id}`), 200).status

  test('cancels what waits and has this pair, asks nothing of its backend, and counts what the backend has', async () => {
    const [sent = '', ...waiting] = await made(4)
    const [other = ''] = await made(1, { metadata: { batch: 'july', note: 'june' } })
    const requests = app.upstream()
    const answer = { object: 'cancellation', has_more: false, next_cursor: null }
    expect((await cancelAll(june)).body).toEqual({ ...answer, canceled: 3, not_cancelable: 1 })
    expect(await Promise.all([sent, ...waiting, other].map(statusOf))).toEqual([
      'queued',
      'canceled',
      'canceled',
      'canceled',
      'queued',
    ])
    expect(app.upstream()).toBe(requests)
    expect((await cancelAll(june)).body).toEqual({ ...answer, canceled: 0, not_cancelable: 1 })
  })

  test('only the client’s own', async () => {
    const [, waiting = ''] = await made(2)
    expect((await cancelAll(june, KEYS.bert)).body).toMatchObject({ canceled: 0, not_cancelable: 0 })
    expect(await statusOf(waiting)).toBe('queued')
  })

  test('looks at a hundred in a call, and continues behind its cursor', async () => {
    await made(102)
    const first = await cancelAll(june)
    expect(first.body).toMatchObject({ canceled: 100, not_cancelable: 0, has_more: true })
    const { next_cursor: cursor } = first.body as { next_cursor: string }
    expect((await cancelAll({ ...june, cursor })).body).toMatchObject({
      canceled: 1,
      not_cancelable: 1,
      has_more: false,
    })
    expectProblem(await cancelAll({ metadata: { batch: 'july' }, cursor }), 'invalid_cursor')
    // As the last page answers it.
    expect((await cancelAll({ ...june, cursor: null })).body).toMatchObject({ canceled: 0, not_cancelable: 1 })
  })

  test.each([
    [{}, 'metadata'],
    [{ metadata: {} }, 'metadata'],
    [{ metadata: { batch: 'june', team: 'a' } }, 'metadata'],
    [{ metadata: { batch: 1 } }, 'metadata.batch'],
    [{ metadata: JSON.parse('{"__proto__":"june","batch":"june"}') as object }, 'metadata.__proto__'],
    [{ ...june, status: 'queued' }, 'status'],
  ])('%j is refused', async (body, param) => {
    expect(expectProblem(await cancelAll(body), 'invalid_request')).toMatchObject({ param })
  })
})
