import { iso } from '../../core/time/clock.ts'
import type { Dialect, Hint, Refused } from '../http/answer.ts'
import type { Decisions } from '../undecided.ts'

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
