import type { Operation } from '../http/call.ts'
import type { World } from '../world.ts'
import { CREDITS_PER_MONTH, creditsLeft, readinessOf, spentBy } from './account.ts'
import { hintHeaders } from './dialect.ts'

/** getDeveloperApiUsage (primary, "GET /api/v1/usage"): read-only; hints only while the slots are full. */
export const usageOperations = (world: World): Operation[] => [
  {
    method: 'get',
    path: '/api/v1/usage',
    name: 'getDeveloperApiUsage',
    scope: 'videos:read',
    run: ({ key }) => {
      const { wait, fields } = readinessOf(world, key.account)
      const { credits, month } = spentBy(world, key.account)
      const body = world.decisions.primary.usage({
        balance: creditsLeft(world, key.account),
        included: CREDITS_PER_MONTH,
        purchased: 0,
        usedThisMonth: credits,
        month,
        checkoutAvailable: false,
        packs: world.decisions.primary.creditPacks,
        readiness: fields,
      })
      return { status: 200, body, ...(wait && { headers: hintHeaders(wait) }) }
    },
  },
]
