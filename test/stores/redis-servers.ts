import { Redis } from 'ioredis'
import { openKeys, ownRedis, redisUrl } from '../fakes/redis.ts'

export interface Keyspace {
  url: string
  prefix: string
  /** Beside those under test. */
  redis: Redis
  /** Removes what has the prefix, and nothing else. */
  empty(): Promise<void>
  close(): Promise<void>
}

const client = (url: string): Redis => new Redis(url).on('error', () => undefined)

/** A prefix of its own on the server that tests share. */
export const openKeyspace = (): Keyspace => {
  const { url, prefix, remove } = openKeys(redisUrl())
  const redis = client(url)
  return {
    url,
    prefix,
    redis,
    empty: remove,
    async close() {
      await remove()
      redis.disconnect()
    },
  }
}

export interface OwnRedis {
  url: string
  redis: Redis
  /** Kills it; what it held is gone. */
  stop(): Promise<void>
  start(): Promise<void>
  /** It keeps its connections and answers nothing. */
  freeze(): Promise<void>
  thaw(): void
  /** Stops it for good. */
  close(): Promise<void>
}

/** A server of a test's own, which it may kill. */
export const startRedis = async (): Promise<OwnRedis> => {
  const server = await ownRedis()
  const redis = client(server.url)
  let frozen: number | null = null
  const thaw = (): void => {
    if (frozen !== null) process.kill(frozen, 'SIGCONT')
    frozen = null
  }
  return {
    url: server.url,
    redis,
    stop: () => server.stop('kill'),
    start: () => server.start(),
    async freeze() {
      const [, pid] = /process_id:(\d+)/.exec(await redis.info('server')) ?? []
      frozen = Number(pid)
      process.kill(frozen, 'SIGSTOP')
    },
    thaw,
    async close() {
      thaw()
      redis.disconnect()
      await server.close()
    },
  }
}
