import { VIDEO_EVENT_TYPES, type VideoEventType } from '../../core/vocabulary.ts'
import { refTo, type ViewName } from './components.ts'
import { exampleEvent } from './examples.ts'
import { ENDPOINT } from './webhook-examples.ts'
import type { JsonSchema } from './json-schema.ts'

const WHEN: Readonly<Record<VideoEventType, string>> = {
  'video.queued': 'A video was taken on',
  'video.processing': 'The backend is making it',
  'video.progress': 'It moved on; at most one in five seconds for each video',
  'video.completed': 'It is finished: `content_url` leads to it',
  'video.failed': 'It failed: `error` says why',
  'video.canceled': 'It was canceled before anything was paid',
}

const header = (name: string, description: string, example: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const HEADERS = [
  header('webhook-id', 'Id of the event: the same for every attempt and replay.', 'evt_6f2c1d0b9a8e7f6a5b4c3d2e1f'),
  header('webhook-timestamp', 'Unix seconds of the attempt.', '1795176000'),
  header(
    'webhook-signature',
    '`v1,<base64 HMAC-SHA256 of id.timestamp.body>`, separated by spaces: one for each live secret.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

const AT = '2026-11-20T12:00:00.000Z'
const OTHERS: Readonly<Record<string, { summary: string; body: ViewName; example: unknown }>> = {
  'endpoint.disabled': {
    summary: 'Another of your endpoints was disabled, not by you',
    body: 'EndpointDisabledEvent',
    example: {
      type: 'endpoint.disabled',
      timestamp: AT,
      data: { endpoint_id: ENDPOINT.id, description: null, reason: 'gone', disabled_at: AT },
    },
  },
  'webhook.test': {
    summary: 'You asked for it',
    body: 'WebhookTestEvent',
    example: { type: 'webhook.test', timestamp: AT, data: { endpoint_id: ENDPOINT.id } },
  },
}

const eventOf = (type: string, summary: string, body: ViewName, example: unknown): JsonSchema => ({
  post: {
    operationId: `on.${type}`,
    tags: ['Webhooks'],
    summary,
    description:
      'Standard Webhooks: signed with the secret of the target. 2xx is success; everything else, redirects included, is tried again.',
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: refTo(body) }, example } },
    },
    responses: {
      '2XX': { description: 'Received.' },
      '4XX': { description: 'Not received: it is tried again, later and later. 410 ends it.' },
    },
  },
})

/** The `webhooks` of the document: what a receiver gets. */
export const webhooks = (): Record<string, JsonSchema> =>
  Object.fromEntries([
    ...VIDEO_EVENT_TYPES.map((type) => [type, eventOf(type, WHEN[type], 'VideoEvent', exampleEvent(type))]),
    ...Object.entries(OTHERS).map(([type, { summary, body, example }]) => [
      type,
      eventOf(type, summary, body, example),
    ]),
  ]) as Record<string, JsonSchema>
