import type { Decisions } from '../undecided.ts'
import { ALIASES } from '../primary/fields.ts'
import { MIME_TYPES } from '../media/sounds.ts'
import { MAX_FILE_BYTES } from '../primary/uploads.ts'
import { documentOf, type JsonDocument, type OperationDoc, type ResponseDoc } from './document.ts'
import { primarySchemas } from './primary-schemas.ts'
import { aliased, type AliasGroup, type JsonSchema } from './schema.ts'

type Headers = ResponseDoc['headers']

const all = (when: 'always' | 'sometimes', ...names: string[]): Headers =>
  Object.fromEntries(names.map((name) => [name, when]))

const RATE = all('always', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')
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

/** Primary, "Status code meanings", with the headers that each may carry. */
const ERRORS: Readonly<Record<number, { description: string; headers: Headers }>> = {
  400: { description: 'Invalid request body or unsupported input', headers: all('sometimes', ...HINT) },
  401: { description: 'Key missing, malformed, invalid or revoked', headers: all('sometimes', 'WWW-Authenticate') },
  402: { description: 'Not enough video credits', headers: all('sometimes', ...CREDITS) },
  403: { description: 'Key lacks the endpoint scope', headers: {} },
  404: { description: 'Resource not found', headers: {} },
  409: { description: 'Idempotency conflict', headers: all('sometimes', ...HINT, ...JOB) },
  413: { description: 'Payload too large', headers: {} },
  415: { description: 'Unsupported media type', headers: {} },
  429: {
    description: 'Rate limit or monthly beta quota exceeded, or active slots full',
    headers: all('sometimes', ...HINT),
  },
  502: { description: 'Asset or job status could not be created or inspected', headers: all('sometimes', ...HINT) },
  503: { description: 'Temporarily unavailable', headers: all('sometimes', ...HINT) },
  504: { description: 'Job status lookup timed out', headers: all('sometimes', ...HINT) },
}

const errors = (...statuses: number[]): Record<number, ResponseDoc> =>
  Object.fromEntries(
    statuses.map((status) => {
      const { description = '', headers = {} } = ERRORS[status] ?? {}
      return [status, { description, body: 'Error', headers: { ...RATE, ...headers } }]
    }),
  )

const ok = (description: string, body: string | null, headers: Headers = {}): ResponseDoc => ({
  description,
  body,
  headers: { ...RATE, ...headers },
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

const keyGroup: AliasGroup = {
  names: ALIASES.idempotencyKey,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  required: false,
}
const imageGroup: AliasGroup = { names: ALIASES.image, schema: URI, required: true }
const puppetId = ({ primary }: Decisions): JsonSchema => pathId('puppetId', primary.puppetIdPattern)

const videoResponses = (...statuses: number[]): Record<number, ResponseDoc> => ({
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

const catalogueDocs = (decisions: Decisions): OperationDoc[] => [
  {
    name: 'listServiceVoices',
    method: 'get',
    path: '/api/v1/voices/service',
    summary: 'The public voice catalogue',
    scope: 'voices:read',
    responses: { 200: ok('All voices', 'VoiceList'), ...errors(401, 403, 429) },
  },
  {
    name: 'listPuppets',
    method: 'get',
    path: '/api/v1/puppets',
    summary: 'Saved portraits, page by page',
    scope: 'videos:read',
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
      { name: 'cursor', in: 'query', description: 'nextCursor of the previous page', schema: { type: 'string' } },
    ],
    responses: { 200: ok('One page', 'PuppetPage'), ...errors(400, 401, 403, 429, 503) },
  },
  {
    name: 'createPuppet',
    method: 'post',
    path: '/api/v1/puppets',
    summary: 'Save a portrait',
    scope: 'videos:create',
    parameters: [IDEMPOTENCY],
    request: aliased([
      { names: ['imageUrl'], schema: URI, required: true },
      { names: ['name'], schema: STRING, required: false },
    ]),
    responses: {
      201: ok('Puppet saved', 'Puppet'),
      200: ok('Returned from a replay, no new asset', 'Puppet'),
      ...errors(400, 401, 403, 409, 429, 503),
    },
  },
  {
    name: 'getPuppet',
    method: 'get',
    path: '/api/v1/puppets/{puppetId}',
    summary: 'One saved portrait',
    scope: 'videos:read',
    parameters: [puppetId(decisions)],
    responses: { 200: ok('The puppet', 'Puppet'), ...errors(400, 401, 403, 404, 429, 503) },
  },
  {
    name: 'deletePuppet',
    method: 'delete',
    path: '/api/v1/puppets/{puppetId}',
    summary: 'Remove a saved portrait for good',
    scope: 'videos:create',
    parameters: [puppetId(decisions)],
    responses: { 204: ok('Removed', null), ...errors(400, 401, 403, 404, 429, 503) },
  },
]

const audioDocs = ({ primary }: Decisions): OperationDoc[] => [
  {
    name: 'createServiceSpeech',
    method: 'post',
    path: '/api/v1/tts/service',
    summary: 'Speech from text, as a hosted WAV file',
    scope: 'tts:create',
    request: aliased([
      { names: ['voice_id'], schema: STRING, required: true },
      { names: ['text'], schema: { ...STRING, maxLength: primary.speechMaxChars }, required: true },
      {
        names: ['speed'],
        schema: { type: 'number', minimum: primary.speed.min, maximum: primary.speed.max },
        required: false,
      },
    ]),
    responses: { 200: ok('The speech', 'Speech'), ...errors(400, 401, 403, 404, 429, 502, 503) },
  },
  {
    name: 'createHostedAudioUploadUrl',
    method: 'post',
    path: '/api/v1/uploads/audio-url',
    summary: 'Reserve a signed upload URL for audio',
    scope: 'uploads:create',
    parameters: [IDEMPOTENCY],
    request: aliased([
      { names: ALIASES.mimeType, schema: { enum: MIME_TYPES }, required: true },
      { names: ALIASES.sizeBytes, schema: { type: 'integer', minimum: 1, maximum: MAX_FILE_BYTES }, required: true },
      { names: ALIASES.videoReadiness, schema: { type: 'boolean' }, required: false },
      keyGroup,
    ]),
    responses: {
      200: ok('Signed upload and read URLs', 'Upload'),
      ...errors(400, 401, 402, 403, 409, 413, 415, 429, 502, 503),
    },
  },
  {
    name: 'getDeveloperApiUsage',
    method: 'get',
    path: '/api/v1/usage',
    summary: 'Credits, and whether a video can be created now',
    scope: 'videos:read',
    responses: { 200: ok('Usage', 'Usage', all('sometimes', ...HINT)), ...errors(401, 403, 429, 503) },
  },
]

const videoDocs = ({ primary }: Decisions): OperationDoc[] => {
  const { min, max } = primary.expressiveness
  const expressiveness: AliasGroup = {
    names: ['expressiveness'],
    schema: { type: 'number', minimum: min, maximum: max },
    required: false,
  }
  const create = { method: 'post', scope: 'videos:create', parameters: [IDEMPOTENCY] } as const
  return [
    {
      ...create,
      name: 'createVideoFromText',
      path: '/api/v1/videos/text',
      summary: 'A talking-head video from a portrait, a text and a voice',
      request: aliased([
        imageGroup,
        { names: ALIASES.script, schema: STRING, required: true },
        { names: ALIASES.voice, schema: STRING, required: false },
        { names: ['language'], schema: { ...STRING, maxLength: primary.languageMaxChars }, required: false },
        expressiveness,
        keyGroup,
      ]),
      responses: videoResponses(400, 401, 402, 403, 404, 409, 413, 415, 429, 502, 503),
    },
    {
      ...create,
      name: 'createVideoFromAudio',
      path: '/api/v1/videos/audio',
      summary: 'A talking-head video from a portrait and hosted audio',
      request: aliased([imageGroup, { names: ALIASES.audio, schema: URI, required: true }, expressiveness, keyGroup]),
      responses: videoResponses(400, 401, 402, 403, 409, 413, 415, 429, 502, 503),
    },
    {
      name: 'getVideoJob',
      method: 'get',
      path: '/api/v1/videos/{jobId}',
      summary: 'Status of a video job of this key',
      scope: 'videos:read',
      parameters: [pathId('jobId', '^api_video_[A-Za-z0-9_-]+$')],
      responses: {
        200: ok('The job', 'VideoJob', { ...all('always', ...JOB), ...all('sometimes', ...CREDITS, ...HINT) }),
        ...errors(400, 401, 403, 429),
        ...withHeaders(errors(404), all('always', ...JOB)),
        ...withHeaders(errors(502, 504), all('always', ...JOB, ...HINT)),
      },
    },
  ]
}

const withHeaders = (responses: Record<number, ResponseDoc>, headers: Headers): Record<number, ResponseDoc> =>
  Object.fromEntries(
    Object.entries(responses).map(([status, one]) => [status, { ...one, headers: { ...one.headers, ...headers } }]),
  )

/** `GET /openapi.json` (primary, "Versioning"). */
export const primaryDocument = (decisions: Decisions): JsonDocument =>
  documentOf({
    title: 'Sandbox of the primary interface',
    version: '2026-05-11',
    description: 'A local stand-in. What the contract does not show is decided by the sandbox (docs/sandbox.md).',
    operations: [...catalogueDocs(decisions), ...audioDocs(decisions), ...videoDocs(decisions)],
    schemas: primarySchemas(decisions),
  })
