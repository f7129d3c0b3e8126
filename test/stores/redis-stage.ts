import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Log } from '../../src/core/log.ts'
import { createTally, type RecordedTally } from '../fakes/tally.ts'
import { createSystemClock, type Clock } from '../../src/core/time/clock.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { openRedis, type RedisDriver, type RedisOptions } from '../../src/stores/redis/index.ts'
import type { RedisPlace } from '../../src/stores/redis/client.ts'
import { until } from '../fakes/until.ts'

export interface OpenedDriver {
  driver: RedisDriver
  clock: Clock
  tally: RecordedTally
  /** What was logged: level, message and fields. */
  lines: string[]
}

/** `redis` of a configuration that names only these. */
export const placeOf = (given: Partial<RedisPlace>): RedisPlace => ({
  url: null,
  sentinels: null,
  master: null,
  cluster: null,
  username: null,
  password_file: null,
  tls: null,
  ...given,
})

type DriverOptions = Partial<Omit<RedisOptions, 'place'>> & Pick<RedisOptions, 'prefix'> & Partial<RedisPlace>

/** What one process has of Redis. */
export const openDriver = async (options: DriverOptions): Promise<OpenedDriver> => {
  const clock = options.clock ?? createSystemClock()
  const tally = createTally()
  const lines: string[] = []
  const line =
    (level: string): Log['info'] =>
    (fields, message) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const log = { info: line('info'), warn: line('warn'), error: line('error') }
  const local = createLocalWake(clock)
  const place = placeOf(Object.fromEntries(Object.entries(options).filter(([key]) => key in placeOf({}))))
  const driver = await openRedis({ ...options, place, clock, log, tally, local, randomId: randomUUID })
  return { driver, clock, tally, lines }
}

/** Resolves when these, all that use the prefix, can hear each other. */
export const connected = async (redis: Redis, prefix: string, drivers: readonly RedisDriver[]): Promise<void> => {
  const channel = `${prefix}:wake`
  await until(async () => {
    const [, listening] = await redis.pubsub('NUMSUB', channel)
    return drivers.every(({ isUp }) => isUp()) && Number(listening) === drivers.length
  })
}

/** What was not answered, or not in time, so far. */
export const failuresOf = (processes: readonly OpenedDriver[]): string =>
  JSON.stringify(processes.map(({ tally }) => tally.counts('redis_failed', 'redis_lost')))
