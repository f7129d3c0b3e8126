import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock, type ProcessClock } from '../../src/core/time/clock.ts'
import { createCatchUp, type CatchUp } from '../../src/engine/upkeep/maintain.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { HOUR, MINUTE } from '../fakes/records.ts'

let truth: FakeClock
let clock: ProcessClock
let setMs: number
let open: string[]
let lines: string[]
let catchUp: CatchUp
beforeEach(() => {
  truth = fakeClock()
  setMs = 0
  open = []
  lines = []
  clock = createClock({ wall: () => truth.now() + setMs, monotonic: truth.elapsed, setTimer: truth.after })
  const log = { info: () => {}, warn: (_: object, message: string) => void lines.push(message), error: () => {} }
  catchUp = createCatchUp({ store: { openAccounts: async () => open }, clock, log })
  catchUp.start()
})
afterEach(() => catchUp.stop())
const off = (): number => Math.trunc((clock.now() - truth.now()) / MINUTE) + 0

test('while nothing is open, time follows a clock that was set ahead', async () => {
  await truth.advance(5 * MINUTE)
  setMs = HOUR
  await truth.advance(2 * MINUTE)
  expect(off()).toBe(60)
})

test('a clock that was a day ahead for a minute is right again at once, and nothing followed it', async () => {
  // A check falls into that minute: they come every 70 s.
  await truth.advance(3 * MINUTE)
  setMs = 24 * HOUR
  await truth.advance(MINUTE)
  setMs = 0
  await truth.advance(MINUTE)
  expect([off(), lines.length]).toEqual([0, 1])
  await truth.advance(HOUR)
  expect(off()).toBe(0)
})

test('while something is, or was a minute ago, it does not, and it is told once', async () => {
  open = ['main']
  await truth.advance(5 * MINUTE)
  setMs = HOUR
  await truth.advance(5 * MINUTE)
  expect([off(), lines.length]).toEqual([0, 1])
  open = []
  await truth.advance(70_000)
  expect(off()).toBe(0)
  await truth.advance(70_000)
  expect([off(), lines.length]).toEqual([60, 1])
})

test('never back: that is a clock that runs slower', async () => {
  setMs = -HOUR
  await truth.advance(10 * MINUTE)
  expect([off(), lines.length]).toEqual([0, 1])
})

test('a store that cannot be asked is asked again; a stop ends it', async () => {
  let asked = 0
  const due = async (): Promise<string[]> => {
    asked += 1
    throw new Error('a bad moment')
  }
  const log = { info: () => {}, warn: () => {}, error: (_: object, message: string) => void lines.push(message) }
  const other = createCatchUp({ store: { openAccounts: due }, clock, log })
  other.start()
  await truth.advance(70_000)
  expect([asked, lines.length]).toEqual([2, 2])
  await other.stop()
  await truth.advance(5 * MINUTE)
  expect(asked).toBe(2)
})
