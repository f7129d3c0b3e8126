import type { Puppet } from '../adapter.ts'
import type { IdemKey } from './videos.ts'
import type { Lease } from './work.ts'
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
  /** What it will be called, where that is ours to say; else null until the backend named it. */
  resource: string | null
}

export type Begun =
  /** `again`: an earlier attempt under this key may have been carried out, and its intent is the one that counts. */
  | { kind: 'begun'; lease: Lease; resource: string | null; again: boolean }
  | { kind: 'done'; intent: Intent }
  | { kind: 'running'; untilMs: number }
  | { kind: 'conflict' }

export type Made = { kind: 'upload'; record: UploadRecord } | { kind: 'puppet'; record: PuppetRecord }

/** A client's own counts of a calendar month (UTC); videos count for the month in which they were created. */
export interface MonthCounts {
  videos: Readonly<Record<Status, number>>
  creditsCharged: number
  requests: number
}

/** The part of `Store` about what is no video: creates under a key, what they made, and who did how much in a month. */
export interface ResourceStore {
  /**
   * D. Takes an idempotency key for one attempt, before a byte of it goes out; a lease that was given back or ran out
   * (a doubt, a crash) goes to the next who asks with the same fingerprint. A key is kept for 24 h.
   */
  begin(key: IdemKey, intent: Intent, leaseMs: number): Promise<Begun>
  /** D. What an attempt made, and its key if it had one, in one step: whoever learns of it, and however late. */
  made(made: Made, key: IdemKey | null): Promise<void>
  /** D. An attempt made nothing (`free`: the key is as if never used), or nobody knows (`doubt`). Only by the lease's holder. */
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
