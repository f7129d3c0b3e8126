import {
  type Actor,
  type ClientRecord,
  type Deed,
  entryOf,
  hasEnded,
  type KeyRecord,
  MAX_CLIENTS,
  MAX_KEYS,
} from '../core/access.ts'
import { Problem } from '../core/errors.ts'
import type { Ports } from '../core/ports.ts'
import type { Store } from '../core/store/index.ts'
import { iso, isoOrNull } from '../core/time/clock.ts'
import type { Scope } from '../core/vocabulary.ts'
import { hashOf, newKey, type Keyring, createKeyring, type KeyringDeps } from './keyring.ts'
import { createSessions, type SessionsDeps } from './sessions.ts'

interface AccessAdminDeps extends Pick<Ports, 'clock' | 'log' | 'newId'> {
  store: Pick<Store, 'changeAccess' | 'keyOf' | 'clientOf'>
  keyring: Pick<Keyring, 'learn' | 'live' | 'clientIds'>
  randomBytes: (size: number) => Buffer
}

/** A key that was made, with the key itself: it is shown this once. */
export interface Issued {
  key: KeyRecord
  secret: string
}

export interface NewKey {
  client: string
  name: string | null
  scopes: readonly Scope[]
  expiresAtMs: number | null
}

interface Rotation {
  /** For so long the old key works beside the new one. */
  overlapMs: number
  /** Of the new key; undefined: it lives as long as the old one was to live. */
  expiresAtMs: number | null | undefined
}

type NewClient = Pick<ClientRecord, 'id' | 'description' | 'backends' | 'limits'>
type ClientPatch = Partial<Pick<ClientRecord, 'description' | 'backends'>> & {
  /** From those of before. */
  limits?: (before: ClientRecord['limits']) => ClientRecord['limits']
  enabled?: boolean
}

/** What is to be written, and what is answered then. Without a deed nothing is. */
interface Decision<T> {
  keys?: readonly KeyRecord[]
  clients?: readonly ClientRecord[]
  deed: Deed | null
  answer: T
}

/** How often a change is decided again because another write came between. */
const MAX_TRIES = 10

export const unknownKey = (): Problem => new Problem('key_not_found', 'there is no key with this id')
export const unknownClient = (): Problem => new Problem('client_not_found', 'there is no client with this id')

/** What operators do to keys and clients. Each is one write, with its entry in the audit log. */
export const createAccessAdmin = ({ store, keyring, clock, log, newId, randomBytes }: AccessAdminDeps) => {
  const carryOut = async <T>(by: Actor, decide: () => Promise<Decision<T>>): Promise<T> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { keys = [], clients = [], deed, answer } = await decide()
      if (!deed) return answer
      const audit = entryOf(by, newId('aud'), clock.now(), deed)
      const changes = await store.changeAccess({ keys, clients, audit })
      if (!changes) continue
      const numbered = <R extends { change: number }>(records: readonly R[], from: number): R[] =>
        records.map((record, n) => ({ ...record, change: changes[from + n] ?? 0 }))
      keyring.learn({ keys: numbered(keys, 0), clients: numbered(clients, keys.length) })
      log.info({ actor: by.client, action: deed.action, subject: deed.subject }, 'keys or clients were changed')
      return answer
    }
    throw new Problem('store_unavailable', 'others change this key or client at the same time: retry')
  }

  const made = (given: NewKey, replaces: string | null): Issued => {
    const secret = newKey(randomBytes)
    const key: KeyRecord = {
      id: newId('key'),
      ...given,
      hash: hashOf(secret),
      lastFour: secret.slice(-4),
      createdAtMs: clock.now(),
      revokedAtMs: null,
      rotatedTo: null,
      replaces,
      change: 0,
    }
    return { key, secret }
  }

  const storedKey = async (id: string): Promise<KeyRecord> => {
    const found = await store.keyOf(id)
    if (!found) throw unknownKey()
    const { usedAtMs: _, ...key } = found
    return key
  }

  const storedClient = async (id: string): Promise<ClientRecord> => {
    const client = await store.clientOf(id)
    if (!client || client.deletedAtMs !== null) throw unknownClient()
    return client
  }

  const refuseFull = (): void => {
    if (keyring.live().length < MAX_KEYS) return
    throw new Problem('invalid_request', `at most ${MAX_KEYS} keys can be active: revoke keys that you do not need`)
  }

  const changedClient = (
    id: string,
    by: Actor,
    action: Deed['action'],
    change: (client: ClientRecord, nowMs: number) => { client: ClientRecord; detail: Deed['detail'] },
  ): Promise<ClientRecord> =>
    carryOut(by, async () => {
      const { client, detail } = change(await storedClient(id), clock.now())
      return { clients: [client], deed: { action, subject: id, detail }, answer: client }
    })

  return {
    createKey(given: NewKey, by: Actor): Promise<Issued> {
      refuseFull()
      const issued = made(given, null)
      const { key } = issued
      const { client, name, scopes } = key
      const detail = { client, name, scopes, expires_at: isoOrNull(key.expiresAtMs) }
      const deed = { action: 'key.create', subject: key.id, detail } as const
      return carryOut(by, async () => ({ keys: [key], deed, answer: issued }))
    },

    /** Throws `key_not_active` for a key that ended, or that another one replaces already. `mayHave` throws its own. */
    rotateKey(
      id: string,
      { overlapMs, expiresAtMs }: Rotation,
      by: Actor,
      mayHave: (scopes: readonly Scope[]) => void,
    ): Promise<Issued> {
      return carryOut(by, async () => {
        const old = await storedKey(id)
        mayHave(old.scopes)
        const nowMs = clock.now()
        if (old.rotatedTo !== null)
          throw new Problem('key_not_active', `this key was rotated before: rotate ${old.rotatedTo}, which replaces it`)
        if (hasEnded(old, nowMs)) throw new Problem('key_not_active', 'this key has ended: create a new one')
        refuseFull()
        const { client, name, scopes } = old
        const asLong = old.expiresAtMs === null ? null : nowMs + old.expiresAtMs - old.createdAtMs
        const endsAtMs = expiresAtMs === undefined ? asLong : expiresAtMs
        const issued = made({ client, name, scopes, expiresAtMs: endsAtMs }, id)
        const before = {
          ...old,
          rotatedTo: issued.key.id,
          expiresAtMs: Math.min(old.expiresAtMs ?? Infinity, nowMs + overlapMs),
        }
        const detail = { client, replaced_by: issued.key.id, old_until: iso(before.expiresAtMs) }
        return {
          keys: [before, issued.key],
          deed: { action: 'key.rotate', subject: id, detail },
          answer: issued,
        }
      })
    },

    /** A second time changes nothing. */
    revokeKey(id: string, by: Actor): Promise<KeyRecord> {
      return carryOut(by, async () => {
        const old = await storedKey(id)
        if (old.revokedAtMs !== null) return { deed: null, answer: old }
        const key = { ...old, revokedAtMs: clock.now() }
        const detail = { client: key.client }
        return { keys: [key], deed: { action: 'key.revoke', subject: id, detail }, answer: key }
      })
    },

    /** Throws `client_exists`, also for one that was deleted: its videos would be the new one's. */
    createClient(given: NewClient, by: Actor): Promise<ClientRecord> {
      return carryOut(by, async () => {
        const known = await store.clientOf(given.id)
        if (known) {
          const how =
            known.deletedAtMs === null ? 'there is already a client with this id' : 'a client with this id was deleted'
          throw new Problem('client_exists', `${how}: choose another id`)
        }
        if (keyring.clientIds().length >= MAX_CLIENTS)
          throw new Problem('invalid_request', `there may be ${MAX_CLIENTS} clients, including deleted ones`)
        const nowMs = clock.now()
        const times = { createdAtMs: nowMs, updatedAtMs: nowMs, disabledAtMs: null, deletedAtMs: null }
        const client: ClientRecord = { ...given, ...times, change: 0 }
        const { backends, limits } = given
        return {
          clients: [client],
          deed: { action: 'client.create', subject: given.id, detail: { backends, limits } },
          answer: client,
        }
      })
    },

    changeClient(id: string, { enabled, limits, ...patch }: ClientPatch, by: Actor): Promise<ClientRecord> {
      return changedClient(id, by, 'client.update', (client, nowMs) => {
        const given = { ...patch, ...(limits && { limits: limits(client.limits) }) }
        const disabledAtMs =
          enabled === undefined ? client.disabledAtMs : enabled ? null : (client.disabledAtMs ?? nowMs)
        const detail = { ...given, ...(enabled !== undefined && { enabled }) }
        return { client: { ...client, ...given, disabledAtMs, updatedAtMs: nowMs }, detail }
      })
    },

    /** Its keys fail from now on, and its id stays taken. */
    deleteClient(id: string, by: Actor): Promise<ClientRecord> {
      return changedClient(id, by, 'client.delete', (client, nowMs) => ({
        client: { ...client, deletedAtMs: nowMs, updatedAtMs: nowMs },
        detail: {},
      }))
    },
  }
}

interface AccessDeps extends Omit<AccessAdminDeps, 'keyring' | 'store'>, Omit<KeyringDeps, 'store'> {
  store: AccessAdminDeps['store'] & KeyringDeps['store'] & SessionsDeps['store']
  /** What marks of keys are made with: the same for all processes. */
  marking: Buffer
  lifecycle: { onClose: (name: string, close: () => Promise<void>) => void }
}

/**
 * Issued keys, clients beside those of the configuration, and sessions of the console: of the process, whatever configuration is in force. Rejects
 * if the store cannot be read.
 */
export const openAccess = async (deps: AccessDeps) => {
  const keyring = createKeyring(deps)
  deps.lifecycle.onClose('issued keys', keyring.close)
  await keyring.refresh()
  const sessions = createSessions(deps)
  deps.lifecycle.onClose('sessions', sessions.close)
  return { keyring, sessions, admin: createAccessAdmin({ ...deps, keyring }) }
}
export type Access = Awaited<ReturnType<typeof openAccess>>
export { isWellFormed } from './keyring.ts'
export type { Keyring } from './keyring.ts'
export type { Sessions } from './sessions.ts'
