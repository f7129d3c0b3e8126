import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../test/fakes/daemon.ts'

/** From the start of the process: of the clock, and of all its threads and its kernel time. */
export interface Start {
  wallMs: number
  cpuMs: number
}

/** `first`: no code of the gateway is compiled yet. `later`: that of the start before is kept. */
export const KINDS = ['node', 'express', 'first', 'later'] as const
export type Starts = Readonly<Record<(typeof KINDS)[number], readonly Start[]>>

/** What is started: the reference, and the command. */
export interface Subject {
  express: string
  talkbridge: string
}

const ASK_AGAIN_MS = 5
/** Of `/proc/PID/stat`, which counts in hundredths of a second. */
const TICK_MS = 10

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 200))
    }).on('error', () => resolve(false))
  })

const cpuMsOf = (pid: number | undefined): number => {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/)
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

const configOf = (folder: string, port: number): string =>
  JSON.stringify({
    server: { port },
    store: { path: join(folder, 'talkbridge.db') },
    backends: { main: { interface: 'primary', base_url: 'http://127.0.0.1:9', api_key: 'upstream_0123456789abcdef' } },
    clients: [{ id: 'anna', key: 'tb_bench_0123456789abcdef' }],
    routing: { default: 'main' },
  })

const startServer = async (args: readonly string[], env: Record<string, string>, port: number): Promise<Start> => {
  const before = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  const ended = once(child, 'exit')
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`a server of the benchmark ended by itself: ${child.exitCode}`)
    await sleep(ASK_AGAIN_MS)
  }
  const start = { wallMs: performance.now() - before, cpuMs: cpuMsOf(child.pid) }
  // As it is stopped in life: it writes down what it compiled.
  child.kill('SIGTERM')
  await ended
  return start
}

/** Node alone tells its own time, as nobody can ask it after its end. */
const startNode = async (): Promise<Start> => {
  const before = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, ['-p', 'JSON.stringify(process.cpuUsage())'])
  const { user, system } = JSON.parse(stdout) as NodeJS.CpuUsage
  return { wallMs: performance.now() - before, cpuMs: (user + system) / 1_000 }
}

/** Every kind once in each round, in turn. A start has a new, empty store. */
export const measureStarts = async ({ express, talkbridge }: Subject, rounds: number): Promise<Starts> => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-starts-'))
  const port = await freePort()
  const gateway = async (name: string, cache: string): Promise<Start> => {
    const own = join(folder, name)
    mkdirSync(own)
    writeFileSync(join(own, 'gateway.json'), configOf(own, port))
    const args = [talkbridge, 'serve', '--config', join(own, 'gateway.json')]
    return startServer(args, { XDG_CACHE_HOME: cache }, port)
  }
  const starts: Record<(typeof KINDS)[number], Start[]> = { node: [], express: [], first: [], later: [] }
  try {
    for (let round = 0; round < rounds; round += 1) {
      const cache = join(folder, `cache-${round}`)
      starts.node.push(await startNode())
      starts.express.push(await startServer([express], { PORT: String(port) }, port))
      starts.first.push(await gateway(`first-${round}`, cache))
      starts.later.push(await gateway(`later-${round}`, cache))
    }
    return starts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
