import { z } from 'zod'
import { RESOLUTIONS } from '../../../core/vocabulary.ts'
import type { HeaderTable } from '../../openapi/components.ts'
import { IDEMPOTENCY_PROBLEMS, specsOf, type Operation, type SurfaceDocs } from '../../openapi/operation.ts'
import { receiverOf } from '../../openapi/webhooks.ts'
import { DocumentedAs, Limit } from '../../parse.ts'
import { EXAMPLE_IDS } from '../../../core/ids.ts'
import type { ProblemCode } from '../../../core/errors.ts'
import { BACKEND_ERRORS, CREATE_ERRORS, createRefusals, COMMON_HEADERS, RATE_HEADER_NAMES } from '../spec.ts'
import { alternateError } from './errors.ts'

const TAGS = [
  { name: 'Alternate videos', description: 'Make a video, read it, list your own, and download the file.' },
  { name: 'Alternate catalogue', description: 'List voices and puppets.' },
] as const
type AlternateTag = (typeof TAGS)[number]['name']

const INTRODUCTION = `
The gateway serves the alternate interface under \`/v1\`. Operations, field names and limits are those of its contract. The contract
does not show success statuses, error bodies and codes. For these, this document says what the gateway answers. It relays those
of an alternate backend, once it has seen them.

Your client changes only its base URL, and its key, unless the gateway knows the old key. The backend may be of either kind. If it
cannot do something, the gateway refuses the request, or says so in \`Talkbridge-Warning\`.

**Videos are visible on every surface**: \`vid_X\` here is \`vid_X\` on the unified API and \`api_video_X\` on \`/api/v1\`.

The [guide](/docs/guide/dropin.html) lists every difference from the service itself.
`.trim()

/**
 * What `/v1` answers and takes (alternate contract, "Resources and their fields"). Objects are open: with an alternate
 * backend behind, fields of its own are carried over as they are.
 */

const time = z.iso.datetime()
const status = z.enum(['processing', 'completed', 'failed'])
const OPEN = 'An alternate backend may add its own fields.'

const shared = {
  id: z.string(),
  status,
  puppet_id: z
    .string()
    .nullable()
    .describe('Null for a video that was made from an image URL on another surface, and for a canceled one'),
  created_at: time,
}
const chosen = {
  voice_id: z.string().nullable(),
  resolution: z.enum(RESOLUTIONS).nullable(),
}
const Item = z.looseObject({ ...shared, duration_sec: z.int().nullable() })
const Video = z.looseObject({
  ...shared,
  ...chosen,
  duration_sec: z.int().nullable(),
  download_url: z.string().nullable().describe('A signed URL'),
  thumbnail_url: z.string().nullable(),
  completed_at: time.nullable().optional().describe('Present after completion'),
  error: z
    .looseObject({})
    .nullable()
    .optional()
    .describe('Why the video failed. Opaque here: each backend has its own fields'),
})
const Voice = z.looseObject({
  id: z.string().describe('Give it as `voice_id`'),
  name: z.string().nullable(),
  gender: z.string().nullable(),
  language: z.string().nullable().describe('A locale'),
  preview_url: z.string().nullable(),
})
const Puppet = z.looseObject({
  id: z.string().describe('Give it as `puppet_id`'),
  name: z.string().nullable(),
  type: z.enum(['stock', 'custom']),
  thumbnail_url: z.string().nullable(),
})

const ALTERNATE_VIEWS = {
  AlternateCreatedVideo: z
    .looseObject({
      ...shared,
      ...chosen,
      duration_estimate_sec: z
        .int()
        .nullable()
        .describe("The backend's estimate. If it has none, the gateway estimates from the number of words"),
    })
    .describe(OPEN),
  AlternateVideoItem: Item,
  AlternateVideoList: z.looseObject({
    data: z.array(Item),
    pagination: z.strictObject({
      page: z.int().min(1),
      limit: z.int().min(1).max(100),
      total: z.int().min(0).describe('The number of your own videos'),
      total_pages: z.int().min(0),
    }),
  }),
  AlternateVideo: Video.describe(OPEN),
  AlternateDownload: z.looseObject({
    download_url: z.string(),
    expires_at: time.describe(
      'When the link expires, as the backend reports it. Otherwise the time until which the gateway would use the link',
    ),
  }),
  AlternateVoice: Voice,
  AlternateVoiceList: z.looseObject({ data: z.array(Voice) }),
  AlternatePuppet: Puppet,
  AlternatePuppetList: z.looseObject({ data: z.array(Puppet) }),
  AlternateCallback: z
    .looseObject({})
    .describe(
      "An event `{type, timestamp, data}`, and `data` is the video as a read answers it. If each value of the backend's own callback is also in that video: the fields of the callback, with your id of the video. Opaque here",
    ),
  AlternateError: z.strictObject({
    error: z.looseObject({ code: z.string().describe('The code, for programs'), message: z.string() }),
  }),
} as const satisfies Record<string, z.ZodType>

const ALTERNATE_BODIES = {
  AlternateNewVideo: z.strictObject({
    script: z.string().min(1).max(5_000).describe('The text to speak'),
    puppet_id: z.string(),
    voice_id: z.string().optional().describe("The id of a voice. Default: the puppet's own voice"),
    resolution: z.enum(RESOLUTIONS).default('1080p').optional(),
    webhook_url: z.url().optional().describe('The URL that receives a POST when the video is ready'),
  }),
} as const satisfies Record<string, z.ZodType>

const HEADERS = {
  ...COMMON_HEADERS,
  'Retry-After': { description: 'Seconds to wait before you retry.', schema: { type: 'integer', minimum: 0 } },
} as const
const TABLE: HeaderTable = { prefix: 'Alternate-', headers: HEADERS }

interface Names {
  view: keyof typeof ALTERNATE_VIEWS
  body: keyof typeof ALTERNATE_BODIES
  header: keyof typeof HEADERS
  tag: AlternateTag
  problem: ProblemCode
}
const { operations, json } = specsOf<Names>()

const { video: ID } = EXAMPLE_IDS
const AT = '2026-11-20T12:00:00.000Z'
const SHARED = { id: ID, status: 'processing', puppet_id: 'pup_ada', created_at: AT }
const CREATED = { ...SHARED, voice_id: 'v_ava', resolution: '1080p', duration_estimate_sec: 4 }
const READY = { ...SHARED, status: 'completed', duration_sec: 4 }
const LINK = 'https://cdn.example/7Hq2.mp4?signature=abc'
const VIDEO = {
  ...READY,
  voice_id: 'v_ava',
  resolution: '1080p',
  download_url: LINK,
  thumbnail_url: 'https://cdn.example/7Hq2.png',
  completed_at: '2026-11-20T12:00:41.000Z',
}
const VOICE = {
  id: 'v_ava',
  name: 'Ava',
  gender: 'female',
  language: 'en-US',
  preview_url: 'https://cdn.example/ava.mp3',
}
const PUPPET = { id: 'pup_ada', name: 'Ada', type: 'stock', thumbnail_url: 'https://cdn.example/ada.png' }

const ListQuery = z.strictObject({
  page: DocumentedAs(z.string(), {
    type: 'integer',
    minimum: 1,
    default: 1,
    description: 'The number of the page. A page after the last one is empty',
  }).optional(),
  limit: Limit,
  status: z
    .enum(['processing', 'completed', 'failed'])
    .optional()
    .describe('A video that waits in the gateway is `processing`. A canceled video is `failed`'),
})

const VIDEOS = operations('Alternate videos', {
  createVideo: {
    at: ['post', '/v1/videos'],
    summary: 'Create a video',
    description:
      'If you give `webhook_url`, the gateway sends a signed POST there when the video is ready (Standard Webhooks).',
    scope: 'videos:create',
    body: {
      name: 'AlternateNewVideo',
      examples: {
        ada: {
          summary: 'A puppet speaks a script',
          value: { script: 'Hello from Talkbridge.', puppet_id: 'pup_ada' },
        },
      },
    },
    answers: {
      201: json('The video is being made.', 'AlternateCreatedVideo', CREATED, { 'Talkbridge-Warning': 'sometimes' }),
    },
    problems: [...CREATE_ERRORS, ...IDEMPOTENCY_PROBLEMS, 'puppet_not_found', 'voice_not_found'],
  },
  listVideos: {
    at: ['get', '/v1/videos'],
    summary: 'List videos',
    description: 'Lists your own videos from the gateway’s records, newest first.',
    scope: 'videos:read',
    query: ListQuery,
    answers: {
      200: json('A page.', 'AlternateVideoList', {
        data: [READY],
        pagination: { page: 1, limit: 20, total: 1, total_pages: 1 },
      }),
    },
    problems: [],
  },
  getVideo: {
    at: ['get', '/v1/videos/{id}'],
    summary: 'Get video status and details',
    scope: 'videos:read',
    answers: { 200: json('As it is now.', 'AlternateVideo', VIDEO) },
    problems: [...BACKEND_ERRORS, 'video_not_found'],
  },
  getVideoDownload: {
    at: ['get', '/v1/videos/{id}/download'],
    summary: 'Get a temporary signed download URL of a completed video',
    scope: 'videos:read',
    answers: {
      200: json('A link that works now.', 'AlternateDownload', {
        download_url: LINK,
        expires_at: '2026-11-20T13:00:41.000Z',
      }),
    },
    problems: [...BACKEND_ERRORS, 'video_not_found', 'video_not_completed'],
  },
})

const CATALOGUE = operations('Alternate catalogue', {
  listVoices: {
    at: ['get', '/v1/voices'],
    summary: 'List all voices',
    scope: 'voices:read',
    answers: { 200: json('All voices.', 'AlternateVoiceList', { data: [VOICE] }) },
    problems: BACKEND_ERRORS,
  },
  listPuppets: {
    at: ['get', '/v1/puppets'],
    summary: 'List puppets (stock and custom)',
    scope: 'videos:read',
    answers: {
      200: json('All puppets.', 'AlternatePuppetList', { data: [PUPPET] }, { 'Talkbridge-Warning': 'sometimes' }),
    },
    problems: BACKEND_ERRORS,
  },
})

const ALTERNATE_OPERATIONS: readonly Operation<Names>[] = [...VIDEOS, ...CATALOGUE]

const refusals = createRefusals({
  answerOf: alternateError,
  wordOf: (body) => {
    const error: unknown = Reflect.get(body, 'error')
    return String(typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : error)
  },
  body: 'AlternateError',
  table: TABLE,
  rated: { headers: RATE_HEADER_NAMES, always: [402, 403, 404, 409, 413, 415, 429, 502] },
  headersOf: (status) => ({
    ...(status === 401 && { 'WWW-Authenticate': 'sometimes' }),
    ...([402, 409, 429, 500, 502, 503, 504].includes(status) && { 'Retry-After': 'sometimes' }),
  }),
  extras: {},
})

const ERROR_WORDS = `Every error has this form. The gateway keeps an alternate backend's own codes. \`code\` is:\n\n`

/** `/v1`, as the alternate contract has it. */
export const ALTERNATE_SURFACE: SurfaceDocs = {
  name: 'alternate',
  info: {
    title: 'Talkbridge: the alternate interface',
    // The contract has no version but its prefix.
    version: 'v1',
    summary: 'The API of the alternate service, with any backend behind it.',
    description: INTRODUCTION,
  },
  tags: TAGS,
  groups: [{ name: 'Alternate interface, /v1', tags: TAGS.map(({ name }) => name) }],
  operations: ALTERNATE_OPERATIONS,
  views: {
    ...ALTERNATE_VIEWS,
    AlternateError: ALTERNATE_VIEWS.AlternateError.describe(ERROR_WORDS + refusals.tableOf(ALTERNATE_OPERATIONS)),
  },
  bodies: ALTERNATE_BODIES,
  headers: TABLE,
  rateHeaders: RATE_HEADER_NAMES,
  pathParameter: () => ({
    description: 'The id, as an earlier answer showed it.',
    schema: { type: 'string' },
    example: ID,
  }),
  refusals: refusals.responses,
  examples: () => ({}),
  webhooks: () => ({
    'alternate.video.ready': receiverOf({
      id: 'onAlternateVideoReady',
      tag: 'Alternate videos',
      summary: 'The video is ready, or has failed',
      body: 'AlternateCallback',
      example: { type: 'video.completed', timestamp: VIDEO.completed_at, data: VIDEO },
    }),
  }),
}
