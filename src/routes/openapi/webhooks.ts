import { VIDEO_EVENT_TYPES, type VideoEventType } from '../../core/vocabulary.ts'
import { refTo, type JsonSchema } from './components.ts'
import { exampleEvent, ROUTING_STOPPED, ENDPOINT } from './examples.ts'

const WHEN: Readonly<Record<VideoEventType, string>> = {
  'video.queued': 'The gateway accepted a video',
  'video.processing': 'The backend is making the video',
  'video.progress': 'The video made progress; at most one event in five seconds for each video',
  'video.completed': 'The video is finished: `content_url` leads to its file',
  'video.failed': 'The video failed: `error` says why',
  'video.canceled': 'The video was canceled before anything was paid',
}

const header = (name: string, description: string, example: string, required = true): JsonSchema => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
  example,
})

const HEADERS = [
  header(
    'webhook-id',
    'The id of the event. It is the same for every attempt and replay.',
    'evt_6f2c1d0b9a8e7f6a5b4c3d2e1f',
  ),
  header('webhook-timestamp', 'The time of the attempt, in Unix seconds.', '1795176000'),
  header(
    'webhook-signature',
    'One signature for each live secret, separated by spaces: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header(
    'traceparent',
    'W3C Trace Context: the one of your create, or of a span that is linked to it. It is not signed.',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    false,
  ),
]

const AT = '2026-11-20T12:00:00.000Z'

/** Answers of a receiver. Under numbers: generators refuse ranges. */
const RECEIVED = { description: 'Received. Every other 2xx means the same.' }
const ANSWERS = {
  204: RECEIVED,
  410: { description: 'The receiver is gone. The gateway does not retry, and disables the endpoint.' },
  429: { description: 'Too many requests. The gateway retries after a minute or later, or when `Retry-After` says.' },
  default: {
    description: 'Not received. The gateway retries, with longer and longer waits. It does not follow redirects.',
  },
}
const TEST_ANSWERS = {
  204: RECEIVED,
  410: { description: 'Not received. The gateway does not disable the endpoint, because this was a test.' },
  default: { description: 'Not received. The gateway does not retry. The answer to the test shows the result.' },
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
    summary: 'Another endpoint of yours was disabled, and not by you',
    body: 'EndpointDisabledEvent',
    example: {
      type: 'endpoint.disabled',
      timestamp: AT,
      data: { endpoint_id: ENDPOINT.id, description: null, reason: 'gone', disabled_at: AT },
    },
    responses: ANSWERS,
  },
  'routing.stopped': {
    summary: 'A canary stopped itself. Clients with the scope `admin` get this event',
    body: 'RoutingStoppedEvent',
    example: ROUTING_STOPPED,
    responses: ANSWERS,
  },
  'quota.warning': {
    summary: 'You used 80 or 100 % of your quota of this month',
    body: 'QuotaWarningEvent',
    example: {
      type: 'quota.warning',
      timestamp: AT,
      data: {
        quota: 'videos_per_month',
        threshold: 80,
        used: 80,
        limit: 100,
        month: '2026-11',
        resets_at: '2026-12-01T00:00:00.000Z',
      },
    },
    responses: ANSWERS,
  },
  'webhook.test': {
    summary: 'You asked for a test',
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
      'A request of Standard Webhooks, signed with the secret of the target. Answer 2xx when you received it. Every other answer is a failure, also a redirect.',
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
