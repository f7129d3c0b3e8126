import { listOfOne } from '../../openapi/examples.ts'
import { ENDPOINT, ENDPOINT_WITH_SECRET } from '../../openapi/webhook-examples.ts'
import { json, operations, BODY_PROBLEMS, type Example } from '../../openapi/operation.ts'
import { PageQuery } from '../../parse.ts'

const ENDPOINTS = '/unified/v1/webhook_endpoints'
const SECRET = { object: 'webhook_secret', secret: ENDPOINT_WITH_SECRET.secret }
const ROTATIONS: Readonly<Record<string, Example>> = {
  day: { summary: 'The old one is good for a day', value: {} },
  now: { summary: 'The old one is good no more', value: { expire_old_in_seconds: 0 } },
}

export const WEBHOOK_OPERATIONS = operations('Webhooks', {
  createWebhookEndpoint: {
    at: ['post', ENDPOINTS],
    summary: 'Register an endpoint',
    description:
      'For the events of all your videos, at most 50 endpoints. The answer shows its secret: keep it, it is shown on rotation only.',
    scope: 'webhooks:write',
    body: {
      name: 'CreateWebhookEndpoint',
      examples: { usual: { summary: 'The usual one', value: { url: 'https://app.example/hooks/talkbridge' } } },
    },
    answers: {
      201: json('It is sent events from now on.', 'WebhookEndpointWithSecret', ENDPOINT_WITH_SECRET, {
        Location: 'always',
      }),
    },
    problems: [...BODY_PROBLEMS, 'webhook_url_not_allowed'],
  },
  listWebhookEndpoints: {
    at: ['get', ENDPOINTS],
    summary: 'List your endpoints',
    scope: 'webhooks:read',
    query: PageQuery,
    answers: { 200: json('A page, newest first.', 'WebhookEndpointList', listOfOne(ENDPOINT)) },
    problems: ['invalid_cursor'],
  },
  getWebhookEndpoint: {
    at: ['get', `${ENDPOINTS}/{id}`],
    summary: 'Read an endpoint',
    scope: 'webhooks:read',
    answers: { 200: json('As it is now.', 'WebhookEndpoint', ENDPOINT) },
    problems: ['endpoint_not_found'],
  },
  updateWebhookEndpoint: {
    at: ['patch', `${ENDPOINTS}/{id}`],
    summary: 'Change an endpoint',
    description:
      'What is not given stays. While it is disabled, terminal events are held for it, 10,000 at most; those beyond are listed as failed deliveries. Enabling it releases them, ten a second.',
    scope: 'webhooks:write',
    body: {
      name: 'UpdateWebhookEndpoint',
      examples: { enable: { summary: 'It works again', value: { enabled: true } } },
    },
    answers: { 200: json('As it is now.', 'WebhookEndpoint', ENDPOINT) },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found', 'webhook_url_not_allowed'],
  },
  deleteWebhookEndpoint: {
    at: ['delete', `${ENDPOINTS}/{id}`],
    summary: 'Delete an endpoint',
    description: 'What was still to be sent to it ends as failed.',
    scope: 'webhooks:write',
    answers: { 204: { description: 'It is gone.' } },
    problems: ['endpoint_not_found'],
  },
  rotateWebhookEndpointSecret: {
    at: ['post', `${ENDPOINTS}/{id}/rotate_secret`],
    summary: "Change an endpoint's secret",
    description: 'Until the old one expires, events carry a signature of each, the newest first.',
    scope: 'webhooks:write',
    body: { name: 'RotateSecret', examples: ROTATIONS, optional: true },
    answers: { 200: json('With the new secret.', 'WebhookEndpointWithSecret', ENDPOINT_WITH_SECRET) },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
  },
  testWebhookEndpoint: {
    at: ['post', `${ENDPOINTS}/{id}/test`],
    summary: 'Send a test event now',
    description:
      'Once, also to an endpoint that is disabled; nothing of it is kept. It takes its turn among the deliveries; a second one before the first has ended is 429.',
    scope: 'webhooks:write',
    answers: {
      200: json('How it went.', 'WebhookTest', {
        object: 'webhook_test',
        delivered: false,
        status: 500,
        error: 'status 500',
        duration_ms: 38,
      }),
    },
    problems: ['endpoint_not_found', 'shutting_down'],
  },
  replayWebhookEndpoint: {
    at: ['post', `${ENDPOINTS}/{id}/replay`],
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
    answers: { 202: json('They will be sent.', 'Replay', { object: 'replay', endpoint_id: ENDPOINT.id, events: 17 }) },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
  },
  getWebhookSecret: {
    at: ['get', '/unified/v1/webhook_secret'],
    summary: 'Read your webhook secret',
    description: 'It signs the events that go to the `webhook_url` of a video (Standard Webhooks).',
    scope: 'webhooks:write',
    answers: { 200: json('The newest one.', 'WebhookSecret', SECRET) },
    problems: [],
  },
  rotateWebhookSecret: {
    at: ['post', '/unified/v1/webhook_secret/rotate'],
    summary: 'Change your webhook secret',
    description: 'Until the old one expires, events carry a signature of each. A secret that is configured is 400.',
    scope: 'webhooks:write',
    body: { name: 'RotateSecret', examples: ROTATIONS, optional: true },
    answers: { 200: json('The new one.', 'WebhookSecret', SECRET) },
    problems: BODY_PROBLEMS,
  },
})
