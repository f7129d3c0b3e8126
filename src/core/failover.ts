import type { BackendProblem } from './adapter.ts'
import type { FailoverReason } from './vocabulary.ts'

/** What becomes of a first attempt that is surely not taken, for no fault of the request. */
export interface Otherwise {
  /** Refused for one of these, nothing is left here: it is tried elsewhere. */
  movesOn: readonly FailoverReason[]
  /** It waits for a backend that is down. */
  waitsWhenDown: boolean
}

/** A refusal is the client's to hear. */
export const NOWHERE_ELSE: Otherwise = { movesOn: [], waitsWhenDown: false }

/** What a definite refusal says about the backend; null: it is about the request. */
export const reasonOf = ({ code }: Pick<BackendProblem, 'code'>): FailoverReason | null => {
  switch (code) {
    case 'backend_unavailable':
    case 'backend_credentials_rejected':
      return 'down'
    case 'concurrency_limit_reached':
      return 'no_slot'
    case 'rate_limited':
      return 'no_budget'
    case 'insufficient_credits':
    case 'quota_exceeded':
      return 'no_credits'
    default:
      return null
  }
}
