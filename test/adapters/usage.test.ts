import { describe, expect, test } from 'vitest'
import { readUsage } from '../../src/adapters/shared/answers.ts'
import { ERROR } from '../../src/adapters/shared/dialect.ts'
import { NOW_MS } from './harness.ts'

const MOMENT = { base: new URL('https://b.example'), nowMs: NOW_MS }
const read = (body: unknown, headers: Record<string, string> = {}) => readUsage(body, headers, MOMENT, { error: ERROR })

const NOTHING = {
  creditsRemaining: null,
  creditsUsedMonth: null,
  creditsIncluded: null,
  creditsPurchased: null,
  checkoutAvailable: null,
  creditPacks: null,
  canCreate: null,
  blockedReason: null,
  retryAtMs: null,
  activeJobs: null,
  freeSlots: null,
}

describe('usage (contract: what it reports is shown, the names are not)', () => {
  test.each<[string, unknown, object]>([
    [
      'snake_case',
      {
        credits_remaining: 7,
        credits_used_month: 3,
        credits_included: 10,
        credits_purchased: 0,
        credit_packs: [{ a: 1 }],
      },
      { creditsRemaining: 7, creditsUsedMonth: 3, creditsIncluded: 10, creditsPurchased: 0, creditPacks: [{ a: 1 }] },
    ],
    [
      'camelCase',
      { creditBalance: '7', monthlyUsage: 3, includedBalance: 10, purchasedBalance: 5, checkoutAvailable: true },
      { creditsRemaining: 7, creditsUsedMonth: 3, creditsIncluded: 10, creditsPurchased: 5, checkoutAvailable: true },
    ],
    [
      'an object of credits',
      { credits: { balance: 7, used_this_month: 3, included: 10, purchased: 0 }, checkout: { available: false } },
      { creditsRemaining: 7, creditsUsedMonth: 3, creditsIncluded: 10, creditsPurchased: 0, checkoutAvailable: false },
    ],
    ['a wrapper', { data: { balance: 7 } }, { creditsRemaining: 7 }],
    ['another wrapper', { object: 'usage', usage: { credits: 7 } }, { creditsRemaining: 7 }],
    [
      'readiness alone',
      { video_generation: { can_create: true, reason: 'ready', active_jobs: 1, available_slots: 1 } },
      { canCreate: true, activeJobs: 1, freeSlots: 1 },
    ],
    [
      'readiness in camelCase, blocked',
      { videoGeneration: { canCreate: false, reason: 'full https://x.example', activeJobs: 2, retryAfter: 9 } },
      { canCreate: false, blockedReason: 'full [url]', activeJobs: 2, retryAtMs: NOW_MS + 9_000 },
    ],
    [
      'readiness at the top',
      { balance: 0, can_create: false, reason: 'x' },
      { creditsRemaining: 0, canCreate: false, blockedReason: 'x' },
    ],
  ])('%s', (_, body, told) => {
    const { verbatim, ...left } = read(body) ?? {}
    expect(left).toEqual({ ...NOTHING, ...told })
    expect([body, ...Object.values(Object(body))]).toContainEqual(verbatim)
  })

  test('a hint beside a blocked account is when to come back; beside a ready one it is none', () => {
    const headers = { 'retry-after': '30' }
    expect(read({ video_generation: { can_create: false } }, headers)).toMatchObject({ retryAtMs: NOW_MS + 30_000 })
    expect(read({ video_generation: { can_create: true } }, headers)).toMatchObject({ retryAtMs: null })
  })

  test.each([{}, [], { error: 'x' }, { balance: {} }, { data: { balance: [] } }, { credits: 'many' }])(
    '%j tells nothing',
    (body) => {
      expect(read(body)).toBeNull()
    },
  )

  test('no more packs than anybody sells', () => {
    expect(read({ credit_packs: Array.from({ length: 1_000 }, () => ({})) })?.creditPacks).toHaveLength(100)
  })
})
