import { z } from 'zod'
import type { Operation } from '../http.ts'
import { MIME_TYPES } from '../media/media.ts'
import { MAX_FILE_BYTES } from '../primary/audio.ts'
import { JOB_IDS, STATUS_PATHS, ALIASES } from '../primary/dialect.ts'
import type { Decisions, ShownUpload } from '../undecided.ts'
import {
  all,
  type Docs,
  documentOf,
  errorsOf,
  type JsonDocument,
  ok,
  type Responses,
  aliased,
  allowed,
  byExample,
  fromZod,
  joined,
  type JsonSchema,
  needed,
} from './document.ts'

const dateTime = z.iso.datetime()
/** Absolute or relative, as the contract has both. */
const text = z.string()

/** Primary, "Voice" and "Voice list". */
const Voice = z.strictObject({
  id: z.string().regex(/^[^-]+-.+$/),
  object: z.literal('voice'),
  name: text,
  provider: text,
  language: text,
  language_code: text,
  gender: z.string().regex(/^[A-Z]/),
  preview_url: z.string().regex(/^\//),
})
const VoiceList = z.strictObject({ object: z.literal('list'), data: z.array(Voice).length(45) })

const hints = {
  retry_after_seconds: z.int().optional(),
  retryAfter: z.int().optional(),
  retryAfterSeconds: z.int().optional(),
  next_poll_at: dateTime.optional(),
  nextPollAt: dateTime.optional(),
}

/** Primary, "Error body fields": video_generation and its twin. */
const VideoGeneration = z.strictObject({
  can_create: z.boolean(),
  canCreate: z.boolean(),
  reason: text.optional(),
  active_jobs: z.int().min(0),
  activeJobs: z.int().min(0),
  available_slots: z.int().min(0),
  availableSlots: z.int().min(0),
  ...hints,
})

const jobId = z.string().regex(/^api_video_[A-Za-z0-9_-]+$/)

/** Known fields of an error, and of its `details` (primary, "Error body fields"). */
const repeated = {
  retryable: z.boolean(),
  ...hints,
  retry_blocked_reason: text.optional(),
  retryBlockedReason: text.optional(),
  retry_block_code: text.optional(),
  retryBlockCode: text.optional(),
  // The job of a missing one is whatever was asked for.
  ...Object.fromEntries(JOB_IDS.map((name) => [name, text.optional()])),
  ...Object.fromEntries(STATUS_PATHS.map((name) => [name, text.optional()])),
}
const ErrorBody = z.strictObject({
  error: text,
  message: text,
  ...repeated,
  details: z.strictObject({
    ...repeated,
    code: text,
    reason: text,
    max_body_bytes: z.int().optional(),
    max_file_bytes: z.int().optional(),
    video_generation: VideoGeneration.optional(),
    videoGeneration: VideoGeneration.optional(),
  }),
})

/** Primary, "Video job": the known fields. */
const jobOf = (failedStatus: string) =>
  z.strictObject({
    id: jobId,
    operation_id: jobId,
    request_id: jobId,
    status_url: z.string().regex(/^\/api\/v1\/videos\//),
    content_location: z.string().regex(/^\/api\/v1\/videos\//),
    status: z.enum(['queued', 'processing', 'completed', failedStatus]),
    progress: z.number().min(0).max(1).optional(),
    video_url: z.url().optional(),
    next_poll_at: dateTime.optional(),
    nextPollAt: dateTime.optional(),
  })

const AT = '2026-01-01T00:00:00.000Z'
const PUPPET = { id: 'puppet_x', name: 'X', imageUrl: 'https://example.com/x.png', createdAt: AT }
const SPEECH = { id: 'aud_x', audioUrl: 'https://example.com/x', voiceId: 'x', characters: 1, sizeBytes: 1 }
const UPLOAD: ShownUpload = {
  id: 'aud_x',
  uploaded: false,
  mimeType: 'audio/wav',
  sizeBytes: 1,
  uploadUrl: 'https://example.com/x',
  uploadExpiresAt: AT,
  readUrl: 'https://example.com/x',
  readExpiresAt: AT,
}
const USAGE = { balance: 10, included: 10, purchased: 0, usedThisMonth: 0, month: '2026-01', checkoutAvailable: false }

/** The bodies of the primary: zod where the contract shows them, the decisions' own answers where it does not. */
const primarySchemas = ({ primary }: Decisions): Readonly<Record<string, JsonSchema>> => {
  const puppet = primary.puppet(PUPPET)
  const generation = fromZod(VideoGeneration)
  const usage = byExample(
    primary.usage({
      ...USAGE,
      packs: primary.creditPacks,
      readiness: { video_generation: READINESS, videoGeneration: READINESS },
    }),
  )
  return {
    VoiceList: fromZod(VoiceList),
    Puppet: byExample(puppet),
    PuppetPage: byExample(primary.puppetPage([puppet], 'puppet_x'), primary.puppetPage([puppet], null)),
    Speech: byExample(primary.speech({ ...SPEECH, durationSeconds: 1, expiresAt: AT })),
    Upload: byExample(primary.upload(UPLOAD), primary.upload({ ...UPLOAD, uploaded: true })),
    Usage: withGeneration(usage, generation),
    VideoJob: joined(
      fromZod(jobOf(primary.failedStatus)),
      byExample(primary.jobExtras(AT)),
      byExample(primary.failedFields(true), primary.failedFields(false)),
    ),
    Error: fromZod(ErrorBody),
  }
}

/** Stands in the usage's example for what "Error body fields" shows. */
const READINESS = { 'x-generation': true }

/** Puts the shown `video_generation` in the place of its stand-in, however deep the decision wraps it. */
const withGeneration = (schema: JsonSchema, generation: JsonSchema): JsonSchema => {
  if (typeof schema['properties'] !== 'object' || schema['properties'] === null) return schema
  if ('x-generation' in schema['properties']) return generation
  const properties = Object.fromEntries(
    Object.entries(schema['properties']).map(([name, inner]) => [name, withGeneration(inner, generation)]),
  )
  return { ...schema, properties }
}

const HINT = ['Retry-After', 'X-Service-Next-Poll-At']
const CREDITS = ['X-Service-Credits-Required', 'X-Service-Credits-Remaining']
const JOB = [
  'Location',
  'Content-Location',
  'Service-Operation-Id',
  'X-Service-Operation-Id',
  'Service-Request-Id',
  'X-Service-Request-Id',
]
const HINTED = all('sometimes', ...HINT)

/** Primary, "Status code meanings", with the headers that each may carry. */
const errors = errorsOf({
  400: { description: 'Invalid request body or unsupported input', headers: HINTED },
  401: { description: 'Key missing, malformed, invalid or revoked', headers: all('sometimes', 'WWW-Authenticate') },
  402: { description: 'Not enough video credits', headers: all('sometimes', ...CREDITS) },
  403: { description: 'Key lacks the endpoint scope' },
  404: { description: 'Resource not found' },
  409: { description: 'Idempotency conflict', headers: all('sometimes', ...HINT, ...JOB) },
  413: { description: 'Payload too large' },
  415: { description: 'Unsupported media type' },
  429: { description: 'Rate limit or monthly beta quota exceeded, or active slots full', headers: HINTED },
  502: { description: 'Asset or job status could not be created or inspected', headers: HINTED },
  503: { description: 'Temporarily unavailable', headers: HINTED },
  504: { description: 'Job status lookup timed out', headers: HINTED },
})

const IDEMPOTENCY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Scoped to the workspace and the endpoint; a replay answers the original resource.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '\\S' },
}
const STRING: JsonSchema = { type: 'string', pattern: '\\S' }
const URI: JsonSchema = { type: 'string', format: 'uri' }

const pathId = (name: string, pattern: string): JsonSchema => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', pattern },
})

const keyGroup = allowed(ALIASES.idempotencyKey, { type: 'string', minLength: 1, maxLength: 200 })
const imageGroup = needed(ALIASES.image, URI)
const puppetId = ({ primary }: Decisions): JsonSchema => pathId('puppetId', primary.puppetIdPattern)

const videoResponses = (...statuses: number[]): Responses => ({
  ...errors(...statuses),
  200: ok('A terminal job, returned from an Idempotency-Key replay', 'VideoJob', {
    ...all('always', ...JOB, ...CREDITS),
    ...all('sometimes', ...HINT),
  }),
  202: ok(
    'The job is queued, or a replay of one that is not terminal',
    'VideoJob',
    all('always', ...JOB, ...CREDITS, ...HINT),
  ),
})

const catalogueDocs = (decisions: Decisions): Docs => ({
  listServiceVoices: {
    summary: 'The public voice catalogue',
    responses: { 200: ok('All voices', 'VoiceList'), ...errors(401, 403, 429) },
  },
  listPuppets: {
    summary: 'Saved portraits, page by page',
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
      { name: 'cursor', in: 'query', description: 'nextCursor of the previous page', schema: { type: 'string' } },
    ],
    responses: { 200: ok('One page', 'PuppetPage'), ...errors(400, 401, 403, 429, 503) },
  },
  createPuppet: {
    summary: 'Save a portrait',
    parameters: [IDEMPOTENCY],
    request: aliased([needed(['imageUrl'], URI), allowed(['name'], STRING)]),
    responses: {
      201: ok('Puppet saved', 'Puppet'),
      200: ok('Returned from a replay, no new asset', 'Puppet'),
      ...errors(400, 401, 403, 409, 429, 503),
    },
  },
  getPuppet: {
    summary: 'One saved portrait',
    parameters: [puppetId(decisions)],
    responses: { 200: ok('The puppet', 'Puppet'), ...errors(400, 401, 403, 404, 429, 503) },
  },
  deletePuppet: {
    summary: 'Remove a saved portrait for good',
    parameters: [puppetId(decisions)],
    responses: { 204: ok('Removed', null), ...errors(400, 401, 403, 404, 429, 503) },
  },
})

const audioDocs = ({ primary }: Decisions): Docs => ({
  createServiceSpeech: {
    summary: 'Speech from text, as a hosted WAV file',
    request: aliased([
      needed(['voice_id'], STRING),
      needed(['text'], { ...STRING, maxLength: primary.speechMaxChars }),
      allowed(['speed'], { type: 'number', minimum: primary.speed.min, maximum: primary.speed.max }),
    ]),
    responses: { 200: ok('The speech', 'Speech'), ...errors(400, 401, 403, 404, 429, 502, 503) },
  },
  createHostedAudioUploadUrl: {
    summary: 'Reserve a signed upload URL for audio',
    parameters: [IDEMPOTENCY],
    request: aliased([
      needed(ALIASES.mimeType, { enum: MIME_TYPES }),
      needed(ALIASES.sizeBytes, { type: 'integer', minimum: 1, maximum: MAX_FILE_BYTES }),
      allowed(ALIASES.videoReadiness, { type: 'boolean' }),
      keyGroup,
    ]),
    responses: {
      200: ok('Signed upload and read URLs', 'Upload'),
      ...errors(400, 401, 402, 403, 409, 413, 415, 429, 502, 503),
    },
  },
  getDeveloperApiUsage: {
    summary: 'Credits, and whether a video can be created now',
    responses: { 200: ok('Usage', 'Usage', all('sometimes', ...HINT)), ...errors(401, 403, 429, 503) },
  },
})

const videoDocs = ({ primary }: Decisions): Docs => {
  const { min, max } = primary.expressiveness
  const expressiveness = allowed(['expressiveness'], { type: 'number', minimum: min, maximum: max })
  return {
    createVideoFromText: {
      parameters: [IDEMPOTENCY],
      summary: 'A talking-head video from a portrait, a text and a voice',
      request: aliased([
        imageGroup,
        needed(ALIASES.script, STRING),
        allowed(ALIASES.voice, STRING),
        allowed(['language'], { ...STRING, maxLength: primary.languageMaxChars }),
        expressiveness,
        keyGroup,
      ]),
      responses: videoResponses(400, 401, 402, 403, 404, 409, 413, 415, 429, 502, 503),
    },
    createVideoFromAudio: {
      parameters: [IDEMPOTENCY],
      summary: 'A talking-head video from a portrait and hosted audio',
      request: aliased([imageGroup, needed(ALIASES.audio, URI), expressiveness, keyGroup]),
      responses: videoResponses(400, 401, 402, 403, 409, 413, 415, 429, 502, 503),
    },
    getVideoJob: {
      summary: 'Status of a video job of this key',
      parameters: [pathId('jobId', '^api_video_[A-Za-z0-9_-]+$')],
      responses: {
        200: ok('The job', 'VideoJob', { ...all('always', ...JOB), ...all('sometimes', ...CREDITS, ...HINT) }),
        ...errors(400, 401, 403, 429),
        404: ok('Resource not found', 'Error', all('always', ...JOB)),
        502: ok('Asset or job status could not be created or inspected', 'Error', all('always', ...JOB, ...HINT)),
        504: ok('Job status lookup timed out', 'Error', all('always', ...JOB, ...HINT)),
      },
    },
  }
}

/** `GET /openapi.json` (primary, "Versioning"). */
export const primaryDocument = (decisions: Decisions, operations: readonly Operation[]): JsonDocument =>
  documentOf(
    { title: 'Sandbox of the primary interface', version: '2026-05-11', schemas: primarySchemas(decisions) },
    operations,
    { ...catalogueDocs(decisions), ...audioDocs(decisions), ...videoDocs(decisions) },
  )
