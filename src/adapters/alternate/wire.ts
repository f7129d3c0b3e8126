import { z } from 'zod'
import type { CreateContext, Translation } from '../../core/adapter.ts'
import type { Order, WireRequest } from '../../core/video.ts'
import type { Capabilities } from '../../core/vocabulary.ts'
import { namesIn } from '../shared/drift.ts'
import { plainWord, type JobStatus } from '../shared/job.ts'
import { stated } from '../shared/read.ts'
import { VIDEO } from '../shared/spellings.ts'

/** What this gateway can do on the alternate interface today. */
export const CAPABILITIES: Capabilities = {
  text_source: true,
  audio_source: false,
  image_url: false,
  puppet_id: true,
  resolution: true,
  expressiveness: false,
  language: false,
  speech: false,
  uploads: false,
  puppets_write: false,
  usage: false,
  native_webhook: true,
  native_list: true,
  native_idempotency: false,
}

/** Status words of a video: the three of the contract ("States and transitions"), then likely words for its ends. */
const StatusWord = z.enum([
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

/** Where a status word is mapped. A completed video without a link is completed here; the engine waits for the link. */
const STATUS = {
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

/** A `request_id` here may name the request, so that it is no job id. */
export const JOB_ID_SPELLINGS = ['id', 'video_id', 'videoId', 'job_id', 'jobId'] as const

export const VIDEO_FIELDS = namesIn(VIDEO, { id: JOB_ID_SPELLINGS })

/** A voice's `language` is its locale (contract, "Resources and their fields"). */
export const LANGUAGE_SPELLINGS = {
  code: ['language', 'locale', 'language_code', 'languageCode'],
  name: ['language_name', 'languageName'],
} as const

/** Contract, "Create body". What a character is, it does not say. */
const MAX_SCRIPT_CHARACTERS = 5000

/**
 * Counted in code points, of which no text has more than of UTF-16 units: where the contract leaves it open, the
 * backend may still refuse what the gateway let through, but the gateway refuses nothing that the backend would take.
 */
const characters = (text: string): number => Array.from(text).length

/** Refuses before sending what the contract says is too long; null if the text may go. */
export const tooLong = (order: Order): Extract<Translation, { ok: false }> | null =>
  order.text === null || order.text.length <= MAX_SCRIPT_CHARACTERS || characters(order.text) <= MAX_SCRIPT_CHARACTERS
    ? null
    : {
        ok: false,
        problem: {
          code: 'invalid_request',
          param: 'text',
          message: `The alternate interface takes at most ${MAX_SCRIPT_CHARACTERS} characters of text`,
        },
      }

/** POST /v1/videos. The same order and context give the same bytes. */
export const createRequest = (order: Order, { callbackUrl }: CreateContext): WireRequest => ({
  method: 'POST',
  path: '/v1/videos',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(
    stated({
      script: order.text,
      puppet_id: order.puppetId,
      voice_id: order.voiceId,
      resolution: order.resolution,
      webhook_url: callbackUrl,
    }),
  ),
})
