import { z } from 'zod'
import type { Adapter, JobReport } from '../../core/adapter.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Tracing } from '../../core/tracing.ts'
import type { Capabilities, Capability } from '../../core/vocabulary.ts'
import type { Agents, JsonReply } from '../../http/exchange.ts'
import type { ProblemCode } from '../../core/errors.ts'
import type { ProgressUnit } from './read.ts'

/** The operations of the port that ask a backend, by the names of the unified API. */
export type Operation =
  | 'createVideo'
  | 'getVideo'
  | 'getVideoDownload'
  | 'listVideos'
  | 'listVoices'
  | 'listPuppets'
  | 'getPuppet'
  | 'createPuppet'
  | 'deletePuppet'
  | 'createSpeech'
  | 'createUpload'
  | 'getUsage'

/** What a key that may not do an operation cannot be used for. */
export const CAPABILITIES_OF = {
  createVideo: ['text_source', 'audio_source'],
  getVideo: [],
  getVideoDownload: [],
  listVideos: ['native_list'],
  listVoices: [],
  listPuppets: [],
  getPuppet: [],
  createPuppet: ['puppets_write'],
  deletePuppet: ['puppets_write'],
  createSpeech: ['speech'],
  createUpload: ['uploads'],
  getUsage: ['usage'],
} as const satisfies Record<Operation, readonly Capability[]>

/** Something a backend sent that no dialect names. */
export interface Drift {
  kind: 'status' | 'error_code' | 'field'
  operation: Operation
  /** The word or the field's name. */
  value: string
  /** A word as it came, redacted; of a field only its kind and size. */
  sample: string
}

/** One account on one interface, and what an adapter needs to speak for it. */
export interface AdapterAccount {
  /** May carry a path prefix; its query is ignored. */
  baseUrl: URL | string
  apiKey: string
  /** Of one exchange, from the call to the last byte, in milliseconds. */
  timeoutMs: number
  agents: Agents
  clock: Pick<Clock, 'now'>
  drift: (drift: Drift) => void
  /** The backend did an operation for this key, or answered it with a 403. */
  permitted: (operation: Operation, allowed: boolean) => void
  /** Its name in the configuration; of several, the first. */
  name: string
  tracing: Tracing
}

/** What an interface is to the rest of the gateway: a line in the table of adapters. */
export interface Interface {
  readonly create: (account: AdapterAccount) => Adapter
  /** Of every adapter that `create` makes. */
  readonly capabilities: Capabilities
  /** What holds where a configuration says nothing. */
  readonly defaults: {
    /** Running jobs that an account allows; null: the contract names no limit. */
    readonly slots: number | null
    /** Until the backend's headers tell. */
    readonly requestsPerMinute: number
  }
}

/** The least that any JSON answer of either contract is: an object, or a bare list. */
export const AnswerBody = z.union([z.looseObject({}), z.array(z.unknown())])
export type AnswerBody = z.infer<typeof AnswerBody>

export type Reply = JsonReply<AnswerBody>
export type Answered = Exclude<Reply, { kind: 'failed' }>

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

/** When to poll again: a name that ends in `_at` is a moment, one in `_ms` milliseconds, any other seconds. */
const HINTS = ['next_poll_at', 'nextPollAt', 'retry_after_seconds', 'retryAfter', 'retryAfterSeconds'] as const

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
  code: ['error', 'error.code', 'error.type', 'error_code', 'errorCode', 'code'],
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

/** A reservation for audio: its file goes to `upload` and is read at `read`. */
export const UPLOAD = {
  upload: ['upload_url', 'uploadUrl', 'put_url', 'putUrl', 'signed_url', 'signedUrl', 'upload.url', 'put.url'],
  read: ['read_url', 'readUrl', 'audio_url', 'audioUrl', 'url', 'read.url', 'audio.url'],
  headers: ['upload_headers', 'uploadHeaders', 'headers', 'upload.headers', 'put.headers'],
  expires: ['upload_expires_at', 'uploadExpiresAt', 'expires_at', 'expiresAt', 'upload.expires_at', 'put.expires_at'],
  expiresIn: ['upload_expires_in', 'uploadExpiresIn', 'expires_in', 'expiresIn'],
  hints: HINTS,
  also: [
    ...spelled('object', 'data', 'id', 'status', 'method', 'upload_id', 'upload_method', 'mime_type', 'content_type'),
    ...spelled('content_length', 'size_bytes', 'read_expires_at', 'created_at', 'video_generation'),
  ],
} as const satisfies Spellings

export const SPEECH = {
  link: ['audio_url', 'audioUrl', 'url', 'result.audio_url', 'audio.url'],
  expires: ['expires_at', 'expiresAt', 'audio.expires_at'],
  expiresIn: ['expires_in', 'expiresIn'],
  duration: ['duration_seconds', 'durationSeconds', 'duration_sec', 'durationSec', 'duration'],
  type: ['content_type', 'contentType', 'mime_type', 'mimeType'],
  also: [
    ...spelled('object', 'data', 'speech', 'id', 'status', 'voice_id', 'text', 'speed', 'characters'),
    ...spelled('size_bytes', 'created_at'),
  ],
} as const satisfies Spellings

/** What an account has left (primary contract, "Usage": what it reports is shown, under which names is not). */
export const USAGE = {
  remaining: [
    ...spelled('credits_remaining', 'remaining_credits', 'credit_balance', 'video_credits_remaining'),
    ...spelled('credits.balance', 'credits.remaining', 'credits.available', 'credits.current'),
    ...['video_credits', 'videoCredits'].flatMap((credits) => [`${credits}.balance`, `${credits}.remaining`]),
    ...spelled('balance', 'remaining', 'credits', 'video_credits'),
  ],
  used: [
    ...spelled('credits_used_month', 'credits_used', 'used_this_month', 'monthly_usage', 'monthly_credit_usage'),
    ...spelled('credits.used_this_month'),
    'credits.used_month',
    ...spelled('credits.monthly_usage', 'credits.used', 'video_credits.used', 'monthly.used'),
    ...spelled('monthly_usage.credits', 'used'),
  ],
  included: [
    ...spelled('credits_included', 'included_credits', 'included_balance', 'credits.included'),
    ...spelled('credits.included_balance', 'video_credits.included', 'monthly.included', 'included'),
  ],
  purchased: [
    ...spelled('credits_purchased', 'purchased_credits', 'purchased_balance', 'credits.purchased'),
    ...spelled('credits.purchased_balance', 'video_credits.purchased', 'purchased'),
  ],
  checkout: [
    ...spelled('checkout_available', 'hosted_checkout_available', 'credit_checkout_available'),
    'checkout.available',
    'checkout.enabled',
    'credits.checkout_available',
    'checkout',
  ],
  packs: ['credit_packs', 'creditPacks', 'packs', 'credits.packs', 'credits.credit_packs', 'checkout.packs'],
  /** Where it says whether a video can be created now; otherwise at the top. */
  readiness: ['video_generation', 'videoGeneration', 'video_readiness', 'videoReadiness', 'readiness'],
  hints: HINTS,
  also: [
    ...spelled('object', 'data', 'usage', 'can_create', 'reason', 'active_jobs', 'available_slots', 'month', 'period'),
    'limits',
  ],
} as const satisfies Spellings

export type JobStatus = NonNullable<JobReport['status']>

export type Waits = 'slot' | 'budget' | 'check' | null

/** Which answers a row is about; `429 hinted` is a 429 that says when to come back. */
type When = number | '3xx' | '4xx' | '429 hinted' | 'any'

/**
 * One row of an adapter's error table; the first that fits decides. `error` and `block` are the backend's codes: null
 * fits all, `*` fits any code but not its absence. `retryable: 'told'` follows the body's `retryable`, otherwise whether a
 * hint came. `onCreate: 'doubt'`: a create answered so may have been carried out.
 */
export type ErrorRow = readonly [
  when: When,
  error: string | null,
  block: string | null,
  code: ProblemCode,
  retryable: boolean | 'told',
  waits: Waits,
  onCreate: 'refused' | 'doubt',
]

/** How one interface says no. */
export interface ErrorDialect {
  rows: readonly ErrorRow[]
  /** `X-RateLimit-Reset` by itself counts as a hint of a 429. */
  resetIsHint: boolean
  /** Where a refusal says what is wrong. `hintsUnder` is also read in jobs and usage. */
  error: SpelledAs<typeof ERROR>
}

export interface Moment {
  base: URL
  nowMs: number
}

/** How one interface spells what this gateway reads. The rest of `shared` knows no interface but by this. */
export interface Dialect extends ErrorDialect {
  /** The headers that carry a key, in lower case: `bearer`, or a header of the interface's own. */
  credential(key: string): Readonly<Record<string, string>>
  /** Where a job is read, below the base URL, such as `/v1/videos/{id}`; also how a `Location` names one. */
  statusPath: string
  /** What its status words mean, as `plainWord` writes them. Any other word leaves the video as it is. */
  statuses: Readonly<Record<string, JobStatus>>
  /** Where a running job has its progress, and what the number counts; null: nowhere. */
  progress: { at: readonly string[]; unit: ProgressUnit } | null
  /** What the numbers for `job.duration` and `job.durationEstimate` count. */
  durations: 'seconds' | 'milliseconds'
  job: SpelledAs<typeof JOB>
  voice: SpelledAs<typeof VOICE>
  puppet: SpelledAs<typeof PUPPET>
  list: SpelledAs<typeof LIST>
  /** Refusals of a create whose headers name the job that our own key already made. */
  namesOurJob: readonly number[]
  /** Its contract shows no error body, so that a 4xx with an empty one says all that it promises to say. */
  errorsMayBeEmpty: boolean
  /** Whether a 404 with this error code, in JSON, says that there is no such job. */
  isLost(errorCode: string | null): boolean
}

/** The usual credential: `Authorization: Bearer <key>`. */
export const bearer: Dialect['credential'] = (key) => ({ authorization: `Bearer ${key}` })

/** Likely words for how jobs end, beside those of a contract. A completed job without a link waits for it in the engine. */
export const ENDS = {
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
} as const satisfies Dialect['statuses']

/** Status words as the tables hold them: lower case, `_` between their parts. */
const plainWord = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')

/** Null: an unknown word. */
export const statusOf = (word: string, { statuses }: Pick<Dialect, 'statuses'>): JobStatus | null => {
  const plain = plainWord(word)
  return Object.hasOwn(statuses, plain) ? (statuses[plain] ?? null) : null
}

/** The path below the base URL at which a job is read. */
export const statusPathOf = (jobId: string, { statusPath }: Pick<Dialect, 'statusPath'>): string =>
  statusPath.replace('{id}', () => encodeURIComponent(jobId))

/** The id in a URL that ends like a status path, whatever is before its last noun; null: it names no job. */
export const idInPath = (url: string, { statusPath }: Pick<Dialect, 'statusPath'>): string | null => {
  const [before = '', after = ''] = statusPath.split('{id}')
  const noun = before.slice(before.lastIndexOf('/', before.length - 2))
  const path = (url.split(/[?#]/, 1)[0] ?? '').replace(/\/$/, '')
  if (!path.endsWith(after)) return null
  const head = path.slice(0, path.length - after.length)
  const from = head.lastIndexOf('/') + 1
  return head.slice(0, from).endsWith(noun) ? head.slice(from) : null
}
