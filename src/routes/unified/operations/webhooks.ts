import { COMPLETED, exampleEvent, listOfOne } from '../../openapi/examples.ts'
import { DELIVERY, ENDPOINT, ENDPOINT_WITH_SECRET, EVENT } from '../../openapi/webhook-examples.ts'
import { BODY_PROBLEMS, type Example, type Operation } from '../../openapi/operation.ts'
import type { TagName } from '../../openapi/prose.ts'
import { NoQuery, StreamEventsQuery } from '../queries.ts'
import { ListDeliveriesQuery, ListEndpointsQuery, ListEventsQuery } from '../webhook-bodies.ts'

const tag: TagName = 'Webhooks'
const ENDPOINTS = '/unified/v1/webhook_endpoints'
const ROTATIONS: Readonly<Record<string, Example>> = {
  day: { summary: 'The old one is good for a day', value: {} },
  now: { summary: 'The old one is good no more', value: { expire_old_in_seconds: 0 } },
}

const ENDPOINT_OPERATIONS: readonly Operation[] = [
  {
    id: 'createWebhookEndpoint',
    method: 'post',
    path: ENDPOINTS,
    tag,
    summary: 'Register an endpoint',
    description:
      'For the events of all your videos, at most 50 endpoints. The answer shows its secret: keep it, it is shown on rotation only.',
    scope: 'webhooks:write',
    body: {
      name: 'CreateWebhookEndpoint',
      examples: { usual: { summary: 'The usual one', value: { url: 'https://app.example/hooks/talkbridge' } } },
    },
    answers: {
      201: {
        description: 'It is sent events from now on.',
        body: 'WebhookEndpointWithSecret',
        example: ENDPOINT_WITH_SECRET,
        headers: { Location: 'always' },
      },
    },
    problems: [...BODY_PROBLEMS, 'webhook_url_not_allowed'],
  },
  {
    id: 'listWebhookEndpoints',
    method: 'get',
    path: ENDPOINTS,
    tag,
    summary: 'List your endpoints',
    scope: 'webhooks:read',
    query: ListEndpointsQuery,
    answers: {
      200: { description: 'A page, newest first.', body: 'WebhookEndpointList', example: listOfOne(ENDPOINT) },
    },
    problems: ['invalid_cursor'],
  },
  {
    id: 'getWebhookEndpoint',
    method: 'get',
    path: `${ENDPOINTS}/{id}`,
    tag,
    summary: 'Read an endpoint',
    scope: 'webhooks:read',
    query: NoQuery,
    answers: { 200: { description: 'As it is now.', body: 'WebhookEndpoint', example: ENDPOINT } },
    problems: ['endpoint_not_found'],
  },
  {
    id: 'updateWebhookEndpoint',
    method: 'patch',
    path: `${ENDPOINTS}/{id}`,
    tag,
    summary: 'Change an endpoint',
    description:
      'What is not given stays. While it is disabled, terminal events are held for it, 10,000 at most; those beyond are listed as failed deliveries. Enabling it releases them, ten a second.',
    scope: 'webhooks:write',
    body: {
      name: 'UpdateWebhookEndpoint',
      examples: { enable: { summary: 'It works again', value: { enabled: true } } },
    },
    answers: { 200: { description: 'As it is now.', body: 'WebhookEndpoint', example: ENDPOINT } },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found', 'webhook_url_not_allowed'],
  },
  {
    id: 'deleteWebhookEndpoint',
    method: 'delete',
    path: `${ENDPOINTS}/{id}`,
    tag,
    summary: 'Delete an endpoint',
    description: 'What was still to be sent to it ends as failed.',
    scope: 'webhooks:write',
    query: NoQuery,
    answers: { 204: { description: 'It is gone.' } },
    problems: ['endpoint_not_found'],
  },
  {
    id: 'rotateWebhookEndpointSecret',
    method: 'post',
    path: `${ENDPOINTS}/{id}/rotate_secret`,
    tag,
    summary: "Change an endpoint's secret",
    description: 'Until the old one expires, events carry a signature of each, the newest first.',
    scope: 'webhooks:write',
    body: { name: 'RotateSecret', examples: ROTATIONS },
    answers: {
      200: { description: 'With the new secret.', body: 'WebhookEndpointWithSecret', example: ENDPOINT_WITH_SECRET },
    },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
  },
  {
    id: 'testWebhookEndpoint',
    method: 'post',
    path: `${ENDPOINTS}/{id}/test`,
    tag,
    summary: 'Send a test event now',
    description: 'Once, also to an endpoint that is disabled; nothing of it is kept.',
    scope: 'webhooks:write',
    query: NoQuery,
    answers: {
      200: {
        description: 'How it went.',
        body: 'WebhookTest',
        example: { object: 'webhook_test', delivered: true, status: 204, duration_ms: 38 },
      },
    },
    problems: ['endpoint_not_found'],
  },
  {
    id: 'replayWebhookEndpoint',
    method: 'post',
    path: `${ENDPOINTS}/{id}/replay`,
    tag,
    summary: 'Send past events once more',
    description:
      'Of the types that it subscribes to, each once and under its own id, at most 10,000 a call: more is 400. It goes on after a restart.',
    scope: 'webhooks:write',
    body: {
      name: 'ReplayEvents',
      examples: {
        outage: {
          summary: 'What an outage of an hour missed',
          value: { since: '2026-11-20T11:00:00Z', until: '2026-11-20T12:00:00Z', only_failed: true },
        },
      },
    },
    answers: {
      202: {
        description: 'They will be sent.',
        body: 'Replay',
        example: { object: 'replay', endpoint_id: ENDPOINT.id, events: 17 },
      },
    },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
  },
]

const SECRET_OPERATIONS: readonly Operation[] = [
  {
    id: 'getWebhookSecret',
    method: 'get',
    path: '/unified/v1/webhook_secret',
    tag,
    summary: 'Read your webhook secret',
    description: 'It signs the events that go to the `webhook_url` of a video (Standard Webhooks).',
    scope: 'webhooks:write',
    query: NoQuery,
    answers: {
      200: {
        description: 'The newest one.',
        body: 'WebhookSecret',
        example: { object: 'webhook_secret', secret: 'whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE=' },
      },
    },
    problems: [],
  },
  {
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/unified/v1/webhook_secret/rotate',
    tag,
    summary: 'Change your webhook secret',
    description: 'Until the old one expires, events carry a signature of each. A secret that is configured is 400.',
    scope: 'webhooks:write',
    body: { name: 'RotateSecret', examples: ROTATIONS },
    answers: {
      200: {
        description: 'The new one.',
        body: 'WebhookSecret',
        example: { object: 'webhook_secret', secret: ENDPOINT_WITH_SECRET.secret },
      },
    },
    problems: [...BODY_PROBLEMS],
  },
]

const EVENT_OPERATIONS: readonly Operation[] = [
  {
    id: 'streamEvents',
    method: 'get',
    path: '/unified/v1/events/stream',
    tag,
    summary: 'Follow all your videos',
    description:
      'Server-sent events: all that happens to your videos, webhook or not, in order; `data:` is the body that a webhook has. From now on, or after `Last-Event-ID`, each event once. A comment every 15 seconds keeps the line open. Where events after that id are kept no more (`retention_days`), the first event is `stream.gap`, without an id, and the oldest that is kept comes next.',
    scope: 'webhooks:read',
    query: StreamEventsQuery,
    requestHeaders: ['Last-Event-ID'],
    answers: {
      200: {
        description: 'Events, until you hang up.',
        raw: {
          mediaType: 'text/event-stream',
          example: `retry: 3000\n\nid: q2h0xGkLrJmZ8w4Tz1VbN5sYc7dx\nevent: video.completed\ndata: {"type":"video.completed","timestamp":"2026-11-20T10:00:00.000Z","data":{"id":"${COMPLETED.id}","object":"video","status":"completed"}}\n\n: heartbeat\n`,
        },
      },
    },
    problems: ['invalid_cursor'],
  },
  {
    id: 'listEvents',
    method: 'get',
    path: '/unified/v1/events',
    tag,
    summary: 'List events',
    description: 'Of all your videos and endpoints, newest first, whether anybody was sent them or not. Kept 30 days.',
    scope: 'webhooks:read',
    query: ListEventsQuery,
    answers: { 200: { description: 'A page.', body: 'EventList', example: listOfOne(EVENT) } },
    problems: ['invalid_cursor'],
  },
  {
    id: 'getEvent',
    method: 'get',
    path: '/unified/v1/events/{id}',
    tag,
    summary: 'Read an event',
    scope: 'webhooks:read',
    query: NoQuery,
    answers: {
      200: {
        description: 'What was sent.',
        body: 'Event',
        example: { ...EVENT, data: exampleEvent('video.completed').data },
      },
    },
    problems: ['event_not_found'],
  },
  {
    id: 'redeliverEvent',
    method: 'post',
    path: '/unified/v1/events/{id}/redeliver',
    tag,
    summary: 'Send an event once more',
    description:
      'Under the same id, to the targets that it was owed to and the endpoints that want it now, those that are disabled aside. A retry that is pending is canceled: this one starts anew.',
    scope: 'webhooks:write',
    query: NoQuery,
    answers: {
      202: {
        description: 'It will be sent.',
        body: 'Redelivery',
        example: { object: 'redelivery', event_id: EVENT.id, deliveries: [DELIVERY.id] },
      },
    },
    problems: ['event_not_found'],
  },
  {
    id: 'listDeliveries',
    method: 'get',
    path: '/unified/v1/deliveries',
    tag,
    summary: 'List deliveries',
    description: 'One for each event and target, newest first.',
    scope: 'webhooks:read',
    query: ListDeliveriesQuery,
    answers: { 200: { description: 'A page.', body: 'DeliveryList', example: listOfOne(DELIVERY) } },
    problems: ['invalid_cursor'],
  },
  {
    id: 'getDelivery',
    method: 'get',
    path: '/unified/v1/deliveries/{id}',
    tag,
    summary: 'Read a delivery',
    description: 'With its attempts, and what was answered to them.',
    scope: 'webhooks:read',
    query: NoQuery,
    answers: {
      200: {
        description: 'As it is now.',
        body: 'DeliveryWithAttempts',
        example: {
          ...DELIVERY,
          attempts: [
            {
              at: '2026-11-20T12:00:41.120Z',
              duration_ms: 38,
              status: 204,
              error: null,
              response_body: '',
              next_attempt_at: null,
            },
          ],
        },
      },
    },
    problems: ['delivery_not_found'],
  },
]

export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  ...ENDPOINT_OPERATIONS,
  ...SECRET_OPERATIONS,
  ...EVENT_OPERATIONS,
]
