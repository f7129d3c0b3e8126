import { iso, type Clock, type NewId } from './clock.ts'
import type { Blobs, Links } from './files.ts'
import type { Decisions } from './undecided.ts'
import type { Faults, Ledger } from './faults.ts'
import { phaseOf, type Phase } from './jobs.ts'
import type { Rates } from './keys.ts'
import type { Job, State } from './state.ts'
import type { Hint } from './http/answer.ts'

/** What every part of the sandbox works with; put together once, in build.ts. */
export interface World {
  readonly clock: Clock
  readonly decisions: Decisions
  /** Divides job durations, rate windows, hints and expiries. */
  readonly speed: number
  /** `credits` lifts all that a month sells: credits, voice characters, uploads, and the storage. */
  readonly unlimited: { readonly credits: boolean; readonly slots: boolean }
  /** Name of the decisions, for those who ask. */
  readonly variant: string
  readonly state: State
  readonly newId: NewId
  /** Seeded: the durations of a run can be repeated. */
  readonly random: () => number
  readonly rates: Rates
  readonly ledger: Ledger
  readonly faults: Faults
  readonly links: Links
  readonly blobs: Blobs
  /** Aborts when the sandbox is closed: whatever waits, stops. */
  readonly closing: AbortSignal
}

/** The moment `ms` of service time from now. */
export const after = (world: Pick<World, 'clock' | 'speed'>, ms: number): number => world.clock.now() + ms / world.speed

/** A wait of `ms` of service time as a hint: whole seconds, at least 1, and the moment they end. */
export const hint = (world: Pick<World, 'clock' | 'speed'>, ms: number): Hint => {
  const seconds = Math.max(1, Math.ceil(ms / world.speed / 1000))
  return { seconds, atMs: world.clock.now() + seconds * 1000 }
}

/** The job's phase by the sandbox's clock. */
export const phaseNow = ({ clock, decisions }: World, job: Job): Phase =>
  phaseOf(job, clock.now(), decisions.timing.stuckProgress)

/** How tests prove what was asked and paid: `GET /sandbox/ledger` and `Sandbox.ledger()`. */
export const ledgerView = (world: World) => ({
  ...world.ledger.view(),
  jobs: world.state.jobs.values().map((job) => ({
    id: job.id,
    interface: job.interface,
    key_id: job.keyId,
    account: job.account,
    status: phaseNow(world, job).status,
    created_at: iso(job.createdAtMs),
    ends_at: job.endsAtMs === null ? null : iso(job.endsAtMs),
  })),
  charges: world.state.charges.values().map((charge) => ({
    job_id: charge.jobId,
    key_id: charge.keyId,
    account: charge.account,
    credits: charge.credits,
    at: iso(charge.atMs),
  })),
})
export type LedgerView = ReturnType<typeof ledgerView>
