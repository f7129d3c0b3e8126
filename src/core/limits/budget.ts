import type { RateHeaders } from '../adapter.ts'

/** The requests of one account's current window, as far as we know. Times are our clock's. */
export interface Budget {
  /** Rises with every window, so that a late answer cannot speak for a newer one. */
  window: number
  limit: number
  /** The configured limit, as of the last request. */
  configured: number
  /** The limit that the upstream reported last; null before the first. */
  toldLimit: number | null
  /** The limit less what we sent in this window. */
  remaining: number
  /** The lowest remainder that this window reported, less the answers that reported none; null before the first. */
  told: number | null
  resetsAtMs: number | null
  /** Requests of this window that have not been answered yet. */
  unanswered: number
  /** Requests of earlier windows that may still be answered. */
  late: readonly Late[]
  /** How many were late when this window opened. Each may reach the upstream in this window and count in it. */
  reserved: number
  /** The window's first request is under way. The second waits for its headers. */
  probing: boolean
  /**
   * The next request goes by itself, like a window's first: the process restarted before it knew this window's headers.
   */
  asks: boolean
  /** Headers of this window were read: its end is known. */
  known: boolean
  /** Creates sent in this window. */
  creates: number
  /** Reads sent in this window. */
  reads: number
  /** The last window that had no request left for a read; null before the first. */
  readRefusedIn: number | null
  /** How long a window lasts: the longest that was reported. */
  lengthMs: number
  /**
   * For how many more windows the headers are not believed, and a window is a minute: the upstream refused what they
   * allowed.
   */
  distrusted: number
}

/** Unanswered requests of one earlier window. After `untilMs` nobody waits for them any more. */
export interface Late {
  window: number
  requests: number
  untilMs: number
}

export const newBudget = (limit: number): Budget => ({
  window: 0,
  limit,
  configured: limit,
  toldLimit: null,
  remaining: limit,
  told: null,
  resetsAtMs: null,
  unanswered: 0,
  late: [],
  reserved: 0,
  probing: false,
  asks: false,
  known: false,
  creates: 0,
  reads: 0,
  readRefusedIn: null,
  lengthMs: 0,
  distrusted: 0,
})

/** Changes the limit. What was already sent in this window still counts. */
export const limited = (budget: Budget, limit: number): Budget => ({
  ...budget,
  limit,
  remaining: limit - (budget.limit - budget.remaining),
})

/**
 * Applies a changed `requests_per_minute` immediately: a lower one in any case, a higher one up to the limit that the
 * upstream reported. An unchanged one changes nothing: the upstream may have reported a higher limit.
 */
export const configure = (budget: Budget, configured: number): Budget => {
  const mayBe = Math.min(configured, budget.toldLimit ?? Infinity)
  const isLower = configured < budget.configured
  const limit = isLower ? Math.min(budget.limit, configured) : Math.max(budget.limit, mayBe)
  return { ...limited(budget, limit), configured }
}

/** What a request is for. Creates come first, then polls; catalogues and downloads take what nobody else needs. */
export type BudgetClass = 'create' | 'poll' | 'read'

/** What else wants to go now on the same account. */
export interface Demand {
  pollsDue: number
  createsWaiting: number
}

/** A little more than the longest timeout that can be configured. */
const LONGEST_EXCHANGE_MS = 6 * 60_000
/** How long after its process died a request may still arrive. */
const LAST_BYTES_MS = 2_000
const WINDOW_MS = 60_000
/** The upstream counts in whole seconds: after one more, its window has surely ended. */
const MARGIN_MS = 1_000
/** How soon to ask again while the first request of a window is out. */
const PROBE_RETRY_MS = 100
/** How soon to ask again when others of the account go first. */
const YIELD_MS = 500
/** The part of a window that creates may take while a poll is due: jobs that nobody polls keep their slots. */
const CREATE_SHARE = 1 / 3
/** Of so many requests that are left one may be taken ahead: they are out of the others' reach. */
const LEFT_FOR_ONE_AHEAD = 64

/**
 * The window as the next process finds it. Unanswered requests will never be answered. They count as sent in this
 * window, and may still reach the upstream in the next one. If no headers of this window were read, the next request
 * goes by itself.
 */
export const restarted = (budget: Budget): Budget => {
  const { window, unanswered, resetsAtMs } = budget
  const out = [...budget.late, ...(unanswered === 0 ? [] : [{ window, requests: unanswered }])]
  return {
    ...budget,
    told: budget.told === null ? null : budget.told - unanswered,
    unanswered: 0,
    late: out.map((one) => ({ ...one, untilMs: (resetsAtMs ?? 0) + LAST_BYTES_MS })),
    probing: false,
    asks: !budget.known,
  }
}

const isOver = ({ resetsAtMs }: Budget, nowMs: number): boolean => nowMs >= (resetsAtMs ?? 0)

/**
 * How many requests may go now. Answers may arrive out of order, but the lowest remainder was reported last. It
 * includes all answered requests; only those under way may be missing from it.
 */
const available = ({ remaining, told, unanswered, reserved }: Budget): number =>
  Math.max(0, Math.min(remaining, told === null ? remaining : told - unanswered) - reserved)

/**
 * One request of the window is kept for a read if this window or the one before had none left for it. Otherwise a full
 * queue and its polls would never let a link be fetched, and somebody waits for that.
 */
const keptForRead = ({ limit, window, reads, readRefusedIn }: Budget): number =>
  limit > 2 && reads === 0 && readRefusedIn !== null && window - readRefusedIn <= 1 ? 1 : 0

const createShare = (limit: number): number => Math.max(1, Math.floor(limit * CREATE_SHARE))

/** Whether others of the account go before a request of this class (docs/polling.md, "Limits of one account"). */
const yields = (budget: Budget, budgetClass: BudgetClass, { pollsDue, createsWaiting }: Demand): boolean => {
  switch (budgetClass) {
    case 'create':
      return pollsDue > 0 && budget.creates >= createShare(budget.limit)
    case 'poll':
      return false
    case 'read':
      return budget.reads > 0 && available(budget) <= pollsDue + createsWaiting
  }
}

const opened = (budget: Budget, budgetClass: BudgetClass, nowMs: number): Budget => {
  const { window: before, unanswered: requests } = budget
  const left = requests === 0 ? [] : [{ window: before, requests, untilMs: nowMs + LONGEST_EXCHANGE_MS }]
  const late = [...budget.late.filter(({ untilMs }) => untilMs > nowMs), ...left]
  return {
    ...budget,
    window: before + 1,
    remaining: budget.limit - 1,
    told: null,
    resetsAtMs: nowMs + WINDOW_MS + MARGIN_MS,
    unanswered: 1,
    late,
    reserved: late.reduce((sum, one) => sum + one.requests, 0),
    probing: true,
    asks: false,
    known: false,
    creates: budgetClass === 'create' ? 1 : 0,
    reads: budgetClass === 'read' ? 1 : 0,
    distrusted: Math.max(0, budget.distrusted - 1),
  }
}

const NOTHING: Demand = { pollsDue: 0, createsWaiting: 0 }

/** How many may go as one: several only where the window is known, and as long as they leave what others want. */
const atOnce = (budget: Budget, most: number, { pollsDue, createsWaiting }: Demand): number => {
  const left = available(budget)
  if (!budget.known) return 1
  return Math.max(1, Math.min(most, Math.floor(left / LEFT_FOR_ONE_AHEAD), left - pollsDue - createsWaiting))
}

/** Whether requests of a window that were taken ahead are too many, now that it has so many left. */
export const isTooFarAhead = (ahead: number, remaining: number): boolean => remaining < (ahead * LEFT_FOR_ONE_AHEAD) / 2

/** Takes one request, or says when to ask again. Of a window with many left it takes several, up to `most`. */
export const take = (
  budget: Budget,
  nowMs: number,
  budgetClass: BudgetClass = 'poll',
  demand: Demand = NOTHING,
  most = 1,
): { budget: Budget; taken: number; retryAtMs: number | null } => {
  if (isOver(budget, nowMs)) return { budget: opened(budget, budgetClass, nowMs), taken: 1, retryAtMs: null }
  if (budget.probing) return { budget, taken: 0, retryAtMs: nowMs + PROBE_RETRY_MS }
  const isRead = budgetClass === 'read'
  if (available(budget) <= (isRead ? 0 : keptForRead(budget))) {
    const isNews = isRead && budget.readRefusedIn !== budget.window
    const refused = isNews ? { ...budget, readRefusedIn: budget.window } : budget
    return { budget: refused, taken: 0, retryAtMs: waitUntil(budget, nowMs) }
  }
  if (yields(budget, budgetClass, demand)) {
    return { budget, taken: 0, retryAtMs: Math.min(nowMs + YIELD_MS, budget.resetsAtMs ?? Infinity) }
  }
  const taken = atOnce(budget, most, demand)
  const creates = budget.creates + (budgetClass === 'create' ? taken : 0)
  const reads = budget.reads + (isRead ? taken : 0)
  const { remaining, unanswered, asks: probing } = budget
  const sent = { remaining: remaining - taken, unanswered: unanswered + taken, creates, reads }
  return { budget: { ...budget, ...sent, probing, asks: false }, taken, retryAtMs: null }
}

const less = (late: readonly Late[], window: number, count = 1): Late[] =>
  late
    .map((one) => (one.window === window ? { ...one, requests: one.requests - count } : one))
    .filter(({ requests }) => requests > 0)

/** So many reads that were taken of a window were never sent. */
export const giveBack = (budget: Budget, window: number, count: number): Budget => {
  if (window !== budget.window) return { ...budget, late: less(budget.late, window, count) }
  const { remaining, unanswered, reads } = budget
  return {
    ...budget,
    remaining: remaining + count,
    unanswered: Math.max(0, unanswered - count),
    reads: Math.max(0, reads - count),
  }
}

/**
 * Corrects the window from one answer. Within a window the reported remainder only falls. Only the first answer reports
 * its end: clamp(Reset − Date, 1, 61 s) + 1 s from now. So skewed clocks, absurd values and answers out of order do no
 * harm.
 */
export const learn = (budget: Budget, window: number, rate: RateHeaders | null, nowMs: number): Budget => {
  if (window !== budget.window) return { ...budget, late: less(budget.late, window) }
  const answered = { ...budget, unanswered: Math.max(0, budget.unanswered - 1), probing: false }
  // This request may have been counted after the lowest remainder was reported.
  const silent = budget.told === null ? null : budget.told - 1
  if (!rate || (rate.limit === null && rate.remaining === null)) return { ...answered, told: silent }
  // The same limit as before is no news: a lower one may have been configured since.
  const limit = rate.limit === null || rate.limit === budget.toldLimit ? budget.limit : rate.limit
  const endsInMs = windowLeft(budget, rate, nowMs)
  return {
    ...limited(answered, limit),
    toldLimit: rate.limit ?? budget.toldLimit,
    told: rate.remaining === null ? silent : Math.min(rate.remaining, budget.told ?? rate.remaining),
    known: true,
    resetsAtMs: endsInMs === null ? budget.resetsAtMs : nowMs + endsInMs,
    lengthMs: Math.max(budget.lengthMs, endsInMs ?? 0),
  }
}

/** How long the window still lasts by its first answer; null: that is known, or not believed. */
const windowLeft = (budget: Budget, rate: RateHeaders, nowMs: number): number | null => {
  if (budget.known || rate.resetAtMs === null || budget.distrusted > 0) return null
  const leftMs = rate.resetAtMs - (rate.dateMs ?? nowMs)
  return Math.min(Math.max(leftMs, 1_000), 61_000) + MARGIN_MS
}

/** When to ask a spent window again: at its end, or sooner if an answer under way may free a request. */
const waitUntil = (budget: Budget, nowMs: number): number => {
  const { remaining, told, unanswered, reserved } = budget
  // No answer raises the remainder that the upstream reported.
  const mayFree = unanswered > 0 && Math.min(remaining, told ?? remaining) > reserved
  return mayFree ? nowMs + PROBE_RETRY_MS : (budget.resetsAtMs ?? nowMs)
}

/** For how many windows the headers are not believed after a contradiction, the current one included. */
const DISTRUSTED_WINDOWS = 4

/** The upstream refused although its headers left some requests, or although a window had just begun. */
const isContradicted = (budget: Budget): boolean => available(budget) > 0 || budget.limit - budget.remaining <= 1

/**
 * The upstream refused for its rate: nothing may go before `untilMs`. If its headers had reported otherwise, the window
 * ends that they tell are not believed for a while, or each would cost another refusal.
 */
export const exhaust = (budget: Budget, untilMs: number, nowMs: number): Budget => ({
  ...budget,
  distrusted: isContradicted(budget) ? DISTRUSTED_WINDOWS : budget.distrusted,
  remaining: 0,
  // So that a higher limit frees none of it.
  told: 0,
  probing: false,
  asks: false,
  known: true,
  resetsAtMs: Math.max(untilMs, nowMs + MARGIN_MS, budget.distrusted > 0 ? (budget.resetsAtMs ?? 0) : 0),
})

/** The account's window, under the limit that is configured now. A new one if nothing was sent yet. */
export const budgetUnder = (budget: Budget | null, configured: number): Budget =>
  budget ? configure(budget, configured) : newBudget(configured)

/** The window as others see it: when the next poll (`nextAtMs`) or create may go; null: now. */
export const viewBudget = (budget: Budget, nowMs: number, demand: Demand = NOTHING) => {
  const { limit, resetsAtMs, probing } = budget
  const lengthMs = budget.lengthMs || WINDOW_MS + MARGIN_MS
  if (isOver(budget, nowMs)) {
    return { limit, remaining: limit, resetsAtMs: null, nextAtMs: null, nextCreateAtMs: null, lengthMs }
  }
  const remaining = available(budget)
  const isSpent = remaining <= keptForRead(budget)
  const nextAtMs = probing ? nowMs + PROBE_RETRY_MS : isSpent ? waitUntil(budget, nowMs) : null
  const nextCreateAtMs = nextAtMs ?? (yields(budget, 'create', demand) ? nowMs + YIELD_MS : null)
  return { limit, remaining, resetsAtMs, nextAtMs, nextCreateAtMs, lengthMs }
}

/**
 * A circuit breaker as a value. After five exchanges in a row without a proper answer it lets nothing through for 10 s,
 * doubling to a minute, and then tries one request. Own code, because its time must be the injected clock's: the
 * libraries for this read the system's.
 */
export interface Breaker {
  /** In a row. */
  failures: number
  /** If it is open, nothing goes before then. Then one request may try, and this moves on. */
  shutUntilMs: number
}

const FAILURES_TO_OPEN = 5
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 60_000

export const CLOSED: Breaker = { failures: 0, shutUntilMs: 0 }

export const isOpen = ({ failures }: Breaker): boolean => failures >= FAILURES_TO_OPEN

/** Lets a request through, or says when to ask again. One that tries an open breaker has `tryMs` for it. */
export const pass = (
  breaker: Breaker,
  nowMs: number,
  tryMs: number,
): { breaker: Breaker; retryAtMs: number | null } => {
  if (!isOpen(breaker)) return { breaker, retryAtMs: null }
  if (nowMs < breaker.shutUntilMs) return { breaker, retryAtMs: breaker.shutUntilMs }
  return { breaker: { ...breaker, shutUntilMs: nowMs + tryMs }, retryAtMs: null }
}

/** Counts the outcome of a request. `spoke`: the backend answered in its contract's form, refusals included. */
export const heard = (breaker: Breaker, spoke: boolean, nowMs: number): Breaker => {
  if (spoke) return CLOSED
  const failures = breaker.failures + 1
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, failures - FAILURES_TO_OPEN), LONGEST_PAUSE_MS)
  return { failures, shutUntilMs: nowMs + pauseMs }
}
