import { beforeEach, expect, test } from 'vitest'
import { createWatched } from '../../src/stores/redis/connect.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'

let clock: FakeClock
let isUp: boolean
/** Whether a beat comes back, as of now. */
let hears: boolean
let made: number
let closed: number
let stale: number[]
let watched: ReturnType<typeof createWatched>
beforeEach(() => {
  clock = fakeClock()
  ;[isUp, hears, made, closed, stale] = [true, true, 0, 0, []]
  watched = createWatched({
    clock,
    isUp: () => isUp,
    start() {
      made += 1
      return { close: async () => void (closed += 1) }
    },
    beat: () => hears && watched.heard(),
    beatMs: 2_000,
    staleMs: 30_000,
    onStale: (silentMs) => stale.push(silentMs),
  })
  watched.start()
})

test('what hears its beats is left in peace', async () => {
  await clock.advance(600_000)
  expect([made, closed, stale]).toEqual([1, 0, []])
})

test('a clock that leaps ahead is no silence', async () => {
  await clock.advance(10_000)
  clock.leap(90_000_000)
  await clock.advance(10_000)
  expect([made, closed, stale]).toEqual([1, 0, []])
})

test('what hears nothing is made anew, again and again', async () => {
  await clock.advance(10_000)
  hears = false
  await clock.advance(30_000)
  expect([made, closed, stale]).toEqual([2, 1, [30_000]])
  await clock.advance(30_000)
  expect([made, closed]).toEqual([3, 2])
  hears = true
  await clock.advance(600_000)
  expect([made, closed]).toEqual([3, 2])
})

test('without redis silence says nothing, and afterwards it has its time', async () => {
  ;[isUp, hears] = [false, false]
  await clock.advance(600_000)
  isUp = true
  await clock.advance(20_000)
  expect(made).toBe(1)
  hears = true
  await clock.advance(600_000)
  expect(made).toBe(1)
})

test('stopped, it is closed and made no more; it can be started again', async () => {
  hears = false
  watched.stop()
  await watched.ended()
  expect([made, closed, clock.pending()]).toEqual([1, 1, 0])
  watched.start()
  await clock.advance(28_000)
  expect([made, closed]).toEqual([2, 1])
  watched.stop()
  watched.stop()
  await watched.ended()
  expect([made, closed, clock.pending()]).toEqual([2, 2, 0])
})
