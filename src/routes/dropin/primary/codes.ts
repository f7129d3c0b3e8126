import type { Refusals } from '../spec.ts'

/**
 * The errors of `/api/v1` as the document tells them (primary contract, "Error codes seen"), and, where the contract shows
 * no code for a status, the gateway's own word. Behind it a backend of the same interface may say others: they are kept.
 */
export const PRIMARY_CODES = {
  invalid_request: { status: 400, title: 'Invalid request body or unsupported input', retryable: false },
  invalid_image: { status: 400, title: 'Not a supported image', retryable: false },
  hosted_audio_upload_unavailable: {
    status: 400,
    title: 'Whose upload it is cannot be checked now',
    retryable: true,
  },
  idempotency_key_mismatch: { status: 400, title: 'The keys of header and body differ', retryable: false },
  unauthorized: { status: 401, title: 'The key is missing, malformed, invalid or revoked', retryable: false },
  insufficient_credits: { status: 402, title: 'Not enough video credits', retryable: false },
  insufficient_scope: { status: 403, title: "The key lacks the endpoint's scope", retryable: false },
  voice_not_found: { status: 404, title: 'No such voice', retryable: false },
  puppet_not_found: { status: 404, title: 'No such puppet in this workspace', retryable: false },
  job_not_found: { status: 404, title: 'No such job that this key can see', retryable: false },
  idempotency_key_conflict: { status: 409, title: 'The key was used with other input', retryable: false },
  idempotency_key_in_progress: { status: 409, title: 'The first request with this key is running', retryable: true },
  payload_too_large: { status: 413, title: 'The body is too large', retryable: false },
  file_too_large: { status: 413, title: 'The audio is too large', retryable: false },
  unsupported_media_type: { status: 415, title: 'Content-Type is not application/json', retryable: false },
  rate_limited: { status: 429, title: 'Too many requests in a minute', retryable: true },
  monthly_quota_exceeded: { status: 429, title: 'The quota of this month is used up', retryable: false },
  concurrent_job_limit_reached: { status: 429, title: 'The active job slots are full', retryable: true },
  internal_error: { status: 500, title: 'Something broke in the gateway', retryable: true },
  backend_error: { status: 502, title: 'The backend could not create or inspect it', retryable: true },
  temporarily_unavailable: { status: 503, title: 'The gateway or its backend cannot answer now', retryable: true },
  backend_timeout: { status: 504, title: 'The lookup took too long', retryable: true },
} as const satisfies Refusals<string>
export type PrimaryCode = keyof typeof PRIMARY_CODES

/** What every operation may answer. The contract lists 400, 500, 502 and 503 for some alone. */
export const COMMON = [
  'invalid_request',
  'unauthorized',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'temporarily_unavailable',
] as const satisfies readonly PrimaryCode[]
