import { type RateHeaders, type BackendProblem, UNTOLD } from '../../core/adapter.ts'
import { asObject, count, find, httpDate, number, time, codeWord, flag, redact, text, verbatim } from './read.ts'
import {
  type ERROR,
  type SpelledAs,
  type Answered,
  type Reply,
  type ErrorDialect,
  type ErrorRow,
  type Waits,
  VIDEO_GENERATION,
} from './dialect.ts'
import { PROBLEMS, type ProblemCode } from '../../core/errors.ts'
import { isoOrNull } from '../../core/time/clock.ts'
import type { Unusable } from '../../http/exchange.ts'

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

/** `next_poll_at` and `nextPollAt` hold moments, `retry_in_ms` milliseconds; any other name holds seconds. */
const isMoment = (name: string): boolean => /(_at|At)$/.test(name)
const unitMs = (name: string): number => (/(_ms|Ms)$/.test(name) ? 1 : 1000)

/** Every hint of one answer, as moments of our own clock, unbounded. */
function* hintsOf(headers: Headers, body: unknown, names: HintNames, nowMs: number): Generator<number | null> {
  const dateMs = httpDate(headers.date)
  // A backend's moment counts from its own `Date`, where its clock is not ours.
  const skewMs = dateMs === null || Math.abs(nowMs - dateMs) < AGREEMENT_MS ? 0 : nowMs - dateMs
  const ours = (atMs: number | null): number | null => (atMs === null ? null : atMs + skewMs)
  const after = (wait: number | null, unit = 1000): number | null => (wait === null ? null : nowMs + wait * unit)

  const retryAfter = headers['retry-after']
  yield after(number(retryAfter)) ?? ours(httpDate(retryAfter))
  yield ours(time(headers['x-service-next-poll-at']))
  for (const layer of [body, ...names.hintsUnder.map((path) => find(body, [path], asObject))]) {
    // Most answers have none of these wrappers.
    if (layer === null) continue
    for (const name of names.hints)
      yield isMoment(name) ? ours(find(layer, [name], time)) : after(find(layer, [name], number), unitMs(name))
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

export interface Fault {
  problem: BackendProblem
  waits: Waits
  onCreate: 'refused' | 'doubt'
  rate: RateHeaders
  /** The backend's error code, where it is in no row of the table. */
  unknownCode: string | null
}

const fits = (row: ErrorRow, status: number, error: string | null, block: string | null, hinted: boolean): boolean => {
  const [when, rowError, rowBlock] = row
  const statusFits =
    when === 'any' ||
    when === status ||
    when === `${Math.trunc(status / 100)}xx` ||
    (when === '429 hinted' && status === 429 && hinted)
  const errorFits = rowError === null || (rowError === '*' ? error !== null : rowError === error)
  return statusFits && errorFits && (rowBlock === null || rowBlock === block)
}

/** All other 5xx, and whatever is no status of HTTP. */
const CATCH_ALL: ErrorRow = ['any', null, null, 'backend_error', true, null, 'doubt']

const SENTENCES: Partial<Record<ProblemCode, string>> = {
  invalid_request: 'The backend refused the request as invalid',
  invalid_image: 'The backend does not support this image',
  upload_not_found: 'The backend has no such audio for this account',
  upload_not_finished: 'The audio upload is not finished yet',
  insufficient_credits: 'The account at the backend does not have enough credits',
  not_found: 'The backend does not have this',
  video_not_found: 'The backend does not know this job',
  voice_not_found: 'The backend does not know this voice',
  puppet_not_found: 'The backend does not know this puppet',
  idempotency_key_conflict: 'The backend has another request with this idempotency key',
  idempotency_key_in_progress: 'The backend is still working on the first request with this key',
  payload_too_large: 'The request is larger than the backend accepts',
  file_too_large: 'The file is larger than the backend accepts',
  concurrency_limit_reached: 'The account at the backend uses all its job slots',
  rate_limited: 'The account has used up its rate limit at the backend',
  quota_exceeded: 'The account has used up a quota at the backend',
  backend_credentials_rejected: "The backend refused the gateway's credentials",
  backend_unavailable: 'The backend is not available',
  backend_timeout: 'The backend did not answer in time',
  upload_check_unavailable: 'The backend cannot check the uploaded audio right now',
}

const UNUSABLE: Record<Unusable, string> = {
  empty: 'nothing',
  html: 'an HTML page',
  not_json: 'something that is not JSON',
  unexpected_shape: 'JSON that is neither an object nor a list',
  truncated: 'an incomplete answer',
  too_large: 'more than 1 MiB',
  timeout: 'too slowly',
}

const sentence = (reply: Answered, code: ProblemCode): string => {
  if (reply.status >= 300 && reply.status < 400) {
    return `The backend answered with a redirect (${reply.status}). The gateway never follows redirects`
  }
  if (reply.kind === 'unusable') return `The backend answered ${reply.status} with ${UNUSABLE[reply.why]}`
  return SENTENCES[code] ?? `The backend answered ${reply.status}`
}

/** A code with its sentence. */
export const sentenced = (code: ProblemCode): Pick<BackendProblem, 'code' | 'message'> => ({
  code,
  message: SENTENCES[code] ?? PROBLEMS[code].title,
})

/** The contract's `video_generation` object in one spelling, for `details.video_generation`; null if there is none. */
const videoGeneration = (body: unknown, { error }: ErrorDialect): Record<string, unknown> | null => {
  const found = find(body, error.videoGeneration, asObject)
  if (found === null) return null
  return {
    can_create: find(found, VIDEO_GENERATION.can_create, flag),
    reason: redacted(find(found, VIDEO_GENERATION.reason, text)),
    active_jobs: find(found, VIDEO_GENERATION.active_jobs, count),
    available_slots: find(found, VIDEO_GENERATION.available_slots, count),
    retry_after_seconds: find(found, ['retry_after_seconds', 'retryAfter', 'retryAfterSeconds'], count),
    next_poll_at: isoOrNull(find(found, ['next_poll_at', 'nextPollAt'], time)),
  }
}

/** Characters of the backend's own sentence in ours. */
const MAX_SAID = 200

export const redacted = (words: string | null): string | null => (words === null ? null : redact(words))

/** What an answer that is no success means, by the adapter's table. Pure and total. */
export const readFault = (reply: Answered, dialect: ErrorDialect, nowMs: number): Fault => {
  const body = reply.kind === 'json' ? reply.body : null
  const rate = readRate(reply.headers)
  const resetAtMs = reply.status === 429 ? resetHint(rate, nowMs) : null
  const hintMs = latestHint(reply.headers, body, dialect.error, nowMs) ?? (dialect.resetIsHint ? resetAtMs : null)
  const { error: spelled } = dialect
  const told = find(body, spelled.retryable, flag)
  const error = find(body, spelled.code, codeWord)
  /** As the tables spell codes: one service writes them in capitals. */
  const word = error?.toLowerCase() ?? null
  const block = find(body, spelled.block, codeWord)
  const comesBack = hintMs === null ? told === true : told !== false
  const [, , , code, retryable, waits, onCreate] =
    dialect.rows.find((row) => fits(row, reply.status, word, block, comesBack)) ?? CATCH_ALL
  const said = redacted(find(body, spelled.message, text))
  return {
    problem: {
      code,
      // What is wrong with it only the backend knows.
      message: sentence(reply, code) + (code === 'invalid_request' && said ? `: ${said.slice(0, MAX_SAID)}` : ''),
      retryable: retryable === 'told' ? comesBack : retryable,
      retryAtMs: hintMs ?? (waits === 'budget' ? resetAtMs : null),
      backendError: {
        status: reply.status,
        code: redacted(error),
        block_code: redacted(block),
        message: said,
      },
      details: detailsOf(reply, body, dialect),
      verbatim: verbatim(body),
    },
    waits,
    onCreate,
    rate,
    // Whatever the word for it: a refused key has a log line of its own.
    unknownCode: error !== null && reply.status !== 401 && !dialect.rows.some((row) => row[1] === word) ? error : null,
  }
}

/** Whether a video could be made, and of an account without credits what one would cost. */
const detailsOf = (
  { status, headers }: Answered,
  body: unknown,
  dialect: ErrorDialect,
): Record<string, unknown> | null => {
  const generation = videoGeneration(body, dialect)
  const credits = status === 402 ? readCredits(headers) : null
  const details = {
    ...(generation && { video_generation: generation }),
    ...(credits && { credits: { required: credits.charged, remaining: credits.remaining } }),
  }
  return Object.keys(details).length === 0 ? null : details
}

/** The system's word for what went wrong, such as ECONNREFUSED: never the address beside it. */
const SYSTEM_CODE = /\b(E[A-Z]{4,}|[A-Z]{3,}(_[A-Z0-9]+)+)\b/

/** No status line came: nobody there, or gone while we waited. */
export const readSilence = (reply: Extract<Reply, { kind: 'failed' }>): BackendProblem => {
  // An error of TLS may quote a whole certificate.
  const reason = SYSTEM_CODE.exec(reply.message.slice(0, 300))?.[0]
  const base = { ...UNTOLD, retryable: true }
  if (!reply.began) {
    const message = `The backend cannot be reached${reason ? ` (${reason})` : ''}`
    return { ...base, code: 'backend_unavailable', message }
  }
  return reply.fault === 'timeout' || reply.fault === 'aborted'
    ? { ...base, code: 'backend_timeout', message: 'The backend did not answer in time' }
    : { ...base, code: 'backend_error', message: 'The backend closed the connection without an answer' }
}
