/** A right to act on one piece of work until `untilMs` by the store's clock. A successor waits for its expiry. */
export interface Lease {
  id: string
  token: string
  untilMs: number
}

/**
 * `account`: one leased holder per account decides its dispatches and polls. `deliver`: one delivery. `transfer`: one
 * video's audio on its way to its backend. `maintain`: upkeep of the store, and
 * what one process at a time should ask of a backend.
 */
export type WorkKind = 'account' | 'deliver' | 'transfer' | 'maintain'

/** Who has a lease. */
export interface Holder {
  id: string
  /** As the caller named itself. */
  holder: string
  untilMs: number
}

/** The part of `Store` about who does what: leases, and what a process learned. */
export interface WorkStore {
  /** Accounts with open videos. */
  openAccounts(limit: number): Promise<string[]>
  /**
   * Leases the work to one caller for `leaseMs`; null if it is not due, already leased or done. `holder`: who that is,
   * for `holders`.
   */
  claim(kind: WorkKind, id: string, leaseMs: number, holder?: string | null): Promise<Lease | null>
  /** Prolongs a lease that is still the caller's; false if it is not. */
  extend(kind: WorkKind, lease: Lease, leaseMs: number): Promise<boolean>
  /** Gives a lease back, if it is still the caller's. */
  release(kind: WorkKind, lease: Lease): Promise<void>
  /** Work of a kind that is leased now to callers who said who they are. Not for `deliver`. */
  holders(kind: Exclude<WorkKind, 'deliver'>): Promise<Holder[]>
  /** What was learned of a backend's durations for a source (`main/text`), oldest first, in milliseconds; empty when nothing was. */
  durations(source: string): Promise<readonly number[]>
  /** Keeps what was learned, in place of what was; losing it costs only learning. */
  keepDurations(source: string, recent: readonly number[]): Promise<void>
  /** Adds what was learned to what was, of which the latest `most` are kept; losing it costs only learning. */
  addDurations(source: string, measured: readonly number[], most: number): Promise<void>
}
