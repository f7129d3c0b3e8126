import { createClients, type RedisClient, type RedisPlace } from './client.ts'

/** What a check of the server says. */
export interface RedisFacts {
  version: string
  role: string
  /** Null: it does not tell. */
  evicts: string | null
  /** Of memory that is in use, where there is a limit; otherwise null. */
  usedShare: number | null
  /** Of one question. */
  tookMs: number
}

const fieldsOf = (info: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    info.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : []
    }),
  )

const TRIES = 3

const look = async (redis: RedisClient): Promise<RedisFacts> => {
  await redis.connect()
  // The quickest of a few questions: a process that was held up says nothing of the server.
  let tookMs = Infinity
  for (let n = 0; n < TRIES; n += 1) {
    const beganMs = performance.now()
    await redis.ping()
    tookMs = Math.min(tookMs, performance.now() - beganMs)
  }
  const fields = fieldsOf(await redis.info())
  const limit = Number(fields['maxmemory'] ?? 0)
  return {
    version: fields['redis_version'] ?? 'unknown',
    role: fields['role'] ?? 'unknown',
    evicts: fields['maxmemory_policy'] ?? null,
    usedShare: limit > 0 ? Number(fields['used_memory'] ?? 0) / limit : null,
    tookMs,
  }
}

/** One connection, which only asks. Rejects as the library does, or with what the connection met. */
export const inspectRedis = async (
  place: RedisPlace,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<RedisFacts> => {
  const redis = createClients(place)({
    lazyConnect: true,
    connectTimeout: limitMs,
    commandTimeout: limitMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let met: unknown = null
  redis.on('error', (error: unknown) => (met ??= error))
  // The library's own first question waits for ever.
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const late = new Promise<never>((_, reject) => {
    limited.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true })
  })
  try {
    return await Promise.race([look(redis), late])
  } catch (error) {
    // The library says that the connection is closed; it reported before why.
    throw met ?? error
  } finally {
    redis.disconnect()
  }
}
