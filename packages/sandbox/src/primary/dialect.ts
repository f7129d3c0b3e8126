import { createHash } from 'node:crypto'
import { iso, type Hint } from '../clock.ts'
import { type Answer, type Call, type Dialect, Refusal, type Refused, invalid, type JsonObject } from '../http.ts'
import { type Scenario, hint, type World } from '../world.ts'
import type { Decisions } from '../undecided.ts'
import type { Request } from 'express'

const REQUESTS_PER_MINUTE = 10

/** `Retry-After` and `X-Service-Next-Poll-At` (primary, "Shared response headers"). */
export const hintHeaders = (hint: Hint): Record<string, string> => ({
  'Retry-After': String(hint.seconds),
  'X-Service-Next-Poll-At': iso(hint.atMs),
})

/** A hint in every spelling of the error bodies (primary, "Error body fields"). */
export const hintFields = (hint: Hint): Record<string, unknown> => ({
  retry_after_seconds: hint.seconds,
  retryAfter: hint.seconds,
  retryAfterSeconds: hint.seconds,
  next_poll_at: iso(hint.atMs),
  nextPollAt: iso(hint.atMs),
})

export const statusPathOf = (jobId: string): string => `/api/v1/videos/${jobId}`

/** Location, Content-Location and the four id headers of a job (primary, "Shared response headers"). */
export const jobHeaders = (jobId: string, origin: string): Record<string, string> => ({
  Location: `${origin}${statusPathOf(jobId)}`,
  'Content-Location': `${origin}${statusPathOf(jobId)}`,
  'Service-Operation-Id': jobId,
  'X-Service-Operation-Id': jobId,
  'Service-Request-Id': jobId,
  'X-Service-Request-Id': jobId,
})

/** The names under which an error body reports a job's id, and the path of its status ("Error body fields"). */
const JOB_IDS = ['id', 'job_id', 'jobId', 'task_id', 'taskId', 'operation_id', 'operationId', 'request_id', 'requestId']
const STATUS_PATHS = ['status_url', 'statusUrl', 'content_location', 'contentLocation']

const jobAliases = (jobId: string): Record<string, unknown> => ({
  ...Object.fromEntries(JOB_IDS.map((name) => [name, jobId])),
  ...Object.fromEntries(STATUS_PATHS.map((name) => [name, statusPathOf(jobId)])),
})

/** The primary's error body: every field in both spellings, all of them again under `details` ("Errors"). */
const errorBody = (code: string, refused: Refused): Record<string, unknown> => {
  const { message, retryable = false, retryAfter, blockCode, jobId, details } = refused
  const shared = {
    retryable,
    ...(retryAfter && hintFields(retryAfter)),
    ...(!retryable && { retry_blocked_reason: message, retryBlockedReason: message }),
    ...(blockCode !== undefined && { retry_block_code: blockCode, retryBlockCode: blockCode }),
    ...(jobId !== undefined && jobAliases(jobId)),
  }
  return { error: code, message, ...shared, details: { ...shared, code, reason: message, ...details } }
}

/** The codes that the contract shows. */
const SHOWN = {
  rate_limited: 'rate_limited',
  payload_too_large: 'payload_too_large',
  unsupported_media_type: 'unsupported_media_type',
}

export const primaryDialect = (decisions: Decisions): Dialect => {
  const codes = { ...decisions.primary.codes, ...SHOWN }
  return {
    interface: 'primary',
    requestsPerMinute: REQUESTS_PER_MINUTE,
    refuse(refused, origin) {
      const code = typeof refused.reason === 'string' ? codes[refused.reason] : refused.reason.code
      return {
        status: refused.status,
        headers: {
          ...refused.headers,
          ...(refused.retryAfter && hintHeaders(refused.retryAfter)),
          ...(refused.jobId !== undefined && jobHeaders(refused.jobId, origin)),
        },
        body: errorBody(code, refused),
      }
    },
  }
}

/** Refusals on demand that no state of the account explains (scenarios.ts). Throws 429, 502 or 503. */
export const refuseIfAsked = (world: World, scenarios: ReadonlySet<Scenario>): void => {
  const { codes, transientRetryMs } = world.decisions.primary
  if (scenarios.has('quota-exceeded'))
    throw new Refusal(429, { code: codes.quotaExceeded }, 'The monthly beta quota is exceeded.')
  const transient = { retryable: true, retryAfter: hint(world, transientRetryMs) }
  if (scenarios.has('asset-error'))
    throw new Refusal(502, { code: codes.assetFailed }, 'The asset could not be created.', transient)
  if (scenarios.has('unavailable'))
    throw new Refusal(503, { code: codes.unavailable }, 'The job counter is temporarily unavailable.', transient)
}

export interface Once {
  readonly call: Call
  readonly endpoint: string
  readonly key: string | null
  /** The input after aliases and defaults are resolved: equal inputs, equal values. */
  readonly input: unknown
  /** Makes the resource; runs in one transaction with the remembering of its key. */
  readonly make: () => { resourceId: string; answer: Answer }
  /** `null`: the resource no longer exists, so the request makes a new one. */
  readonly replay: (resourceId: string) => Answer | null
  /** Is the resource a job? Then a conflict names it. */
  readonly job: boolean
  /** retry_block_code of a conflict, where the contract shows one. */
  readonly conflictBlockCode?: string
}

/**
 * The Idempotency-Key rules (primary, "Idempotency-Key"): scoped to the workspace and the endpoint; the same accepted
 * request is replayed, another input is 409 `idempotency_key_conflict`, one still in work is 409
 * `idempotency_key_in_progress`. Refused creates are not remembered.
 */
export const createOnce = (world: World) => {
  const inWork = new Map<string, string>()
  return async ({ call, endpoint, key, input, make, replay, job, conflictBlockCode }: Once): Promise<Answer> => {
    const conflict = (jobId?: string): Refusal =>
      new Refusal(409, { code: 'idempotency_key_conflict' }, 'The idempotency key was used with different input.', {
        blockCode: conflictBlockCode,
        jobId,
      })
    if (key === null) {
      await call.during()
      return world.state.atomically(make).answer
    }
    call.entry.idempotency_key = key
    const place = JSON.stringify([call.key.account, endpoint, key])
    const fingerprint = createHash('sha256').update(JSON.stringify(input)).digest('hex')
    const known = world.state.idempotency.get(place)
    if (known) {
      const replayed = replay(known.resourceId)
      if (replayed && known.fingerprint !== fingerprint) throw conflict(job ? known.resourceId : undefined)
      if (replayed) return replayed
    }
    const other = inWork.get(place)
    if (other !== undefined) throw other === fingerprint ? inProgress(world) : conflict()
    inWork.set(place, fingerprint)
    try {
      await call.during()
      return world.state.atomically(() => {
        const { resourceId, answer } = make()
        world.state.idempotency.put(place, { fingerprint, resourceId })
        return answer
      })
    } finally {
      inWork.delete(place)
    }
  }
}

const inProgress = (world: World): Refusal =>
  new Refusal(409, { code: 'idempotency_key_in_progress' }, 'A request with this idempotency key is in progress.', {
    retryable: true,
    retryAfter: hint(world, world.decisions.primary.inProgressRetryMs),
  })

/** The alias groups of the request bodies (primary, "Alias convention" and the field tables). */
export const ALIASES = {
  image: [
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
  script: ['text', 'script', 'prompt'],
  voice: ['voice_id', 'voiceId', 'voice'],
  audio: ['audio_url', 'audioUrl', 'audio'],
  mimeType: ['mime_type', 'mimeType', 'contentType'],
  sizeBytes: ['content_length', 'contentLength', 'sizeBytes', 'file_size', 'fileSize'],
  videoReadiness: [
    'require_video_readiness',
    'requireVideoReadiness',
    'video_readiness_required',
    'videoReadinessRequired',
  ],
  idempotencyKey: ['idempotencyKey', 'idempotency_key'],
} as const

/** The one value of an alias group, or `undefined`. Two different ones are 400. */
const valueOf = (body: JsonObject, group: readonly string[]): { name: string; value: unknown } | undefined => {
  const given = group.filter((name) => Object.hasOwn(body, name)).map((name) => ({ name, value: body[name] }))
  const [first, ...others] = given
  const other = others.find(({ value }) => value !== first?.value)
  if (first && other) throw invalid(`${first.name} and ${other.name} name the same value but differ.`)
  return first
}

/** A non-blank string of an alias group. Throws 400. */
export const textOf = (body: JsonObject, group: readonly string[]): string | undefined => {
  const given = valueOf(body, group)
  if (!given) return undefined
  if (typeof given.value !== 'string' || given.value.trim() === '') {
    throw invalid(`${given.name} must be a non-empty string.`)
  }
  return given.value
}

export const requiredText = (body: JsonObject, group: readonly string[]): string => {
  const text = textOf(body, group)
  if (text === undefined) throw invalid(`One of ${group.join(', ')} is required.`)
  return text
}

export const numberOf = (body: JsonObject, name: string, range: { min: number; max: number }): number | undefined => {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined) return undefined
  if (typeof value !== 'number' || value < range.min || value > range.max) {
    throw invalid(`${name} must be a number from ${range.min} to ${range.max}.`)
  }
  return value
}

/** A required integer of an alias group. */
export const integerOf = (body: JsonObject, group: readonly string[]): number => {
  const given = valueOf(body, group)
  if (!given) throw invalid(`One of ${group.join(', ')} is required.`)
  if (typeof given.value !== 'number' || !Number.isSafeInteger(given.value)) {
    throw invalid(`${given.name} must be an integer.`)
  }
  return given.value
}

export const flagOf = (body: JsonObject, group: readonly string[]): boolean | undefined => {
  const given = valueOf(body, group)
  if (!given) return undefined
  if (typeof given.value !== 'boolean') throw invalid(`${given.name} must be true or false.`)
  return given.value
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const NOT_A_PICTURE = /\.(txt|html?|pdf|json|zip|mp[34]|wav|mov|docx?)$/i

/** "HTTPS image URL"; `invalid_image` for "not a supported image". What is accepted beyond: undecided.ts. */
export const imageUrlOf = (text: string, ownOrigin: string): string => {
  const url = URL.parse(text)
  if (!url) throw invalid('The image must be a URL.')
  const local = url.protocol === 'http:' && (LOOPBACK.test(url.hostname) || url.origin === ownOrigin)
  if (url.protocol !== 'https:' && !local) throw invalid('The image must be an HTTPS URL.')
  if (NOT_A_PICTURE.test(url.pathname)) throw unsupportedImage()
  return text
}

export const unsupportedImage = (): Refusal =>
  new Refusal(400, { code: 'invalid_image' }, 'image_url is not a supported image.')

const MAX_KEY_CHARS = 200

/** The Idempotency-Key of the header or the body, 1 to 200 characters, non-blank; two of them must match. */
export const idempotencyKeyOf = (req: Request, body: JsonObject, decisions: Decisions): string | null => {
  const header = req.headers['idempotency-key']
  const names = ALIASES.idempotencyKey.filter((name) => Object.hasOwn(body, name))
  const given: unknown[] = [...(header === undefined ? [] : [header]), ...names.map((name) => body[name])]
  const [key] = given
  if (key === undefined) return null
  if (given.some((other) => other !== key)) {
    const code = decisions.primary.codes.idempotencyMismatch
    throw new Refusal(400, { code }, 'The idempotency keys of the header and the body differ.')
  }
  if (typeof key !== 'string' || key.trim() === '' || key.length > MAX_KEY_CHARS) {
    throw invalid(`The idempotency key must be 1 to ${MAX_KEY_CHARS} characters, not blank.`)
  }
  return key
}
