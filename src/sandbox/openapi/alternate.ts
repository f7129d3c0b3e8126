import { z } from 'zod'
import { createSchema } from '../alternate/create.ts'
import { ListQuery } from '../alternate/videos.ts'
import type { Decisions } from '../undecided.ts'
import { documentOf, type JsonDocument, type OperationDoc, type ResponseDoc } from './document.ts'
import { byExample, fromZod, joined, type JsonSchema } from './schema.ts'

const dateTime = z.iso.datetime()
const status = z.enum(['processing', 'completed', 'failed'])
const resolution = z.enum(['720p', '1080p'])

/** Alternate, "Resources and their fields". */
const Created = z.strictObject({
  id: z.string(),
  status,
  puppet_id: z.string(),
  voice_id: z.string(),
  resolution,
  duration_estimate_sec: z.int(),
  created_at: dateTime,
})
const Item = z.strictObject({
  id: z.string(),
  status,
  puppet_id: z.string(),
  duration_sec: z.int().nullable(),
  created_at: dateTime,
})
const Detail = z.strictObject({
  id: z.string(),
  status,
  puppet_id: z.string(),
  voice_id: z.string(),
  resolution,
  duration_sec: z.int().nullable(),
  download_url: z.url().nullable(),
  thumbnail_url: z.url(),
  created_at: dateTime,
  completed_at: dateTime.optional(),
})
const Pagination = z.strictObject({ page: z.int(), limit: z.int(), total: z.int(), total_pages: z.int() })
const VideoPage = z.strictObject({ data: z.array(Item), pagination: Pagination })
const Download = z.strictObject({ download_url: z.url(), expires_at: dateTime })
const Voice = z.strictObject({
  id: z.string(),
  name: z.string(),
  gender: z.string(),
  language: z.string(),
  preview_url: z.url(),
})
const Puppet = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.enum(['stock', 'custom']),
  thumbnail_url: z.url(),
})

const RATE = {
  'X-RateLimit-Limit': 'always',
  'X-RateLimit-Remaining': 'always',
  'X-RateLimit-Reset': 'always',
} as const satisfies ResponseDoc['headers']

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'Invalid input',
  401: 'No valid key',
  402: 'Not enough credits',
  404: 'Not found',
  409: 'The video is not completed',
  413: 'The body is too large',
  415: 'Not JSON',
  429: 'Rate limit exceeded',
  503: 'Temporarily unavailable',
}

const errors = (...statuses: number[]): Record<number, ResponseDoc> =>
  Object.fromEntries(
    statuses.map((code) => {
      const more = code === 401 ? { 'WWW-Authenticate': 'sometimes' as const } : { 'Retry-After': 'sometimes' as const }
      return [code, { description: DESCRIPTIONS[code] ?? '', body: 'Error', headers: { ...RATE, ...more } }]
    }),
  )

const ok = (description: string, body: string): ResponseDoc => ({ description, body, headers: RATE })

const VIDEO_ID: JsonSchema = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

/** The query as text becomes numbers on the way: its parameters are written out from the same bounds. */
const listParameters = (): JsonSchema[] =>
  Object.entries(ListQuery.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }),
  }))

const callbackOf = ({ alternate }: Decisions): JsonSchema => {
  const video = { id: 'x', puppetId: 'x', endedAt: '2026-01-01T00:00:00.000Z' }
  const schema = byExample(
    alternate.callback({ ...video, completed: true, downloadUrl: 'https://example.com/x' }),
    alternate.callback({ ...video, completed: false, downloadUrl: null }),
  )
  return {
    videoReady: {
      '{$request.body#/webhook_url}': {
        post: {
          summary: 'The video is ready',
          operationId: 'videoReady',
          security: [],
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            200: { description: 'Taken. Any other 2xx says the same.' },
            400: { description: 'Refused: sent once more, as after any other answer' },
          },
        },
      },
    },
  }
}

const videoDocs = (decisions: Decisions): OperationDoc[] => [
  {
    name: 'createVideo',
    method: 'post',
    path: '/v1/videos',
    summary: 'Create a video',
    request: requestOf(decisions),
    responses: {
      [decisions.alternate.createdStatus]: ok('Accepted', 'CreatedVideo'),
      ...errors(400, 401, 402, 404, 413, 415, 429, 503),
    },
    callbacks: callbackOf(decisions),
  },
  {
    name: 'listVideos',
    method: 'get',
    path: '/v1/videos',
    summary: 'List videos',
    parameters: listParameters(),
    responses: { 200: ok('One page', 'VideoPage'), ...errors(400, 401, 429) },
  },
  {
    name: 'getVideo',
    method: 'get',
    path: '/v1/videos/{id}',
    summary: 'Get video status and details',
    parameters: [VIDEO_ID],
    responses: { 200: ok('The video', 'Video'), ...errors(401, 404, 429) },
  },
  {
    name: 'getVideoDownload',
    method: 'get',
    path: '/v1/videos/{id}/download',
    summary: 'Get a temporary signed download URL of a completed video',
    parameters: [VIDEO_ID],
    responses: { 200: ok('The link', 'Download'), ...errors(401, 404, 409, 429) },
  },
]

const catalogueDocs: readonly OperationDoc[] = [
  {
    name: 'listVoices',
    method: 'get',
    path: '/v1/voices',
    summary: 'List all voices',
    responses: { 200: ok('All voices', 'Voices'), ...errors(401, 429) },
  },
  {
    name: 'listPuppets',
    method: 'get',
    path: '/v1/puppets',
    summary: 'List puppets (stock and custom)',
    responses: { 200: ok('All puppets', 'Puppets'), ...errors(401, 429) },
  },
]

const requestOf = ({ alternate }: Decisions): JsonSchema => ({
  ...z.toJSONSchema(z.strictObject(createSchema(alternate.webhookUrlMaxChars).shape), { io: 'input' }),
  $schema: undefined,
})

/** `GET /sandbox/openapi-alternate.json`. */
export const alternateDocument = (decisions: Decisions): JsonDocument =>
  documentOf({
    title: 'Sandbox of the alternate interface',
    version: 'v1',
    description: 'A local stand-in. What the contract does not show is decided by the sandbox (docs/sandbox.md).',
    operations: [...videoDocs(decisions), ...catalogueDocs],
    schemas: {
      CreatedVideo: fromZod(Created),
      VideoPage: fromZod(VideoPage),
      Video: joined(
        fromZod(Detail),
        { required: [] },
        {
          properties: {
            error: byExample(decisions.alternate.videoError(true), decisions.alternate.videoError(false)),
          },
        },
      ),
      Download: fromZod(Download),
      Voices: fromZod(z.strictObject({ data: z.array(Voice) })),
      Puppets: fromZod(z.strictObject({ data: z.array(Puppet) })),
      Error: byExample(decisions.alternate.error('code', 'message')),
    },
  })
