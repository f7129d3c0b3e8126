import { listOfOne } from '../../openapi/examples.ts'
import { ENDPOINT, ENDPOINT_WITH_SECRET } from '../../openapi/webhook-examples.ts'
import { BODY_PROBLEMS, type Example, type Operation } from '../../openapi/operation.ts'
import type { TagName } from '../../openapi/prose.ts'
import { NoQuery } from '../queries.ts'
import { ListEndpointsQuery } from './input.ts'

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
    body: { name: 'RotateSecret', examples: ROTATIONS, optional: true },
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
    description:
      'Once, also to an endpoint that is disabled; nothing of it is kept. It takes its turn among the deliveries; a second one before the first has ended is 429.',
    scope: 'webhooks:write',
    query: NoQuery,
    answers: {
      200: {
        description: 'How it went.',
        body: 'WebhookTest',
        example: { object: 'webhook_test', delivered: false, status: 500, error: 'status 500', duration_ms: 38 },
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
      'Of the types that it subscribes to, each once and under its own id, at most 10,000 a call: more is 400. It goes on after a restart. Each counts towards the 20,000 deliveries that you may have sent once more in an hour: beyond it 429.',
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
    body: { name: 'RotateSecret', examples: ROTATIONS, optional: true },
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

export const WEBHOOK_OPERATIONS: readonly Operation[] = [...ENDPOINT_OPERATIONS, ...SECRET_OPERATIONS]
