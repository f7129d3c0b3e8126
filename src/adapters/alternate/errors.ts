import type { ErrorRow } from '../shared/dialect.ts'

/**
 * Where the alternate's errors are mapped. Its contract shows neither bodies nor codes, so the status decides and a
 * code only refines it. The first row that fits decides; columns as in `ErrorRow`: when, error code, block code → code,
 * retryable, what it waits for, what it means for a create.
 */
// prettier-ignore
export const ERRORS: readonly ErrorRow[] = [
  [401, null, null, 'backend_credentials_rejected', false, null, 'refused'],
  [402, null, null, 'insufficient_credits', false, null, 'refused'],
  [403, null, null, 'backend_credentials_rejected', false, null, 'refused'],
  [408, null, null, 'backend_timeout', true, null, 'doubt'],
  ['4xx', 'voice_not_found', null, 'voice_not_found', false, null, 'refused'],
  ['4xx', 'puppet_not_found', null, 'puppet_not_found', false, null, 'refused'],
  [400, null, null, 'invalid_request', 'told', null, 'refused'],
  [404, null, null, 'not_found', 'told', null, 'refused'],
  [413, null, null, 'payload_too_large', false, null, 'refused'],
  [422, null, null, 'invalid_request', 'told', null, 'refused'],
  [429, 'concurrent_job_limit_reached', null, 'concurrency_limit_reached', true, 'slot', 'refused'],
  [429, 'rate_limited', null, 'rate_limited', true, 'budget', 'refused'],
  ['429 hinted', null, null, 'rate_limited', true, 'budget', 'refused'],
  [429, null, null, 'quota_exceeded', false, null, 'refused'],
  [503, null, null, 'backend_unavailable', true, null, 'doubt'],
  [504, null, null, 'backend_timeout', true, null, 'doubt'],
  ['4xx', null, null, 'backend_error', 'told', null, 'refused'],
  ['3xx', null, null, 'backend_error', false, null, 'doubt'],
]
