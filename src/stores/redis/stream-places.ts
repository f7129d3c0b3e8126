import { createStreamPlaces, type StreamPlaces } from '../../core/limits/stream-places.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Connections } from './connect.ts'

export interface RedisPlacesDeps {
  connections: Connections
  prefix: string
  clock: Clock
  randomId: () => string
}

/** The places of a process that died are free after this. */
const LEASE_MS = 45_000
const RENEW_EVERY_MS = 15_000
/** Of one client in one command. */
const RENEWED_AT_ONCE = 1_000

/** Takes a place (`ARGV[3]`) if fewer than `ARGV[2]` are taken; all by the server's time. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`

/** Prolongs places, or takes them again: Redis may have been emptied, or away when they were taken. */
const RENEW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`

/**
 * Places as leases in Redis, one count for all processes. While Redis is away each process counts its own; what it holds
 * is put into Redis when that is back.
 */
export const createRedisPlaces = ({ connections, prefix, clock, randomId }: RedisPlacesDeps) => {
  const { commands } = connections
  const own = createStreamPlaces()
  const held = new Map<string, Set<string>>()
  const keyOf = (client: string): string => `${prefix}:streams:${client}`
  const failed = (error: unknown): void => connections.failed('streams', error)
  let cancel = (): void => undefined

  const renew = async (client: string, places: readonly string[]): Promise<void> => {
    for (let from = 0; from < places.length; from += RENEWED_AT_ONCE) {
      const some = places.slice(from, from + RENEWED_AT_ONCE)
      await commands.eval(RENEW, 1, keyOf(client), LEASE_MS, ...some)
      // Given back meanwhile: the renewal may have come after that.
      const gone = some.filter((place) => held.get(client)?.has(place) !== true)
      if (gone.length > 0) await commands.zrem(keyOf(client), ...gone)
    }
  }
  const renewAll = (): void => {
    if (!connections.isUp()) return
    for (const [client, places] of held) renew(client, [...places]).catch(failed)
  }
  const tick = (): void => {
    cancel = clock.at(clock.now() + RENEW_EVERY_MS, () => {
      renewAll()
      tick()
    })
  }

  const hold = (client: string, place: string, giveBackOwn: () => void): (() => void) => {
    const places = held.get(client) ?? new Set()
    held.set(client, places.add(place))
    return () => {
      giveBackOwn()
      places.delete(place)
      if (places.size === 0 && held.get(client) === places) held.delete(client)
      if (connections.isUp()) commands.zrem(keyOf(client), place).catch(failed)
    }
  }

  const places: StreamPlaces = {
    async take(client, limit) {
      const giveBackOwn = await own.take(client, limit)
      if (!giveBackOwn) return null
      const place = randomId()
      const taken = await commands.eval(TAKE, 1, keyOf(client), LEASE_MS, limit, place).catch((error: unknown) => {
        failed(error)
        return 1
      })
      if (taken === 1) return hold(client, place, giveBackOwn)
      giveBackOwn()
      return null
    },
  }

  connections.onUp(renewAll)
  tick()
  return { places, close: () => cancel() }
}
