import { Refusal } from '../http/answer.ts'
import type { Scenario } from '../scenarios.ts'
import { hint, type World } from '../world.ts'

/** Refusals on demand that no state of the account explains (scenarios.ts). Throws 429, 502 or 503. */
export const refuseIfAsked = (world: World, scenarios: ReadonlySet<Scenario>): void => {
  const { codes, transientRetryMs } = world.decisions.primary
  if (scenarios.has('quota-exceeded')) {
    const message = 'The monthly beta quota is exceeded.'
    throw new Refusal({ status: 429, reason: { code: codes.quotaExceeded }, message })
  }
  const transient = { retryable: true, retryAfter: hint(world, transientRetryMs) }
  if (scenarios.has('asset-error')) {
    const message = 'The asset could not be created.'
    throw new Refusal({ status: 502, reason: { code: codes.assetFailed }, message, ...transient })
  }
  if (scenarios.has('unavailable')) {
    const message = 'The job counter is temporarily unavailable.'
    throw new Refusal({ status: 503, reason: { code: codes.unavailable }, message, ...transient })
  }
}
