import type { Refusals } from '../spec.ts'

/** The errors of `/v1`. The alternate contract shows neither their body nor their codes: these are the gateway's own words. */
export const ALTERNATE_CODES = {
  invalid_request: { status: 400, title: 'A body or query that is not as it must be', retryable: false },
  unauthorized: { status: 401, title: 'The key is missing or unknown', retryable: false },
  insufficient_credits: { status: 402, title: 'Not enough credits', retryable: false },
  forbidden: { status: 403, title: 'The key lacks the scope', retryable: false },
  video_not_found: { status: 404, title: 'No such video that this key can see', retryable: false },
  puppet_not_found: { status: 404, title: 'No such puppet', retryable: false },
  voice_not_found: { status: 404, title: 'No such voice', retryable: false },
  video_not_ready: { status: 409, title: 'The video is not completed', retryable: true },
  payload_too_large: { status: 413, title: 'The body is too large', retryable: false },
  unsupported_media_type: { status: 415, title: 'Content-Type is not application/json', retryable: false },
  rate_limited: { status: 429, title: 'Too many requests, or too many waiting videos', retryable: true },
  internal: { status: 500, title: 'Something broke in the gateway', retryable: true },
  backend_error: { status: 502, title: 'The backend could not do it', retryable: true },
  temporarily_unavailable: { status: 503, title: 'The gateway or its backend cannot answer now', retryable: true },
} as const satisfies Refusals<string>
export type AlternateCode = keyof typeof ALTERNATE_CODES

/** What every operation may answer. */
export const COMMON = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal',
  'temporarily_unavailable',
] as const satisfies readonly AlternateCode[]
