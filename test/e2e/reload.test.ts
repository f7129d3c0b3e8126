import { expect, onTestFinished, test } from 'vitest'
import { answer } from '../fakes/receiver.ts'
import { until } from '../fakes/until.ts'
import { ALT, stage, type Stage } from './harness.ts'

/** A receiver may take longer than any test. */
const PATIENT = {
  server: { shutdown_grace: '6m' },
  webhooks: { timeout: '5m', allow: [{ cidr: '127.0.0.0/8', http: true }] },
}

/** Only `/slow` waits for `release`. */
const withSlowReceiver = async (): Promise<Stage> => {
  const s = await stage({ config: PATIENT })
  s.receiver.respond(({ url }) => (url === '/slow' ? { kind: 'hold', status: 200 } : answer(204)))
  onTestFinished(() => s.receiver.release())
  return s
}
const paths = (s: Stage) => s.receiver.requests.map(({ url }) => url)
const reload = (s: Stage, days: number): Promise<void> => {
  const { gateway } = s.gateway()
  return gateway.reload({ ...gateway.deps.config, retention_days: days })
}
/** The end of each attempt that was recorded. */
const recorded = (s: Stage): unknown[] =>
  s
    .gateway()
    .logs.map((line): Record<string, unknown> => JSON.parse(line))
    .flatMap(({ msg, outcome }) => (msg === 'webhook attempt' ? [outcome] : []))

test('a receiver that answers slowly holds up no reload, and nothing that comes after it', async () => {
  const s = await withSlowReceiver()
  await s.create({ ...ALT, webhook_url: `${s.receiver.url}/slow` })
  await s.receiver.received(1)
  for (const days of [29, 28]) await reload(s, days)
  expect(s.receiver.open()).toBe(1)
  const { id } = await s.create({ ...ALT, webhook_url: `${s.receiver.url}/well` })
  expect((await s.ended(id)).status).toBe('completed')
  await s.receiver.received(2)
  expect(paths(s)).toEqual(['/slow', '/well'])
})

test('a stop after a reload waits for the attempts of both configurations, and none is made again', async () => {
  const s = await withSlowReceiver()
  const { id: first } = await s.create({ ...ALT, webhook_url: `${s.receiver.url}/slow` })
  await s.receiver.received(1)
  await reload(s, 29)
  const { id: second } = await s.create({ ...ALT, webhook_url: `${s.receiver.url}/slow` })
  await s.receiver.received(2)
  const order: string[] = []
  const stopped = s.stop().then((inTime) => (order.push('stopped'), inTime))
  // Nothing is left to wait for but the attempts.
  await until(() =>
    fetch(s.gateway().gateway.url).then(
      () => false,
      () => true,
    ),
  )
  order.push('released')
  s.receiver.release()
  expect(await stopped).toBe(true)
  expect(order).toEqual(['released', 'stopped'])
  expect(recorded(s)).toEqual(['delivered', 'delivered'])
  await s.restart()
  const { store } = s.gateway().gateway.deps
  const deliveries = (await Promise.all([first, second].map((id) => store.deliveriesOf(id)))).flat()
  expect(deliveries.map(({ status, attempts }) => [status, attempts])).toEqual([
    ['delivered', 1],
    ['delivered', 1],
  ])
})
