import { VIDEO_EVENT_TYPES, type VideoEventType } from '../../core/vocabulary.ts'
import { refTo } from './components.ts'
import { exampleEvent } from './examples.ts'
import { ROUTING_STOPPED } from '../unified/migration/examples.ts'
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

/** Answers of a receiver. Under numbers: generators refuse ranges. */
const RECEIVED = { description: 'Received. Any other 2xx says the same.' }
const ANSWERS = {
  204: RECEIVED,
  410: { description: 'Nobody is there any more. It is not tried again, and the endpoint is disabled.' },
  429: { description: 'Too many. It is tried again in a minute at the earliest, or when `Retry-After` says.' },
  default: { description: 'Not received: it is tried again, later and later. Redirects are not followed.' },
}
const TEST_ANSWERS = {
  204: RECEIVED,
  410: { description: 'Not received. The endpoint is not disabled: it was a test.' },
  default: { description: 'Not received. It is not tried again: whoever asked for the test is told.' },
}

/** One request that a receiver gets. */
interface Received {
  summary: string
  /** Name of the schema of its body. */
  body: string
  example: unknown
  responses: JsonSchema
}
const OTHERS: Readonly<Record<string, Received>> = {
  'endpoint.disabled': {
    summary: 'Another of your endpoints was disabled, not by you',
    body: 'EndpointDisabledEvent',
    example: {
      type: 'endpoint.disabled',
      timestamp: AT,
      data: { endpoint_id: ENDPOINT.id, description: null, reason: 'gone', disabled_at: AT },
    },
    responses: ANSWERS,
  },
  'routing.stopped': {
    summary: 'A canary stopped itself; sent to clients with the scope `admin`',
    body: 'RoutingStoppedEvent',
    example: ROUTING_STOPPED,
    responses: ANSWERS,
  },
  'webhook.test': {
    summary: 'You asked for it',
    body: 'WebhookTestEvent',
    example: { type: 'webhook.test', timestamp: AT, data: { endpoint_id: ENDPOINT.id } },
    responses: TEST_ANSWERS,
  },
}

const operationOf = (id: string, tag: string, { summary, body, example, responses }: Received): JsonSchema => ({
  post: {
    operationId: id,
    tags: [tag],
    summary,
    description:
      'Standard Webhooks: signed with the secret of the target. 2xx is success, everything else is not, redirects included.',
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: refTo(body) }, example } },
    },
    responses,
  },
})

const eventOf = (type: string, received: Received): JsonSchema => operationOf(`on.${type}`, 'Webhooks', received)

/** What a receiver gets that is no event of the unified API. */
export const receiverOf = ({
  id,
  tag,
  ...told
}: Omit<Received, 'responses'> & Record<'id' | 'tag', string>): JsonSchema =>
  operationOf(id, tag, { ...told, responses: ANSWERS })

/** The `webhooks` of the document: what a receiver gets. */
export const webhooks = (): Record<string, JsonSchema> =>
  Object.fromEntries([
    ...VIDEO_EVENT_TYPES.map((type) => [
      type,
      eventOf(type, { summary: WHEN[type], body: 'VideoEvent', example: exampleEvent(type), responses: ANSWERS }),
    ]),
    ...Object.entries(OTHERS).map(([type, other]) => [type, eventOf(type, other)]),
  ]) as Record<string, JsonSchema>
