import { expect, test } from 'vitest'
import { createPoller, type PollerDeps } from '../../../../src/engine/polling/poll.ts'
import { type Memories, createMemories, setMemory } from '../../../../src/engine/polling/poll-plan.ts'
import { fakeClock } from '../../../fakes/clock.ts'

/** What `leave` uses; whatever else it asked for would be missing. */
const open = (apply: PollerDeps['apply']) => {
  const warned: unknown[] = []
  const released: string[] = []
  const deps = {
    apply,
    clock: fakeClock(),
    log: { info: () => undefined, warn: (...of: unknown[]) => void warned.push(of), error: () => undefined },
    store: { release: async (kind: string) => void released.push(kind) },
  }
  return { poller: createPoller(deps as unknown as PollerDeps), warned, released }
}
const memoriesOf = (count: number): Memories => {
  const memories = createMemories()
  for (let n = 0; n < count; n += 1) setMemory(memories, `vid_${n}`, { version: 1 })
  return memories
}
const LEASE = { id: 'main', token: 'token', untilMs: 1 }

test('what is left to the next process is written part by part: a reload does it while requests come', async () => {
  const begun: string[] = []
  const { poller, released } = open(async (id) => {
    begun.push(id)
    return null
  })
  const leaving = poller.leave(memoriesOf(1_000), LEASE)
  expect(begun.length).toBeLessThanOrEqual(100)
  await leaving
  expect(new Set(begun).size).toBe(1_000)
  expect(released).toEqual(['account'])
})

test('what cannot be written is told once, and keeps nothing from being given back', async () => {
  const { poller, warned, released } = open(() => Promise.reject(new Error('a bad moment')))
  await poller.leave(memoriesOf(250), LEASE)
  expect(warned).toHaveLength(1)
  expect(released).toEqual(['account'])
})
