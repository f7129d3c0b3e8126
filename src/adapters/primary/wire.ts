import type { CreateContext } from '../../core/adapter.ts'
import type { Order, WireRequest } from '../../core/video.ts'
import { stated } from '../shared/read.ts'
import { spelled } from '../shared/dialect.ts'

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
