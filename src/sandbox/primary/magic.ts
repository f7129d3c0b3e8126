import { Refusal } from '../http/answer.ts'
import type { Scenario } from '../scenarios.ts'
import { hint, type World } from '../world.ts'

/** Refusals on demand that no state of the account explains (scenarios.ts). Throws 429, 502 or 503. */
export const refuseIfAsked = (world: World, scenarios: ReadonlySet<Scenario>): void => {
  const { codes, transientRetryMs } = world.decisions.primary
  if (scenarios.has('quota-exceeded'))
    throw new Refusal(429, { code: codes.quotaExceeded }, 'The monthly beta quota is exceeded.')
  const transient = { retryable: true, retryAfter: hint(world, transientRetryMs) }
  if (scenarios.has('asset-error'))
    throw new Refusal(502, { code: codes.assetFailed }, 'The asset could not be created.', transient)
  if (scenarios.has('unavailable'))
    throw new Refusal(503, { code: codes.unavailable }, 'The job counter is temporarily unavailable.', transient)
}
