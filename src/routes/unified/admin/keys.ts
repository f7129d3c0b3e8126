import type { Request, Response, Router } from 'express'
import { unknownKey } from '../../../access/index.ts'
import { hasEnded, type KeyRecord } from '../../../core/access.ts'
import type { KeyView } from '../../../core/api/admin.ts'
import { fieldProblem } from '../../../core/errors.ts'
import { iso, isoOrNull } from '../../../core/time/clock.ts'
import type { Scope } from '../../../core/vocabulary.ts'
import type { Deps } from '../../../deps.ts'
import { demand } from '../../clients.ts'
import { jsonBody, noBody, optionalJsonBody } from '../../middleware/body.ts'
import { actorOf, callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseOr400, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { openCursor, pageOf } from '../paging.ts'
import { CreateKeyBody, ListKeysQuery, RotateKeyBody } from './access-input.ts'

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
