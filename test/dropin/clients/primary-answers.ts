/** What the answers of the primary interface hold, as its contract says; part of the client beside this file. */

export type Json = Record<string, unknown>

export interface Rate {
  limit: number
  remaining: number
  resetUnixSec: number
}

export interface PrimaryJob {
  httpStatus: number
  id: string
  statusUrl: string
  status: string
  progress: number | null
  videoUrl: string | null
  retryAfterSec: number | null
  nextPollAt: string | null
  creditsRequired: number | null
  creditsRemaining: number | null
  rate: Rate
  body: Json
}

export interface Reply {
  status: number
  headers: Headers
  body: Json
}

const JOB_ID = /^api_video_[A-Za-z0-9_-]+$/
const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/

/** The answer is not what the contract says. */
export class ContractError extends Error {}

export const insist = (truth: boolean, what: string): void => {
  if (!truth) throw new ContractError(what)
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const text = (from: Json, field: string): string => {
  const value = from[field]
  if (typeof value !== 'string' || value === '') throw new ContractError(`${field} is ${JSON.stringify(value)}`)
  return value
}

/** The value that all present aliases share; null where none is present. */
const shared = (from: Json, aliases: readonly string[]): unknown => {
  const [first, ...others] = aliases.map((alias) => from[alias]).filter((value) => value !== undefined)
  for (const other of others) insist(other === first, `${aliases.join('/')} differ: ${JSON.stringify([first, other])}`)
  return first ?? null
}

export const sharedText = (from: Json, ...aliases: string[]): string | null => {
  const value = shared(from, aliases)
  insist(value === null || typeof value === 'string', `${aliases.join('/')} is no string`)
  return typeof value === 'string' ? value : null
}

const sharedInteger = (from: Json, ...aliases: string[]): number | null => {
  const value = shared(from, aliases)
  insist(value === null || Number.isInteger(value), `${aliases.join('/')} is no integer`)
  return typeof value === 'number' ? value : null
}

export const integerHeader = (headers: Headers, name: string): number | null => {
  const value = headers.get(name)
  if (value === null) return null
  insist(/^\d+$/.test(value), `${name} is ${value}`)
  return Number(value)
}

export const rateOf = (headers: Headers): Rate => {
  const limit = integerHeader(headers, 'x-ratelimit-limit')
  const remaining = integerHeader(headers, 'x-ratelimit-remaining')
  const resetUnixSec = integerHeader(headers, 'x-ratelimit-reset')
  if (limit === null || remaining === null || resetUnixSec === null) throw new ContractError('no rate-limit headers')
  insist(remaining <= limit && resetUnixSec > 1e9 && resetUnixSec < 1e11, 'rate-limit headers make no sense')
  return { limit, remaining, resetUnixSec }
}

/** The first string of the body, at any depth, whose field's name the pattern fits: for answers whose fields the contract does not show. */
const anyText = (from: unknown, name: RegExp): string | null => {
  if (typeof from !== 'object' || from === null) return null
  for (const [field, value] of Object.entries(from)) if (typeof value === 'string' && name.test(field)) return value
  for (const value of Object.values(from)) {
    const found = anyText(value, name)
    if (found !== null) return found
  }
  return null
}

export const someText = (from: unknown, name: RegExp): string => {
  const found = anyText(from, name)
  if (found === null) throw new ContractError(`nothing named ${name.source} in ${JSON.stringify(from)}`)
  return found
}

export class PrimaryError extends Error {
  readonly status: number
  readonly code: string
  readonly retryable: boolean
  readonly retryAfterSec: number | null
  readonly nextPollAt: string | null
  readonly blockCode: string | null
  readonly blockedReason: string | null
  /** Of errors that speak about a job. */
  readonly jobId: string | null
  readonly statusUrl: string | null
  readonly details: Json
  readonly headers: Headers

  constructor({ status, headers, body }: Reply) {
    super(text(body, 'message'))
    this.status = status
    this.headers = headers
    this.code = text(body, 'error')
    this.retryable = body['retryable'] === true
    this.retryAfterSec =
      integerHeader(headers, 'retry-after') ??
      sharedInteger(body, 'retry_after_seconds', 'retryAfter', 'retryAfterSeconds')
    this.nextPollAt = headers.get('x-service-next-poll-at') ?? sharedText(body, 'next_poll_at', 'nextPollAt')
    this.blockCode = sharedText(body, 'retry_block_code', 'retryBlockCode')
    this.blockedReason = sharedText(body, 'retry_blocked_reason', 'retryBlockedReason')
    const ids = ['job_id', 'jobId', 'task_id', 'taskId', 'operation_id', 'operationId', 'request_id', 'requestId']
    this.jobId = sharedText(body, 'id', ...ids)
    this.statusUrl = sharedText(body, 'status_url', 'statusUrl', 'content_location', 'contentLocation')
    this.details = isJson(body['details']) ? body['details'] : {}
  }
}

/** Every alias that the contract names for a job's id, where it is present, says the same; so do the headers. */
const jobId = ({ headers, body }: Reply): string => {
  const id = text(body, 'id')
  insist(JOB_ID.test(id), `${id} is no job id`)
  insist(text(body, 'operation_id') === id && text(body, 'request_id') === id, 'operation_id or request_id is not id')
  for (const name of ['Operation', 'Request'].flatMap((kind) => [`Service-${kind}-Id`, `X-Service-${kind}-Id`]))
    insist(headers.get(name) === id, `${name} is ${headers.get(name)}, not ${id}`)
  return id
}

/** `status_url`, which the headers repeat as an absolute URL of the same service. */
const statusUrl = ({ headers, body }: Reply, baseUrl: string): string => {
  const path = text(body, 'status_url')
  const absolute = new URL(path, baseUrl).href
  insist(new URL(text(body, 'content_location'), baseUrl).href === absolute, 'content_location is not status_url')
  for (const name of ['location', 'content-location'])
    insist(headers.get(name) === absolute, `${name} is ${headers.get(name)}, not ${absolute}`)
  return path
}

/** When to ask again. The header and the body say the same, and a job that goes on always says it. */
const hints = ({ headers, body }: Reply, going: boolean) => {
  const retryAfterSec = integerHeader(headers, 'retry-after')
  const nextPollAt = headers.get('x-service-next-poll-at')
  const inBody = sharedText(body, 'next_poll_at', 'nextPollAt')
  insist(inBody === null || nextPollAt === null || Date.parse(inBody) === Date.parse(nextPollAt), 'two next polls')
  insist(nextPollAt === null || UTC_TIME.test(nextPollAt), `next poll at ${nextPollAt}`)
  insist(!going || (retryAfterSec !== null && nextPollAt !== null), 'a job goes on without a hint')
  return { retryAfterSec, nextPollAt: nextPollAt ?? inBody }
}

export const readJob = (reply: Reply, baseUrl: string): PrimaryJob => {
  const { body, headers } = reply
  const status = text(body, 'status')
  const going = status === 'queued' || status === 'processing'
  const { progress } = body
  if (status === 'processing')
    insist(typeof progress === 'number' && progress >= 0 && progress <= 1, `progress is ${JSON.stringify(progress)}`)
  return {
    httpStatus: reply.status,
    id: jobId(reply),
    statusUrl: statusUrl(reply, baseUrl),
    status,
    progress: typeof progress === 'number' ? progress : null,
    videoUrl: status === 'completed' ? new URL(text(body, 'video_url')).href : null,
    ...hints(reply, going),
    creditsRequired: integerHeader(headers, 'x-service-credits-required'),
    creditsRemaining: integerHeader(headers, 'x-service-credits-remaining'),
    rate: rateOf(headers),
    body,
  }
}
