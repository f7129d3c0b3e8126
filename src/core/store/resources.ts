import type { Puppet } from '../adapter.ts'
import type { IdemKey } from './videos.ts'
import type { Lease } from './deliveries.ts'
import type { UploadRecord } from '../uploads.ts'
import type { AccountId, Status } from '../vocabulary.ts'

/** A saved portrait that a client created through the gateway: it alone may delete it. */
export interface PuppetRecord {
  client: string
  account: AccountId
  /** As its backend answered the create. */
  puppet: Puppet
}

/** What a create under an idempotency key is about to ask for. */
export interface Intent {
  account: AccountId
  backend: string
  /** Its id, if we choose it; else null until the backend named it. */
  resource: string | null
}

export type Begun =
  /** `again`: an earlier attempt under this key may have made something, and its intent counts. */
  | { kind: 'begun'; lease: Lease; resource: string | null; again: boolean }
  | { kind: 'done'; intent: Intent }
  | { kind: 'running'; untilMs: number }
  | { kind: 'conflict' }

export type Made = { kind: 'upload'; record: UploadRecord } | { kind: 'puppet'; record: PuppetRecord }

/** A client's own counts of a calendar month (UTC). A video counts in the month of its creation. */
export interface MonthCounts {
  videos: Readonly<Record<Status, number>>
  creditsCharged: number
  requests: number
}

/** The part of `Store` about what is no video: creates under a key, what they made, and counts by month. */
export interface ResourceStore {
  /**
   * D. Leases an idempotency key for one attempt, before a byte of it goes out. After a doubt or a crash, the next
   * request with the same fingerprint gets the lease. A key is kept for 24 h.
   */
  begin(key: IdemKey, intent: Intent, leaseMs: number): Promise<Begun>
  /** D. Stores what an attempt made, with its key if it had one. Needs no lease: it may come late. */
  made(made: Made, key: IdemKey | null): Promise<void>
  /** D. The attempt made nothing (`free`: the key is free again), or nobody knows (`doubt`). Needs the lease. */
  unmade(key: IdemKey, lease: Lease, outcome: 'free' | 'doubt'): Promise<void>
  /** D. The puppet is gone. */
  forgetPuppet(account: AccountId, id: string): Promise<void>
  /** Adds to what is counted of a month (`2026-11`). */
  countRequests(month: string, counts: Readonly<Record<string, number>>): Promise<void>
  /** Removes up to `limit` keys that are past their time and up to `limit` uploads made before `beforeMs`. */
  purgeResources(beforeMs: number, limit: number): Promise<number>

  // Reads, each indexed.
  /** What this key was used for last, whatever the fingerprint. */
  intentOf(key: IdemKey): Promise<Intent | null>
  puppetMade(account: AccountId, id: string): Promise<PuppetRecord | null>
  uploadOf(client: string, id: string): Promise<UploadRecord | null>
  /** The upload under this URL (less query and fragment): the client's own before another's, the latest first. */
  uploadAt(client: string, unsignedUrl: string): Promise<UploadRecord | null>
  /** `atMs`: any moment of the month. */
  monthOf(client: string, atMs: number): Promise<MonthCounts>
}
