import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { createRates, RATE_WINDOW_MS, type Rates } from '../../core/limits/rates.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Connections } from './connect.ts'

export interface RedisRatesDeps {
  connections: Pick<Connections, 'commands' | 'failed'>
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
 * Counts for all processes in Redis. While Redis is away or slow, each process counts for itself, and goes on from what
 * it let through before.
 */
export const createRedisRates = (
  { connections, prefix, clock }: RedisRatesDeps,
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
  const consume = async (client: string, limit: number): Promise<{ ok: boolean; res: RateLimiterRes } | null> => {
    try {
      return { ok: true, res: await limiterOf(limit).consume(client) }
    } catch (error) {
      if (error instanceof RateLimiterRes) return { ok: false, res: error }
      connections.failed('rates', error)
      return null
    }
  }

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
      if (count > 0) await unlimited.penalty(client, count).catch((error) => connections.failed('rates', error))
    },
  }
}
