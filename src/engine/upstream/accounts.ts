import { z } from 'zod'
import type { Adapter, BackendProblem } from '../../core/adapter.ts'
import type { DriftView } from '../../core/api/videos.ts'
import type { Pause, PausedWork } from '../../core/store/accounts.ts'
import type { AccountId, Capability } from '../../core/vocabulary.ts'
import { noBackend, type ProblemCode } from '../../core/errors.ts'

/** What operators paused of an account, as this process knows it. */
export interface AccountPauses {
  /** Null: nothing is paused. */
  inForce(): Pause | null
  isPaused(work: PausedWork): boolean
  /** No such work goes out before; 0: it may go now; `Infinity`: when somebody resumes it. */
  untilMs(work: PausedWork): number
  /** For how long such work was paused since then. That is nothing's age. */
  pausedMs(work: PausedWork, sinceMs: number): number
  /** The time from which as long has passed, without pauses, as since `atMs` with them. */
  before(work: PausedWork, atMs: number): number
}

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
  paused: AccountPauses
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
    /** Send again what is proven absent. */
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
  /** What it is a member of; null: no pool. */
  pool: Pool | null
}

/** Accounts of one interface under one name (docs/pools.md). */
export interface Pool {
  name: string
  /** Names of backends, each of another account. */
  members: readonly string[]
}

/** In the order of the configuration; or, of each pool, the members with most room first (routing/pools.ts). */
export type Backends = ReadonlyMap<string, Backend>

/** What a name represents: a backend, or the members of a pool, as far as they are among these; empty: neither. */
export const namedBy = (name: string, backends: Backends): Backend[] => {
  const one = backends.get(name)
  return one ? [one] : [...backends.values()].filter(({ pool }) => pool?.name === name)
}

/**
 * The names under which its videos are recorded: its own, or those of a pool's members. Who reads what was recorded may
 * name one that is gone.
 */
export const namesUnder = (name: string, backends: Backends): string[] => {
  const names = namedBy(name, backends).map((one) => one.name)
  return names.length > 0 ? names : [name]
}

/** Why a name represents no single one of these, in words. */
export const noSingle = (name: string, visible: Backends): string => {
  const members = namedBy(name, visible).map((one) => one.name)
  return members.length > 0
    ? `${name} is a pool: name one of its members, ${members.join(', ')}`
    : noBackend(name, visible.keys())
}

/** Every name by which these may be given, a pool before its members. */
export const allNames = (backends: Backends): string[] => [
  ...new Set([...backends.values()].flatMap(({ name, pool }) => (pool === null ? [name] : [pool.name, name]))),
]

/** How much longer a lease lives than the exchange that it covers. */
const LEASE_MARGIN_MS = 15_000
export const leaseMsOf = (account: Account): number => account.timeoutMs + LEASE_MARGIN_MS

export const HealthFact = z.strictObject({
  status: z.enum(['up', 'degraded', 'down']),
  sinceMs: z.number().nullable(),
  reason: z.string().nullable(),
})
export type Health = z.infer<typeof HealthFact>
export const UP: Health = { status: 'up', sinceMs: null, reason: null }

export const isKeyRefused = ({ status, reason }: Pick<Health, 'status' | 'reason'>): boolean =>
  status === 'down' && reason === 'backend_credentials_rejected'
const UNSCOPED = { status: 'degraded', reason: 'backend_credentials_rejected' } as const
/** Of nothing but 503: a part that is away would have let another call succeed by then. */
const DOWN_AFTER_MS = 60_000

/**
 * The account's health after one outcome; null: unchanged. A refused key makes it `down` until a call succeeds, and so
 * does nothing but 503 for a minute. A missing scope makes it `degraded`, and so does a fault.
 */
export const healthAfter = (
  before: Health,
  problem: BackendProblem | undefined,
  { denied }: Account,
  nowMs: number,
): Pick<Health, 'status' | 'reason'> | null => {
  if (!problem) return denied() === null ? { status: 'up', reason: null } : UNSCOPED
  if (isKeyRefused(before)) return null
  switch (problem.code) {
    case 'backend_credentials_rejected':
      return problem.backendError.status === 403 ? UNSCOPED : { status: 'down', reason: problem.code }
    case 'backend_unavailable': {
      const isOver = before.reason === problem.code && nowMs - (before.sinceMs ?? nowMs) >= DOWN_AFTER_MS
      return { status: problem.backendError.status === null || isOver ? 'down' : 'degraded', reason: problem.code }
    }
    case 'backend_error':
    case 'backend_timeout':
      return { status: 'degraded', reason: problem.code }
    default:
      // A refusal of the request says nothing about the account: only a success ends a fault.
      return null
  }
}

/** Codes of a request without an answer. Any other code without a status was found in a good answer. */
const OF_SILENCE: readonly ProblemCode[] = ['backend_unavailable', 'backend_timeout', 'backend_error']

/**
 * Whether the backend itself answered. A refusal in the contract's form counts; silence or a bare 5xx of a proxy does
 * not.
 */
export const spoke = (problem: BackendProblem | undefined): boolean => {
  if (!problem) return true
  const { status, code } = problem.backendError
  return status === null ? !OF_SILENCE.includes(problem.code) : status < 500 || code !== null
}
