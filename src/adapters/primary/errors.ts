import type { ErrorRow } from '../shared/dialect.ts'

/** A 404 with this code: the contract's word for a job that this key cannot see. */
export const LOST = 'job_not_found'

/**
 * Where the primary's errors are mapped (contract, "Errors"). The first row that fits decides; columns as in
 * `ErrorRow`: when, `error`, `retry_block_code` → code, retryable, what it waits for, what it means for a create.
 */
// prettier-ignore
export const ERRORS: readonly ErrorRow[] = [
  [400, 'invalid_request', 'HOSTED_AUDIO_UPLOAD_NOT_FOUND', 'upload_not_found', false, null, 'refused'],
  [400, 'invalid_request', 'HOSTED_AUDIO_UPLOAD_PENDING', 'upload_not_finished', true, null, 'refused'],
  [400, 'hosted_audio_upload_unavailable', null, 'upload_check_unavailable', true, 'check', 'refused'],
  [400, 'invalid_image', null, 'invalid_image', false, null, 'refused'],
  [400, null, null, 'invalid_request', 'told', null, 'refused'],
  [401, null, null, 'backend_credentials_rejected', false, null, 'refused'],
  [402, null, null, 'insufficient_credits', false, null, 'refused'],
  [403, null, null, 'backend_credentials_rejected', false, null, 'refused'],
  [404, 'voice_not_found', null, 'voice_not_found', false, null, 'refused'],
  [404, null, 'SERVICE_VOICE_NOT_FOUND', 'voice_not_found', false, null, 'refused'],
  [404, 'puppet_not_found', null, 'puppet_not_found', false, null, 'refused'],
  [404, LOST, null, 'video_not_found', false, null, 'refused'],
  [404, null, null, 'not_found', 'told', null, 'refused'],
  [408, null, null, 'backend_timeout', true, null, 'doubt'],
  // Of a create: the key is the video's own, so that whatever holds it is an earlier attempt of ours.
  [409, 'idempotency_key_in_progress', null, 'idempotency_key_in_progress', true, null, 'doubt'],
  [409, 'idempotency_key_conflict', null, 'idempotency_key_conflict', false, null, 'doubt'],
  [409, null, null, 'idempotency_key_conflict', 'told', null, 'doubt'],
  [413, 'file_too_large', null, 'file_too_large', false, null, 'refused'],
  [413, null, 'AUDIO_UPLOAD_FILE_TOO_LARGE', 'file_too_large', false, null, 'refused'],
  [413, null, null, 'payload_too_large', false, null, 'refused'],
  // Of the request, which is always JSON, and not of the audio: a fault of something in between.
  [415, 'unsupported_media_type', null, 'backend_error', false, null, 'refused'],
  [429, 'concurrent_job_limit_reached', null, 'concurrency_limit_reached', true, 'slot', 'refused'],
  [429, 'rate_limited', null, 'rate_limited', true, 'budget', 'refused'],
  ['429 hinted', null, null, 'rate_limited', true, 'budget', 'refused'],
  [429, null, null, 'quota_exceeded', false, null, 'refused'],
  // Only with `error`: that is the backend itself refusing, and not something in front of it failing.
  [503, '*', null, 'backend_unavailable', true, null, 'refused'],
  [503, null, null, 'backend_unavailable', true, null, 'doubt'],
  [504, null, null, 'backend_timeout', true, null, 'doubt'],
  ['4xx', null, null, 'backend_error', 'told', null, 'refused'],
  ['3xx', null, null, 'backend_error', false, null, 'doubt'],
]
