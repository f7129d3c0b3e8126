/** The requests of one account's current window, as far as we know. Times are our clock's. */
export interface Budget {
  /** Rises with every window, so that a late answer cannot speak for a newer one. */
  window: number
  limit: number
  /** The configured limit, as of the last request. */
  configured: number
  /** The limit that the upstream told last; null before the first. */
  toldLimit: number | null
  /** The limit less what we sent in this window. */
  remaining: number
  /** The lowest remainder that this window told, less the answers that told none; null before the first. */
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
  /** The next request goes alone, like a window's first: the process restarted before it knew this window's headers. */
  asks: boolean
  /** Headers of this window were read: its end is known. */
  known: boolean
  /** Creates sent in this window. */
  creates: number
  /** Reads sent in this window. */
  reads: number
  /** The last window that had no request left for a read; null before the first. */
  readRefusedIn: number | null
  /** How long a window lasts: the longest that was told. */
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
 * Applies a changed `requests_per_minute` at once: a lower one in any case, a higher one up to the limit that the
 * upstream told. An unchanged one changes nothing: the upstream may have told a higher limit.
 */
export const configure = (budget: Budget, configured: number): Budget => {
  if (configured === budget.configured) return budget
  const mayBe = Math.min(configured, budget.toldLimit ?? Infinity)
  const isLower = configured < budget.configured
  const limit = isLower ? Math.min(budget.limit, configured) : Math.max(budget.limit, mayBe)
  return { ...limited(budget, limit), configured }
}
