import type { ClientRecord, KeyRecord, StoredKey } from '../access.ts'
import type { AuditAction, AuditEntry } from '../audit.ts'

/** Keys and clients as they shall be, each with the `change` that was read, and what is told of it. */
export interface AccessChange {
  keys: readonly KeyRecord[]
  clients: readonly ClientRecord[]
  audit: AuditEntry
}

export interface KeysQuery {
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

export interface PlacedEntry {
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
