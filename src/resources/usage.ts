import { iso, nextMonthMs, isoOrNull } from '../core/time/clock.ts'
import type { AccountUsage } from '../core/adapter.ts'
import { Problem } from '../core/errors.ts'
import type { BackendUsageView, UsageView } from '../core/api/videos.ts'
import type { AccountId } from '../core/vocabulary.ts'
import { readThrough } from '../engine/upstream/ask.ts'
import type { Backend } from '../engine/upstream/accounts.ts'
import type { Caller, ResourcesDeps } from './keyed.ts'

/** A crash forgets at most what came in this long, and what came after the last request that found it over. */
const STORED_EVERY_MS = 10_000

/** Requests of each client this month: counted in memory, stored in batches, for the usage report. */
export const createRequestCounts = ({ store, clock, log }: ResourcesDeps) => {
  let month = ''
  let counts = new Map<string, number>()
  let storeAtMs = 0
  let flying: Promise<void> = Promise.resolve()

  const now = { month: '', fromMs: 0, untilMs: 0 }
  const monthOf = (nowMs: number): string => {
    if (nowMs >= now.fromMs && nowMs < now.untilMs) return now.month
    Object.assign(now, { month: iso(nowMs).slice(0, 7), fromMs: nowMs, untilMs: nextMonthMs(nowMs) })
    return now.month
  }

  const add = (client: string, n: number): void => void counts.set(client, (counts.get(client) ?? 0) + n)

  const storeCounts = async (): Promise<void> => {
    const [stored, of] = [counts, month]
    counts = new Map()
    await store.countRequests(of, Object.fromEntries(stored)).catch((error: unknown) => {
      log.warn({ err: error }, 'counted requests could not be stored: the gateway retries')
      if (month === of) for (const [client, n] of stored) add(client, n)
    })
  }

  const flush = (): Promise<void> => {
    storeAtMs = clock.now() + STORED_EVERY_MS
    if (counts.size > 0) flying = Promise.all([flying, storeCounts()]).then(() => undefined)
    return flying
  }

  return {
    count(client: string): void {
      const nowMs = clock.now()
      const current = monthOf(nowMs)
      if (current !== month || nowMs >= storeAtMs) void flush()
      month = current
      add(client, 1)
    },
    /** Those of this month, stored or not. */
    async of(client: string): Promise<number> {
      await flying
      const pending = monthOf(clock.now()) === month ? (counts.get(client) ?? 0) : 0
      return pending + (await store.monthOf(client, clock.now())).requests
    },
    flush,
  }
}

/** How long an account's answer, or its failure to give one, holds for all who ask; no longer than a failure says. */
const HELD_MS = 15_000

const NOTHING_TOLD: AccountUsage = {
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
  verbatim: null,
}

/** One request an account for however many ask. Answers the problem if it cannot be read. */
const createTold = ({ upstream, clock, log }: ResourcesDeps) => {
  const answers = new Map<AccountId, { untilMs: number; usage: Promise<AccountUsage | Problem> }>()
  const ask = async (backend: Backend): Promise<AccountUsage | Problem> => {
    try {
      return await readThrough(upstream, backend, () => backend.account.adapter.usage())
    } catch (error) {
      const problem =
        error instanceof Problem
          ? error
          : new Problem('internal_error', 'the gateway could not read the usage', { cause: error })
      log.warn({ backend: backend.name, code: problem.code }, 'the backend’s usage could not be read')
      return problem
    }
  }
  return (backend: Backend): Promise<AccountUsage | Problem> => {
    const { id } = backend.account
    const known = answers.get(id)
    if (known && clock.now() < known.untilMs) return known.usage
    // While it is out, everybody waits for the one; from its end on it holds for a while.
    const answer = { untilMs: Infinity, usage: ask(backend) }
    answers.set(id, answer)
    void answer.usage.then((usage) => {
      // After the time to retry, there is a new answer.
      const retryAtMs = usage instanceof Problem ? (usage.extras.retryAtMs ?? Infinity) : Infinity
      answer.untilMs = Math.min(clock.now() + HELD_MS, retryAtMs)
    })
    return answer.usage
  }
}

/** All but what only the caller's key knows. */
export interface Used extends Omit<UsageView, 'client'> {
  client: Omit<UsageView['client'], 'limits'>
}

/** What is left: by the backends, by what the gateway knows of them, and by the client's own counts. */
export const createUsage = (deps: ResourcesDeps, requestsOf: (client: string) => Promise<number>) => {
  const { store, upstream, clock } = deps
  const told = createTold(deps)

  const ofBackend = async (backend: Backend): Promise<BackendUsageView> => {
    const { account, name } = backend
    const answer = account.adapter.capabilities.usage ? await told(backend) : NOTHING_TOLD
    const usage = answer instanceof Problem ? NOTHING_TOLD : answer
    const { held, window } = await store.queue(account.id)
    const budget = upstream.view(account, window)
    return {
      backend: name,
      credits_remaining: usage.creditsRemaining,
      credits_used_month: usage.creditsUsedMonth,
      credits_included: usage.creditsIncluded,
      credits_purchased: usage.creditsPurchased,
      checkout_available: usage.checkoutAvailable,
      credit_packs: usage.creditPacks,
      can_create:
        usage.canCreate ?? (account.adapter.capabilities.usage ? null : upstream.health(account.id).status !== 'down'),
      blocked_reason: usage.blockedReason,
      retry_at: isoOrNull(usage.retryAtMs),
      active_jobs: usage.activeJobs ?? held,
      free_slots: usage.freeSlots ?? (account.slots === null ? null : Math.max(0, account.slots - held)),
      requests: {
        limit: budget.limit,
        remaining: budget.remaining,
        resets_at: isoOrNull(budget.resetsAtMs),
      },
    }
  }

  const view = async ({ client, visible }: Caller): Promise<Used> => {
    const nowMs = clock.now()
    const [backends, month, requests] = await Promise.all([
      Promise.all([...visible.values()].map(ofBackend)),
      store.monthOf(client, nowMs),
      requestsOf(client),
    ])
    return {
      object: 'usage',
      backends,
      client: {
        month: iso(nowMs).slice(0, 7),
        videos: { ...month.videos },
        credits_charged: month.creditsCharged,
        requests,
      },
    }
  }

  return { view, told }
}
