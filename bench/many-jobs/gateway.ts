import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { said } from '../said.ts'
import type { Installed } from './installed.ts'
import type { Reading } from './meter.ts'

/** An installed gateway in a process of its own, over the store in `folder`. */
export interface Gateway {
  url: string
  /** From the start of the process to its first `200` at `/readyz`. */
  readyMs: number
  read(): Promise<Reading>
  kill(): Promise<void>
  stop(): Promise<void>
}

export const CLIENT = 'client-0'
export const KEY = 'tb_bench_client-0_0123456789abcdef0123456789abcdef'

export interface Upstream {
  url: string
  /** What is sent before the backend told of its limit. */
  requestsPerMinute: number
  minInterval?: string
}

/** What an operator would write. */
export const configOf = (folder: string, { url, requestsPerMinute, minInterval = '1s' }: Upstream) => ({
  server: { port: 0 },
  store: { path: join(folder, 'talkbridge.db') },
  engine: { queue_limit: 1_000_000, poll: { min_interval: minInterval } },
  backends: {
    main: {
      interface: 'primary',
      base_url: url,
      api_key: 'upstream_0123456789abcdef',
      slots: 10_000,
      requests_per_minute: requestsPerMinute,
    },
  },
  clients: [{ id: CLIENT, key: KEY, limits: { requests_per_minute: 1_000_000, queued_videos: 1_000_000 } }],
  routing: { default: 'main' },
})

/** The address is in its log. */
const served = async (log: string, child: ChildProcess): Promise<string> => {
  for (;;) {
    const text = await readFile(log, 'utf8')
    const url = /"url":"([^"]+)"/.exec(text)?.[1]
    if (url !== undefined) return url
    if (child.exitCode !== null) throw new Error(`the gateway did not serve: ${text}`)
    await pause(5)
  }
}

const ready = async (url: string): Promise<void> => {
  for (;;) {
    const { statusCode, body } = await request(`${url}/readyz`)
    await body.dump()
    if (statusCode === 200) return
    await pause(5)
  }
}

export interface Start {
  folder: string
  upstream: Upstream
  /** Whether to measure how long the main thread is held, which costs it a timer every millisecond. */
  beats?: boolean
  nodeOptions?: readonly string[]
}

export const startGateway = async ({ main, meter }: Installed, start: Start): Promise<Gateway> => {
  const { folder, upstream, beats = false, nodeOptions = [] } = start
  const config = join(folder, 'gateway.json')
  await writeFile(config, JSON.stringify(configOf(folder, upstream)), { mode: 0o600 })
  const logFile = join(folder, 'log')
  const log = await open(logFile, 'w')
  const begunAt = performance.now()
  const child = fork(main, ['serve', '--config', config], {
    execArgv: ['--import', meter, ...nodeOptions],
    env: { ...process.env, BENCH_BEAT: beats ? '1' : '0' },
    stdio: ['ignore', log.fd, 'inherit', 'ipc'],
  })
  await log.close()
  const url = await served(logFile, child)
  await ready(url)
  const readyMs = performance.now() - begunAt
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return {
    url,
    readyMs,
    async read() {
      const reading = said(child)
      child.send('read')
      return (await reading) as Reading
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
