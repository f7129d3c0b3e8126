import type { BackendProblem, RateHeaders } from '../core/adapter.ts'
import { sleepUntil, type Clock } from '../core/clock.ts'
import type { BudgetClass, Store } from '../core/ports.ts'
import type { AccountId } from '../core/vocabulary.ts'
import type { Account } from './backends.ts'

export type HealthStatus = 'up' | 'degraded' | 'down'
export interface Health {
  status: HealthStatus
  sinceMs: number | null
  reason: string | null
}

interface Answer {
  rate: RateHeaders | null
  problem?: BackendProblem
}

export type Asked<T> = { kind: 'asked'; outcome: T } | { kind: 'no_budget'; retryAtMs: number }

const UP: Health = { status: 'up', sinceMs: null, reason: null }

/** What one outcome says of the account: a refused key is down until a call succeeds, a fault is degraded. */
const healthAfter = (problem: BackendProblem | undefined): Pick<Health, 'status' | 'reason'> => {
  if (!problem) return { status: 'up', reason: null }
  switch (problem.code) {
    case 'backend_credentials_rejected':
      return { status: problem.backendError.status === 403 ? 'degraded' : 'down', reason: problem.code }
    case 'backend_unavailable':
      return { status: problem.backendError.status === null ? 'down' : 'degraded', reason: problem.code }
    case 'backend_error':
    case 'backend_timeout':
      return { status: 'degraded', reason: problem.code }
    default:
      return { status: 'up', reason: null }
  }
}

/**
 * The one door to the backends: every request takes a ticket of its account's budget first and teaches the budget and
 * the account's health after. `patienceMs`: how long the caller would rather wait for a ticket than do without.
 */
export const createUpstream = ({ store, clock }: { store: Store; clock: Clock }) => {
  const health = new Map<AccountId, Health>()
  const slotPauses = new Map<AccountId, number>()

  const note = (account: Account, outcome: Answer): void => {
    const before = health.get(account.id) ?? UP
    const after = healthAfter(outcome.problem)
    if (before.status === after.status && before.reason === after.reason) return
    health.set(account.id, { ...after, sinceMs: clock.now() })
  }

  const ticketFor = async (account: Account, budgetClass: BudgetClass, patienceMs: number) => {
    const untilMs = clock.now() + patienceMs
    for (;;) {
      const spent = await store.spend(account.id, budgetClass, account.requestsPerMinute)
      if (spent.ok || spent.retryAtMs > untilMs) return spent
      await sleepUntil(clock, spent.retryAtMs)
    }
  }

  return {
    async ask<T extends Answer>(
      account: Account,
      budgetClass: BudgetClass,
      patienceMs: number,
      request: () => Promise<T>,
    ): Promise<Asked<T>> {
      const spent = await ticketFor(account, budgetClass, patienceMs)
      if (!spent.ok) return { kind: 'no_budget', retryAtMs: spent.retryAtMs }
      const outcome = await request().catch(async (error: unknown) => {
        // A fault of ours: the ticket must come back, or the window would await its answer.
        await store.learn(spent.ticket, null)
        throw error
      })
      await store.learn(spent.ticket, outcome.rate)
      if (outcome.problem?.code === 'rate_limited') {
        await store.exhausted(account.id, outcome.problem.retryAtMs ?? clock.now() + 60_000)
      }
      note(account, outcome)
      return { kind: 'asked', outcome }
    },
    /** Its slots are held by others: no create before then. A job of ours that ends lifts it. */
    pauseSlots: (account: AccountId, untilMs: number): void => void slotPauses.set(account, untilMs),
    resumeSlots: (account: AccountId): void => void slotPauses.delete(account),
    slotsPausedUntilMs: (account: AccountId): number => slotPauses.get(account) ?? 0,
    health: (account: AccountId): Health => health.get(account) ?? UP,
  }
}
export type Upstream = ReturnType<typeof createUpstream>
