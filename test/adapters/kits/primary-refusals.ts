import type { Refusal } from '../../contract/adapter-kit.ts'
import { NOW_MS } from '../harness.ts'

const RESET = { 'x-ratelimit-reset': String(NOW_MS / 1000 + 30) }
const refused = (code: Refusal[3][0]): Refusal[3] => [code, false, null, 'refused', null]

/** In the contract's shape, whose code and message are told on. */
const shaped = (
  status: number,
  code: string,
  comesTo: Refusal[3],
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Refusal => [status, { error: code, message: 'So it is', ...more }, headers, comesTo, [code, 'So it is']]

/** Contract, "Error codes seen" and "Status code meanings". */
export const REFUSALS: readonly Refusal[] = [
  shaped(400, 'invalid_request', refused('invalid_request')),
  shaped(400, 'invalid_request', refused('upload_not_found'), { retry_block_code: 'HOSTED_AUDIO_UPLOAD_NOT_FOUND' }),
  shaped(400, 'invalid_request', ['upload_not_finished', true, null, 'refused', null], {
    retryBlockCode: 'HOSTED_AUDIO_UPLOAD_PENDING',
  }),
  shaped(400, 'invalid_image', refused('invalid_image')),
  shaped(400, 'hosted_audio_upload_unavailable', ['upload_check_unavailable', true, 'check', 'refused', 4], {
    details: { retryAfter: 4 },
  }),
  shaped(400, 'something_new', refused('invalid_request')),
  shaped(400, 'something_new', ['invalid_request', true, null, 'refused', null], { retryable: true }),
  shaped(400, 'something_new', ['invalid_request', true, null, 'refused', 3], { retryAfter: 3 }),
  shaped(401, 'unauthorized', refused('backend_credentials_rejected'), { retryable: true }),
  shaped(402, 'insufficient_credits', refused('insufficient_credits')),
  shaped(403, 'forbidden', refused('backend_credentials_rejected')),
  shaped(404, 'voice_not_found', refused('voice_not_found')),
  shaped(404, 'no', refused('voice_not_found'), { retry_block_code: 'SERVICE_VOICE_NOT_FOUND' }),
  shaped(404, 'puppet_not_found', refused('puppet_not_found'), { retryable: true }),
  shaped(404, 'job_not_found', refused('video_not_found')),
  shaped(404, 'route_not_found', refused('not_found')),
  shaped(408, 'timeout', ['backend_timeout', true, null, 'doubt', null]),
  shaped(
    409,
    'idempotency_key_in_progress',
    ['idempotency_key_in_progress', true, null, 'doubt', 2],
    {},
    { 'retry-after': '2' },
  ),
  shaped(409, 'idempotency_key_conflict', ['idempotency_key_conflict', false, null, 'doubt', null]),
  shaped(409, 'idempotency_key_conflict', ['idempotency_key_conflict', false, null, 'doubt', null], {
    retryable: true,
  }),
  shaped(409, 'something_new', ['idempotency_key_conflict', false, null, 'doubt', null]),
  shaped(413, 'payload_too_large', refused('payload_too_large')),
  shaped(413, 'file_too_large', refused('file_too_large')),
  shaped(413, 'no', refused('file_too_large'), { retry_block_code: 'AUDIO_UPLOAD_FILE_TOO_LARGE' }),
  shaped(413, 'no', refused('payload_too_large'), { retry_block_code: 'AUDIO_UPLOAD_PAYLOAD_TOO_LARGE' }),
  shaped(415, 'unsupported_media_type', refused('backend_error')),
  shaped(415, 'unsupported_media_type', refused('backend_error'), { retryable: true }),
  shaped(418, 'teapot', refused('backend_error')),
  shaped(429, 'concurrent_job_limit_reached', ['concurrency_limit_reached', true, 'slot', 'refused', 20], {
    retry_after_seconds: 20,
  }),
  shaped(429, 'concurrent_job_limit_reached', ['concurrency_limit_reached', true, 'slot', 'refused', null]),
  shaped(429, 'rate_limited', ['rate_limited', true, 'budget', 'refused', 9], {}, { 'retry-after': '9' }),
  shaped(429, 'rate_limited', ['rate_limited', true, 'budget', 'refused', 30], {}, RESET),
  shaped(429, 'beta_quota', ['rate_limited', true, 'budget', 'refused', 60], { retryAfter: 60 }),
  shaped(429, 'beta_quota', ['rate_limited', true, 'budget', 'refused', null], { retryable: true }),
  shaped(429, 'beta_quota', refused('quota_exceeded')),
  shaped(429, 'beta_quota', refused('quota_exceeded'), {}, RESET),
  shaped(
    429,
    'beta_quota',
    ['quota_exceeded', false, null, 'refused', 60],
    { retryable: false },
    { 'retry-after': '60' },
  ),
  shaped(500, 'internal', ['backend_error', true, null, 'doubt', null]),
  shaped(502, 'bad_gateway', ['backend_error', true, null, 'doubt', 5], {}, { 'retry-after': '5' }),
  shaped(503, 'counter_unavailable', ['backend_unavailable', true, null, 'refused', 5], {}, { 'retry-after': '5' }),
  [
    503,
    { message: 'Service Unavailable' },
    {},
    ['backend_unavailable', true, null, 'doubt', null],
    [null, 'Service Unavailable'],
  ],
  [
    503,
    { error: 'Service Unavailable', status: 503 },
    {},
    ['backend_unavailable', true, null, 'doubt', null],
    [null, 'Service Unavailable'],
  ],
  shaped(504, 'timeout', ['backend_timeout', true, null, 'doubt', null]),
  [302, {}, {}, ['backend_error', false, null, 'doubt', null], [null, null]],
  [599, {}, {}, ['backend_error', true, null, 'doubt', null], [null, null]],
  [600, {}, {}, ['backend_error', true, null, 'doubt', null], [null, null]],
]
