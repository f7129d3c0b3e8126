import type { Response } from 'express'
import { type AuditAction, entryOf } from '../../core/access.ts'
import type { AdminEndpointView } from '../../core/api/admin.ts'
import type { EndpointView } from '../../core/api/webhooks.ts'
import type { EndpointRecord, ReplayProgress } from '../../core/endpoints.ts'
import { fieldProblem, Problem } from '../../core/errors.ts'
import { iso, isoOrNull } from '../../core/time/clock.ts'
import { DEFAULT_EVENT_TYPES, ENDPOINT_EVENT_TYPES, type EndpointEventType } from '../../core/vocabulary.ts'
import { unknownEndpoint } from '../../webhooks/endpoints.ts'
import { actorOf } from '../middleware/request.ts'
import { ENDPOINT, ENDPOINT_WITH_SECRET, listOfOne } from '../openapi/examples.ts'
import { BODY_PROBLEMS, json, type Example } from '../openapi/operation.ts'
import { PageQuery } from '../parse.ts'
import { AdminEndpointsQuery, rotationMs } from './input.ts'
import { type PageWish, type Ports, type Whose, listScope, operation, pageOf, whose } from './operation.ts'

const replayView = (replay: ReplayProgress): EndpointView['replay'] => ({
  since: iso(replay.sinceMs),
  until: iso(replay.untilMs),
  only_failed: replay.onlyFailed,
  asked_at: iso(replay.askedAtMs),
  events: replay.events,
  queued: replay.queued,
  ended_at: isoOrNull(replay.endedAtMs),
})

/** Null once it is past: expired secrets are removed later. */
const stillToCome = (atMs: number | null, nowMs: number): string | null =>
  atMs !== null && atMs > nowMs ? iso(atMs) : null

const endpointView = (endpoint: EndpointRecord, nowMs: number): EndpointView => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  enabled: endpoint.disabled === null,
  disabled_reason: endpoint.disabled?.reason ?? null,
  disabled_at: isoOrNull(endpoint.disabled?.atMs ?? null),
  failures: endpoint.failures,
  failing_since: isoOrNull(endpoint.failingSinceMs),
  held: endpoint.held,
  last_delivered_at: isoOrNull(endpoint.lastDeliveredAtMs),
  last_failed_at: isoOrNull(endpoint.lastFailedAtMs),
  old_secret_expires_at: stillToCome(endpoint.oldSecretUntilMs, nowMs),
  replay: endpoint.replay && replayView(endpoint.replay),
  created_at: iso(endpoint.createdAtMs),
  updated_at: iso(endpoint.updatedAtMs),
})

/** In the order of the vocabulary, each once. */
const inOrder = (types: readonly EndpointEventType[]): EndpointEventType[] =>
  ENDPOINT_EVENT_TYPES.filter((type) => types.includes(type))

const adminView = (endpoint: EndpointRecord, nowMs: number): AdminEndpointView => ({
  ...endpointView(endpoint, nowMs),
  client: endpoint.client,
})

const pageOfEndpoints = (
  ports: Ports,
  of: Whose,
  page: PageWish,
  [name, view]: [name: string, view: (endpoint: EndpointRecord, nowMs: number) => EndpointView],
) => {
  const { store, clock } = ports
  return pageOf(ports, listScope(name, of), page, {
    read: async (before, limit) =>
      of === 'all'
        ? store.endpointsOfAll({ before, limit })
        : // A client has few.
          (await store.endpointsOf(of.client)).filter(({ id }) => before === null || id < before).slice(0, limit),
    views: (found) => found.map((one) => view(one, clock.now())),
    after: ({ id }) => id,
  })
}

/** An endpoint of any client, and the entry of what an operator does to it. */
const operated = async (
  { store, clock, newId }: Ports,
  res: Response,
  id: string,
  action: AuditAction,
  body: object,
) => {
  const found = await store.endpointById(id)
  if (!found) throw unknownEndpoint(id)
  const detail = { client: found.client, ...body }
  return {
    client: found.client,
    audit: entryOf(actorOf(res), newId('aud'), clock.now(), { action, subject: id, detail }),
  }
}

/** Enables or disables it. */
const switched = async (ports: Ports, res: Response, id: string, enabled: boolean, body: object) => {
  const action = enabled ? 'endpoint.enable' : 'endpoint.disable'
  const { client, audit } = await operated(ports, res, id, action, body)
  return adminView(await ports.webhooks.endpoints.change(client, id, { enabled }, audit), ports.clock.now())
}

type Tested = Awaited<ReturnType<Ports['webhooks']['endpoints']['test']>>
const testView = ({ delivered, status, error, responseBody, durationMs }: Tested) => ({
  object: 'webhook_test',
  delivered,
  status,
  error,
  response_body: responseBody,
  duration_ms: durationMs,
})
const TESTED = json('The result of the test.', 'WebhookTest', {
  object: 'webhook_test',
  delivered: false,
  status: 500,
  error: 'status 500',
  response_body: 'no such tenant',
  duration_ms: 38,
})
const REPLAYED = json('The events will be sent.', 'Replay', {
  object: 'replay',
  endpoint_id: ENDPOINT.id,
  events: 17,
})

const ENDPOINTS = '/unified/v1/webhook_endpoints'
const ADMIN_ENDPOINT = '/unified/v1/admin/endpoints/{id}'
const NOTE = {
  name: 'OperatorNote',
  optional: true,
  examples: { why: { summary: 'Why', value: { note: 'It is overloaded' } } },
} as const
const OF_OPERATOR = 'The audit log records it, with your `note`.'
const SECRET = { object: 'webhook_secret', secret: ENDPOINT_WITH_SECRET.secret }
const ROTATIONS: Readonly<Record<string, Example>> = {
  day: { summary: 'The old secret works for one more day', value: {} },
  now: { summary: 'The old secret stops working now', value: { expire_old_in_seconds: 0 } },
}

export const WEBHOOK_OPERATIONS = [
  operation('Webhooks', {
    id: 'createWebhookEndpoint',
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
    handle: async (
      { webhooks: { endpoints }, clock },
      { res, client, body: { url, events, description = null, enabled = true } },
    ) => {
      const types = inOrder(events ?? DEFAULT_EVENT_TYPES)
      const { endpoint, secret } = await endpoints.create({
        client: client.id,
        url,
        events: types,
        description,
        enabled,
      })
      res.location(`${ENDPOINTS}/${endpoint.id}`)
      return { ...endpointView(endpoint, clock.now()), secret }
    },
  }),
  operation('Webhooks', {
    id: 'listWebhookEndpoints',
    at: ['get', ENDPOINTS],
    summary: 'List your endpoints',
    scope: 'webhooks:read',
    query: PageQuery,
    answers: { 200: json('A page, newest first.', 'WebhookEndpointList', listOfOne(ENDPOINT)) },
    problems: ['invalid_cursor'],
    handle: (ports, { client, query }) =>
      pageOfEndpoints(ports, { client: client.id }, query, ['webhook_endpoints', endpointView]),
  }),
  operation('Webhooks', {
    id: 'getWebhookEndpoint',
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
    handle: async ({ webhooks, store, clock }, { client, id }) => {
      const endpoint = await webhooks.endpoints.get(client.id, id)
      return { ...endpointView(endpoint, clock.now()), pending: await store.pendingFor(client.id, endpoint.id) }
    },
  }),
  operation('Webhooks', {
    id: 'updateWebhookEndpoint',
    at: ['patch', `${ENDPOINTS}/{id}`],
    summary: 'Change an endpoint',
    description:
      'Fields that you leave out stay as they are. While the endpoint is disabled, the gateway holds terminal events for it, at most 10,000. More become failed deliveries. When you enable it, held events are released, ten a second. If an operator disabled it, only an operator can enable it.',
    scope: 'webhooks:write',
    body: {
      name: 'UpdateWebhookEndpoint',
      examples: { enable: { summary: 'Enable it again', value: { enabled: true } } },
    },
    answers: { 200: json('As it is now.', 'WebhookEndpoint', ENDPOINT) },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found', 'endpoint_disabled_by_operator', 'webhook_url_not_allowed'],
    handle: async ({ webhooks, clock }, { client, id, body: { url, events, description, enabled } }) => {
      const patch = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events: inOrder(events) }),
        ...(description !== undefined && { description }),
        ...(enabled !== undefined && { enabled }),
      }
      return endpointView(await webhooks.endpoints.change(client.id, id, patch), clock.now())
    },
  }),
  operation('Webhooks', {
    id: 'deleteWebhookEndpoint',
    at: ['delete', `${ENDPOINTS}/{id}`],
    summary: 'Delete an endpoint',
    description: 'Deliveries that still wait for it fail.',
    scope: 'webhooks:write',
    answers: { 204: { description: 'It is deleted.' } },
    problems: ['endpoint_not_found'],
    handle: ({ webhooks }, { client, id }) => webhooks.endpoints.remove(client.id, id),
  }),
  operation('Webhooks', {
    id: 'rotateWebhookEndpointSecret',
    at: ['post', `${ENDPOINTS}/{id}/rotate_secret`],
    summary: 'Rotate the secret of an endpoint',
    description: 'Until the old secret expires, events carry one signature for each secret, the newest first.',
    scope: 'webhooks:write',
    body: { name: 'RotateSecret', examples: ROTATIONS, optional: true },
    answers: { 200: json('The endpoint with its new secret.', 'WebhookEndpointWithSecret', ENDPOINT_WITH_SECRET) },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
    handle: async ({ webhooks, clock }, { client, id, body }) => {
      const { endpoint, secret } = await webhooks.endpoints.rotate(client.id, id, rotationMs(body))
      return { ...endpointView(endpoint, clock.now()), secret }
    },
  }),
  operation('Webhooks', {
    id: 'testWebhookEndpoint',
    at: ['post', `${ENDPOINTS}/{id}/test`],
    summary: 'Send a test event now',
    description:
      'Sends one event, also to a disabled endpoint, and stores nothing. The test waits for its turn among the deliveries. A second test before the first has ended gets 429.',
    scope: 'webhooks:write',
    answers: {
      200: TESTED,
    },
    problems: ['endpoint_not_found', 'shutting_down'],
    handle: async ({ webhooks }, { client, id }) => testView(await webhooks.endpoints.test(client.id, id)),
  }),
  operation('Webhooks', {
    id: 'replayWebhookEndpoint',
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
      202: REPLAYED,
    },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
    handle: async (
      { webhooks },
      { client, id: endpointId, body: { since, until, only_failed: onlyFailed = false } },
    ) => {
      const wanted = { client: client.id, endpointId, sinceMs: since, untilMs: until, onlyFailed }
      const events = await webhooks.endpoints.replay(wanted)
      return { object: 'replay', endpoint_id: endpointId, events }
    },
  }),
  operation('Webhooks', {
    id: 'getWebhookSecret',
    at: ['get', '/unified/v1/webhook_secret'],
    summary: 'Read your webhook secret',
    description: 'It signs the events that go to the `webhook_url` of a video (Standard Webhooks).',
    scope: 'webhooks:write',
    answers: { 200: json('The newest secret.', 'WebhookSecret', SECRET) },
    problems: [],
    handle: async ({ webhooks }, { client }) => {
      const [newest] = await webhooks.secrets.live({ kind: 'client', id: client.id })
      if (newest === undefined) throw new Problem('internal_error', 'this client has no webhook secret')
      return { object: 'webhook_secret', secret: newest }
    },
  }),
  operation('Webhooks', {
    id: 'rotateWebhookSecret',
    at: ['post', '/unified/v1/webhook_secret/rotate'],
    summary: 'Rotate your webhook secret',
    description:
      'Until the old secret expires, events carry one signature for each secret. If the configuration sets the secret, you get 400.',
    scope: 'webhooks:write',
    body: { name: 'RotateSecret', examples: ROTATIONS, optional: true },
    answers: { 200: json('The new secret.', 'WebhookSecret', SECRET) },
    problems: BODY_PROBLEMS,
    handle: async ({ webhooks }, { client, body }) => {
      const secret = await webhooks.endpoints.rotateOwn(client.id, rotationMs(body))
      return { object: 'webhook_secret', secret }
    },
  }),
]

/** Secrets are their owner's: no operation here shows one. */
export const ADMIN_ENDPOINT_OPERATIONS = [
  operation('Administration', {
    id: 'listAdminEndpoints',
    at: ['get', '/unified/v1/admin/endpoints'],
    summary: 'List the webhook endpoints of all clients',
    description: 'Lists the endpoints of all clients, or of one `client`, newest first. No answer shows a secret.',
    scope: 'admin',
    query: AdminEndpointsQuery,
    answers: { 200: json('A page.', 'AdminEndpointList', listOfOne({ ...ENDPOINT, client: 'acme' })) },
    problems: ['invalid_cursor'],
    handle: (ports, { query }) => pageOfEndpoints(ports, whose(query.client), query, ['admin endpoints', adminView]),
  }),
  operation('Administration', {
    id: 'getAdminEndpoint',
    at: ['get', '/unified/v1/admin/endpoints/{id}'],
    summary: 'Read a webhook endpoint of any client',
    description: 'Shows the endpoint, with the number of deliveries that wait. No answer shows a secret.',
    scope: 'admin',
    answers: {
      200: json('As it is now.', 'AdminEndpointDetail', { ...ENDPOINT, client: 'acme', pending: 0 }),
    },
    problems: ['endpoint_not_found'],
    handle: async ({ store, clock }, { id }) => {
      const found = await store.endpointById(id)
      if (!found) throw unknownEndpoint(id)
      return { ...adminView(found, clock.now()), pending: await store.pendingFor(found.client, found.id) }
    },
  }),
  operation('Administration', {
    id: 'disableAdminEndpoint',
    at: ['post', `${ADMIN_ENDPOINT}/disable`],
    summary: 'Disable a webhook endpoint of any client',
    description: `Its client sees \`disabled_reason: operator\`. Only an operator can enable it again; a client that tries gets 409 with your \`note\`. ${OF_OPERATOR}`,
    scope: 'admin',
    body: NOTE,
    answers: { 200: json('As it is now.', 'AdminEndpoint', { ...ENDPOINT, client: 'acme' }) },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
    handle: (ports, { res, id, body }) => switched(ports, res, id, false, body),
  }),
  operation('Administration', {
    id: 'enableAdminEndpoint',
    at: ['post', `${ADMIN_ENDPOINT}/enable`],
    summary: 'Enable a webhook endpoint of any client',
    description: `Releases held events, ten a second. ${OF_OPERATOR}`,
    scope: 'admin',
    body: NOTE,
    answers: { 200: json('As it is now.', 'AdminEndpoint', { ...ENDPOINT, client: 'acme' }) },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
    handle: (ports, { res, id, body }) => switched(ports, res, id, true, body),
  }),
  operation('Administration', {
    id: 'testAdminEndpoint',
    at: ['post', `${ADMIN_ENDPOINT}/test`],
    summary: 'Send a test event to an endpoint of any client',
    description: `Works like testWebhookEndpoint. ${OF_OPERATOR}`,
    scope: 'admin',
    body: NOTE,
    answers: { 200: TESTED },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found', 'shutting_down'],
    handle: async (ports, { res, id, body }) => {
      const { client, audit } = await operated(ports, res, id, 'endpoint.test', body)
      return testView(await ports.webhooks.endpoints.test(client, id, audit))
    },
  }),
  operation('Administration', {
    id: 'replayAdminEndpoint',
    at: ['post', `${ADMIN_ENDPOINT}/replay`],
    summary: 'Resend what failed at an endpoint of any client',
    description: `Works like replayWebhookEndpoint with \`only_failed\`, up to now. It counts towards the client's limit. ${OF_OPERATOR}`,
    scope: 'admin',
    body: {
      name: 'ReplayFailed',
      examples: { outage: { summary: 'After an outage', value: { since: '2026-11-20T11:00:00Z' } } },
    },
    answers: { 202: REPLAYED },
    problems: [...BODY_PROBLEMS, 'endpoint_not_found'],
    handle: async (ports, { res, id, body: { since, ...rest } }) => {
      const untilMs = ports.clock.now()
      if (since >= untilMs) throw fieldProblem('invalid_request', 'since', 'since must be in the past')
      const { client, audit } = await operated(ports, res, id, 'endpoint.replay', { since: iso(since), ...rest })
      const wanted = { client, endpointId: id, sinceMs: since, untilMs, onlyFailed: true }
      return { object: 'replay', endpoint_id: id, events: await ports.webhooks.endpoints.replay(wanted, audit) }
    },
  }),
]
