import { expect, test } from 'vitest'
import { MAX_ANSWERS_KEPT, MAX_REPLAYED, MAX_RESENT_AN_HOUR } from '../../src/core/endpoints.ts'
import type { DeliveryView, DeliveryWithAttemptsView } from '../../src/core/api/webhooks.ts'
import { event, T0 } from '../fakes/records.ts'
import { fakeClock } from '../fakes/clock.ts'
import { answer } from '../fakes/receiver.ts'
import { KEYS } from '../fakes/gateway.ts'
import { expectProblem } from './expect.ts'
import { setUp } from './webhook-stage.ts'

const RANGE = { since: '2026-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' }

test('what is sent once more is counted for an hour: beyond it 429, which says when to come back', async () => {
  const clock = fakeClock(T0)
  const { app, send } = await setUp({ clock, runsEngine: false })
  const { id } = (await send('post', '/webhook_endpoints', { url: 'http://127.0.0.1:9/hook' }).expect(201)).body as {
    id: string
  }
  const video = (await app.post({ image_url: 'https://img.example/p.png', text: 'Hello' })).body as { id: string }
  await app.deps.store.change(video.id, (record) => ({
    kind: 'save',
    video: { ...record, sequence: record.sequence + MAX_REPLAYED - 1 },
    // Beside its own.
    events: Array.from({ length: MAX_REPLAYED - 1 }, (_, n) => ({
      event: event(video.id, record.sequence + n + 1, {
        client: 'anna',
        type: 'video.completed',
        body: '{"data":{}}',
      }),
      targets: [],
    })),
    notes: [],
  }))
  clock.jump(1)
  for (let asked = 0; asked < MAX_RESENT_AN_HOUR; asked += MAX_REPLAYED) {
    const { body } = await send('post', `/webhook_endpoints/${id}/replay`, RANGE).expect(202)
    expect(body).toMatchObject({ events: MAX_REPLAYED })
  }
  const [{ id: one } = { id: '' }] = (
    (await send('get', '/events?limit=1').expect(200)).body as { data: { id: string }[] }
  ).data
  for (const path of [`/webhook_endpoints/${id}/replay`, `/events/${one}/redeliver`]) {
    const problem = expectProblem(
      await send('post', path, path.endsWith('replay') ? RANGE : undefined),
      'rate_limited',
      {
        retryable: true,
        details: { deliveries_an_hour: MAX_RESENT_AN_HOUR },
      },
    )
    expect(problem.retry_after_seconds).toBeGreaterThan(3_500)
  }
  // Another client is not held up, nor is any other request of this one.
  expectProblem(await send('post', `/events/${one}/redeliver`, undefined, KEYS.bert), 'event_not_found')
  await send('get', `/events/${one}`).expect(200)
  clock.jump(3_600_000)
  await send('post', `/events/${one}/redeliver`).expect(202)
})

test('however often an event is redelivered, of each delivery little is kept', async () => {
  const { receiver, send, register, video, until } = await setUp()
  receiver.respond(answer(500, {}, 'x'.repeat(16_384)))
  await register()
  await video()
  const { data } = await until<{ data: DeliveryView[] }>('/deliveries', ({ data: all }) => all[0]?.attempt_count === 1)
  const [{ id, event_id: event } = { id: '', event_id: '' }] = data
  const times = MAX_ANSWERS_KEPT + 3
  for (let n = 2; n <= times; n += 1) {
    await send('post', `/events/${event}/redeliver`).expect(202)
    await until<DeliveryView>(`/deliveries/${id}`, ({ attempt_count: count }) => count === n)
  }
  const { attempts } = (await send('get', `/deliveries/${id}`).expect(200)).body as DeliveryWithAttemptsView
  expect(attempts.map(({ response_body: body }) => body?.length ?? null)).toEqual([
    ...Array.from({ length: times - MAX_ANSWERS_KEPT }, () => null),
    ...Array.from({ length: MAX_ANSWERS_KEPT }, () => 16_384),
  ])
})
