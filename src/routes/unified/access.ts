import { namedBy } from '../../engine/index.ts'
import type { z } from 'zod'
import { unknownClient, unknownKey } from '../../access/index.ts'
import {
  DEFAULT_LIMITS,
  hasEnded,
  type AuditEntry,
  type ClientLimits as Limits,
  type ClientRecord,
  type KeyRecord,
} from '../../core/access.ts'
import type { AuditEntryView, ClientView, KeyView } from '../../core/api/admin.ts'
import { EXAMPLE_IDS } from '../../core/ids.ts'
import { fieldProblem, Problem } from '../../core/errors.ts'
import { iso, isoOrNull } from '../../core/time/clock.ts'
import type { Scope } from '../../core/vocabulary.ts'
import type { Deps } from '../../deps.ts'
import { demand, type Client } from '../clients.ts'
import { actorOf } from '../middleware/request.ts'
import { listOfOne } from '../openapi/examples.ts'
import { BODY_PROBLEMS, json } from '../openapi/operation.ts'
import { PageQuery } from '../parse.ts'
import { ListAuditQuery, ListKeysQuery, type PatchClientBody } from './input.ts'
import { type Ports, listPage, numberOrNull, openPlace, operation, pageOf } from './operation.ts'

const isClientGood = async ({ clients, store }: Ports, id: string): Promise<boolean> => {
  if (clients.isConfigured(id)) return true
  const client = await store.clientOf(id)
  return client !== null && client.deletedAtMs === null && client.disabledAtMs === null
}

const statusOf = async (ports: Ports, key: KeyRecord): Promise<KeyView['status']> => {
  if (key.revokedAtMs !== null) return 'revoked'
  if (hasEnded(key, ports.clock.now())) return 'expired'
  return (await isClientGood(ports, key.client)) ? 'active' : 'suspended'
}

const keyView = async (ports: Ports, key: KeyRecord, usedAtMs: number | null): Promise<KeyView> => ({
  id: key.id,
  object: 'key',
  client: key.client,
  name: key.name,
  last_four: key.lastFour,
  scopes: [...key.scopes],
  status: await statusOf(ports, key),
  created_at: iso(key.createdAtMs),
  expires_at: isoOrNull(key.expiresAtMs),
  last_used_at: isoOrNull(usedAtMs),
  revoked_at: isoOrNull(key.revokedAtMs),
  rotated_to: key.rotatedTo,
  replaces: key.replaces,
})

/** Nobody gives out a scope that their own key lacks. */
const mayGive = (client: Client) => (scopes: readonly Scope[]) => {
  for (const scope of scopes) demand(client, scope)
}

const refusePast = ({ clock }: Ports, expiresAtMs: number | null | undefined): void => {
  if (typeof expiresAtMs !== 'number' || expiresAtMs > clock.now()) return
  throw fieldProblem('invalid_request', 'expires_at', 'expires_at must be in the future')
}

const viewOr404 = async (ports: Ports, id: string): Promise<KeyView> => {
  const key = await ports.store.keyOf(id)
  if (!key) throw unknownKey()
  return keyView(ports, key, key.usedAtMs)
}

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

/** Those that are not in the configuration, which wins. */
const storedClients = async ({ store, clients }: Ports): Promise<ClientRecord[]> => {
  const all: ClientRecord[] = []
  for (let page = await store.clientsSince(0, PAGE); page.length > 0;) {
    all.push(...page)
    page = page.length < PAGE ? [] : await store.clientsSince(page.at(-1)?.change ?? 0, PAGE)
  }
  return all.filter(({ id, deletedAtMs }) => deletedAtMs === null && !clients.isConfigured(id))
}

const refuseUnknownClient = async ({ clients, store }: Ports, id: string): Promise<void> => {
  if (clients.isConfigured(id)) return
  const client = await store.clientOf(id)
  if (client && client.deletedAtMs === null) return
  throw fieldProblem('invalid_request', 'client', 'there is no client with this id')
}

const refuseConfigured = ({ clients }: Ports, id: string): void => {
  if (!clients.isConfigured(id)) return
  throw new Problem('client_configured', 'this client is in the configuration: change it there')
}

const refuseUnknownBackends = ({ backends }: Ports, names: readonly string[] | null | undefined): void => {
  const unknown = names?.findIndex((name) => namedBy(name, backends).length === 0) ?? -1
  if (unknown < 0) return
  throw fieldProblem('invalid_request', `backends.${unknown}`, 'there is no backend with this name')
}

type Names = ReadonlyMap<string, string | null>

const entryView = (
  { id, atMs, actor, key, address, requestId, action, subject, detail }: AuditEntry,
  names: Names,
): AuditEntryView => ({
  id,
  object: 'audit_entry',
  at: iso(atMs),
  actor,
  actor_key: key,
  actor_key_name: (key && names.get(key)) ?? null,
  address,
  request_id: requestId,
  action,
  subject,
  subject_name: names.get(subject) ?? null,
  detail: { ...detail },
})

/** What people call the issued keys and the clients of these entries, by id. Ids of both never meet. */
const namesIn = async ({ store }: Ports, entries: readonly AuditEntry[]): Promise<Names> => {
  const keys = new Set(
    entries.flatMap(({ key, subject }) => [key ?? '', subject]).filter((id) => id.startsWith('key_')),
  )
  const clients = new Set(entries.flatMap(({ action, subject }) => (action.startsWith('client.') ? [subject] : [])))
  const named = [
    ...[...keys].map(async (id) => [id, (await store.keyOf(id))?.name ?? null] as const),
    ...[...clients].map(async (id) => [id, (await store.clientOf(id))?.description ?? null] as const),
  ]
  return new Map(await Promise.all(named))
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
  actor_key_name: null,
  address: '203.0.113.7',
  request_id: 'req_01M7WA9S7VF4P8S27TV0W2QQJ9',
  action: 'key.create',
  subject: KEY_ID,
  subject_name: 'checkout service',
  detail: { client: 'acme', scopes: ['videos:create', 'videos:read'] },
}

const KEY_OPERATIONS = [
  operation('Administration', {
    id: 'createKey',
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
    handle: async (ports, { res, client: caller, body }) => {
      const { client, name = null, scopes, expires_at: expiresAtMs = null } = body
      mayGive(caller)(scopes)
      refusePast(ports, expiresAtMs)
      await refuseUnknownClient(ports, client)
      const wanted = { client, name, scopes: [...new Set(scopes)], expiresAtMs }
      const { key, secret } = await ports.access.admin.createKey(wanted, actorOf(res))
      res.location(`${ADMIN}/keys/${key.id}`)
      return { ...(await keyView(ports, key, null)), key: secret }
    },
  }),
  operation('Administration', {
    id: 'listKeys',
    at: ['get', `${ADMIN}/keys`],
    summary: 'List issued keys',
    description: 'Lists active and ended keys. The gateway keeps ended keys for `retention_days`.',
    scope: 'admin',
    query: ListKeysQuery,
    answers: { 200: json('A page, newest first.', 'KeyList', listOfOne(KEY)) },
    problems: ['invalid_cursor'],
    handle: (ports, { query: { client = null, ...page } }) =>
      pageOf(ports, JSON.stringify(['keys', client]), page, {
        read: (before, limit) => ports.store.keys({ client, before, limit }),
        views: (keys) => Promise.all(keys.map((key) => keyView(ports, key, key.usedAtMs))),
        after: ({ id }) => id,
      }),
  }),
  operation('Administration', {
    id: 'getKey',
    at: ['get', `${ADMIN}/keys/{id}`],
    summary: 'Read an issued key',
    scope: 'admin',
    answers: { 200: json('What is known of the key, without the key itself.', 'Key', KEY) },
    problems: ['key_not_found'],
    handle: (ports, { id }) => viewOr404(ports, id),
  }),
  operation('Administration', {
    id: 'rotateKey',
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
    handle: async (ports, { res, client, id, body: { overlap: overlapMs, expires_at: expiresAtMs } }) => {
      refusePast(ports, expiresAtMs)
      const rotation = { overlapMs, expiresAtMs }
      const { key, secret } = await ports.access.admin.rotateKey(id, rotation, actorOf(res), mayGive(client))
      return { ...(await keyView(ports, key, null)), key: secret }
    },
  }),
  operation('Administration', {
    id: 'revokeKey',
    at: ['post', `${ADMIN}/keys/{id}/revoke`],
    summary: 'Revoke a key',
    description:
      'Takes effect on every process within a second. New requests are refused, streams end, and requests that wait get their answer. You can safely repeat this call.',
    scope: 'admin',
    answers: { 200: json('The key, which no longer works.', 'Key', { ...KEY, status: 'revoked', revoked_at: AT }) },
    problems: ['key_not_found'],
    handle: async (ports, { res, id }) => {
      await ports.access.admin.revokeKey(id, actorOf(res))
      return viewOr404(ports, id)
    },
  }),
]

const CLIENT_OPERATIONS = [
  operation('Administration', {
    id: 'createClient',
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
    handle: async (ports, { res, body: { id, description = null, backends = null, limits = {} } }) => {
      refuseConfigured(ports, id)
      refuseUnknownBackends(ports, backends)
      const wanted = { id, description, backends, limits: limitsOf(limits, DEFAULT_LIMITS) }
      const client = await ports.access.admin.createClient(wanted, actorOf(res))
      res.location(`${ADMIN}/clients/${id}`)
      return storedView(client)
    },
  }),
  operation('Administration', {
    id: 'listClients',
    at: ['get', `${ADMIN}/clients`],
    summary: 'List clients',
    description: 'Lists the clients of the configuration and the stored ones.',
    scope: 'admin',
    query: PageQuery,
    answers: { 200: json('A page, ordered by id.', 'ClientList', listOfOne(CLIENT)) },
    problems: ['invalid_cursor'],
    handle: async (ports, { query: { limit, cursor } }) => {
      const { cursors, config } = ports
      const scope = JSON.stringify(['clients'])
      const place = openPlace(cursors, scope, cursor)
      const stored = (await storedClients(ports)).map(storedView)
      const all = [...config.clients.map(configuredView), ...stored].toSorted((a, b) => (a.id < b.id ? -1 : 1))
      return listPage(all, place, { cursors, scope, limit, keyOf: ({ id }) => id })
    },
  }),
  operation('Administration', {
    id: 'getClient',
    at: ['get', `${ADMIN}/clients/{id}`],
    summary: 'Read a client',
    scope: 'admin',
    answers: { 200: json('As it is now.', 'Client', CLIENT) },
    problems: ['client_not_found'],
    handle: async ({ config, store }, { id }) => {
      const own = config.clients.find((client) => client.id === id)
      if (own) return configuredView(own)
      const client = await store.clientOf(id)
      if (!client || client.deletedAtMs !== null) throw unknownClient()
      return storedView(client)
    },
  }),
  operation('Administration', {
    id: 'updateClient',
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
    handle: async (ports, { res, id, body: { limits, description, backends, enabled } }) => {
      refuseConfigured(ports, id)
      refuseUnknownBackends(ports, backends)
      const patch = {
        ...(description !== undefined && { description }),
        ...(backends !== undefined && { backends }),
        ...(limits && { limits: (previous: Limits) => limitsOf(limits, previous) }),
        ...(enabled !== undefined && { enabled }),
      }
      return storedView(await ports.access.admin.changeClient(id, patch, actorOf(res)))
    },
  }),
  operation('Administration', {
    id: 'deleteClient',
    at: ['delete', `${ADMIN}/clients/{id}`],
    summary: 'Delete a client',
    description:
      'You cannot undo this. The keys of the client are refused, and nobody can reuse its id. The gateway follows its open videos to their end.',
    scope: 'admin',
    answers: { 204: { description: 'It is deleted.' } },
    problems: ['client_not_found', 'client_configured'],
    handle: async (ports, { res, id }) => {
      refuseConfigured(ports, id)
      await ports.access.admin.deleteClient(id, actorOf(res))
    },
  }),
  operation('Administration', {
    id: 'listAudit',
    at: ['get', `${ADMIN}/audit`],
    summary: 'Read the audit log',
    description:
      'Lists every change by an operator: who did what, when and from where. The gateway keeps entries for `retention_days`.',
    scope: 'admin',
    query: ListAuditQuery,
    answers: { 200: json('A page, newest first.', 'AuditEntryList', listOfOne(ENTRY)) },
    problems: ['invalid_cursor'],
    handle: (ports, { query: { actor = null, action = null, subject = null, since: sinceMs = null, ...page } }) =>
      pageOf(ports, JSON.stringify(['audit', actor, action, subject, sinceMs]), page, {
        read: (place, limit) =>
          ports.store.audit({ actor, action, subject, sinceMs, before: numberOrNull(place), limit }),
        views: async (placed) => {
          const entries = placed.map(({ entry }) => entry)
          const names = await namesIn(ports, entries)
          return entries.map((entry) => entryView(entry, names))
        },
        after: ({ place }) => String(place),
      }),
  }),
]

export const ACCESS_OPERATIONS = [...KEY_OPERATIONS, ...CLIENT_OPERATIONS]
