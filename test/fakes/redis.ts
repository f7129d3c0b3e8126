import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { until } from './until.ts'

const USUAL = 'redis://127.0.0.1:6379'
const HOW = 'start one (docker run --rm -p 6379:6379 redis:7), or name one in TALKBRIDGE_TEST_REDIS'

/** A connection that fails at once without a server. */
const client = (url: string): Redis => {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2_000 })
  return redis.on('error', () => undefined)
}

/** Whether a server answers there. */
const answers = async (url: string): Promise<boolean> => {
  const redis = client(url)
  try {
    await redis.connect()
    return (await redis.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}

/**
 * A Redis for tests that share it; null without one: skip, which this says aloud. Throws where `CI` is set. Call at the
 * top of a file, with `describe.skipIf`.
 */
export const testRedis = async (): Promise<string | null> => {
  const url = process.env['TALKBRIDGE_TEST_REDIS'] ?? USUAL
  if (await answers(url)) return url
  if (process.env['CI']) throw new Error(`these tests need a Redis: ${HOW}`)
  process.stderr.write(`SKIPPED: no Redis answers, and these tests need one: ${HOW}\n`)
  return null
}

export interface Keyspace {
  url: string
  prefix: string
  redis: Redis
  /** Removes what has the prefix, and nothing else. */
  empty(): Promise<void>
  close(): Promise<void>
}

/** A prefix of its own on a server, and a connection beside those under test. */
export const openKeyspace = async (url: string): Promise<Keyspace> => {
  const prefix = `test-${randomUUID()}`
  const redis = client(url)
  await redis.connect()
  const empty = async (): Promise<void> => {
    for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 1_000 }))
      if (Array.isArray(keys) && keys.length > 0) await redis.del(...keys.map(String))
  }
  return {
    url,
    prefix,
    redis,
    empty,
    async close() {
      await empty()
      redis.disconnect()
    },
  }
}

export interface OwnRedis {
  url: string
  /** Kills it; what it held is gone. */
  stop(): Promise<void>
  start(): Promise<void>
  /** It keeps its connections and answers nothing. */
  freeze(): void
  thaw(): void
  /** Stops it for good. */
  close(): Promise<void>
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A server of a test's own, which it may kill: `redis-server` must be in the path. It writes nothing to a disk. */
export const startRedis = async (): Promise<OwnRedis> => {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let server: ChildProcess | null = null
  const start = async (): Promise<void> => {
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no']
    server = spawn('redis-server', flags, { stdio: 'ignore' })
    await once(server, 'spawn')
    await until(() => answers(url))
  }
  const stop = async (): Promise<void> => {
    const stopped = server
    server = null
    if (!stopped) return
    const exited = once(stopped, 'exit')
    stopped.kill('SIGKILL')
    await exited
  }
  await start()
  return {
    url,
    stop,
    start,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    async close() {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}
