import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { commandPath, freePort, ownServer, serverFolder, startDaemon, type OwnServer } from './daemon.ts'
import { HANG_MS } from './until.ts'

/** The server that tests have keys of their own on. */
export const REDIS_VARIABLE = 'TALKBRIDGE_TEST_REDIS'
const USUAL = 'redis://127.0.0.1:6379/0'

export const redisUrl = (env: NodeJS.ProcessEnv = process.env): string => env[REDIS_VARIABLE] || USUAL

/** One connection for one piece of work; rejects at once where nobody answers. */
export const withRedis = async <T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: HANG_MS,
    commandTimeout: HANG_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

/** Why it is of no use; null: it answers. Names no password. */
export const redisFault = async (url: string): Promise<string | null> => {
  try {
    await withRedis(url, (redis) => redis.ping())
    return null
  } catch (error) {
    return error instanceof Error ? error.message || error.name : 'it cannot be reached'
  }
}

/** How many commands it has carried out, those inside of scripts too; without what a connection or this question needs. */
export const commandsOf = (url: string): Promise<number> =>
  withRedis(url, async (redis) => {
    const lines = (await redis.info('commandstats')).matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)
    return [...lines]
      .filter(([, name = '']) => !/^(info|hello|client|ping)/.test(name))
      .reduce((sum, [, , calls]) => sum + Number(calls), 0)
  })

export interface TestKeys {
  url: string
  /** What all keys of the test begin with. */
  prefix: string
  remove(): Promise<void>
}

/** Keys under a random prefix. */
export const openKeys = (url = redisUrl()): TestKeys => {
  const prefix = `test-${randomBytes(8).toString('hex')}`
  return {
    url,
    prefix,
    remove: () =>
      withRedis(url, async (redis) => {
        for await (const keys of redis.scanStream({ match: `*${prefix}*`, count: 1_000 }) as AsyncIterable<string[]>)
          if (keys.length > 0) await redis.unlink(...keys)
      }),
  }
}

/** Why none can be started; null: one can. */
export const ownRedisFault = (env: NodeJS.ProcessEnv = process.env): string | null =>
  commandPath('redis-server', env) === null ? 'there is no redis-server on the PATH' : null

/**
 * A server of its own, which keeps nothing on a disk: what it held is gone when it was stopped. `more`: arguments, by the
 * server's folder. Close it.
 */
export const ownRedis = async (more: (folder: string) => readonly string[] = () => []): Promise<OwnServer> => {
  const command = commandPath('redis-server')
  if (command === null) throw new Error(String(ownRedisFault()))
  const folder = serverFolder(null)
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}/0`
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...more(folder)]
  return ownServer({
    url,
    folder,
    launch: () => startDaemon(command, [...args, '--maxmemory-policy', 'noeviction'], { user: null, cwd: folder }),
    answers: async () => (await redisFault(url)) === null,
    fast: 'SIGTERM',
    notYet: /Address already in use/,
  })
}
