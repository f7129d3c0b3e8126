import type { Request, Response, Router } from 'express'
import { unknownKey, unknownClient } from '../../access/index.ts'
import {
  hasEnded,
  type KeyRecord,
  DEFAULT_LIMITS,
  type ClientLimits as Limits,
  type ClientRecord,
  type AuditEntry,
} from '../../core/access.ts'
import type { KeyView, ClientView, AuditEntryView } from '../../core/api/admin.ts'
import { fieldProblem, Problem } from '../../core/errors.ts'
import { iso, isoOrNull } from '../../core/time/clock.ts'
import type { Scope } from '../../core/vocabulary.ts'
import type { Deps } from '../../deps.ts'
import { demand } from '../clients.ts'
import { jsonBody, noBody, optionalJsonBody, noQuery, parseOr400, parseQuery, PageQuery } from '../parse.ts'
import { actorOf, callerOf, needs } from '../middleware/caller.ts'
import { onlyMethods, createRouter } from '../middleware/problems.ts'
import { openCursor, pageOf, listPage, openPlace } from './paging.ts'
import {
  CreateKeyBody,
  ListKeysQuery,
  RotateKeyBody,
  CreateClientBody,
  PatchClientBody,
  ListAuditQuery,
} from './input.ts'
import type { z } from 'zod'
import { EXAMPLE_IDS } from '../../core/ids.ts'
import { listOfOne } from '../openapi/examples.ts'
import { BODY_PROBLEMS, json, operations } from '../openapi/operation.ts'

type KeyRoutesDeps = Pick<Deps, 'access' | 'clients' | 'store' | 'cursors' | 'clock'>
type WithId = Request<{ id: string }>

const createView = ({ clients, store, clock }: Pick<KeyRoutesDeps, 'clients' | 'store' | 'clock'>) => {
  const isClientGood = async (id: string): Promise<boolean> => {
    if (clients.isConfigured(id)) return true
    const client = await store.clientOf(id)
    return client !== null && client.deletedAtMs === null && client.disabledAtMs === null
  }
  const statusOf = async (key: KeyRecord): Promise<KeyView['status']> => {
    if (key.revokedAtMs !== null) return 'revoked'
    if (hasEnded(key, clock.now())) return 'expired'
    return (await isClientGood(key.client)) ? 'active' : 'suspended'
  }
  return async (key: KeyRecord, usedAtMs: number | null): Promise<KeyView> => ({
    id: key.id,
    object: 'key',
    client: key.client,
    name: key.name,
    last_four: key.lastFour,
    scopes: [...key.scopes],
    status: await statusOf(key),
    created_at: iso(key.createdAtMs),
    expires_at: isoOrNull(key.expiresAtMs),
    last_used_at: isoOrNull(usedAtMs),
    revoked_at: isoOrNull(key.revokedAtMs),
    rotated_to: key.rotatedTo,
    replaces: key.replaces,
  })
}

const inOrder = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)]

/** Issued keys, with the scope `admin`. Nobody gives out a scope that their own key lacks. */
export const keyRoutes = (deps: KeyRoutesDeps): Router => {
  const { access, clients, store, cursors, clock } = deps
  const view = createView(deps)
  const mayHave = (res: Response) => (scopes: readonly Scope[]) => {
    for (const scope of scopes) demand(callerOf(res), scope)
  }
  const refusePast = (expiresAtMs: number | null | undefined): void => {
    if (typeof expiresAtMs !== 'number' || expiresAtMs > clock.now()) return
    throw fieldProblem('invalid_request', 'expires_at', 'expires_at must be in the future')
  }
  const refuseUnknownClient = async (id: string): Promise<void> => {
    if (clients.isConfigured(id)) return
    const client = await store.clientOf(id)
    if (client && client.deletedAtMs === null) return
    throw fieldProblem('invalid_request', 'client', 'there is no client with this id')
  }
  const stored = async (id: string) => {
    const key = await store.keyOf(id)
    if (!key) throw unknownKey()
    return key
  }

  const create = async (req: Request, res: Response): Promise<void> => {
    const { client, name = null, scopes, expires_at: expiresAtMs = null } = parseOr400(CreateKeyBody, req.body)
    mayHave(res)(scopes)
    refusePast(expiresAtMs)
    await refuseUnknownClient(client)
    const asked = { client, name, scopes: inOrder(scopes), expiresAtMs }
    const { key, secret } = await access.admin.createKey(asked, actorOf(res))
    res
      .status(201)
      .location(`/unified/v1/admin/keys/${key.id}`)
      .json({ ...(await view(key, null)), key: secret })
  }
  const list = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor, client = null } = parseQuery(ListKeysQuery, req)
    const scope = JSON.stringify(['keys', client])
    const found = await store.keys({ client, before: openCursor(cursors, scope, cursor), limit: limit + 1 })
    const page = pageOf(found, { cursors, scope, limit, view: (key) => key, after: ({ id }) => id })
    res.json({ ...page, data: await Promise.all(page.data.map((key) => view(key, key.usedAtMs))) })
  }
  const get = async (req: WithId, res: Response): Promise<void> => {
    const key = await stored(req.params.id)
    res.json(await view(key, key.usedAtMs))
  }
  const rotate = async (req: WithId, res: Response): Promise<void> => {
    const { overlap: overlapMs, expires_at: expiresAtMs } = parseOr400(RotateKeyBody, req.body)
    refusePast(expiresAtMs)
    const rotation = { overlapMs, expiresAtMs }
    const { key, secret } = await access.admin.rotateKey(req.params.id, rotation, actorOf(res), mayHave(res))
    res.json({ ...(await view(key, null)), key: secret })
  }
  const revoke = async (req: WithId, res: Response): Promise<void> => {
    await access.admin.revokeKey(req.params.id, actorOf(res))
    const key = await stored(req.params.id)
    res.json(await view(key, key.usedAtMs))
  }

  const router = createRouter()
  const admin = needs('admin')
  router
    .route('/admin/keys')
    .post(admin, jsonBody, noQuery, create)
    .get(admin, list)
    .all(onlyMethods('GET', 'HEAD', 'POST'))
  router.route('/admin/keys/:id').get(admin, noQuery, get).all(onlyMethods('GET', 'HEAD'))
  router.route('/admin/keys/:id/rotate').post(admin, optionalJsonBody, noQuery, rotate).all(onlyMethods('POST'))
  router.route('/admin/keys/:id/revoke').post(admin, noBody, noQuery, revoke).all(onlyMethods('POST'))
  return router
}

type ClientRoutesDeps = Pick<Deps, 'access' | 'clients' | 'store' | 'cursors' | 'config' | 'backends'>
type OfClient = Request<{ id: string }>

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
  const get = async (req: OfClient, res: Response): Promise<void> => {
    const { id } = req.params
    const own = ofConfiguration.find((client) => client.id === id)
    const client = own ? null : await store.clientOf(id)
    if (!own && (!client || client.deletedAtMs !== null)) throw unknownClient()
    res.json(own ?? (client && storedView(client)))
  }
  const change = async (req: OfClient, res: Response): Promise<void> => {
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
  const remove = async (req: OfClient, res: Response): Promise<void> => {
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

const entryView = ({
  id,
  atMs,
  actor,
  key,
  address,
  requestId,
  action,
  subject,
  detail,
}: AuditEntry): AuditEntryView => ({
  id,
  object: 'audit_entry',
  at: iso(atMs),
  actor,
  actor_key: key,
  address,
  request_id: requestId,
  action,
  subject,
  detail: { ...detail },
})

/** What operators did, and the gateway in their place. */
export const auditRoutes = ({ store, cursors }: Pick<Deps, 'store' | 'cursors'>): Router => {
  const list = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor, actor = null, action = null, subject = null, since = null } = parseQuery(ListAuditQuery, req)
    const scope = JSON.stringify(['audit', actor, action, subject, since])
    const place = openCursor(cursors, scope, cursor)
    const before = place === null ? null : Number(place)
    const found = await store.audit({ actor, action, subject, sinceMs: since, before, limit: limit + 1 })
    const after = (one: (typeof found)[number]): string => String(one.place)
    res.json(pageOf(found, { cursors, scope, limit, view: ({ entry }) => entryView(entry), after }))
  }
  const router = createRouter()
  router.route('/admin/audit').get(needs('admin'), list).all(onlyMethods('GET', 'HEAD'))
  return router
}

const ADMIN = '/unified/v1/admin'
const AT = '2026-11-20T12:00:00.000Z'
const KEY_ID = EXAMPLE_IDS.key

const KEY: KeyView = {
  id: KEY_ID,
  object: 'key',
  client: 'acme',
  name: 'checkout service',
  last_four: 'x7Qd',
  scopes: ['videos:create', 'videos:read'],
  status: 'active',
  created_at: AT,
  expires_at: '2027-02-18T12:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
  rotated_to: null,
  replaces: null,
}
// Of the right form, and with a checksum that is wrong: no scanner takes it for a key that leaked.
const SHOWN = { ...KEY, key: 'tb_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE000000000' }

const CLIENT: ClientView = {
  id: 'acme',
  object: 'client',
  source: 'stored',
  description: 'The shop',
  backends: ['main'],
  limits: {
    requests_per_minute: 600,
    videos_per_month: 1_000,
    credits_per_month: null,
    queued_videos: 100,
    streams: 20,
  },
  enabled: true,
  disabled_at: null,
  created_at: AT,
  updated_at: AT,
}

const ENTRY: AuditEntryView = {
  id: 'aud_01M7WA9S7VF4P8S27TV0W2QQJ9',
  object: 'audit_entry',
  at: AT,
  actor: 'ops',
  actor_key: 'clients.ops.key',
  address: '203.0.113.7',
  request_id: 'req_01M7WA9S7VF4P8S27TV0W2QQJ9',
  action: 'key.create',
  subject: KEY_ID,
  detail: { client: 'acme', scopes: ['videos:create', 'videos:read'] },
}

const KEY_OPERATIONS = operations('Administration', {
  createKey: {
    at: ['post', `${ADMIN}/keys`],
    summary: 'Issue a key',
    description:
      'The client may be in the configuration or stored. Only this answer shows the key: the gateway keeps only its SHA-256. You can give only scopes that your own key has. Others get 403 `insufficient_scope`. Only a key with `*` can give `*`. At most 10,000 keys can be active.',
    scope: 'admin',
    body: {
      name: 'CreateKey',
      examples: {
        usual: {
          summary: 'A key for one service, with an end',
          value: {
            client: 'sandbox',
            name: 'checkout service',
            scopes: ['videos:create', 'videos:read'],
            expires_at: '2099-12-31T23:59:59Z',
          },
        },
      },
    },
    answers: { 201: json('The key, which works from now on.', 'KeyWithSecret', SHOWN, { Location: 'always' }) },
    problems: BODY_PROBLEMS,
  },
  listKeys: {
    at: ['get', `${ADMIN}/keys`],
    summary: 'List issued keys',
    description: 'Lists active and ended keys. The gateway keeps ended keys for `retention_days`.',
    scope: 'admin',
    query: ListKeysQuery,
    answers: { 200: json('A page, newest first.', 'KeyList', listOfOne(KEY)) },
    problems: ['invalid_cursor'],
  },
  getKey: {
    at: ['get', `${ADMIN}/keys/{id}`],
    summary: 'Read an issued key',
    scope: 'admin',
    answers: { 200: json('What is known of the key, without the key itself.', 'Key', KEY) },
    problems: ['key_not_found'],
  },
  rotateKey: {
    at: ['post', `${ADMIN}/keys/{id}/rotate`],
    summary: 'Replace a key',
    description:
      'Makes a key with the same client, name and scopes. The old key works for `overlap` longer, by default a day. A key that ended, or was rotated before, gets 409 `key_not_active`. A key with a scope that your own key lacks gets 403.',
    scope: 'admin',
    body: {
      name: 'RotateKey',
      optional: true,
      examples: {
        hour: { summary: 'Both keys work for an hour', value: { overlap: '1h' } },
      },
    },
    answers: {
      200: json('The new secret.', 'KeyWithSecret', { ...SHOWN, replaces: 'key_01M7WA9S7VF4P8S27TV0W2QQJ8' }),
    },
    problems: [...BODY_PROBLEMS, 'key_not_found', 'key_not_active'],
  },
  revokeKey: {
    at: ['post', `${ADMIN}/keys/{id}/revoke`],
    summary: 'Revoke a key',
    description:
      'Takes effect on every process within a second. New requests are refused, streams end, and requests that wait get their answer. You can safely repeat this call.',
    scope: 'admin',
    answers: { 200: json('The key, which no longer works.', 'Key', { ...KEY, status: 'revoked', revoked_at: AT }) },
    problems: ['key_not_found'],
  },
})

const CLIENT_OPERATIONS = operations('Administration', {
  createClient: {
    at: ['post', `${ADMIN}/clients`],
    summary: 'Create a client',
    description:
      'Adds a client to those of the configuration. It has no key yet: issue one with createKey. You cannot reuse the id of a deleted client.',
    scope: 'admin',
    body: {
      name: 'CreateClient',
      examples: {
        usual: {
          summary: 'With a quota',
          value: { id: 'acme', backends: ['main'], limits: { videos_per_month: 1_000 } },
        },
      },
    },
    answers: { 201: json('The new client.', 'Client', CLIENT, { Location: 'always' }) },
    problems: [...BODY_PROBLEMS, 'client_exists', 'client_configured'],
  },
  listClients: {
    at: ['get', `${ADMIN}/clients`],
    summary: 'List clients',
    description: 'Lists the clients of the configuration and the stored ones.',
    scope: 'admin',
    query: PageQuery,
    answers: { 200: json('A page, ordered by id.', 'ClientList', listOfOne(CLIENT)) },
    problems: ['invalid_cursor'],
  },
  getClient: {
    at: ['get', `${ADMIN}/clients/{id}`],
    summary: 'Read a client',
    scope: 'admin',
    answers: { 200: json('As it is now.', 'Client', CLIENT) },
    problems: ['client_not_found'],
  },
  updateClient: {
    at: ['patch', `${ADMIN}/clients/{id}`],
    summary: 'Change a client',
    description:
      'Fields that you leave out stay as they are. The change takes effect on every process within a second. While a client is disabled, its keys are refused. Its videos continue.',
    scope: 'admin',
    body: {
      name: 'UpdateClient',
      examples: {
        limit: { summary: 'Allow more requests', value: { limits: { requests_per_minute: 1_200 } } },
        disable: { summary: 'Refuse its keys', value: { enabled: false } },
      },
    },
    answers: { 200: json('As it is now.', 'Client', CLIENT) },
    problems: [...BODY_PROBLEMS, 'client_not_found', 'client_configured'],
  },
  deleteClient: {
    at: ['delete', `${ADMIN}/clients/{id}`],
    summary: 'Delete a client',
    description:
      'You cannot undo this. The keys of the client are refused, and nobody can reuse its id. The gateway follows its open videos to their end.',
    scope: 'admin',
    answers: { 204: { description: 'It is deleted.' } },
    problems: ['client_not_found', 'client_configured'],
  },
  listAudit: {
    at: ['get', `${ADMIN}/audit`],
    summary: 'Read the audit log',
    description:
      'Lists every change by an operator: who did what, when and from where. The gateway keeps entries for `retention_days`.',
    scope: 'admin',
    query: ListAuditQuery,
    answers: { 200: json('A page, newest first.', 'AuditEntryList', listOfOne(ENTRY)) },
    problems: ['invalid_cursor'],
  },
})

export const ACCESS_OPERATIONS = [...KEY_OPERATIONS, ...CLIENT_OPERATIONS]
