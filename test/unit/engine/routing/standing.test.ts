import { expect, test } from 'vitest'
import type { FailoverReason, Priority } from '../../../../src/core/vocabulary.ts'
import { newBudget, viewBudget } from '../../../../src/core/limits/budget.ts'
import { createStanding } from '../../../../src/engine/routing/rules.ts'
import type { Account } from '../../../../src/engine/upstream/accounts.ts'
import { accountOf, backendOf, NOT_PAUSED, scriptedAdapter } from '../../../fakes/adapter.ts'
import { T0 } from '../../../fakes/records.ts'

interface Known {
  shutUntilMs: number
  keyRefusedUntilMs: number
  slotsPausedUntilMs: number
  nextCreateAtMs: number | null
  nextDueAtMs: number | null
  normalWaits: boolean
  held: number
  slots: number | null
}
const FREE: Known = {
  shutUntilMs: T0,
  keyRefusedUntilMs: T0,
  slotsPausedUntilMs: T0,
  nextCreateAtMs: T0,
  nextDueAtMs: null,
  normalWaits: false,
  held: 1,
  slots: 2,
}
const IDLE = { waiting: 0, hasTransfers: false, nextSecondJobAtMs: null, window: null }
const ALL: readonly FailoverReason[] = ['down', 'no_slot', 'no_budget', 'no_credits']

/** The first of these reasons that it has. */
const standing = async (
  given: Partial<Known>,
  on: readonly FailoverReason[],
  priority: Priority = 'normal',
  of: Partial<Account> = {},
): Promise<FailoverReason | 'paused' | null> => {
  const known = { ...FREE, ...given }
  const account = accountOf(
    scriptedAdapter(() => T0),
    { slots: known.slots, ...of },
  )
  const view = { ...viewBudget(newBudget(10), T0), nextCreateAtMs: known.nextCreateAtMs }
  const decide = createStanding({
    store: { queue: async () => ({ ...IDLE, ...known }) },
    upstream: {
      heed: async () => undefined,
      shutUntilMs: () => known.shutUntilMs,
      keyRefusedUntilMs: () => known.keyRefusedUntilMs,
      slotsPausedUntilMs: () => known.slotsPausedUntilMs,
      view: () => view,
    },
    clock: { now: () => T0 },
  })
  const reasons = await decide(backendOf('main', account), priority)
  return reasons.find((one) => one === 'paused' || on.includes(one)) ?? null
}

test('a paused backend is passed over, whatever the policy is about', async () => {
  const paused = { ...NOT_PAUSED, isPaused: (work: string) => work === 'creates' }
  expect(await standing({}, [], 'normal', { paused })).toBe('paused')
  expect(
    await standing({}, [], 'normal', { paused: { ...NOT_PAUSED, isPaused: (work) => work === 'polls' } }),
  ).toBeNull()
})

test.each<[string, Partial<Known>, FailoverReason | null]>([
  ['nothing is in its way, and what was is over at this moment', {}, null],
  ['its breaker is open', { shutUntilMs: T0 + 1 }, 'down'],
  ['it refuses its key', { keyRefusedUntilMs: T0 + 1 }, 'down'],
  ['all slots are taken', { held: 2 }, 'no_slot'],
  ['more than all, since they were lowered', { held: 3 }, 'no_slot'],
  ['others wait for a slot', { nextDueAtMs: T0, normalWaits: true }, 'no_slot'],
  ['only low ones wait: a normal one goes before them', { nextDueAtMs: T0 }, null],
  ['it said that it has no slot', { slotsPausedUntilMs: T0 + 1 }, 'no_slot'],
  ['no limit of slots is known', { slots: null, held: 99, normalWaits: true, slotsPausedUntilMs: T0 + 1 }, null],
  ['its window is spent', { nextCreateAtMs: T0 + 1 }, 'no_budget'],
  ['its window was never used', { nextCreateAtMs: null }, null],
])('%s: %3$s, and null where failover is not for that', async (_, given, reason) => {
  expect(await standing(given, ALL)).toBe(reason)
  expect(
    await standing(
      given,
      ALL.filter((one) => one !== reason),
    ),
  ).toBeNull()
})

test('a low one goes after all that wait, whatever their priority', async () => {
  expect(await standing({ nextDueAtMs: T0 }, ALL, 'low')).toBe('no_slot')
  expect(await standing({}, ALL, 'low')).toBeNull()
})

test('down comes before slots, slots before the window', async () => {
  const all = { shutUntilMs: T0 + 1, held: 2, nextCreateAtMs: T0 + 1 }
  expect(await standing(all, ALL)).toBe('down')
  expect(await standing(all, ['no_budget', 'no_slot'])).toBe('no_slot')
  expect(await standing(all, ['no_budget'])).toBe('no_budget')
})
