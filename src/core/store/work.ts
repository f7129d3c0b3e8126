/** A right to act on one piece of work until `untilMs` by the store's clock. A successor waits for its expiry. */
export interface Lease {
  id: string
  token: string
  untilMs: number
}

/**
 * `account`: one leased holder per account decides its dispatches and polls. `deliver`: one delivery. `transfer`: one
 * video's audio on its way to its backend. `maintain`: upkeep of the store.
 */
export type WorkKind = 'account' | 'deliver' | 'transfer' | 'maintain'

/** The part of `Store` about who does what: leases, and what a process learned. */
export interface WorkStore {
  /** Accounts with open videos. */
  openAccounts(limit: number): Promise<string[]>
  /** Leases the work to one caller for `leaseMs`; null if it is not due, already leased or done. */
  claim(kind: WorkKind, id: string, leaseMs: number): Promise<Lease | null>
  /** Prolongs a lease that is still the caller's; false if it is not. */
  extend(kind: WorkKind, lease: Lease, leaseMs: number): Promise<boolean>
  /** Gives a lease back, if it is still the caller's. */
  release(kind: WorkKind, lease: Lease): Promise<void>
  /** What was learned of a backend's durations for a source (`main/text`), oldest first, in milliseconds; empty when nothing was. */
  durations(source: string): Promise<readonly number[]>
  /** Keeps what was learned, in place of what was; losing it costs only learning. */
  keepDurations(source: string, recent: readonly number[]): Promise<void>
}
