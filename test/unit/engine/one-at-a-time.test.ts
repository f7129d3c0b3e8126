import { expect, test } from 'vitest'
import type { WorkStore } from '../../../src/core/store/webhooks.ts'
import { createOneAtATime } from '../../../src/engine/replicas/replica.ts'
import { fakeClock } from '../../fakes/clock.ts'

const start = () => {
  const clock = fakeClock()
  const leases = new Map<string, { token: string; untilMs: number }>()
  let tokens = 0
  const store: Pick<WorkStore, 'claim' | 'release'> = {
    async claim(_kind, id, leaseMs) {
      if ((leases.get(id)?.untilMs ?? 0) > clock.now()) return null
      const lease = { id, token: String((tokens += 1)), untilMs: clock.now() + leaseMs }
      leases.set(id, lease)
      return lease
    },
    async release(_kind, { id, token }) {
      if (leases.get(id)?.token === token) leases.delete(id)
    },
  }
  const processOf = (id: string) => createOneAtATime({ store, clock, replica: { id, isAlone: false } })
  const spans: string[] = []
  /** Takes so long, by the clock. */
  const work = (name: string, ms: number) => async () => {
    spans.push(`${name} begins`)
    await new Promise<void>((resolve) => void clock.at(clock.now() + ms, resolve))
    spans.push(`${name} ends`)
    return name
  }
  return { clock, processOf, spans, work, pass: clock.advance }
}

test('of two processes that want the same list, one reads it at a time', async () => {
  const { processOf, spans, work, pass } = start()
  const [one, two] = [processOf('one'), processOf('two')]
  const both = Promise.all([one('voices/a', work('one', 500)), two('voices/a', work('two', 500))])
  await pass(1_500)
  expect(await both).toEqual(['one', 'two'])
  expect(spans).toHaveLength(4)
  expect(spans[1]?.replace('ends', 'begins')).toBe(spans[0])
})

test('other work is not held up, and nobody waits for ever', async () => {
  const { processOf, spans, work, pass } = start()
  const [one, two] = [processOf('one'), processOf('two')]
  const long = one('voices/a', work('one', 60_000))
  await pass(100)
  const other = two('voices/b', work('other', 100))
  await pass(200)
  expect(await other).toBe('other')
  const patient = two('voices/a', work('two', 100))
  await pass(1_000)
  expect(spans).not.toContain('two begins')
  await pass(2_000)
  expect(await patient).toBe('two')
  void long
})

test('one that is alone asks nobody, and a store that fails holds nobody up for long', async () => {
  const clock = fakeClock()
  const fails = () => Promise.reject(new Error('no store'))
  const store = { claim: fails, release: fails }
  const alone = createOneAtATime({ store, clock, replica: { id: 'alone', isAlone: true } })
  expect(await alone('voices/a', async () => 1)).toBe(1)
  const shared = createOneAtATime({ store, clock, replica: { id: 'one', isAlone: false } })
  const done = shared('voices/a', async () => 2)
  await clock.advance(3_000)
  expect(await done).toBe(2)
})
