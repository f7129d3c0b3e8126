import { z } from 'zod'
import type { BackendProblem } from '../../core/adapter.ts'
import type { ProblemCode } from '../../core/errors.ts'
import type { Account } from './accounts.ts'

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

/**
 * The account's health after one outcome; null: unchanged. A refused key makes it `down` until a call succeeds. A
 * missing scope makes it `degraded`, and so does a fault.
 */
export const healthAfter = (
  before: Health,
  problem: BackendProblem | undefined,
  { denied }: Account,
): Pick<Health, 'status' | 'reason'> | null => {
  if (!problem) return denied() === null ? { status: 'up', reason: null } : UNSCOPED
  if (isKeyRefused(before)) return null
  switch (problem.code) {
    case 'backend_credentials_rejected':
      return problem.backendError.status === 403 ? UNSCOPED : { status: 'down', reason: problem.code }
    case 'backend_unavailable':
      return { status: problem.backendError.status === null ? 'down' : 'degraded', reason: problem.code }
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
