import { describe, expect, test } from 'vitest'
import type { Pause } from '../../../../src/core/store/accounts.ts'
import { pausesOf } from '../../../../src/engine/routing/pauses.ts'
import { HOUR, T0 } from '../../../fakes/records.ts'

const pause = (fromH: number, toH: number | null, given: Partial<Pause> = {}): Pause => ({
  creates: true,
  polls: false,
  sinceMs: T0 + fromH * HOUR,
  untilMs: toH === null ? null : T0 + toH * HOUR,
  reason: 'why',
  by: 'acme',
  ...given,
})

/** At the tenth hour. */
const at = (...pauses: readonly Pause[]) => pausesOf({ now: () => T0 + 10 * HOUR }, () => pauses)

describe('what is paused now', () => {
  test.each<[string, readonly Pause[], number]>([
    ['nothing before the first', [], 0],
    ['what nobody ended', [pause(1, null)], Infinity],
    ['what ends later', [pause(1, 11)], T0 + 11 * HOUR],
    ['not what ends at this moment', [pause(1, 10)], 0],
    ['the latest', [pause(1, 2), pause(3, 12)], T0 + 12 * HOUR],
    ['only its own work', [pause(1, null, { creates: false, polls: true })], 0],
  ])('%s', (_, pauses, untilMs) => {
    const { isPaused, untilMs: until, inForce } = at(...pauses)
    expect(until('creates')).toBe(untilMs)
    expect(isPaused('creates')).toBe(untilMs > 0)
    if (untilMs > 0) expect(inForce()).toBe(pauses.at(-1))
  })
})

describe('time that stands still', () => {
  test.each<[string, readonly Pause[], number, number]>([
    ['none without a pause', [], 0, 0],
    ['that of each, as far as it is over', [pause(1, 2), pause(4, 6), pause(8, null)], 0, 5],
    ['of one that runs on only what has passed', [pause(9, 12)], 0, 1],
    ['not what was before', [pause(1, 3), pause(4, 6)], 5, 1],
    ['not that of other work', [pause(1, 3, { creates: false, polls: true })], 0, 0],
  ])('%s', (_, pauses, sinceH, hours) => {
    expect(at(...pauses).pausedMs('creates', T0 + sinceH * HOUR)).toBe(hours * HOUR)
  })

  const MANY = [pause(1, 2), pause(3, 5, { creates: false, polls: true }), pause(5, 7), pause(8, null)]
  test.each([10, 9, 7.5, 6, 4, 2, 1.5, 0.5, 0, -3])(
    'what began before it is as old without pauses as what is that old with them: %s',
    (hour) => {
      const paused = at(...MANY)
      const atMs = T0 + hour * HOUR
      const before = paused.before('creates', atMs)
      const unpaused = (ms: number): number => T0 + 10 * HOUR - ms - paused.pausedMs('creates', ms)
      expect(unpaused(before)).toBe(T0 + 10 * HOUR - atMs)
    },
  )
})
