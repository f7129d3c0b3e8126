/**
 * The usual spellings of each resource: where a contract does not show a body, these names
 * are tried in order; a dot reaches into an object. `also` names fields that are known and not read. A top-level field in
 * neither is reported as drift. An interface that spells jobs, voices, puppets or lists otherwise says so in its dialect:
 * `job: { ...JOB, status: ['phase'] }`.
 */
export type Spellings = Readonly<Record<string, readonly string[]>>

/** The spellings of what `usual` spells. */
export type SpelledAs<usual extends Spellings> = Readonly<Record<keyof usual, readonly string[]>>

const camelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Each name as it is and, where it has several words, in camel case. */
export const spelled = (...names: string[]): string[] => names.flatMap((name) => [...new Set([name, camelCase(name)])])

export const HINTS = ['next_poll_at', 'nextPollAt', 'retry_after_seconds', 'retryAfter', 'retryAfterSeconds'] as const

/** What names a job beside its id, and why it is not sent again. */
export const HANDLES = spelled(
  'operation_id',
  'request_id',
  'task_id',
  'status_url',
  'content_location',
  'retry_blocked_reason',
)

export const JOB = {
  id: ['id', 'video_id', 'videoId', 'job_id', 'jobId'],
  status: ['status', 'state'],
  link: ['video_url', 'videoUrl', 'download_url', 'downloadUrl', 'url', 'result.video_url'],
  thumbnail: ['thumbnail_url', 'thumbnailUrl'],
  duration: ['duration_sec', 'duration_seconds', 'durationSec', 'durationSeconds', 'duration'],
  durationEstimate: ['duration_estimate_sec', 'duration_estimate_seconds', 'durationEstimateSec'],
  failure: ['error', 'error_message', 'errorMessage', 'failure_reason', 'failureReason'],
  failureMessage: ['error.message', 'error.detail', 'error.reason', 'message'],
  failureCode: ['error.code', 'error.type', 'error_code', 'errorCode', 'error'],
  failureRetryable: ['error.retryable', 'retryable'],
  puppet: ['puppet_id', 'puppetId'],
  voice: ['voice_id', 'voiceId'],
  resolution: ['resolution'],
  created: ['created_at', 'createdAt'],
  hints: HINTS,
  also: [
    ...spelled('object', 'data', 'video', 'job', 'details', 'type', 'retry_block_code', 'video_generation'),
    ...HANDLES,
    'completed_at',
    'updated_at',
    'expires_at',
  ],
} as const satisfies Spellings

/** Objects that may wrap a single resource. */
export const WRAPPERS = ['data', 'video', 'job'] as const

export const DOWNLOAD = {
  link: [...spelled('download_url', 'video_url', 'url'), 'data.download_url', 'data.url', 'result.video_url'],
  expires: ['expires_at', 'expiresAt', 'data.expires_at'],
  also: ['object', 'id', 'data', 'status'],
} as const satisfies Spellings

/** Where the items are wrapped in `data`, so is what is said of their pages. */
const inData = (...names: string[]): string[] => [...names, ...names.map((name) => `data.${name}`)]

export const LIST = {
  items: ['data', 'items', 'results'],
  nextCursor: inData('nextCursor', 'next_cursor', 'pagination.nextCursor', 'pagination.next_cursor'),
  page: inData('pagination.page'),
  total: inData('pagination.total'),
  totalPages: inData('pagination.total_pages', 'pagination.totalPages'),
  also: ['object', 'pagination', 'has_more', 'hasMore', 'total', 'count', 'limit', 'voices', 'puppets', 'videos'],
} as const satisfies Spellings

export const VOICE = {
  id: ['id', 'voice_id', 'voiceId'],
  name: ['name', 'display_name', 'displayName'],
  provider: ['provider'],
  languageCode: ['language_code', 'languageCode', 'locale'],
  language: ['language', 'language_name', 'languageName'],
  gender: ['gender'],
  preview: ['preview_url', 'previewUrl', 'sample_url', 'sampleUrl'],
  also: ['object'],
} as const satisfies Spellings

export const PUPPET = {
  id: ['id', 'puppet_id', 'puppetId'],
  name: ['name', 'display_name', 'displayName'],
  type: ['type'],
  image: ['imageUrl', 'image_url', 'image', 'url', 'portrait_url', 'thumbnail_url'],
  thumbnail: ['thumbnail_url', 'thumbnailUrl'],
  created: ['created_at', 'createdAt'],
  also: ['object', 'updated_at', 'updatedAt'],
} as const satisfies Spellings

export const ERROR = {
  code: ['error', 'error.code', 'error.type', 'error_code', 'errorCode'],
  message: ['message', 'error.message', 'error_message', 'errorMessage', 'detail', 'error', 'title'],
  block: ['retry_block_code', 'retryBlockCode', 'details.retry_block_code', 'details.retryBlockCode'],
  retryable: ['retryable', 'error.retryable', 'details.retryable'],
  hints: HINTS,
  hintsUnder: ['details', 'video_generation', 'videoGeneration', 'details.video_generation', 'details.videoGeneration'],
  videoGeneration: ['video_generation', 'videoGeneration', 'details.video_generation', 'details.videoGeneration'],
  also: [...spelled('id', 'job_id'), ...HANDLES, 'object', 'status', 'code'],
} as const satisfies Spellings

export const VIDEO_GENERATION = {
  can_create: ['can_create', 'canCreate'],
  reason: ['reason'],
  active_jobs: ['active_jobs', 'activeJobs'],
  available_slots: ['available_slots', 'availableSlots'],
} as const satisfies Spellings
