import type { Tally } from '../../core/tally.ts'
import type { RedisPlace } from './client.ts'
import { createConnections, within } from './connect.ts'
import { createRedisPlaces, createRedisRates } from './limits.ts'
import { createRedisWake, type RedisWakeDeps } from './wake.ts'

export interface RedisOptions extends Pick<
  RedisWakeDeps,
  'prefix' | 'clock' | 'log' | 'local' | 'watch' | 'makeWorker'
> {
  place: RedisPlace
  tally: Pick<Tally, 'count' | 'set'>
  /** Unlike any other, in this process and elsewhere. */
  randomId: () => string
}

/** The first requests are counted with the others', if Redis is there. */
const FIRST_TRY_MS = 1_000

/**
 * What many processes share beside the store. Nothing waits for Redis but the start, for a second at most: without it
 * each process continues by itself. Rejects only as `createClients` throws.
 */
export const openRedis = async (options: RedisOptions) => {
  const connections = createConnections(options)
  const wake = createRedisWake({ ...options, connections, process: options.randomId() })
  const { places, close: closePlaces } = createRedisPlaces({ ...options, connections })
  await within(FIRST_TRY_MS, connections.tried)
  return {
    wake,
    /** A count of its own for each length of the window. */
    rates: (windowMs?: number) => createRedisRates({ ...options, connections }, windowMs),
    streamPlaces: places,
    /** Whether Redis is there now. */
    isUp: connections.isUp,
    /** Ends within two seconds or so, whatever state Redis is in. Never rejects. */
    async close(): Promise<void> {
      closePlaces()
      await wake.close()
      connections.close()
    },
  }
}
export type RedisDriver = Awaited<ReturnType<typeof openRedis>>
