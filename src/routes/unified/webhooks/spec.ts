import { listOfOne } from '../../openapi/examples.ts'
import { ENDPOINT, ENDPOINT_WITH_SECRET } from '../../openapi/webhook-examples.ts'
import { json, operations, BODY_PROBLEMS, type Example } from '../../openapi/operation.ts'
import { PageQuery } from '../../parse.ts'

const ENDPOINTS = '/unified/v1/webhook_endpoints'
const SECRET = { object: 'webhook_secret', secret: ENDPOINT_WITH_SECRET.secret }
const ROTATIONS: Readonly<Record<string, Example>> = {
  day: { summary: 'The old secret works for one more day', value: {} },
  now: { summary: 'The old secret stops working now', value: { expire_old_in_seconds: 0 } },
}

export const WEBHOOK_OPERATIONS = operations('Webhooks', {
  createWebhookEndpoint: {
    at: ['post', ENDPOINTS],
    summary: 'Register an endpoint',
    description:
      'The gateway sends the events of all your videos to it. You may have 50 endpoints. The answer shows the secret, which signs the events. Keep it: later answers do not show it, except when you rotate it.',
    scope: 'webhooks:write',
    body: {
      name: 'CreateWebhookEndpoint',
      examples: {
        usual: { summary: 'Events of all your videos', value: { url: 'https://app.example/hooks/talkbridge' } },
      },
    },
    answers: {
      201: json('The endpoint receives events from now on.', 'WebhookEndpointWithSecret', ENDPOINT_WITH_SECRET, {
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
    answers: {
      200: json('The endpoint, with the number of deliveries that wait.', 'WebhookEndpointDetail', {
        ...ENDPOINT,
        pending: 0,
      }),
    },
    problems: ['endpoint_not_found'],
  },
  updateWebhookEndpoint: {
    at: ['patch', `${ENDPOINTS}/{id}`],
    summary: 'Change an endpoint',
    description:
      'Fields that you leave out stay as they are. While the endpoint is disabled, the gateway holds terminal events for it, at most 10,000. More become failed deliveries. When you enable it, held events are released, ten a second.',
    scope: 'webhooks:write',
    body: {
      name: 'UpdateWebhookEndpoint',
      examples: { enable: { summary: 'Enable it again', value: { enabled: true } } },
    },
    answers: { 200: json('As it is now.', 'WebhookEndpoint', ENDPOINT) },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found', 'webhook_url_not_allowed'],
  },
  deleteWebhookEndpoint: {
    at: ['delete', `${ENDPOINTS}/{id}`],
    summary: 'Delete an endpoint',
    description: 'Deliveries that still wait for it fail.',
    scope: 'webhooks:write',
    answers: { 204: { description: 'It is deleted.' } },
    problems: ['endpoint_not_found'],
  },
  rotateWebhookEndpointSecret: {
    at: ['post', `${ENDPOINTS}/{id}/rotate_secret`],
    summary: 'Rotate the secret of an endpoint',
    description: 'Until the old secret expires, events carry one signature for each secret, the newest first.',
    scope: 'webhooks:write',
    body: { name: 'RotateSecret', examples: ROTATIONS, optional: true },
    answers: { 200: json('The endpoint with its new secret.', 'WebhookEndpointWithSecret', ENDPOINT_WITH_SECRET) },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
  },
  testWebhookEndpoint: {
    at: ['post', `${ENDPOINTS}/{id}/test`],
    summary: 'Send a test event now',
    description:
      'Sends one event, also to a disabled endpoint, and stores nothing. The test waits for its turn among the deliveries. A second test before the first has ended gets 429.',
    scope: 'webhooks:write',
    answers: {
      200: json('The result of the test.', 'WebhookTest', {
        object: 'webhook_test',
        delivered: false,
        status: 500,
        error: 'status 500',
        response_body: 'no such tenant',
        duration_ms: 38,
      }),
    },
    problems: ['endpoint_not_found', 'shutting_down'],
  },
  replayWebhookEndpoint: {
    at: ['post', `${ENDPOINTS}/{id}/replay`],
    summary: 'Resend past events',
    description:
      'Sends past events of the types that the endpoint subscribes to, each one time, under its own id. A call may match 10,000 events; more get 400. The replay continues after a restart, and the field `replay` of the endpoint shows its progress. You may resend 20,000 deliveries an hour; more get 429.',
    scope: 'webhooks:write',
    body: {
      name: 'ReplayEvents',
      examples: {
        outage: {
          summary: 'Events that an outage of one hour missed',
          value: { since: '2026-11-20T11:00:00Z', until: '2026-11-20T12:00:00Z', only_failed: true },
        },
      },
    },
    answers: {
      202: json('The events will be sent.', 'Replay', { object: 'replay', endpoint_id: ENDPOINT.id, events: 17 }),
    },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
  },
  getWebhookSecret: {
    at: ['get', '/unified/v1/webhook_secret'],
    summary: 'Read your webhook secret',
    description: 'It signs the events that go to the `webhook_url` of a video (Standard Webhooks).',
    scope: 'webhooks:write',
    answers: { 200: json('The newest secret.', 'WebhookSecret', SECRET) },
    problems: [],
  },
  rotateWebhookSecret: {
    at: ['post', '/unified/v1/webhook_secret/rotate'],
    summary: 'Rotate your webhook secret',
    description:
      'Until the old secret expires, events carry one signature for each secret. If the configuration sets the secret, you get 400.',
    scope: 'webhooks:write',
    body: { name: 'RotateSecret', examples: ROTATIONS, optional: true },
    answers: { 200: json('The new secret.', 'WebhookSecret', SECRET) },
    problems: BODY_PROBLEMS,
  },
})
