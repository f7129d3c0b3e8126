import type { RateHeaders } from './adapter.ts'

/** The requests of one account's current window, as far as we know. Times are our clock's. */
export interface Budget {
  /** Rises with every window, so that a late answer cannot speak for a newer one. */
  window: number
  limit: number
  /** The limit less what we sent in this window. */
  remaining: number
  /** The least remainder that an answer of this window told, less the answers that told none; null before the first. */
  told: number | null
  resetsAtMs: number | null
  /** Requests of this window that have not been answered yet. */
  unanswered: number
  /** Requests of earlier windows that have not been answered yet. */
  late: number
  /** What `late` was when this window opened: each may arrive late, and count here, told or not. */
  reserved: number
  /** The window's first request is out, and its headers are awaited before a second may go. */
  probing: boolean
  /** Headers of this window were read: its end is known. */
  known: boolean
}

const WINDOW_MS = 60_000
/** The upstream counts in whole seconds: one more on our side, and its window has surely turned. */
const MARGIN_MS = 1_000
/** How soon to ask again while the first request of a window is out. */
const PROBE_RETRY_MS = 100

export const newBudget = (limit: number): Budget => ({
  window: 0,
  limit,
  remaining: limit,
  told: null,
  resetsAtMs: null,
  unanswered: 0,
  late: 0,
  reserved: 0,
  probing: false,
  known: false,
})

const isOver = (budget: Budget, nowMs: number): boolean => budget.resetsAtMs === null || nowMs >= budget.resetsAtMs

/**
 * How many may go now. A lower remainder was told later, whatever the order in which answers arrive: so all that were
 * answered are in the least one, and only those still out may be missing from it.
 */
const available = ({ remaining, told, unanswered, reserved }: Budget): number =>
  Math.max(0, Math.min(remaining, told === null ? remaining : told - unanswered) - reserved)

/** Takes one request, or says when to ask again. */
export const take = (budget: Budget, nowMs: number): { budget: Budget; retryAtMs: number | null } => {
  if (isOver(budget, nowMs)) {
    const late = budget.late + budget.unanswered
    const opened: Budget = {
      window: budget.window + 1,
      limit: budget.limit,
      remaining: budget.limit - 1,
      told: null,
      resetsAtMs: nowMs + WINDOW_MS + MARGIN_MS,
      unanswered: 1,
      late,
      reserved: late,
      probing: true,
      known: false,
    }
    return { budget: opened, retryAtMs: null }
  }
  if (budget.probing) return { budget, retryAtMs: nowMs + PROBE_RETRY_MS }
  if (available(budget) <= 0) return { budget, retryAtMs: waitUntil(budget, nowMs) }
  return { budget: { ...budget, remaining: budget.remaining - 1, unanswered: budget.unanswered + 1 }, retryAtMs: null }
}

/**
 * Corrects the window from one answer (design 4, "Budget"): within a window the told remainder only falls; its end is
 * clamp(Reset − Date, 1, 61 s) + 1 s from now, told by the first answer alone, so that skewed clocks, absurd values
 * and answers out of order do no harm.
 */
export const learn = (budget: Budget, window: number, rate: RateHeaders | null, nowMs: number): Budget => {
  if (window !== budget.window) return { ...budget, late: Math.max(0, budget.late - 1) }
  const answered = { ...budget, unanswered: Math.max(0, budget.unanswered - 1), probing: false }
  // It may have been taken after the least remainder was told.
  const silent = budget.told === null ? null : budget.told - 1
  if (!rate || (rate.limit === null && rate.remaining === null)) return { ...answered, told: silent }
  const limit = rate.limit ?? budget.limit
  return {
    ...answered,
    limit,
    // What we spent counts against a newly told limit.
    remaining: budget.known ? budget.remaining : limit - (budget.limit - budget.remaining),
    told: rate.remaining === null ? silent : Math.min(rate.remaining, budget.told ?? rate.remaining),
    known: true,
    resetsAtMs: windowEnd(budget, rate, nowMs),
  }
}

const windowEnd = (budget: Budget, rate: RateHeaders, nowMs: number): number | null => {
  if (budget.known || rate.resetAtMs === null) return budget.resetsAtMs
  const leftMs = rate.resetAtMs - (rate.dateMs ?? nowMs)
  return nowMs + Math.min(Math.max(leftMs, 1_000), 61_000) + MARGIN_MS
}

/** When a spent window may be asked again: at its end, or sooner if answers still out may free what they hold. */
const waitUntil = (budget: Budget, nowMs: number): number => {
  const mayFree = budget.unanswered > 0 && budget.remaining > budget.reserved
  return mayFree ? nowMs + PROBE_RETRY_MS : (budget.resetsAtMs ?? nowMs)
}

/** The upstream refused for the window: nothing is left of it before `untilMs`. */
export const exhaust = (budget: Budget, untilMs: number, nowMs: number): Budget => ({
  ...budget,
  remaining: 0,
  probing: false,
  known: true,
  resetsAtMs: Math.max(untilMs, nowMs + MARGIN_MS),
})

/** What a reader may be told now; `nextAtMs`: when the next request may go, null if it may go now. */
export const viewBudget = (budget: Budget, nowMs: number) => {
  const { limit, resetsAtMs, probing } = budget
  if (isOver(budget, nowMs)) return { limit, remaining: limit, resetsAtMs: null, nextAtMs: null }
  const remaining = available(budget)
  const nextAtMs = probing ? nowMs + PROBE_RETRY_MS : remaining <= 0 ? waitUntil(budget, nowMs) : null
  return { limit, remaining, resetsAtMs, nextAtMs }
}
