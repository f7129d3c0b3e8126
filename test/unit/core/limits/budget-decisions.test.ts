import { describe, expect, test } from 'vitest'
import {
  configure,
  exhaust,
  giveBack,
  isTooFarAhead,
  learn,
  newBudget,
  restarted,
  take,
  viewBudget,
  type Budget,
} from '../../../../src/core/limits/budget.ts'
import { MINUTE, rate, SECOND, T0 } from '../../../fakes/records.ts'

/** A window in its midst, with what is given about it. */
const midst = (given: Partial<Budget> = {}): Budget => ({
  ...newBudget(10),
  window: 3,
  remaining: 6,
  resetsAtMs: T0 + 30 * SECOND,
  known: true,
  ...given,
})

describe('a window as the next process finds it', () => {
  const OUT = { unanswered: 2, told: 5 }
  const late = (window: number, requests: number) => ({ window, requests, untilMs: T0 + 32 * SECOND })
  const older = { window: 2, requests: 1, untilMs: T0 + MINUTE }

  test.each<[string, Partial<Budget>, Partial<Budget>]>([
    ['what was out is late, and counts as sent', OUT, { told: 3, unanswered: 0, late: [late(3, 2)] }],
    ['nothing was out, and nothing is late', { told: 5 }, { told: 5, late: [] }],
    ['no remainder was told', { ...OUT, told: null }, { told: null, unanswered: 0, late: [late(3, 2)] }],
    ['of earlier windows, too', { ...OUT, late: [older] }, { told: 3, unanswered: 0, late: [late(2, 1), late(3, 2)] }],
    ['its probe was out', { probing: true, asks: true }, { probing: false, asks: false }],
    ['its headers were never read: the next goes alone', { known: false }, { asks: true }],
    ['there was none', { resetsAtMs: null, late: [older] }, { late: [{ ...older, untilMs: 2 * SECOND }] }],
  ])('%s', (_, before, after) => {
    expect(restarted(midst(before))).toEqual(midst({ ...before, ...after }))
  })

  test('of an account that was never asked', () => {
    expect(restarted(newBudget(10))).toEqual({ ...newBudget(10), asks: true })
  })
})

describe('several at once', () => {
  const wide = (given: Partial<Budget> = {}): Budget => midst({ limit: 1_000, remaining: 300, ...given })

  test.each<[string, Budget, number, { pollsDue: number; createsWaiting: number }, number]>([
    ['one of 64 that are left', wide(), 10, { pollsDue: 0, createsWaiting: 0 }, 4],
    ['no more than are wanted', wide(), 3, { pollsDue: 0, createsWaiting: 0 }, 3],
    ['leave polls that are due', wide(), 10, { pollsDue: 298, createsWaiting: 0 }, 2],
    ['leave creates that wait', wide(), 10, { pollsDue: 99, createsWaiting: 198 }, 3],
    ['one all the same', wide(), 10, { pollsDue: 900, createsWaiting: 900 }, 1],
    ['one where the window is not known', wide({ known: false }), 10, { pollsDue: 0, createsWaiting: 0 }, 1],
  ])('%s', (_, budget, most, demand, expected) => {
    expect(take(budget, T0, 'poll', demand, most)).toMatchObject({
      taken: expected,
      budget: { remaining: 300 - expected, unanswered: expected, creates: 0, reads: 0 },
    })
  })

  test.each([
    [16, 512, false],
    [16, 511, true],
    [1, 32, false],
    [0, 0, false],
  ])('%i ahead of %i that are left are too many: %s', (ahead, remaining, expected) => {
    expect(isTooFarAhead(ahead, remaining)).toBe(expected)
  })
})

describe('a spent window', () => {
  const END = T0 + 30 * SECOND
  const SOON = T0 + 100
  test.each<[string, Partial<Budget>, number]>([
    ['nothing is out', { remaining: 0 }, END],
    ['an answer may free one', { told: 1, unanswered: 1 }, SOON],
    ['none was told to be left, whatever is out', { told: 0, unanswered: 1 }, END],
    ['what may be freed is reserved', { told: 1, unanswered: 1, reserved: 1 }, END],
    ['more may be freed than is reserved', { told: 2, unanswered: 1, reserved: 1 }, SOON],
  ])('%s', (_, given, atMs) => {
    expect(take(midst(given), T0)).toMatchObject({ taken: 0, retryAtMs: atMs })
    expect(viewBudget(midst(given), T0)).toMatchObject({ remaining: 0, nextAtMs: atMs, nextCreateAtMs: atMs })
  })

  test('is noted for reads alone, and once', () => {
    const spent = midst({ remaining: 0 })
    expect(take(spent, T0, 'poll').budget).toBe(spent)
    const noted = take(spent, T0, 'read').budget
    expect(noted).toEqual({ ...spent, readRefusedIn: 3 })
    expect(take(noted, T0, 'read').budget).toBe(noted)
  })
})

test('creates that give way to polls are shown when they may go', () => {
  const shown = viewBudget(midst({ creates: 3 }), T0, { pollsDue: 1, createsWaiting: 1 })
  expect(shown).toMatchObject({ remaining: 6, nextAtMs: null, nextCreateAtMs: T0 + 500 })
})

describe('what an answer tells', () => {
  const asked = (given: Partial<Budget> = {}): Budget => midst({ known: false, unanswered: 1, ...given })
  const told = { limit: 10, remaining: 5, resetAtMs: T0 + 10 * SECOND, dateMs: T0 }

  test.each<[string, Partial<Budget>, Parameters<typeof rate>[0], Partial<Budget>]>([
    ['all of it', {}, told, { told: 5, toldLimit: 10, known: true, resetsAtMs: T0 + 11 * SECOND, lengthMs: 11_000 }],
    ['an end alone is no news', {}, { resetAtMs: T0 + 10 * SECOND }, { known: false, told: null, lengthMs: 0 }],
    ['a remainder alone', { toldLimit: 10 }, { remaining: 5 }, { told: 5, known: true, toldLimit: 10, limit: 10 }],
    ['a limit alone', {}, { limit: 8 }, { limit: 8, remaining: 4, toldLimit: 8, told: null, known: true }],
    ['a known window', { known: true }, told, { resetsAtMs: T0 + 30 * SECOND, lengthMs: 0 }],
    ['an end that is not believed', { distrusted: 1 }, told, { resetsAtMs: T0 + 30 * SECOND, lengthMs: 0 }],
    ['no end', {}, { limit: 10, remaining: 5 }, { resetsAtMs: T0 + 30 * SECOND, lengthMs: 0 }],
    ['a shorter window than one before', { lengthMs: 60_000 }, told, { lengthMs: 60_000 }],
  ])('%s', (_, before, headers, after) => {
    expect(learn(asked(before), 3, rate(headers), T0)).toMatchObject({ ...after, unanswered: 0 })
  })
})

describe('a refusal for the rate', () => {
  test.each<[string, Partial<Budget>, number]>([
    ['while the headers left some: they are not believed', { told: 5 }, 4],
    ['of a window that had just begun', { remaining: 9, told: 0 }, 4],
    ['of a spent window', { remaining: 0, told: 0 }, 0],
    ['of a spent window, while they are not believed', { remaining: 0, told: 0, distrusted: 2 }, 2],
  ])('%s', (_, given, distrusted) => {
    expect(exhaust(midst(given), T0 + MINUTE, T0)).toMatchObject({ distrusted, remaining: 0, told: 0 })
  })

  test.each<[string, Partial<Budget>, number]>([
    ['the end that it says', {}, T0 + 20 * SECOND],
    ['not before the end of ours, where the headers are not believed', { distrusted: 1 }, T0 + 30 * SECOND],
    ['there is none of ours', { distrusted: 1, resetsAtMs: null }, T0 + 20 * SECOND],
  ])('shuts the window: %s', (_, given, resetsAtMs) => {
    const before = midst({ probing: true, asks: true, known: false, ...given })
    const after = { probing: false, asks: false, known: true, resetsAtMs }
    expect(exhaust(before, T0 + 20 * SECOND, T0)).toMatchObject(after)
  })
})

describe('a changed requests_per_minute', () => {
  test.each<[string, Partial<Budget>, number, Partial<Budget>]>([
    ['none', { limit: 60, toldLimit: 60, remaining: 50 }, 10, { limit: 60, remaining: 50, configured: 10 }],
    ['a lower one, at once', {}, 8, { limit: 8, remaining: 4, configured: 8 }],
    ['a lower one, that is above the limit told', { limit: 5, remaining: 1 }, 8, { limit: 5, remaining: 1 }],
    ['a higher one', {}, 20, { limit: 20, remaining: 16, configured: 20 }],
    ['a higher one, up to the limit told', { toldLimit: 15 }, 20, { limit: 15, remaining: 11, configured: 20 }],
    ['a higher one, while more was told', { limit: 60, remaining: 50 }, 20, { limit: 60, remaining: 50 }],
  ])('%s', (_, before, configured, after) => {
    expect(configure(midst(before), configured)).toMatchObject(after)
  })

  test('a lower one holds against the limit that was told before', () => {
    const lowered = configure(midst({ toldLimit: 10, unanswered: 1 }), 5)
    expect(learn(lowered, 3, rate({ limit: 10, remaining: 5 }), T0)).toMatchObject({ limit: 5, remaining: 1 })
  })
})

describe('requests of several windows', () => {
  const late = (window: number, requests: number) => ({ window, requests, untilMs: T0 + MINUTE })
  const before = midst({ late: [late(1, 2), late(2, 2)], creates: 3, reads: 3, unanswered: 3 })

  test.each<[string, Budget, Partial<Budget>]>([
    [
      'an answer in an earlier window is of that one alone',
      learn(before, 2, null, T0),
      { late: [late(1, 2), late(2, 1)] },
    ],
    ['what was never sent of an earlier window, too', giveBack(before, 1, 2), { late: [late(2, 2)] }],
    [
      'a read that was never sent leaves the creates',
      giveBack(before, 3, 1),
      { reads: 2, unanswered: 2, remaining: 7 },
    ],
  ])('%s', (_, after, changed) => {
    expect(after).toEqual({ ...before, ...changed })
  })

  test.each([
    [3, 2],
    [1, 0],
    [0, 0],
  ])('distrust for %i windows is for %i after the next begins', (distrusted, after) => {
    const { budget } = take(midst({ distrusted }), T0 + 30 * SECOND, 'poll', { pollsDue: 0, createsWaiting: 0 })
    expect(budget).toMatchObject({ window: 4, distrusted: after })
  })
})
