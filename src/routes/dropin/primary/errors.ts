import { iso } from '../../../core/time/clock.ts'
import { Problem, type ProblemCode } from '../../../core/errors.ts'
import { refusedBy } from '../translation.ts'
import { comeBack, type ErrorAnswer, type ErrorContext } from '../../middleware/view.ts'

/** How the primary contract names things. Data, and what is made of it only. */

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

/** Status, `error` and `retry_block_code` of an answer; `retryable` where the contract says other than the gateway. */
interface Words {
  status: number
  error: string
  block?: string
  retryable?: false
  /** Whatever the backend said. */
  always?: true
}

const invalid: Words = { status: 400, error: 'invalid_request' }
const notFound: Words = { status: 404, error: 'not_found' }
const conflict: Words = { status: 409, error: 'conflict' }
const unavailable: Words = { status: 503, error: 'temporarily_unavailable' }
const upstream: Words = { status: 502, error: 'backend_error' }

/** Every code of the gateway in the words of the contract ("Error codes seen", "Status code meanings"). */
const WORDS: Readonly<Record<ProblemCode, Words>> = {
  invalid_request: invalid,
  invalid_json: invalid,
  invalid_cursor: invalid,
  invalid_image: { status: 400, error: 'invalid_image' },
  upload_not_found: { ...invalid, block: 'HOSTED_AUDIO_UPLOAD_NOT_FOUND' },
  upload_not_finished: { ...invalid, block: 'HOSTED_AUDIO_UPLOAD_PENDING', retryable: false },
  // On this surface two keys that differ; any other fault of a key is an invalid request.
  idempotency_key_invalid: { status: 400, error: 'idempotency_key_mismatch' },
  unauthenticated: { status: 401, error: 'unauthorized' },
  insufficient_credits: { status: 402, error: 'insufficient_credits' },
  insufficient_scope: { status: 403, error: 'insufficient_scope' },
  not_owner: { status: 403, error: 'not_owner' },
  not_found: notFound,
  video_not_found: { status: 404, error: 'job_not_found', block: 'VIDEO_JOB_NOT_FOUND' },
  voice_not_found: { status: 404, error: 'voice_not_found' },
  puppet_not_found: { status: 404, error: 'puppet_not_found' },
  backend_not_found: notFound,
  rule_not_found: notFound,
  endpoint_not_found: notFound,
  endpoint_disabled_by_operator: conflict,
  event_not_found: notFound,
  delivery_not_found: notFound,
  key_not_found: notFound,
  client_not_found: notFound,
  method_not_allowed: { status: 405, error: 'method_not_allowed' },
  not_acceptable: { status: 406, error: 'not_acceptable' },
  idempotency_key_conflict: { status: 409, error: 'idempotency_key_conflict' },
  idempotency_key_in_progress: { status: 409, error: 'idempotency_key_in_progress' },
  video_not_cancelable: conflict,
  video_not_deletable: conflict,
  video_not_completed: conflict,
  video_replaced: conflict,
  ramp_refused: conflict,
  key_not_active: conflict,
  client_exists: conflict,
  client_configured: conflict,
  import_in_doubt: unavailable,
  payload_too_large: { status: 413, error: 'payload_too_large' },
  file_too_large: { status: 413, error: 'file_too_large', block: 'AUDIO_UPLOAD_FILE_TOO_LARGE' },
  unsupported_media_type: { status: 415, error: 'unsupported_media_type' },
  capability_not_supported: { ...invalid, block: 'CAPABILITY_NOT_SUPPORTED' },
  webhook_url_not_allowed: invalid,
  audio_url_not_allowed: invalid,
  audio_unreachable: invalid,
  rate_limited: { status: 429, error: 'rate_limited' },
  concurrency_limit_reached: { status: 429, error: 'concurrent_job_limit_reached' },
  quota_exceeded: { status: 429, error: 'monthly_quota_exceeded' },
  internal_error: { status: 500, error: 'internal_error' },
  backend_error: upstream,
  backend_credentials_rejected: upstream,
  backend_unavailable: unavailable,
  upload_check_unavailable: { status: 400, error: 'hosted_audio_upload_unavailable' },
  queue_full: unavailable,
  store_unavailable: unavailable,
  shutting_down: unavailable,
  backend_timeout: { status: 502, error: 'backend_timeout' },
}

/** "Status could not be inspected … keep polling the same job id" (contract, "GET /api/v1/videos/{jobId}"). */
const uninspected: Words = { status: 502, error: 'job_status_unavailable', always: true }
const UNINSPECTED: Partial<Record<ProblemCode, Words>> = {
  backend_error: uninspected,
  backend_credentials_rejected: uninspected,
  backend_unavailable: uninspected,
  backend_timeout: uninspected,
  import_in_doubt: uninspected,
}

/** Ten requests a minute are the contract's limit. */
const POLL_AGAIN_MS = 10_000

/** A read of a job that failed: if nobody could inspect it, with its id, and when to poll it again. */
export const unreadJob = (problem: Problem, jobId: string, nowMs: number): Problem => {
  const { code, message, extras } = problem
  if (!(code in UNINSPECTED)) return problem
  const retryAtMs = extras.retryAtMs ?? nowMs + POLL_AGAIN_MS
  return new Problem(code, message, { ...extras, retryable: true, retryAtMs, videoId: jobId })
}

/** Where an operation says it otherwise: it lists no 413, or the contract shows a block code for it only. */
const AT: readonly { method: string; path: RegExp; words: Partial<Record<ProblemCode, Words>> }[] = [
  {
    method: 'POST',
    path: /^\/api\/v1\/uploads\//,
    words: {
      payload_too_large: { ...WORDS.payload_too_large, block: 'AUDIO_UPLOAD_PAYLOAD_TOO_LARGE' },
      unsupported_media_type: { ...WORDS.unsupported_media_type, block: 'UNSUPPORTED_AUDIO_UPLOAD_MEDIA_TYPE' },
      idempotency_key_conflict: { ...WORDS.idempotency_key_conflict, block: 'AUDIO_UPLOAD_IDEMPOTENCY_KEY_CONFLICT' },
    },
  },
  {
    method: 'POST',
    path: /^\/api\/v1\/(puppets|tts)/,
    words: { payload_too_large: invalid, unsupported_media_type: invalid },
  },
  {
    method: 'POST',
    path: /^\/api\/v1\/videos\//,
    words: {
      payload_too_large: { ...WORDS.payload_too_large, block: 'VIDEO_CREATE_PAYLOAD_TOO_LARGE' },
      voice_not_found: { ...WORDS.voice_not_found, block: 'SERVICE_VOICE_NOT_FOUND' },
    },
  },
  {
    method: 'GET',
    path: /^\/api\/v1\/videos\//,
    words: UNINSPECTED,
  },
]

const wordsOf = (problem: Problem, { method, path }: ErrorContext): Words => {
  const { code, extras } = problem
  if (code === 'capability_not_supported' && extras.param === 'image_url')
    return { ...WORDS.invalid_image, block: 'CAPABILITY_NOT_SUPPORTED' }
  const place = AT.find((one) => one.method === (method === 'HEAD' ? 'GET' : method) && one.path.test(path))
  return place?.words[code] ?? WORDS[code]
}

const camelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** What of the gateway's details the contract's have, too: how large a body or file may be, and the next. */
const LIMITS = ['max_body_bytes', 'max_file_bytes'] as const

/** Whether a video can be created, in both spellings and with each of its hints (contract, "Error body fields"). */
const generationTwins = (details: Record<string, unknown>): Record<string, unknown> => {
  const { video_generation: told } = details
  const rest = Object.fromEntries(LIMITS.flatMap((name) => (name in details ? [[name, details[name]]] : [])))
  if (typeof told !== 'object' || told === null) return rest
  const {
    next_poll_at: nextPollAt,
    retry_after_seconds: seconds,
    ...facts
  }: Record<string, unknown> = Object.fromEntries(
    Object.entries(told).filter(([, value]: [string, unknown]) => value !== null),
  )
  const twins = {
    ...Object.fromEntries(
      Object.entries(facts).flatMap(([name, value]) => [
        [name, value],
        [camelCase(name), value],
      ]),
    ),
    ...(typeof seconds === 'number' && {
      retry_after_seconds: seconds,
      retryAfter: seconds,
      retryAfterSeconds: seconds,
    }),
    ...(typeof nextPollAt === 'string' && { next_poll_at: nextPollAt, nextPollAt }),
  }
  return { ...rest, video_generation: twins, videoGeneration: twins }
}

/**
 * Said without a key: nobody's window is shown, only the contract's own, untouched ("Limits": 10 requests a minute).
 */
const KEYLESS: ReadonlySet<ProblemCode> = new Set(['unauthenticated', 'not_found', 'method_not_allowed'])

const creditHeaders = (credits: unknown): Record<string, string> => {
  const { required, remaining }: { required?: unknown; remaining?: unknown } = Object(credits)
  return {
    ...(typeof required === 'number' && { 'x-service-credits-required': String(required) }),
    ...(typeof remaining === 'number' && { 'x-service-credits-remaining': String(remaining) }),
  }
}

const jobAliases = (id: string): Record<string, string> => ({
  ...Object.fromEntries(JOB_IDS.map((name) => [name, id])),
  ...Object.fromEntries(STATUS_PATHS.map((name) => [name, statusPathOf(id)])),
})

const untouchedWindow = (nowMs: number): Record<string, string> => ({
  'x-ratelimit-limit': '10',
  'x-ratelimit-remaining': '10',
  'x-ratelimit-reset': String(Math.ceil(nowMs / 1_000) + 60),
})

/**
 * A problem as the primary contract has it ("Errors"): every field in both spellings, all of them again in `details`.
 */
export const primaryError = (problem: Problem, context: ErrorContext): ErrorAnswer => {
  const { clock, origin } = context
  const { status, error, block, always, retryable: mayBeRetried } = wordsOf(problem, context)
  const { message } = problem
  const back = comeBack(problem, clock)
  const retryable = problem.retryable && mayBeRetried !== false
  const { videoId, details } = problem.extras
  const jobId = videoId === undefined ? undefined : publicIdOf(videoId)
  const shared = {
    retryable,
    ...(back && hintFields(back)),
    ...(!retryable && { retry_blocked_reason: message, retryBlockedReason: message }),
    ...(block && { retry_block_code: block, retryBlockCode: block }),
    ...(jobId !== undefined && jobAliases(jobId)),
  }
  return {
    status,
    type: 'application/json',
    headers: {
      ...(KEYLESS.has(problem.code) && untouchedWindow(clock.wall())),
      ...(back && hintHeaders(back)),
      ...(jobId !== undefined && jobHeaders(jobId, origin)),
      ...creditHeaders(details?.['credits']),
    },
    body: {
      error,
      message,
      ...shared,
      details: { ...shared, code: error, reason: message, ...generationTwins(details ?? {}) },
    },
    ...(always ? null : refusedBy('primary', problem, context)),
  }
}
