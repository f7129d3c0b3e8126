import type { Request, Response, Router } from 'express'
import type { z } from 'zod'
import { unknownClient } from '../../../access/index.ts'
import { DEFAULT_LIMITS, type ClientLimits as Limits, type ClientRecord } from '../../../core/access.ts'
import type { ClientView } from '../../../core/api/admin.ts'
import { fieldProblem, Problem } from '../../../core/errors.ts'
import { iso, isoOrNull } from '../../../core/time/clock.ts'
import type { Deps } from '../../../deps.ts'
import { jsonBody } from '../../middleware/body.ts'
import { actorOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, PageQuery, parseOr400, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { listPage, openPlace } from '../list-pages.ts'
import { CreateClientBody, PatchClientBody } from './access-input.ts'

type ClientRoutesDeps = Pick<Deps, 'access' | 'clients' | 'store' | 'cursors' | 'config' | 'backends'>
type WithId = Request<{ id: string }>

const limitsView = (limits: Limits): ClientView['limits'] => ({
  requests_per_minute: limits.requestsPerMinute,
  videos_per_month: limits.videosPerMonth,
  credits_per_month: limits.creditsPerMonth,
  queued_videos: limits.queuedVideos,
  streams: limits.streams,
})

/** What is not given stays. */
const limitsOf = (given: NonNullable<z.infer<typeof PatchClientBody>['limits']>, before: Limits): Limits => ({
  requestsPerMinute: given.requests_per_minute ?? before.requestsPerMinute,
  videosPerMonth: given.videos_per_month === undefined ? before.videosPerMonth : given.videos_per_month,
  creditsPerMonth: given.credits_per_month === undefined ? before.creditsPerMonth : given.credits_per_month,
  queuedVideos: given.queued_videos ?? before.queuedVideos,
  streams: given.streams ?? before.streams,
})

const storedView = (client: ClientRecord): ClientView => ({
  id: client.id,
  object: 'client',
  source: 'stored',
  description: client.description,
  backends: client.backends && [...client.backends],
  limits: limitsView(client.limits),
  enabled: client.disabledAtMs === null,
  disabled_at: isoOrNull(client.disabledAtMs),
  created_at: iso(client.createdAtMs),
  updated_at: iso(client.updatedAtMs),
})

const configuredView = ({ id, backends, limits }: Deps['config']['clients'][number]): ClientView => ({
  id,
  object: 'client',
  source: 'configuration',
  description: null,
  backends: backends && [...backends],
  limits: limits,
  enabled: true,
  disabled_at: null,
  created_at: null,
  updated_at: null,
})

const PAGE = 1_000

/** Clients beside those of the configuration, which win and cannot be changed here. */
export const clientRoutes = ({ access, clients, store, cursors, config, backends }: ClientRoutesDeps): Router => {
  const ofConfiguration = config.clients.map(configuredView)

  const stored = async (): Promise<ClientRecord[]> => {
    const all: ClientRecord[] = []
    for (let page = await store.clientsSince(0, PAGE); page.length > 0;) {
      all.push(...page)
      page = page.length < PAGE ? [] : await store.clientsSince(page.at(-1)?.change ?? 0, PAGE)
    }
    return all.filter(({ id, deletedAtMs }) => deletedAtMs === null && !clients.isConfigured(id))
  }
  const refuseConfigured = (id: string): void => {
    if (!clients.isConfigured(id)) return
    throw new Problem('client_configured', 'this client is in the configuration: change it there')
  }
  const refuseUnknownBackends = (names: readonly string[] | null | undefined): void => {
    const unknown = names?.findIndex((name) => !backends.has(name)) ?? -1
    if (unknown < 0) return
    throw fieldProblem('invalid_request', `backends.${unknown}`, 'there is no backend with this name')
  }

  const create = async (req: Request, res: Response): Promise<void> => {
    const body = parseOr400(CreateClientBody, req.body)
    const { id, description = null, backends: names = null, limits = {} } = body
    refuseConfigured(id)
    refuseUnknownBackends(names)
    const asked = { id, description, backends: names, limits: limitsOf(limits, DEFAULT_LIMITS) }
    const client = await access.admin.createClient(asked, actorOf(res))
    res.status(201).location(`/unified/v1/admin/clients/${id}`).json(storedView(client))
  }
  const list = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor } = parseQuery(PageQuery, req)
    const scope = JSON.stringify(['clients'])
    const place = openPlace(cursors, scope, cursor)
    const all = [...ofConfiguration, ...(await stored()).map(storedView)].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    res.json(listPage(all, place, { cursors, scope, limit, keyOf: ({ id }) => id }))
  }
  const get = async (req: WithId, res: Response): Promise<void> => {
    const { id } = req.params
    const own = ofConfiguration.find((client) => client.id === id)
    const client = own ? null : await store.clientOf(id)
    if (!own && (!client || client.deletedAtMs !== null)) throw unknownClient()
    res.json(own ?? (client && storedView(client)))
  }
  const change = async (req: WithId, res: Response): Promise<void> => {
    const { limits, description, backends: names, enabled } = parseOr400(PatchClientBody, req.body)
    refuseConfigured(req.params.id)
    refuseUnknownBackends(names)
    const patch = {
      ...(description !== undefined && { description }),
      ...(names !== undefined && { backends: names }),
      ...(limits && { limits: (before: Limits) => limitsOf(limits, before) }),
      ...(enabled !== undefined && { enabled }),
    }
    res.json(storedView(await access.admin.changeClient(req.params.id, patch, actorOf(res))))
  }
  const remove = async (req: WithId, res: Response): Promise<void> => {
    refuseConfigured(req.params.id)
    await access.admin.deleteClient(req.params.id, actorOf(res))
    res.status(204).end()
  }

  const router = createRouter()
  const admin = needs('admin')
  router
    .route('/admin/clients')
    .post(admin, jsonBody, noQuery, create)
    .get(admin, list)
    .all(onlyMethods('GET', 'HEAD', 'POST'))
  router
    .route('/admin/clients/:id')
    .get(admin, noQuery, get)
    .patch(admin, jsonBody, noQuery, change)
    .delete(admin, noQuery, remove)
    .all(onlyMethods('GET', 'HEAD', 'PATCH', 'DELETE'))
  return router
}
