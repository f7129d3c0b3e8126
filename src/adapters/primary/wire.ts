import { z } from 'zod'
import type { CreateContext } from '../../core/adapter.ts'
import type { Order, WireRequest } from '../../core/video.ts'
import type { Capabilities } from '../../core/vocabulary.ts'
import { namesIn } from '../shared/drift.ts'
import { plainWord, type JobStatus } from '../shared/job.ts'
import { stated } from '../shared/read.ts'
import { VIDEO } from '../shared/spellings.ts'

/** What this gateway can do on the primary interface today. */
export const CAPABILITIES: Capabilities = {
  text_source: true,
  audio_source: true,
  image_url: true,
  puppet_id: false,
  resolution: false,
  expressiveness: true,
  language: true,
  speech: true,
  uploads: true,
  puppets_write: true,
  usage: true,
  native_webhook: false,
  native_list: false,
  native_idempotency: true,
}

/** Status words of a video job: the three of the contract ("States and transitions"), then likely words for its ends. */
const StatusWord = z.enum([
  'queued',
  'processing',
  'completed',
  'succeeded',
  'complete',
  'done',
  'ready',
  'failed',
  'error',
  'errored',
  'failure',
  'rejected',
  'canceled',
  'cancelled',
  'expired',
  'timed_out',
  'deleted',
])

/** Where a status word is mapped. A completed job without a link is completed here; the engine waits for the link. */
const STATUS = {
  queued: 'queued',
  processing: 'processing',
  completed: 'completed',
  succeeded: 'completed',
  complete: 'completed',
  done: 'completed',
  ready: 'completed',
  failed: 'failed',
  error: 'failed',
  errored: 'failed',
  failure: 'failed',
  rejected: 'failed',
  canceled: 'failed',
  cancelled: 'failed',
  expired: 'failed',
  timed_out: 'failed',
  deleted: 'failed',
} as const satisfies Record<z.infer<typeof StatusWord>, JobStatus>

/** Null: a word that nobody told us of; the video then stays as it is. */
export const statusOf = (word: string): JobStatus | null => {
  const known = StatusWord.safeParse(plainWord(word))
  return known.success ? STATUS[known.data] : null
}

/** A job's id, also under its names as operation and request (contract, "Video job"). */
export const JOB_ID_SPELLINGS = [
  'id',
  'operation_id',
  'operationId',
  'job_id',
  'jobId',
  'task_id',
  'taskId',
  'request_id',
  'requestId',
] as const

export const VIDEO_FIELDS = namesIn(VIDEO, { id: JOB_ID_SPELLINGS })

/** Voices carry the language's name and, apart from it, its code (contract, "Voice"). */
export const LANGUAGE_SPELLINGS = {
  code: ['language_code', 'languageCode', 'locale'],
  name: ['language', 'language_name'],
} as const

/** A video from audio takes no language, and has a voice already (contract, "POST /api/v1/videos/audio"). */
export const capabilitiesFor = (order: Order): Capabilities =>
  order.audioUrl === null ? CAPABILITIES : { ...CAPABILITIES, language: false }

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
