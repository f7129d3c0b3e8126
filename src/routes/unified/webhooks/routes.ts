import type { Request, Response, Router } from 'express'
import type { Cursors } from '../../../core/api/signed.ts'
import type { EndpointView } from '../../../core/api/webhooks.ts'
import type { EndpointRecord } from '../../../core/endpoints.ts'
import { Problem } from '../../../core/errors.ts'
import type { Store } from '../../../core/store/index.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { DEFAULT_EVENT_TYPES, ENDPOINT_EVENT_TYPES, type EndpointEventType } from '../../../core/vocabulary.ts'
import type { Webhooks } from '../../../webhooks/index.ts'
import { jsonBody, noBody, optionalJsonBody } from '../../middleware/body.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, PageQuery, parseOr400, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { openCursor, pageOf } from '../paging.ts'
import { CreateEndpointBody, PatchEndpointBody, ReplayBody, RotateSecretBody, rotationMs } from './input.ts'
import { endpointView } from './views.ts'

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
