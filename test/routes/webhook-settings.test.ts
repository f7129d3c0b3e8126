import { expect, test } from 'vitest'
import type { DeliveryView } from '../../src/core/api/webhooks.ts'
import { must } from '../fakes/must.ts'
import { setUp } from './webhook-stage.ts'

/** What the configuration says of webhooks reaches what sends them. */
const allow = [{ cidr: '127.0.0.0/8', http: true }]

test('webhooks.timeout is that of an attempt', async () => {
  const { receiver, send, register, video, until } = await setUp({ webhooks: { allow, timeout: '150ms' } })
  receiver.respond({ kind: 'hang_body', status: 200 })
  await register()
  const id = await video()
  const { data } = await until<{ data: DeliveryView[] }>(`/deliveries?video=${id}`, (all) =>
    all.data.every(({ attempt_count }) => attempt_count === 1),
  )
  const attempt = { status: null, error: expect.stringContaining('within 150 ms') }
  expect((await send('get', `/deliveries/${must(data[0]).id}`)).body).toMatchObject({ attempts: [attempt] })
})

test('webhooks.concurrency is how many are sent at once', async () => {
  let claims = 0
  const { receiver, register, video } = await setUp({
    webhooks: { allow, concurrency: 1 },
    wrapStore: (store) => ({
      ...store,
      claimDeliveries(ids, leaseMs) {
        claims += ids.length
        return store.claimDeliveries(ids, leaseMs)
      },
    }),
  })
  receiver.respond({ kind: 'hold', status: 204 })
  await register()
  await register()
  await video()
  await receiver.received(1)
  expect(claims).toBe(1)
  receiver.release()
  await receiver.received(2)
  expect(claims).toBe(2)
})
