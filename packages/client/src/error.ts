import type { components } from './schema.d.ts'

export type Problem = components['schemas']['Problem']

/** Codes of the client itself: no answer of the gateway has them. */
export type ClientCode =
  /** No answer came, or it broke off. */
  | 'connection_failed'
  /** No whole answer came within `timeoutMs`. */
  | 'timeout'
  /** `videos.wait` ran out of time; the video continues. */
  | 'wait_timeout'
  /** Something else than the gateway answered, such as a proxy. */
  | 'unexpected_answer'
  /** A webhook is not signed with your secret, is too old, or is not whole. */
  | 'webhook_invalid'
  /** The client was called with something that it cannot use. */
  | 'invalid_option'

export type TalkbridgeErrorCode = Problem['code'] | ClientCode

interface Told {
  status?: number | null
  title?: string
  retryable?: boolean
  retryAfterMs?: number | null
  requestId?: string | null
  idempotencyKey?: string | null
  problem?: Problem | null
  cause?: unknown
}

/** The one error of this client. Beside it only your own `signal.reason` is thrown, when your signal aborts. */
export class TalkbridgeError extends Error {
  override readonly name = 'TalkbridgeError'
  /** For programs: one of the gateway's codes (docs/api/errors.md) or of the client's own. */
  readonly code: TalkbridgeErrorCode
  /** Of the answer; null where there was none. */
  readonly status: number | null
  /** The same for every error of this code; `message` says what happened this time. */
  readonly title: string
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** Calling again earlier is pointless; null where nobody said so. */
  readonly retryAfterMs: number | null
  /** Report it to the operator of the gateway. */
  readonly requestId: string | null
  /** What the create was sent with: give it again to repeat the call without paying twice. */
  readonly idempotencyKey: string | null
  /** The video that it is about, where that is known: after a wait without an end you may wait for it again. */
  readonly videoId: string | null
  /** The first of `errors`. */
  readonly param: string | null
  /** One entry for each field that is wrong. */
  readonly errors: Problem['errors']
  /** The whole answer (RFC 9457); null where it was not the gateway's. */
  readonly problem: Problem | null

  constructor(code: TalkbridgeErrorCode, message: string, told: Told = {}) {
    super(message, told.cause === undefined ? undefined : { cause: told.cause })
    this.code = code
    this.status = told.status ?? null
    this.title = told.title ?? message
    this.retryable = told.retryable ?? false
    this.retryAfterMs = told.retryAfterMs ?? null
    this.requestId = told.requestId ?? null
    this.idempotencyKey = told.idempotencyKey ?? null
    this.videoId = told.problem?.video_id ?? null
    this.param = told.problem?.param ?? null
    this.errors = told.problem?.errors ?? []
    this.problem = told.problem ?? null
  }
}

export const invalidOption = (message: string): TalkbridgeError =>
  new TalkbridgeError('invalid_option', message, { title: 'Invalid option' })

/** Throws `invalid_option`; no message shows the value, which may hold a password. */
export const baseOf = (url: unknown): string => {
  const text = typeof url === 'string' ? url : ''
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw invalidOption('url: give the gateway’s address, http or https')
  const { username, password, search, hash, origin, pathname } = new URL(text)
  if (username !== '' || password !== '') throw invalidOption('url: leave out the user name and the password')
  if (search !== '' || hash !== '') throw invalidOption('url: leave out `?` and `#` and what is behind them')
  if (/\/unified\/v1(\/|$)/.test(pathname)) throw invalidOption('url: leave out `/unified/v1`: the library adds it')
  return origin + pathname.replace(/\/+$/, '')
}

/** A header that cannot be sent would be shown in the platform’s own error. */
export const checkedKey = (key: unknown): string => {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key
  throw invalidOption('key: give it as you got it, without spaces or line breaks')
}

/** What goes out as a header: the platform’s own error would be no `TalkbridgeError`. */
export const checkedHeader = (name: string, value: unknown): string => {
  if (typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) return value
  throw invalidOption(`${name}: give a text of plain ASCII, without line breaks`)
}

/** An empty one would be another path, and so would dots. */
export const checkedId = (name: string, value: unknown): string => {
  if (typeof value === 'string' && !['', '.', '..'].includes(value)) return value
  throw invalidOption(`${name}: give it as the gateway showed it`)
}

/** No message shows the value: the link holds a signature. */
export const checkedLink = (name: string, value: unknown): string => {
  if (typeof value === 'string' && URL.canParse(value)) return value
  throw invalidOption(`${name}: give it as the gateway showed it`)
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

export const checkedCount = (name: string, value: unknown): number => {
  if (isCount(value)) return value
  throw invalidOption(`${name}: give a whole number from 0 on`)
}

/** Milliseconds of a time limit; `Infinity`: none. */
export const checkedMs = (name: string, value: unknown): number => {
  if (value === Infinity || (isCount(value) && value > 0)) return value
  throw invalidOption(`${name}: give a whole number of milliseconds`)
}
