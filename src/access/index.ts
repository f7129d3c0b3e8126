import { createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import {
  type Actor,
  type ClientRecord,
  type Deed,
  type KeyRecord,
  MAX_CLIENTS,
  MAX_KEYS,
  MAX_SESSIONS,
  SESSION_LIFE_MS,
  type SessionRecord,
  entryOf,
  hasEnded,
} from '../core/access.ts'
import { Problem } from '../core/errors.ts'
import { logFailure } from '../core/log.ts'
import type { Ports } from '../core/ports.ts'
import type { Store } from '../core/store/index.ts'
import { iso, isoOrNull } from '../core/time/clock.ts'
import type { Scope } from '../core/vocabulary.ts'
import { type Keyring, type KeyringDeps, createKeyring, hashOf, newKey } from './keyring.ts'

interface SessionsDeps extends Pick<Ports, 'clock' | 'log'> {
  store: Pick<Store, 'beginSession' | 'sessionSeen' | 'endSession' | 'sessions'>
  randomBytes: (size: number) => Buffer
  /** What marks of keys and tags of sessions are made with: the same for all processes. */
  marking: Buffer
}

interface NewSession {
  client: string
  /** As `markOf` says, or the id of an issued key. */
  key: string
  /** Without a request for so long it is over. */
  idleMs: number
}

/** What another process ended is known here this late at most. A busy page reads the store no more often. */
export const KNOWN_MS = 500
/** When it was last used is written no more often than this. */
const SEEN_EVERY_MS = 60_000
/** What is held open is kept for so long while the store cannot be read. */
const BLIND_MS = 30_000
const SECRET_BYTES = 32
const TAG_BYTES = 16
/** Both of them. */
const FORM = /^[A-Za-z0-9_-]{64}$/
const KNOWN_AT_MOST = 1_000

interface Known {
  atMs: number
  reading: Promise<SessionRecord | null>
}

/** Streams of each session, which end with it: every half second the store is asked which are over. */
const createHolds = ({ store, clock, log }: Pick<SessionsDeps, 'store' | 'clock' | 'log'>) => {
  const held = new Map<string, Set<() => void>>()
  let cancel: (() => void) | null = null
  let running: Promise<void> = Promise.resolve()
  let isClosed = false
  let readAtMs = 0

  const end = (id: string): void => {
    const ends = [...(held.get(id) ?? [])]
    held.delete(id)
    for (const one of ends) one()
  }
  const check = async (): Promise<void> => {
    const askedAtMs = clock.now()
    const ids = [...held.keys()]
    const found = new Map((await store.sessions(ids)).map((session) => [session.id, session]))
    readAtMs = askedAtMs
    for (const id of ids) if ((found.get(id)?.endsAtMs ?? 0) <= clock.now()) end(id)
  }
  const arm = (): void => {
    if (isClosed || held.size === 0 || cancel) return
    cancel = clock.at(clock.now() + KNOWN_MS, () => {
      running = check()
        .catch((err: unknown) => {
          if (clock.now() - readAtMs <= BLIND_MS) return
          logFailure(log, { err }, 'sessions cannot be read: what they hold open ends')
          for (const id of held.keys()) end(id)
        })
        .finally(() => {
          cancel = null
          arm()
        })
    })
  }
  return {
    end,
    hold(id: string, stop: () => void): () => void {
      if (held.size === 0) readAtMs = clock.now()
      const ends = held.get(id) ?? new Set()
      held.set(id, ends.add(stop))
      arm()
      return () => {
        ends.delete(stop)
        if (ends.size === 0 && held.get(id) === ends) held.delete(id)
      }
    },
    async close(): Promise<void> {
      isClosed = true
      cancel?.()
      await running
    },
  }
}

/**
 * Who signed in to the console. A browser holds 32 random bytes and their tag, and the store only a hash. Anybody can send
 * a cookie: one without the tag that belongs to it never gets as far as the store. All processes share the sessions: what
 * one ends is over at the others within a second. A session is over when it ended, idled or got too old.
 */
const createSessions = ({ store, clock, log, randomBytes, marking }: SessionsDeps) => {
  const known = new LRUCache<string, Known>({ max: KNOWN_AT_MOST })
  const holds = createHolds({ store, clock, log })

  /** No key has a NUL, so that no tag is the mark of a key. */
  const tagged = (secret: Buffer): Buffer => {
    const tag = createHmac('sha256', marking).update('session\0').update(secret).digest()
    return Buffer.concat([secret, tag.subarray(0, TAG_BYTES)])
  }
  /** Whether one of these processes made it. */
  const isOurs = (token: string): boolean => {
    if (!FORM.test(token)) return false
    const bytes = Buffer.from(token, 'base64url')
    return timingSafeEqual(bytes, tagged(bytes.subarray(0, SECRET_BYTES)))
  }
  const endOf = (createdAtMs: number, idleMs: number): number =>
    Math.min(clock.now() + idleMs, createdAtMs + SESSION_LIFE_MS)
  const learn = (id: string, reading: Promise<SessionRecord | null>): Known => {
    const one = { atMs: clock.now(), reading }
    known.set(id, one)
    return one
  }
  /** Requests of one moment share a read. */
  const look = (id: string): Known => {
    const before = known.get(id)
    if (before && clock.now() - before.atMs < KNOWN_MS) return before
    const reading = store.sessions([id]).then(([session]) => session ?? null)
    const one = learn(id, reading)
    reading.catch(() => known.get(id) === one && known.delete(id))
    return one
  }
  /** Waited for, so that who was answered is known to have been here; that it fails must not cost the answer. */
  const seen = async (before: SessionRecord, read: Known, idleMs: number): Promise<SessionRecord> => {
    const seenAtMs = clock.now()
    if (seenAtMs - before.seenAtMs < SEEN_EVERY_MS) return before
    const session = { ...before, seenAtMs, endsAtMs: endOf(before.createdAtMs, idleMs) }
    // It may have been ended meanwhile.
    if (known.get(before.id) === read) known.set(before.id, { ...read, reading: Promise.resolve(session) })
    await store
      .sessionSeen(session.id, seenAtMs, session.endsAtMs)
      .catch((err: unknown) => logFailure(log, { err }, 'when a session was last used could not be written'))
    return session
  }

  return {
    /** What is kept of a configured key: people may have chosen it, so that a bare hash could be guessed. */
    markOf: (key: string): string => `hmac_${createHmac('sha256', marking).update(key).digest('base64url')}`,

    /** `token` is what the browser holds: it is seen this once. */
    async begin({ client, key, idleMs }: NewSession): Promise<{ token: string; session: SessionRecord }> {
      const token = tagged(randomBytes(SECRET_BYTES)).toString('base64url')
      const nowMs = clock.now()
      const times = { createdAtMs: nowMs, seenAtMs: nowMs, endsAtMs: endOf(nowMs, idleMs) }
      const session = { id: hashOf(token), client, key, ...times }
      await store.beginSession(session, MAX_SESSIONS)
      return { token, session }
    },

    /** Null: there is none, or it is over. Counts as a use of it. */
    async find(token: string, idleMs: number): Promise<SessionRecord | null> {
      if (!isOurs(token)) return null
      const read = look(hashOf(token))
      const session = await read.reading
      return session && session.endsAtMs > clock.now() ? seen(session, read, idleMs) : null
    },

    /** Ends it, and all streams that it holds open here. */
    async end(token: string): Promise<void> {
      if (!isOurs(token)) return
      const id = hashOf(token)
      await store.endSession(id)
      learn(id, Promise.resolve(null))
      holds.end(id)
    },

    /** Calls `stop` once, when the session is over; the answer ends that. */
    hold: holds.hold,

    close: holds.close,
  }
}
export type Sessions = ReturnType<typeof createSessions>

interface AccessAdminDeps extends Pick<Ports, 'clock' | 'log' | 'newId'> {
  store: Pick<Store, 'changeAccess' | 'keyOf' | 'clientOf'>
  keyring: Pick<Keyring, 'learn' | 'live' | 'clientIds'>
  randomBytes: (size: number) => Buffer
}

/** A key that was made, with the key itself: it is shown this once. */
interface Issued {
  key: KeyRecord
  secret: string
}

interface NewKey {
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
