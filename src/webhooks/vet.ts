import type { Clock } from '../core/time/clock.ts'
import { fieldProblem } from '../core/errors.ts'
import { boundedLookup, vetTarget, type GuardPolicy, type Lookup } from '../http/guard.ts'

/** How long a create waits for the resolver to vet its `webhook_url`. */
const VET_TIMEOUT_MS = 5_000

/** Throws `invalid_request` or `webhook_url_not_allowed` if events may not be sent there, by what is known now. */
export const createVetWebhookUrl = (policy: GuardPolicy, clock: Clock, resolve: Lookup) => {
  const lookup = boundedLookup(resolve, clock, VET_TIMEOUT_MS)
  return async (url: string, field = 'webhook_url'): Promise<void> => {
    const verdict = await vetTarget(url, policy, lookup)
    if (verdict.ok) return
    const code = verdict.code === 'invalid' ? 'invalid_request' : 'webhook_url_not_allowed'
    throw fieldProblem(code, field, verdict.message)
  }
}
