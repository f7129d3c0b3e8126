import { MAX_RESENT_AN_HOUR } from '../core/endpoints.ts'
import { Problem } from '../core/errors.ts'
import type { Rates } from '../core/limits/rates.ts'
import { createInTurn } from '../core/time/clock.ts'

/** The window of the rates that count them. */
export const RESEND_WINDOW_MS = 3_600_000

/**
 * Limits what clients may have sent once more. A call is accepted while any of the hour's deliveries is left, and then
 * costs as many as it makes. Calls of one client run one after the other, or many at once would all be accepted. Where
 * processes share the count, each may accept one call for the last that is left.
 */
export const createResends = (rates: Rates, limit = MAX_RESENT_AN_HOUR) => {
  const inTurn = createInTurn()

  const counted = async <T>(client: string, call: () => Promise<T>, costOf: (made: T) => number): Promise<T> => {
    const taken = await rates.take(client, limit)
    if (!taken.ok) {
      const message = `you may resend ${limit} deliveries in an hour: wait, or resend fewer`
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
