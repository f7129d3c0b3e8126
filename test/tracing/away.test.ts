import { expect, onTestFinished, test } from 'vitest'
import { watched } from '../../src/tracing/sdk.ts'
import { MAIN, stage } from '../e2e/harness.ts'
import { fakeClock } from '../fakes/clock.ts'
import { startCollector } from '../fakes/collector.ts'

type Exporter = Parameters<typeof watched>[0]

const linesOf = (logs: readonly string[]): string[] => logs.filter((line) => line.includes('takes no spans'))

test.each([
  ['refuses what it is sent', async (url: string) => url],
  // A port that nobody listens at any more.
  ['is gone', async (url: string, close: () => Promise<void>) => close().then(() => url)],
])('a collector that %s keeps nobody from anything', async (_name, endpointOf) => {
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  collector.answer(400)
  const otlp_endpoint = await endpointOf(collector.url, collector.close)
  const s = await stage({ config: { tracing: { otlp_endpoint } } })
  const { id } = await s.create({ ...MAIN, webhook_url: `${s.receiver.url}/hook` })
  expect((await s.ended(id)).status).toBe('completed')
  await s.receiver.received(1)
  expect(await s.stop()).toBe(true)
  expect(linesOf(s.gateway().logs).length).toBeLessThan(2)
})

test('what could not be sent is counted, and told once a minute', () => {
  const clock = fakeClock()
  const said: Record<string, unknown>[] = []
  const quiet = () => undefined
  const log = { info: quiet, error: quiet, warn: (fields: Record<string, unknown>) => void said.push(fields) }
  let error: Error | undefined = new Error('connect ECONNREFUSED')
  const inner: Exporter = {
    export: (_spans, done) => done(error ? { code: 1, error } : { code: 0 }),
    shutdown: () => Promise.resolve(),
  }
  const exporter = watched(inner, { clock, log })
  const send = (count: number): void => exporter.export(Array.from({ length: count }), () => undefined)
  send(3)
  send(4)
  clock.jump(59_999)
  send(5)
  expect(said).toEqual([{ lost_spans: 3, reason: 'connect ECONNREFUSED' }])
  clock.jump(1)
  send(1)
  expect(said.slice(1)).toEqual([{ lost_spans: 10, reason: 'connect ECONNREFUSED' }])
  error = undefined
  clock.jump(60_000)
  send(100)
  expect(said).toHaveLength(2)
})
