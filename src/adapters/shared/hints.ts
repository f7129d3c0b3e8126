import type { RateHeaders } from '../../core/adapter.ts'
import { asObject, count, find, httpDate, number, time } from './read.ts'
import type { ERROR, SpelledAs } from './spellings.ts'

const HOUR_MS = 3_600_000
/** `X-RateLimit-Reset` is a moment in Unix seconds; a smaller number is no moment that could be meant. */
const EARLIEST_RESET_S = 1_000_000_000
/** `Date` is cut to whole seconds and has travelled: clocks this close agree, as far as anybody can tell. */
const AGREEMENT_MS = 2_000

export type Headers = Readonly<Record<string, string>>

/** The rate headers of an answer (both contracts, "Limits"); null where absent or unreadable. */
export const readRate = (headers: Headers): RateHeaders => {
  const resetS = number(headers['x-ratelimit-reset'])
  return {
    limit: count(headers['x-ratelimit-limit']),
    remaining: count(headers['x-ratelimit-remaining']),
    resetAtMs: resetS !== null && resetS >= EARLIEST_RESET_S ? time(resetS) : null,
    dateMs: httpDate(headers.date),
  }
}

/** Charged and remaining credits (primary contract, "Shared response headers"); null if the answer has neither. */
export const readCredits = (headers: Headers): { charged: number | null; remaining: number | null } | null => {
  const charged = count(headers['x-service-credits-required'])
  const remaining = count(headers['x-service-credits-remaining'])
  return charged === null && remaining === null ? null : { charged, remaining }
}

/** Where an interface says when to come back. */
type HintNames = Pick<SpelledAs<typeof ERROR>, 'hints' | 'hintsUnder'>

/** `next_poll_at` and `nextPollAt` hold moments; a name that does not end so holds seconds. */
const isMoment = (name: string): boolean => /(_at|At)$/.test(name)

/** Every hint of one answer, as moments of our own clock, unbounded. */
function* hintsOf(headers: Headers, body: unknown, names: HintNames, nowMs: number): Generator<number | null> {
  const dateMs = httpDate(headers.date)
  // A backend's moment counts from its own `Date`, where its clock is not ours.
  const skewMs = dateMs === null || Math.abs(nowMs - dateMs) < AGREEMENT_MS ? 0 : nowMs - dateMs
  const ours = (atMs: number | null): number | null => (atMs === null ? null : atMs + skewMs)
  const after = (seconds: number | null): number | null => (seconds === null ? null : nowMs + seconds * 1000)

  const retryAfter = headers['retry-after']
  yield after(number(retryAfter)) ?? ours(httpDate(retryAfter))
  yield ours(time(headers['x-service-next-poll-at']))
  for (const layer of [body, ...names.hintsUnder.map((path) => find(body, [path], asObject))]) {
    // Most answers have none of these wrappers.
    if (layer === null) continue
    for (const name of names.hints)
      yield isMoment(name) ? ours(find(layer, [name], time)) : after(find(layer, [name], number))
  }
}

/** Between now and an hour from now. */
const boundHint = (atMs: number, nowMs: number): number => Math.ceil(Math.min(nowMs + HOUR_MS, Math.max(nowMs, atMs)))

/**
 * When the backend asks to be called again, in milliseconds since the epoch by our clock: the latest of all hints in
 * headers and body, between now and an hour from now; what cannot be read is no hint. Null without any.
 */
export const latestHint = (headers: Headers, body: unknown, names: HintNames, nowMs: number): number | null => {
  const hints = [...hintsOf(headers, body, names, nowMs)].filter((hint) => hint !== null)
  return hints.length === 0 ? null : boundHint(Math.max(...hints), nowMs)
}

/** When the rate window resets, bounded like a hint; null if the answer does not say. */
export const resetHint = (rate: RateHeaders, nowMs: number): number | null =>
  rate.resetAtMs === null ? null : boundHint(nowMs + rate.resetAtMs - (rate.dateMs ?? nowMs), nowMs)
