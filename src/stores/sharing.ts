import { randomUUID } from 'node:crypto'
import { createRates, type Rates } from '../core/limits/rates.ts'
import { createStreamPlaces, type StreamPlaces } from '../core/limits/stream-places.ts'
import type { Log } from '../core/log.ts'
import type { Tally } from '../core/tally.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Wake } from '../core/wake.ts'
import { createLocalWake } from './local-wake.ts'

/** What processes tell each other beside the store, and may lose. */
export interface Sharing {
  wake: Wake
  /** A count of its own for each length of the window. */
  rates: (windowMs?: number) => Rates
  streamPlaces: StreamPlaces
  close(): Promise<void>
}

/** In Redis, for all processes; or in memory, for this one. Rejects only if `url` is no URL. */
export const openSharing = async (
  { url, prefix }: { url: string | null; prefix: string },
  { clock, log, tally }: { clock: Clock; log: Log; tally: Tally },
): Promise<Sharing> => {
  const wake = createLocalWake(clock)
  if (url !== null) {
    // Loaded only where it is used: it is as large as the rest of the gateway.
    const { openRedis } = await import('./redis/index.ts')
    return openRedis({ url, prefix, clock, log, tally, local: wake, randomId: randomUUID })
  }
  return {
    wake,
    rates: (windowMs) => createRates(clock, windowMs),
    streamPlaces: createStreamPlaces(),
    close: () => wake.close(),
  }
}
