import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import {
  createRates,
  createStreamPlaces,
  RATE_WINDOW_MS,
  type Rates,
  type StreamPlaces,
} from '../../core/limits/rates.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { RedisClient } from './client.ts'
import type { Connections } from './connect.ts'

interface LimitsDeps {
  connections: Connections
  prefix: string
  clock: Clock
}

/**
 * The window of `createRates`, by the server's time: it slides by a sixtieth, and what is refused is not counted. The
 * library's own begins with the first request and ends as a whole. One hash a client: what was taken by slot.
 *
 * Takes `ARGV[1]` in a window of `ARGV[2]` seconds if no more than `ARGV[3]` are taken then. Answers what is taken, or
 * more than `ARGV[3]` if it refused; and in how many milliseconds there is room for another.
 */
const SLIDING = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = ARGV[2] * 1000
local limit = tonumber(ARGV[3])
local points = tonumber(ARGV[1])
local slot = math.floor(now * 60 / window)
local found = redis.call('HGETALL', KEYS[1])
local used = 0
local counts = {}
for i = 1, #found, 2 do
  local at, n = tonumber(found[i]), tonumber(found[i + 1])
  if math.abs(slot - at) >= 60 then
    redis.call('HDEL', KEYS[1], found[i])
  else
    used = used + n
    counts[#counts + 1] = { at, n }
  end
end
local refused = used + points > limit
if not refused then
  redis.call('HINCRBY', KEYS[1], slot, points)
  redis.call('PEXPIRE', KEYS[1], 2 * window)
  used = used + points
  counts[#counts + 1] = { slot, points }
end
table.sort(counts, function(a, b) return a[1] < b[1] end)
local left = used
local free = slot
for i = 1, #counts do
  left = left - counts[i][2]
  free = counts[i][1]
  if left < limit and (not counts[i + 1] or counts[i + 1][1] > free) then break end
end
local wait = math.max(0, math.ceil((free + 60) * window / 60) - now)
return { refused and limit + 1 or used, wait }
`

/** More than anybody takes: never refuses. */
const UNLIMITED = 2 ** 31

/**
 * Counts for all processes in Redis. While Redis is away or slow, each process counts for itself, and continues from
 * what it let through before.
 */
export const createRedisRates = (
  { connections, prefix, clock }: LimitsDeps,
  windowMs: number = RATE_WINDOW_MS,
): Rates => {
  const own = createRates(clock, windowMs)
  /** By limit: the limits of a configuration are few. */
  const limiters = new Map<number, RateLimiterRedis>()
  const limiterOf = (points: number): RateLimiterRedis => {
    const known = limiters.get(points)
    if (known) return known
    const limiter = new RateLimiterRedis({
      storeClient: connections.commands,
      rejectIfRedisNotReady: true,
      keyPrefix: `${prefix}:rate:${windowMs / 1_000}`,
      points,
      duration: windowMs / 1_000,
      customIncrTtlLuaScript: SLIDING,
    })
    limiters.set(points, limiter)
    return limiter
  }
  const unlimited = limiterOf(UNLIMITED)

  /** Null: Redis did not answer. */
  const consume = (client: string, limit: number): Promise<{ ok: boolean; res: RateLimiterRes } | null> =>
    connections.ask('rates', async () => {
      try {
        return { ok: true, res: await limiterOf(limit).consume(client) }
      } catch (error) {
        if (error instanceof RateLimiterRes) return { ok: false, res: error }
        throw error
      }
    })

  return {
    async take(client, limit) {
      const asked = await consume(client, limit)
      if (!asked) return own.take(client, limit)
      if (asked.ok) await own.add(client, 1)
      const { remainingPoints: remaining, msBeforeNext } = asked.res
      return { ok: asked.ok, limit, remaining, resetAtMs: clock.now() + msBeforeNext }
    },
    async add(client, count) {
      await own.add(client, count)
      if (count > 0) await connections.ask('rates', () => unlimited.penalty(client, count))
    },
  }
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
 * Places as leases in Redis, one count for all processes. While Redis is away each process counts its own; what it
 * holds is put into Redis when that is back.
 */
export const createRedisPlaces = ({
  connections,
  prefix,
  clock,
  randomId,
}: LimitsDeps & { randomId: () => string }) => {
  const own = createStreamPlaces()
  const held = new Map<string, Set<string>>()
  const keyOf = (client: string): string => `${prefix}:streams:${client}`
  const ask = (work: (redis: RedisClient) => Promise<unknown>): Promise<unknown> => connections.ask('streams', work)
  let cancel = (): void => undefined

  const renew = async (client: string, places: readonly string[]): Promise<void> => {
    for (let from = 0; from < places.length; from += RENEWED_AT_ONCE) {
      const some = places.slice(from, from + RENEWED_AT_ONCE)
      await ask((redis) => redis.eval(RENEW, 1, keyOf(client), LEASE_MS, ...some))
      // Given back meanwhile: the renewal may have come after that.
      const gone = some.filter((place) => held.get(client)?.has(place) !== true)
      if (gone.length > 0) await ask((redis) => redis.zrem(keyOf(client), ...gone))
    }
  }
  const renewAll = (): void => {
    for (const [client, places] of held) void renew(client, [...places])
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
      void ask((redis) => redis.zrem(keyOf(client), place))
    }
  }

  const places: StreamPlaces = {
    async take(client, limit) {
      const giveBackOwn = await own.take(client, limit)
      if (!giveBackOwn) return null
      const place = randomId()
      const taken = await ask((redis) => redis.eval(TAKE, 1, keyOf(client), LEASE_MS, limit, place))
      // Null: without an answer its own count decides.
      if (taken !== 0) return hold(client, place, giveBackOwn)
      giveBackOwn()
      return null
    },
  }

  connections.onUp(renewAll)
  tick()
  return { places, close: () => cancel() }
}
