import type { AuditAction, AuditEntry, ClientRecord, KeyRecord, SessionRecord, StoredKey } from '../access.ts'

/** Keys and clients as they shall be, each with the `change` that was read, and what is told of it. */
export interface AccessChange {
  keys: readonly KeyRecord[]
  clients: readonly ClientRecord[]
  audit: AuditEntry
}

interface KeysQuery {
  /** Null: of all. */
  client: string | null
  /** Exclusive, newest first; null: from the newest. */
  before: string | null
  limit: number
}

export interface AuditQuery {
  actor: string | null
  action: AuditAction | null
  subject: string | null
  /** Null: as long as there are any. */
  sinceMs: number | null
  /** The place of an entry, exclusive, newest first; null: from the newest. */
  before: number | null
  limit: number
}

interface PlacedEntry {
  place: number
  entry: AuditEntry
}

/** The part of `Store` about issued keys, clients beside those of the configuration, and the audit log. */
export interface AccessStore {
  /**
   * D. Writes all of them, or nothing (null) if one is not as it was read. Answers the new `change` of each, keys first.
   */
  changeAccess(change: AccessChange): Promise<number[] | null>
  /** When keys were last used; losing it costs only that. */
  keysUsed(uses: readonly { id: string; atMs: number }[]): Promise<void>
  /** Removes up to `limit` keys that ended before `beforeMs`. */
  purgeKeys(beforeMs: number, limit: number): Promise<number>
  /** Removes up to `limit` audit entries from before `beforeMs`. */
  purgeAudit(beforeMs: number, limit: number): Promise<number>

  // Reads, each indexed.
  /** A page of the keys written after a change, in the order of writing. Fewer than `limit`: there are no more. */
  keysSince(change: number, limit: number): Promise<StoredKey[]>
  clientsSince(change: number, limit: number): Promise<ClientRecord[]>
  keyOf(id: string): Promise<StoredKey | null>
  /** A deleted one, too. */
  clientOf(id: string): Promise<ClientRecord | null>
  /** Newest first. */
  keys(query: KeysQuery): Promise<StoredKey[]>
  /** Newest first. */
  audit(query: AuditQuery): Promise<PlacedEntry[]>
  /** Newest first. */
  auditOf(subject: string, limit: number): Promise<AuditEntry[]>
}

/** The part of `Store` about who signed in to the console. */
export interface SessionStore {
  /** D. Keeps it; of its client only the newest `most`. */
  beginSession(session: SessionRecord, most: number): Promise<void>
  /** Unless it was seen later already; nothing if it has ended. */
  sessionSeen(id: string, seenAtMs: number, endsAtMs: number): Promise<void>
  /** D. False: there is none. */
  endSession(id: string): Promise<boolean>
  /** Removes up to `limit` that were over before `beforeMs`. */
  purgeSessions(beforeMs: number, limit: number): Promise<number>

  // Indexed.
  /** Those that there are, over or not, in no order. */
  sessions(ids: readonly string[]): Promise<SessionRecord[]>
}
