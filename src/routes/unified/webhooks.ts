import type { EndpointRecord, ReplayProgress } from '../../core/endpoints.ts'
import { iso, isoOrNull, type Clock } from '../../core/time/clock.ts'
import type { EndpointView } from '../../core/api/webhooks.ts'
import type { Request, Response, Router } from 'express'
import type { Cursors } from '../../core/api/signed.ts'
import { Problem } from '../../core/errors.ts'
import type { Store } from '../../core/store/index.ts'
import { DEFAULT_EVENT_TYPES, ENDPOINT_EVENT_TYPES, type EndpointEventType } from '../../core/vocabulary.ts'
import type { Webhooks } from '../../webhooks/index.ts'
import { jsonBody, noBody, optionalJsonBody, noQuery, PageQuery, parseOr400, parseQuery } from '../parse.ts'
import { callerOf, needs } from '../middleware/caller.ts'
import { onlyMethods, createRouter } from '../middleware/problems.ts'
import { openCursor, pageOf } from './paging.ts'
import {
  CreateEndpointBody,
  PatchEndpointBody,
  ReplayBody,
  RotateSecretBody,
  rotationMs,
  AdminEndpointsQuery,
} from './input.ts'
import type { AdminEndpointView } from '../../core/api/admin.ts'
import { unknownEndpoint } from '../../webhooks/endpoints.ts'
import { listOfOne, ENDPOINT, ENDPOINT_WITH_SECRET } from '../openapi/examples.ts'
import { json, operations, BODY_PROBLEMS, type Example } from '../openapi/operation.ts'

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

interface WebhookRoutesDeps {
  webhooks: Pick<Webhooks, 'endpoints' | 'secrets'>
  store: Pick<Store, 'pendingFor'>
  cursors: Cursors
  clock: Pick<Clock, 'now'>
}

/** In the order of the vocabulary, each once. */
const inOrder = (types: readonly EndpointEventType[]): EndpointEventType[] =>
  ENDPOINT_EVENT_TYPES.filter((type) => types.includes(type))

type WithId = Request<{ id: string }>

const endpointHandlers = ({ webhooks: { endpoints }, store, cursors, clock }: WebhookRoutesDeps) => {
  const view = (endpoint: EndpointRecord): EndpointView => endpointView(endpoint, clock.now())
  return {
    async create(req: Request, res: Response): Promise<void> {
      const { url, events, description = null, enabled = true } = parseOr400(CreateEndpointBody, req.body)
      const { endpoint, secret } = await endpoints.create({
        client: callerOf(res).id,
        url,
        events: inOrder(events ?? DEFAULT_EVENT_TYPES),
        description,
        enabled,
      })
      res
        .status(201)
        .location(`/unified/v1/webhook_endpoints/${endpoint.id}`)
        .json({ ...view(endpoint), secret })
    },

    async list(req: Request, res: Response): Promise<void> {
      const { limit, cursor } = parseQuery(PageQuery, req)
      const { id } = callerOf(res)
      const scope = JSON.stringify(['webhook_endpoints', id])
      const before = openCursor(cursors, scope, cursor)
      // A client has few.
      const all = await endpoints.list(id)
      const found = all.filter((one) => before === null || one.id < before).slice(0, limit + 1)
      res.json(pageOf(found, { cursors, scope, limit, view, after: (one) => one.id }))
    },

    async get(req: WithId, res: Response): Promise<void> {
      const { id: client } = callerOf(res)
      const endpoint = await endpoints.get(client, req.params.id)
      res.json({ ...view(endpoint), pending: await store.pendingFor(client, endpoint.id) })
    },

    async change(req: WithId, res: Response): Promise<void> {
      const { url, events, description, enabled } = parseOr400(PatchEndpointBody, req.body)
      const patch = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events: inOrder(events) }),
        ...(description !== undefined && { description }),
        ...(enabled !== undefined && { enabled }),
      }
      res.json(view(await endpoints.change(callerOf(res).id, req.params.id, patch)))
    },

    async remove(req: WithId, res: Response): Promise<void> {
      await endpoints.remove(callerOf(res).id, req.params.id)
      res.status(204).end()
    },

    async rotate(req: WithId, res: Response): Promise<void> {
      const expireOldMs = rotationMs(parseOr400(RotateSecretBody, req.body))
      const { endpoint, secret } = await endpoints.rotate(callerOf(res).id, req.params.id, expireOldMs)
      res.json({ ...view(endpoint), secret })
    },

    async test(req: WithId, res: Response): Promise<void> {
      const { delivered, status, error, responseBody, durationMs } = await endpoints.test(
        callerOf(res).id,
        req.params.id,
      )
      res.json({
        object: 'webhook_test',
        delivered,
        status,
        error,
        response_body: responseBody,
        duration_ms: durationMs,
      })
    },

    async replay(req: WithId, res: Response): Promise<void> {
      const { since, until, only_failed: onlyFailed = false } = parseOr400(ReplayBody, req.body)
      const endpointId = req.params.id
      const asked = { client: callerOf(res).id, endpointId, sinceMs: since, untilMs: until, onlyFailed }
      const events = await endpoints.replay(asked)
      res.status(202).json({ object: 'replay', endpoint_id: endpointId, events })
    },
  }
}

const secretHandlers = ({ webhooks: { endpoints, secrets } }: WebhookRoutesDeps) => ({
  async get(_req: Request, res: Response): Promise<void> {
    const [newest] = await secrets.live({ kind: 'client', id: callerOf(res).id })
    if (newest === undefined) throw new Problem('internal_error', 'this client has no webhook secret')
    res.json({ object: 'webhook_secret', secret: newest })
  },

  async rotate(req: Request, res: Response): Promise<void> {
    const expireOldMs = rotationMs(parseOr400(RotateSecretBody, req.body))
    const secret = await endpoints.rotateOwn(callerOf(res).id, expireOldMs)
    res.json({ object: 'webhook_secret', secret })
  },
})

/** A client's registered endpoints, and the secrets that sign what it is sent. */
export const webhookRoutes = (deps: WebhookRoutesDeps): Router => {
  const of = endpointHandlers(deps)
  const secret = secretHandlers(deps)
  const [reads, writes] = [needs('webhooks:read'), needs('webhooks:write')]
  const onlyPost = onlyMethods('POST')
  const router = createRouter()
  router
    .route('/webhook_endpoints')
    .post(writes, jsonBody, noQuery, of.create)
    .get(reads, of.list)
    .all(onlyMethods('GET', 'HEAD', 'POST'))
  router
    .route('/webhook_endpoints/:id')
    .get(reads, noQuery, of.get)
    .patch(writes, jsonBody, noQuery, of.change)
    .delete(writes, noQuery, of.remove)
    .all(onlyMethods('GET', 'HEAD', 'PATCH', 'DELETE'))
  router.route('/webhook_endpoints/:id/rotate_secret').post(writes, optionalJsonBody, noQuery, of.rotate).all(onlyPost)
  router.route('/webhook_endpoints/:id/test').post(writes, noBody, noQuery, of.test).all(onlyPost)
  router.route('/webhook_endpoints/:id/replay').post(writes, jsonBody, noQuery, of.replay).all(onlyPost)
  router.route('/webhook_secret').get(writes, noQuery, secret.get).all(onlyMethods('GET', 'HEAD'))
  router.route('/webhook_secret/rotate').post(writes, optionalJsonBody, noQuery, secret.rotate).all(onlyPost)
  return router
}

interface AdminEndpointRoutesDeps {
  store: Pick<Store, 'endpointsOf' | 'endpointsOfAll' | 'endpointById' | 'pendingFor'>
  cursors: Cursors
  clock: Pick<Clock, 'now'>
}

/** Where the events of any client go. Secrets are their owner's: no route here shows one. */
export const adminEndpointRoutes = ({ store, cursors, clock }: AdminEndpointRoutesDeps): Router => {
  const view = (endpoint: EndpointRecord): AdminEndpointView => ({
    ...endpointView(endpoint, clock.now()),
    client: endpoint.client,
  })
  const list = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor, client } = parseQuery(AdminEndpointsQuery, req)
    const scope = JSON.stringify(['admin endpoints', client])
    const before = openCursor(cursors, scope, cursor)
    const found =
      client === undefined
        ? await store.endpointsOfAll({ before, limit: limit + 1 })
        : // A client has few.
          (await store.endpointsOf(client)).filter(({ id }) => before === null || id < before).slice(0, limit + 1)
    res.json(pageOf(found, { cursors, scope, limit, view, after: ({ id }) => id }))
  }

  const get = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const found = await store.endpointById(req.params.id)
    if (!found) throw unknownEndpoint(req.params.id)
    res.json({ ...view(found), pending: await store.pendingFor(found.client, found.id) })
  }

  const router = createRouter()
  router.route('/admin/endpoints').get(needs('admin'), list).all(onlyMethods('GET', 'HEAD'))
  router.route('/admin/endpoints/:id').get(needs('admin'), noQuery, get).all(onlyMethods('GET', 'HEAD'))
  return router
}

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
