import { describe, expect, test } from 'vitest'
import { AdminDeliveryView } from '../../src/core/api/admin.ts'
import { AdminVideoView, listOf } from '../../src/core/api/videos.ts'
import { ListedDeliveryView } from '../../src/core/api/webhooks.ts'
import { saving } from '../contract/store/helpers.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { answer } from '../fakes/receiver.ts'
import { listen } from '../fakes/sse.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { givenUp } from './given-up.ts'
import { MAIN_BODY, servePrimary } from './services.ts'
import { setUp } from './webhook-stage.ts'

/** What an operator does with the videos and events of a client, and sees of one before that. */

const OPERATOR = 'tb_operator_0123456789abcdef'
const CLIENTS = [
  ...Object.entries(KEYS).map(([id, key]) => ({ id, key })),
  { id: 'ops', key: OPERATOR, scopes: ['admin'] },
]
const as = (app: TestApp, key: string = OPERATOR) => ({
  get: (path: string) => app.raw.get(`/unified/v1${path}`).set(bearer(key)),
  post: (path: string) => app.raw.post(`/unified/v1${path}`).set(bearer(key)),
})
const logged = async (app: TestApp, action: string) =>
  ((await as(app).get(`/admin/audit?action=${action}`).expect(200)).body as { data: object[] }).data

describe('POST /admin/videos/{id}/cancel', () => {
  const stage = async () => {
    const app = await testApp({ clock: fakeClock(), clients: CLIENTS, backends: { main: { slots: 1 } } })
    servePrimary(app.main)
    const running = expectVideo(await app.post(MAIN_BODY), 202).id
    return { app, running, waiting: expectVideo(await app.post(MAIN_BODY), 202).id }
  }

  test('cancels what waits, whoever’s it is, and is in the audit log once', async () => {
    const { app, waiting } = await stage()
    const path = `/admin/videos/${waiting}/cancel`
    expect((await as(app).post(path).expect(200)).body).toMatchObject({
      id: waiting,
      status: 'canceled',
      client: 'anna',
    })
    await as(app).post(path).expect(200)
    expect(await logged(app, 'video.cancel')).toMatchObject([
      { subject: waiting, actor: 'ops', detail: { client: 'anna' } },
    ])
    expect(expectVideo(await app.get(`/videos/${waiting}`), 200).status).toBe('canceled')
  })

  test('of what may be paid it is refused, and not in the log', async () => {
    const { app, running } = await stage()
    expectProblem(await as(app).post(`/admin/videos/${running}/cancel`), 'video_not_cancelable')
    expectProblem(await as(app).post('/admin/videos/vid_none/cancel'), 'video_not_found')
    expectProblem(await as(app, KEYS.anna).post(`/admin/videos/${running}/cancel?x=1`), 'invalid_request')
    expect(await logged(app, 'video.cancel')).toEqual([])
  })
})

test('an operator follows any client’s video, to its end', async () => {
  const app = await testApp({ clock: fakeClock(), clients: CLIENTS })
  servePrimary(app.main)
  const { id } = expectVideo(await app.post(MAIN_BODY), 202)
  expectProblem(await as(app, KEYS.bert).get(`/videos/${id}/events`), 'video_not_found')
  const stream = await listen(`${app.url}/unified/v1/admin/videos/${id}/events`, bearer(OPERATOR))
  expect((await stream.event()).data).toMatchObject({ id, status: 'queued', input: { text: MAIN_BODY.text } })
  const ended = { phase: 'ended', status: 'completed', endedAtMs: app.deps.clock.now(), dueAtMs: null } as const
  const { video } = await app.deps.store.change(id, saving(ended))
  app.deps.wake.changed(id, must(video).version, 'anna')
  expect(await stream.event()).toMatchObject({ event: 'video.completed' })
  expect(await stream.ended).toBe('whole')
})

describe('what was sent about a video', () => {
  test('the list has attempts where they are asked for, and an operator sends an event once more', async () => {
    const { app, receiver, register, video, until, send } = await setUp({ clients: CLIENTS })
    receiver.respond(answer(200, {}, '<img src=x onerror=alert(1)>'))
    await register()
    const id = await video()
    const path = `/deliveries?video=${id}`
    await until<{ data: { status: string }[] }>(path, ({ data }) => data[0]?.status === 'delivered')
    const own = listOf(ListedDeliveryView).parse((await send('get', `${path}&expand=attempts`).expect(200)).body)
    const [delivery] = own.data
    expect(delivery?.attempts).toMatchObject([{ status: 200, response_body: '<img src=x onerror=alert(1)>' }])
    const single = await send('get', `/deliveries/${must(delivery).id}`).expect(200)
    expect(single.body).toMatchObject(must(delivery))
    const seen = await as(app).get(`/admin${path}&expand=attempts`).expect(200)
    expect(listOf(AdminDeliveryView).parse(seen.body).data).toEqual([{ ...delivery, client: 'anna' }])
    const plain = (await as(app).get(`/admin${path}`).expect(200)).body as { data: object[] }
    expect(plain.data[0]).not.toHaveProperty('attempts')
    expectProblem(await send('get', `${path}&expand=all`), 'invalid_request')
    expect((await send('get', '/deliveries?video=vid_none&expand=attempts')).body).toMatchObject({ data: [] })

    const event = must(delivery).event_id
    const again = await as(app).post(`/admin/events/${event}/redeliver`).expect(202)
    expect(again.body).toEqual({ object: 'redelivery', event_id: event, deliveries: [must(delivery).id] })
    await until<{ data: { attempt_count: number }[] }>(path, ({ data }) => data[0]?.attempt_count === 2)
    expect(await logged(app, 'event.redeliver')).toMatchObject([
      { subject: event, actor: 'ops', detail: { client: 'anna' } },
    ])
    expectProblem(await as(app).post('/admin/events/evt_none/redeliver'), 'event_not_found')
    expect(await logged(app, 'event.redeliver')).toHaveLength(1)
  })
})

describe('GET /admin/videos?doubt=…', () => {
  const ids = async (app: TestApp, doubt: string) =>
    listOf(AdminVideoView)
      .parse((await as(app, KEYS.anna).get(`/admin/videos?doubt=${doubt}`).expect(200)).body)
      .data.map(({ id }) => id)

  test('has a create that was given up until an operator answers, with its evidence; then it says when', async () => {
    const { app, id, resolve } = await givenUp()
    expect(await ids(app, 'given_up')).toEqual([id])
    expect(await ids(app, 'open')).toEqual([])
    const { body } = await as(app, KEYS.anna).get(`/admin/videos/${id}?expand=timeline`).expect(200)
    const evidence = { walks: [], named: [], resends: 0 }
    expect(body).toMatchObject({ doubt: { open: false, attempt: 1, evidence, resolved_at: null } })
    const { timeline } = body as { timeline: { type: string }[] }
    expect(timeline.map(({ type }) => type)).toEqual(expect.arrayContaining(['created', 'doubt', 'failed']))
    const answered = await resolve({ absent: true, attempt: 1 }).expect(200)
    expect(AdminVideoView.parse(answered.body).doubt?.resolved_at).toEqual(expect.any(String))
    expect(await ids(app, 'given_up')).toEqual([])
  })

  test('cannot be combined with other filters', async () => {
    const app = await testApp({ clock: fakeClock(), clients: CLIENTS })
    for (const other of ['client=anna', 'status=failed', 'backend=main'])
      expectProblem(await as(app).get(`/admin/videos?doubt=open&${other}`), 'invalid_request', { param: 'doubt' })
    expectProblem(await as(app).get('/admin/videos?doubt=true'), 'invalid_request')
  })
})
