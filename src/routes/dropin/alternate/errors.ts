import { PROBLEMS, type Problem, type ProblemCode } from '../../../core/errors.ts'
import { inShapeOf, refusedBy } from '../translation.ts'
import { comeBack, type ErrorAnswer, type ErrorContext } from '../../middleware/view.ts'

/** The contract shows no error: HTTP's statuses, and plain words for what they do not tell. */
const CODES: Partial<Record<ProblemCode, { status?: number; code: string }>> = {
  invalid_json: { code: 'invalid_request' },
  invalid_cursor: { code: 'invalid_request' },
  idempotency_key_invalid: { code: 'invalid_request' },
  unauthenticated: { code: 'unauthorized' },
  insufficient_scope: { code: 'forbidden' },
  video_not_completed: { code: 'video_not_ready' },
  capability_not_supported: { status: 400, code: 'invalid_request' },
  webhook_url_not_allowed: { status: 400, code: 'invalid_request' },
  internal_error: { code: 'internal' },
  backend_credentials_rejected: { code: 'backend_error' },
  backend_unavailable: { code: 'temporarily_unavailable' },
  store_unavailable: { code: 'temporarily_unavailable' },
  shutting_down: { code: 'temporarily_unavailable' },
  queue_full: { code: 'temporarily_unavailable' },
}

/**
 * A problem as the backend answered it. The gateway's own problem has the shape of the backend's errors, if that is
 * known, else `{ error: { code, message } }`.
 */
export const alternateError = (problem: Problem, context: ErrorContext): ErrorAnswer => {
  const { code = problem.code, status = PROBLEMS[problem.code].status } = CODES[problem.code] ?? {}
  const { message } = problem
  const like = context.refusalOn('alternate')
  const back = comeBack(problem, context.clock)
  return {
    status,
    body: (like && inShapeOf(like, { status, code, message })) ?? { error: { code, message } },
    ...refusedBy('alternate', problem, context),
    type: 'application/json',
    headers: back ? { 'retry-after': String(back.seconds) } : {},
  }
}
