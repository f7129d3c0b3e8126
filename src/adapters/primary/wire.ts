import { type ErrorRow, spelled } from '../shared/dialect.ts'
import { stated } from '../shared/read.ts'
import type { CreateContext } from '../../core/adapter.ts'
import type { Order, WireRequest } from '../../core/video.ts'

/** A job's id, also under its names as operation and request (contract, "Video job"). */
export const JOB_ID_SPELLINGS = spelled('id', 'operation_id', 'job_id', 'task_id', 'request_id')

const JSON_TYPE = { 'content-type': 'application/json' }

/** POST /api/v1/videos/text or /audio. The same order and context give the same bytes. */
export const createRequest = (order: Order, { idempotencyKey }: CreateContext): WireRequest => {
  const { imageUrl: image_url, audioUrl: audio_url, expressiveness } = order
  const fromText = { image_url, text: order.text, voice_id: order.voiceId, language: order.language, expressiveness }
  return {
    method: 'POST',
    path: audio_url === null ? '/api/v1/videos/text' : '/api/v1/videos/audio',
    headers: { ...JSON_TYPE, 'idempotency-key': idempotencyKey },
    body: JSON.stringify(stated(audio_url === null ? fromText : { image_url, audio_url, expressiveness })),
  }
}

type Fields = Parameters<typeof stated>[0]

/** A write of the account's resources; a key makes it safe to repeat, and speech takes none. */
const post = (path: string, body: Fields, idempotencyKey: string | null): WireRequest => ({
  method: 'POST',
  path,
  headers: { ...JSON_TYPE, ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }) },
  body: JSON.stringify(stated(body)),
})

export const puppetRequest = ({ imageUrl, name }: { imageUrl: string; name: string | null }, key: string) =>
  post('/api/v1/puppets', { imageUrl, name }, key)

export const puppetPath = (id: string): string => `/api/v1/puppets/${encodeURIComponent(id)}`

export const speechRequest = ({ text, voiceId, speed }: { text: string; voiceId: string; speed: number | null }) =>
  post('/api/v1/tts/service', { voice_id: voiceId, text, speed }, null)

export const uploadRequest = (
  request: { contentType: string; sizeBytes: number; requireVideoReadiness: boolean | null },
  key: string,
): WireRequest => {
  const { contentType: mime_type, sizeBytes: content_length, requireVideoReadiness: require_video_readiness } = request
  return post('/api/v1/uploads/audio-url', { mime_type, content_length, require_video_readiness }, key)
}

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
