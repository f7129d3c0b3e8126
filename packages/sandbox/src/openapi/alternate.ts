import { z } from 'zod'
import { createSchema, ListQuery } from '../alternate/videos.ts'
import type { Operation } from '../http.ts'
import type { Decisions } from '../undecided.ts'
import {
  all,
  documentOf,
  errorsOf,
  ok,
  type Docs,
  type JsonDocument,
  byExample,
  fromZod,
  joined,
  type JsonSchema,
} from './document.ts'

const dateTime = z.iso.datetime()

/** Alternate, "Resources and their fields". */
const shared = {
  id: z.string(),
  status: z.enum(['processing', 'completed', 'failed']),
  puppet_id: z.string(),
  created_at: dateTime,
}
const chosen = { voice_id: z.string(), resolution: z.enum(['720p', '1080p']) }
const Created = z.strictObject({ ...shared, ...chosen, duration_estimate_sec: z.int() })
const Item = z.strictObject({ ...shared, duration_sec: z.int().nullable() })
const Detail = Item.extend({
  ...chosen,
  download_url: z.url().nullable(),
  thumbnail_url: z.url(),
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

const RETRY = all('sometimes', 'Retry-After')

const errors = errorsOf({
  400: { description: 'Invalid input', headers: RETRY },
  401: { description: 'No valid key', headers: all('sometimes', 'WWW-Authenticate') },
  402: { description: 'Not enough credits', headers: RETRY },
  404: { description: 'Not found', headers: RETRY },
  409: { description: 'The video is not completed', headers: RETRY },
  413: { description: 'The body is too large', headers: RETRY },
  415: { description: 'Not JSON', headers: RETRY },
  429: { description: 'Rate limit exceeded', headers: RETRY },
  503: { description: 'Temporarily unavailable', headers: RETRY },
})

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

const videoDocs = (decisions: Decisions): Docs => ({
  createVideo: {
    summary: 'Create a video',
    request: requestOf(decisions),
    responses: {
      [decisions.alternate.createdStatus]: ok('Accepted', 'CreatedVideo'),
      ...errors(400, 401, 402, 404, 413, 415, 429, 503),
    },
    callbacks: callbackOf(decisions),
  },
  listVideos: {
    summary: 'List videos',
    parameters: listParameters(),
    responses: { 200: ok('One page', 'VideoPage'), ...errors(400, 401, 429) },
  },
  getVideo: {
    summary: 'Get video status and details',
    parameters: [VIDEO_ID],
    responses: { 200: ok('The video', 'Video'), ...errors(401, 404, 429) },
  },
  getVideoDownload: {
    summary: 'Get a temporary signed download URL of a completed video',
    parameters: [VIDEO_ID],
    responses: { 200: ok('The link', 'Download'), ...errors(401, 404, 409, 429) },
  },
})

const catalogueDocs: Docs = {
  listVoices: {
    summary: 'List all voices',
    responses: { 200: ok('All voices', 'Voices'), ...errors(401, 429) },
  },
  listPuppets: {
    summary: 'List puppets (stock and custom)',
    responses: { 200: ok('All puppets', 'Puppets'), ...errors(401, 429) },
  },
}

const requestOf = ({ alternate }: Decisions): JsonSchema => ({
  ...z.toJSONSchema(z.strictObject(createSchema(alternate.webhookUrlMaxChars).shape), { io: 'input' }),
  $schema: undefined,
})

/** `GET /sandbox/openapi-alternate.json`. */
export const alternateDocument = (decisions: Decisions, operations: readonly Operation[]): JsonDocument => {
  const { error, videoError } = decisions.alternate
  const failure = { properties: { error: byExample(videoError(true), videoError(false)) } }
  const schemas = {
    CreatedVideo: fromZod(Created),
    VideoPage: fromZod(VideoPage),
    Video: joined(fromZod(Detail), { required: [] }, failure),
    Download: fromZod(Download),
    Voices: fromZod(z.strictObject({ data: z.array(Voice) })),
    Puppets: fromZod(z.strictObject({ data: z.array(Puppet) })),
    Error: byExample(error('code', 'message')),
  }
  const docs = { ...videoDocs(decisions), ...catalogueDocs }
  return documentOf({ title: 'Sandbox of the alternate interface', version: 'v1', schemas }, operations, docs)
}
