import { iso } from '../../../core/time/clock.ts'

/** How the primary contract names things. Data, and what is made of it alone. */

/** The aliases of one value in request bodies ("Alias convention" and the tables of the operations). */
export const GROUPS = {
  image_url: [
    'image_url',
    'imageUrl',
    'image',
    'portrait',
    'portrait_url',
    'portraitUrl',
    'avatar',
    'avatarUrl',
    'avatar_url',
    'photo',
    'photoUrl',
    'photo_url',
  ],
  text: ['text', 'script', 'prompt'],
  voice_id: ['voice_id', 'voiceId', 'voice'],
  audio_url: ['audio_url', 'audioUrl', 'audio'],
  mime_type: ['mime_type', 'mimeType', 'contentType'],
  content_length: ['content_length', 'contentLength', 'sizeBytes', 'file_size', 'fileSize'],
  require_video_readiness: [
    'require_video_readiness',
    'requireVideoReadiness',
    'video_readiness_required',
    'videoReadinessRequired',
  ],
  idempotency_key: ['idempotencyKey', 'idempotency_key'],
} as const

/** "Error body fields": the names of a job's id, and of the path of its status. */
export const JOB_IDS = [
  'id',
  'job_id',
  'jobId',
  'task_id',
  'taskId',
  'operation_id',
  'operationId',
  'request_id',
  'requestId',
] as const
export const STATUS_PATHS = ['status_url', 'statusUrl', 'content_location', 'contentLocation'] as const

const OWN = /^vid_/
/** A video's id as this contract has it (`^api_video_…`); any other id as it is. */
export const publicIdOf = (id: string): string => id.replace(OWN, 'api_video_')

export const statusPathOf = (publicId: string): string => `/api/v1/videos/${encodeURIComponent(publicId)}`

/** When to come back: whole seconds from now, and that moment on the wall. */
export interface Hint {
  seconds: number
  atMs: number
}

export const hintHeaders = ({ seconds, atMs }: Hint): Record<string, string> => ({
  'retry-after': String(seconds),
  'x-service-next-poll-at': iso(atMs),
})

/** In every spelling of an error body. */
export const hintFields = ({ seconds, atMs }: Hint): Record<string, unknown> => ({
  retry_after_seconds: seconds,
  retryAfter: seconds,
  retryAfterSeconds: seconds,
  next_poll_at: iso(atMs),
  nextPollAt: iso(atMs),
})

/** "Shared response headers": absolute, unlike the paths in bodies. */
export const jobHeaders = (publicId: string, origin: string): Record<string, string> => {
  const url = `${origin}${statusPathOf(publicId)}`
  return {
    location: url,
    'content-location': url,
    'service-operation-id': publicId,
    'x-service-operation-id': publicId,
    'service-request-id': publicId,
    'x-service-request-id': publicId,
  }
}
