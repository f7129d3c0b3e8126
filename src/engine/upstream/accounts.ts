import type { Adapter } from '../../core/adapter.ts'
import type { DriftView } from '../../core/api/resources.ts'
import type { AccountId, Capability } from '../../core/vocabulary.ts'

/** Interface, origin and key: what a job belongs to for ever. Its backends share its budget and slots. */
export interface Account {
  id: AccountId
  adapter: Adapter
  /** Its origin. Links that lead there need no vetting. */
  origin: string
  /** The names under which it is configured. */
  backends: readonly string[]
  /** What it sent that its adapter does not know, the latest first. */
  drift: () => Promise<DriftView[]>
  /** Capabilities that its key lacks the scope for, by its latest answers; null: none. */
  denied: () => readonly Capability[] | null
  /** Running jobs allowed; null: no limit known. */
  slots: number | null
  /** Holds until the backend's headers tell another limit. */
  requestsPerMinute: number
  /** How long one exchange with it may take, in milliseconds. */
  timeoutMs: number
  /** What may end a doubt where there are no idempotency keys (docs/engine.md, "How a doubt ends"). */
  evidence: {
    /** Nobody else creates on this account: a job that matches is ours. */
    exclusive: boolean
    /** Send once more what is proven absent. */
    resendWhenAbsent: boolean
    /** How long after the send deadline a list without the job proves that there is none. */
    absentAfterMs: number
  }
}

/** An account under a name of the operator's. */
export interface Backend {
  name: string
  /** Its key in the table of adapters: for people, never asked for. */
  interface: string
  account: Account
  /** Takes no new videos; those it has are followed to their end. */
  drain: boolean
}

export type Backends = ReadonlyMap<string, Backend>

/** How much longer a lease lives than the exchange that it covers. */
const LEASE_MARGIN_MS = 15_000
export const leaseMsOf = (account: Account): number => account.timeoutMs + LEASE_MARGIN_MS
