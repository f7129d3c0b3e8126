import { isWellFormed, type Keyring, type Sessions } from '../access/index.ts'
import {
  type ClientDefaults,
  type ClientRecord,
  hasEnded,
  isAllowed,
  type KeyRecord,
  NO_DEFAULTS,
  type SessionRecord,
} from '../core/access.ts'
import { Problem } from '../core/errors.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Scope } from '../core/vocabulary.ts'
import type { Backends, Creator, CreatorLimits } from '../engine/index.ts'

/** A holder of a gateway key, with what this key may do. */
export interface Client {
  id: string
  scopes: ReadonlySet<Scope>
  /** Its allow-list, in the order of the configuration. */
  visible: Backends
  defaults: ClientDefaults
  limits: CreatorLimits & {
    requestsPerMinute: number
    /** Held open at the same time. */
    streams: number
  }
}

export const creatorOf = ({ id, ...client }: Client): Creator => ({ ...client, client: id })

/** A key of the configuration. */
interface ConfiguredKey {
  key: string
  /** Where it is there, for the audit log: no word of the key itself. */
  path: string
  client: Client
}

/** Who makes a request, and with which key. */
export interface Caller {
  client: Client
  /** `key_…`, or its path in the configuration; `link`: a link stood in for a key. */
  keyId: string
  /** Calls `end` once, when the key is no longer valid; the answer ends that. */
  hold: (end: () => void) => () => void
}

interface ClientsDeps {
  configured: readonly ConfiguredKey[]
  /** Of the configuration. */
  backends: Backends
  access: {
    keyring: Pick<Keyring, 'nameOf' | 'find' | 'byId' | 'client' | 'isStale' | 'used' | 'hold'>
    sessions: Pick<Sessions, 'markOf'>
  }
  clock: Clock
}

/** A caller, and what a session keeps of the key: nothing that it could be recognized by. */
interface KeyHolder {
  caller: Caller
  mark: () => string
}

const NOT_KNOWN = 'the gateway does not know this key'
const STALE_RETRY_MS = 5_000
const keyIn = (authorization: string | undefined): string | undefined =>
  /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1]
const forEver = (): (() => void) => () => undefined

/** The checksum is in the key itself: that it is wrong says nothing of any other key. */
const unknown = (key: string): Problem => {
  const isMistyped = key.startsWith('tb_live_') && !isWellFormed(key)
  return new Problem('unauthenticated', isMistyped ? `${NOT_KNOWN}: it was cut off or mistyped` : NOT_KNOWN)
}

/** The same object for the same records, so that a request makes none. */
const createIssued = (
  ofConfiguration: ReadonlyMap<string, Client>,
  backends: Backends,
  storedOf: (id: string) => ClientRecord | undefined,
) => {
  const made = new WeakMap<KeyRecord, { of: object; client: Client }>()
  const visibleOf = ({ backends: allowed }: ClientRecord): Backends =>
    new Map([...backends].filter(([, one]) => isAllowed(allowed, one)))

  const fromStored = (of: ClientRecord) => ({
    id: of.id,
    visible: visibleOf(of),
    limits: of.limits,
    defaults: NO_DEFAULTS,
  })
  const from = (key: KeyRecord, of: Client | ClientRecord): Client => {
    const scopes = new Set(key.scopes)
    if ('visible' in of) return { ...of, scopes }
    return { ...fromStored(of), scopes }
  }
  return {
    /** A client of the configuration is before a stored one of the same id. */
    of: (key: KeyRecord, stored: ClientRecord | undefined): Client | null => {
      const of = ofConfiguration.get(key.client) ?? stored
      if (!of) return null
      const known = made.get(key)
      if (known?.of === of) return known.client
      const client = from(key, of)
      made.set(key, { of, client })
      return client
    },
    isConfigured: (id: string): boolean => ofConfiguration.has(id),
    byId: (id: string): Client | null => {
      const stored = storedOf(id)
      const isGone = !stored || stored.deletedAtMs !== null || stored.disabledAtMs !== null
      return ofConfiguration.get(id) ?? (isGone ? null : { ...fromStored(stored), scopes: new Set() })
    },
  }
}

/**
 * Knows who presents a key: one of the configuration, or an issued one. Costs the same for every key, known or not, and
 * reads no store.
 */
export const createClients = ({ configured, backends, access: { keyring, sessions }, clock }: ClientsDeps) => {
  const named = new Map(configured.map((one) => [keyring.nameOf(one.key), one]))
  const marked = new Map(configured.map((one) => [sessions.markOf(one.key), one]))
  const issued = createIssued(new Map(configured.map(({ client }) => [client.id, client])), backends, keyring.client)

  /** Why this key is no longer valid; null: it is. Shown to nobody who does not have it. */
  const refusalOf = (key: KeyRecord): string | null => {
    if (key.revokedAtMs !== null) return 'this key was revoked'
    if (hasEnded(key, clock.now()))
      return key.rotatedTo === null ? 'this key has expired' : 'this key was rotated: use the one that replaces it'
    if (issued.isConfigured(key.client)) return null
    const client = keyring.client(key.client)
    if (!client) return 'the client of this key is no longer in the configuration'
    if (client.deletedAtMs !== null) return 'the client of this key was deleted'
    return client.disabledAtMs === null ? null : 'the client of this key is disabled'
  }

  const callerOf = (key: KeyRecord): Caller => {
    const refusal = refusalOf(key)
    const client = issued.of(key, keyring.client(key.client))
    if (refusal !== null || !client) throw new Problem('unauthenticated', refusal ?? NOT_KNOWN)
    if (keyring.isStale()) {
      throw new Problem('store_unavailable', 'the gateway cannot check this key now: retry later', {
        retryAtMs: clock.now() + STALE_RETRY_MS,
      })
    }
    keyring.used(key.id)
    const now = (): KeyRecord => keyring.byId(key.id) ?? key
    const isOver = (): boolean => refusalOf(now()) !== null || keyring.isStale()
    return { client, keyId: key.id, hold: (end) => keyring.hold({ isOver, endsAtMs: () => now().expiresAtMs, end }) }
  }
  const ofConfiguration = ({ client, path }: ConfiguredKey): Caller => ({ client, keyId: path, hold: forEver })

  /** Throws as `authenticate` does. */
  const byKey = (key: string): KeyHolder => {
    const name = keyring.nameOf(key)
    const [own, record] = [named.get(name), keyring.find(name)]
    if (own) return { caller: ofConfiguration(own), mark: () => sessions.markOf(key) }
    if (!record) throw unknown(key)
    return { caller: callerOf(record), mark: () => record.id }
  }

  return {
    /** Whose limits count where nobody presents a key; null: there is no such client any more, or it is disabled. */
    byId: issued.byId,
    /** Whose request it is where a link stands in for a key: good for as long as there is this client. */
    byLink(id: string): Caller | null {
      const client = issued.byId(id)
      if (!client) return null
      const isOver = (): boolean => issued.byId(id) === null
      return { client, keyId: 'link', hold: (end) => keyring.hold({ isOver, endsAtMs: () => null, end }) }
    },

    /** Throws `unauthenticated`; `store_unavailable` while issued keys could not be read for too long. */
    authenticate(authorization: string | undefined): Caller {
      const key = keyIn(authorization)
      if (key === undefined) {
        throw new Problem('unauthenticated', 'send the header `Authorization: Bearer <gateway key>`')
      }
      return byKey(key).caller
    },
    byKey,
    /** Whose session it is: throws as `authenticate` does, once its key is no longer valid or is another client's. */
    bySession({ client, key }: Pick<SessionRecord, 'client' | 'key'>): Caller {
      const [own, record] = [marked.get(key), keyring.byId(key)]
      if (own?.client.id === client) return ofConfiguration(own)
      if (own || !record) throw new Problem('unauthenticated', 'the key of this session has ended: sign in again')
      return callerOf(record)
    },
    /** Whether a client of this id is in the configuration. */
    isConfigured: issued.isConfigured,
  }
}
export type Clients = ReturnType<typeof createClients>

const may = ({ scopes }: Client, scope: Scope): boolean => scopes.has(scope) || scopes.has('*')

/** Throws `insufficient_scope`, naming the scope that is missing. */
export const demand = (client: Client, scope: Scope): void => {
  if (may(client, scope)) return
  throw new Problem('insufficient_scope', `this key lacks the scope ${scope}`, { details: { scope } })
}
