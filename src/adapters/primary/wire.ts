import { z } from 'zod'
import type { CreateContext, WireRequest } from '../../core/adapter.ts'
import type { Order } from '../../core/video.ts'
import type { Capabilities } from '../../core/vocabulary.ts'
import { namesIn } from '../shared/drift.ts'
import { plainWord, type JobStatus } from '../shared/job.ts'
import { stated } from '../shared/read.ts'
import { VIDEO } from '../shared/spellings.ts'

/** What this gateway can do on the primary interface today; more joins with speech, uploads and usage. */
export const CAPABILITIES: Capabilities = {
  text_source: true,
  audio_source: false,
  image_url: true,
  puppet_id: false,
  resolution: false,
  expressiveness: true,
  language: true,
  speech: false,
  uploads: false,
  puppets_write: false,
  usage: false,
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

/** POST /api/v1/videos/text. The same order and context give the same bytes. */
export const createRequest = (order: Order, { idempotencyKey }: CreateContext): WireRequest => ({
  method: 'POST',
  path: '/api/v1/videos/text',
  headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
  body: JSON.stringify(
    stated({
      image_url: order.imageUrl,
      text: order.text,
      voice_id: order.voiceId,
      language: order.language,
      expressiveness: order.expressiveness,
    }),
  ),
})
