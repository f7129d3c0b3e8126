import type { Decisions } from '../undecided.ts'
import type { Operation } from '../http/call.ts'
import { ALIASES } from '../primary/fields.ts'
import { MIME_TYPES } from '../media/sounds.ts'
import { MAX_FILE_BYTES } from '../primary/uploads.ts'
import { all, documentOf, errorsOf, ok, type Docs, type JsonDocument, type Responses } from './document.ts'
import { primarySchemas } from './primary-schemas.ts'
import { aliased, allowed, needed, type JsonSchema } from './schema.ts'

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
