import { createHash } from 'node:crypto'
import { iso } from '../clock.ts'
import { type Answer, type Call, type Dialect, type Hint, Refusal, type Refused } from '../http/answer.ts'
import type { Scenario } from '../jobs.ts'
import type { Decisions } from '../undecided.ts'
import { hint, type World } from '../world.ts'

const REQUESTS_PER_MINUTE = 10

/** `Retry-After` and `X-Service-Next-Poll-At` (primary, "Shared response headers"). */
export const hintHeaders = (hint: Hint): Record<string, string> => ({
  'Retry-After': String(hint.seconds),
  'X-Service-Next-Poll-At': iso(hint.atMs),
})

/** A hint in every spelling of the error bodies (primary, "Error body fields"). */
export const hintFields = (hint: Hint): Record<string, unknown> => ({
  retry_after_seconds: hint.seconds,
  retryAfter: hint.seconds,
  retryAfterSeconds: hint.seconds,
  next_poll_at: iso(hint.atMs),
  nextPollAt: iso(hint.atMs),
})

export const statusPathOf = (jobId: string): string => `/api/v1/videos/${jobId}`

/** Location, Content-Location and the four id headers of a job (primary, "Shared response headers"). */
export const jobHeaders = (jobId: string, origin: string): Record<string, string> => ({
  Location: `${origin}${statusPathOf(jobId)}`,
  'Content-Location': `${origin}${statusPathOf(jobId)}`,
  'Service-Operation-Id': jobId,
  'X-Service-Operation-Id': jobId,
  'Service-Request-Id': jobId,
  'X-Service-Request-Id': jobId,
})

/** The names under which an error body tells a job's id, and the path of its status ("Error body fields"). */
export const JOB_IDS = [
  'id',
  'job_id',
  'jobId',
  'task_id',
  'taskId',
  'operation_id',
  'operationId',
  'request_id',
  'requestId',
]
export const STATUS_PATHS = ['status_url', 'statusUrl', 'content_location', 'contentLocation']

const jobAliases = (jobId: string): Record<string, unknown> => ({
  ...Object.fromEntries(JOB_IDS.map((name) => [name, jobId])),
  ...Object.fromEntries(STATUS_PATHS.map((name) => [name, statusPathOf(jobId)])),
})

/** The primary's error body: every field in both spellings, all of them again under `details` ("Errors"). */
const errorBody = (code: string, refused: Refused): Record<string, unknown> => {
  const { message, retryable = false, retryAfter, blockCode, jobId, details } = refused
  const shared = {
    retryable,
    ...(retryAfter && hintFields(retryAfter)),
    ...(!retryable && { retry_blocked_reason: message, retryBlockedReason: message }),
    ...(blockCode !== undefined && { retry_block_code: blockCode, retryBlockCode: blockCode }),
    ...(jobId !== undefined && jobAliases(jobId)),
  }
  return { error: code, message, ...shared, details: { ...shared, code, reason: message, ...details } }
}

/** The codes that the contract shows. */
const SHOWN = {
  rate_limited: 'rate_limited',
  payload_too_large: 'payload_too_large',
  unsupported_media_type: 'unsupported_media_type',
}

export const primaryDialect = (decisions: Decisions): Dialect => {
  const codes = { ...decisions.primary.codes, ...SHOWN }
  return {
    interface: 'primary',
    requestsPerMinute: REQUESTS_PER_MINUTE,
    refuse(refused, origin) {
      const code = typeof refused.reason === 'string' ? codes[refused.reason] : refused.reason.code
      return {
        status: refused.status,
        headers: {
          ...refused.headers,
          ...(refused.retryAfter && hintHeaders(refused.retryAfter)),
          ...(refused.jobId !== undefined && jobHeaders(refused.jobId, origin)),
        },
        body: errorBody(code, refused),
      }
    },
  }
}

/** Refusals on demand that no state of the account explains (scenarios.ts). Throws 429, 502 or 503. */
export const refuseIfAsked = (world: World, scenarios: ReadonlySet<Scenario>): void => {
  const { codes, transientRetryMs } = world.decisions.primary
  if (scenarios.has('quota-exceeded'))
    throw new Refusal(429, { code: codes.quotaExceeded }, 'The monthly beta quota is exceeded.')
  const transient = { retryable: true, retryAfter: hint(world, transientRetryMs) }
  if (scenarios.has('asset-error'))
    throw new Refusal(502, { code: codes.assetFailed }, 'The asset could not be created.', transient)
  if (scenarios.has('unavailable'))
    throw new Refusal(503, { code: codes.unavailable }, 'The job counter is temporarily unavailable.', transient)
}

export interface Once {
  readonly call: Call
  readonly endpoint: string
  readonly key: string | null
  /** The input after aliases and defaults are resolved: equal inputs, equal values. */
  readonly input: unknown
  /** Makes the resource; runs in one transaction with the remembering of its key. */
  readonly make: () => { resourceId: string; answer: Answer }
  /** `null`: the resource is no more, so the request makes a new one. */
  readonly replay: (resourceId: string) => Answer | null
  /** Is the resource a job? Then a conflict names it. */
  readonly job: boolean
  /** retry_block_code of a conflict, where the contract shows one. */
  readonly conflictBlockCode?: string
}

/**
 * The Idempotency-Key rules (primary, "Idempotency-Key"): scoped to the workspace and the endpoint; the same accepted
 * request is replayed, another input is 409 `idempotency_key_conflict`, one still in work is 409
 * `idempotency_key_in_progress`. Refused creates are not remembered.
 */
export const createOnce = (world: World) => {
  const inWork = new Map<string, string>()
  return async ({ call, endpoint, key, input, make, replay, job, conflictBlockCode }: Once): Promise<Answer> => {
    const conflict = (jobId?: string): Refusal =>
      new Refusal(409, { code: 'idempotency_key_conflict' }, 'The idempotency key was used with different input.', {
        blockCode: conflictBlockCode,
        jobId,
      })
    if (key === null) {
      await call.during()
      return world.state.atomically(make).answer
    }
    call.entry.idempotency_key = key
    const place = JSON.stringify([call.key.account, endpoint, key])
    const fingerprint = createHash('sha256').update(JSON.stringify(input)).digest('hex')
    const known = world.state.idempotency.get(place)
    if (known) {
      const replayed = replay(known.resourceId)
      if (replayed && known.fingerprint !== fingerprint) throw conflict(job ? known.resourceId : undefined)
      if (replayed) return replayed
    }
    const other = inWork.get(place)
    if (other !== undefined) throw other === fingerprint ? inProgress(world) : conflict()
    inWork.set(place, fingerprint)
    try {
      await call.during()
      return world.state.atomically(() => {
        const { resourceId, answer } = make()
        world.state.idempotency.put(place, { fingerprint, resourceId })
        return answer
      })
    } finally {
      inWork.delete(place)
    }
  }
}

const inProgress = (world: World): Refusal =>
  new Refusal(409, { code: 'idempotency_key_in_progress' }, 'A request with this idempotency key is in progress.', {
    retryable: true,
    retryAfter: hint(world, world.decisions.primary.inProgressRetryMs),
  })
