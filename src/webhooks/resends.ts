import type { Clock } from '../core/time/clock.ts'
import { MAX_RESENT_AN_HOUR } from '../core/endpoints.ts'
import { Problem } from '../core/errors.ts'
import { createRates } from '../core/limits/rates.ts'
import { createInTurn } from '../core/turns.ts'

const HOUR_MS = 3_600_000

/**
 * What clients may have sent once more. A call is taken while any of the hour's deliveries is left, and then costs as many
 * as it makes; so each client's calls go one after the other, or many at once would all be taken for the first.
 */
export const createResends = (clock: Clock, limit = MAX_RESENT_AN_HOUR) => {
  const rates = createRates(clock, HOUR_MS)
  const inTurn = createInTurn()

  const counted = async <T>(client: string, call: () => Promise<T>, costOf: (made: T) => number): Promise<T> => {
    const taken = await rates.take(client, limit)
    if (!taken.ok) {
      const message = `you may have ${limit} deliveries sent once more in an hour: wait, or ask for fewer`
      throw new Problem('rate_limited', message, {
        retryAtMs: taken.resetAtMs,
        details: { deliveries_an_hour: limit },
      })
    }
    const made = await call()
    await rates.add(client, Math.max(0, costOf(made) - 1))
    return made
  }

  return <T>(client: string, call: () => Promise<T>, costOf: (made: T) => number): Promise<T> =>
    inTurn(client, () => counted(client, call, costOf))
}
export type Resends = ReturnType<typeof createResends>
