import { fork, type ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Session, type Profiler } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { type Config, parseConfig } from '../src/config.ts'
import { createSystemClock } from '../src/core/time/clock.ts'
import { startGateway } from '../src/gateway.ts'
import { batchedTo, createLog } from '../src/log.ts'

/**
 * `npm run flow` counts, while they run, the files and functions of `src` that five requests pass in the main thread: a
 * reader of one of them has as many places to look at. The gateway is whole, with SQLite, and the sandbox is another process.
 */
const ROOT = join(import.meta.dirname, '..')
const SRC = pathToFileURL(join(ROOT, 'src')).href
const KEY = 'flow-key-of-twenty-characters'
/** `npm run flow -- create` also lists the files of that flow, `-- all` those of each. */
const LISTED = process.argv[2]

/** Several rounds of that timer, and much less than from one sweep to the next. */
const SPAN_MS = 200

export interface Flow {
  readonly name: string
  readonly files: readonly string[]
  readonly functions: number
}

const Addresses = z.object({ url: z.string(), key: z.string() })
const Sandbox = z.object({ primary: Addresses, alternate: Addresses })

const startSandbox = async (): Promise<{ child: ChildProcess; at: z.infer<typeof Sandbox> }> => {
  const ports = ['--primary-port', '0', '--alternate-port', '0', '--speed', '200', '--unlimited', '--json']
  const child = fork(join(ROOT, 'packages/sandbox/src/main.ts'), ports, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  if (!child.stdout) throw new Error('the sandbox has no output')
  const [line] = await once(child.stdout, 'data')
  return { child, at: Sandbox.parse(JSON.parse(String(line))) }
}

/** A receiver that resolves when a webhook came. */
const startReceiver = async (): Promise<{ url: string; received: Promise<void>; close(): void }> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      resolve()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return { url: `http://127.0.0.1:${address.port}`, received: promise, close: () => void server.close() }
}

/** The functions of `src` that ran since coverage was last taken, each with its file before it. */
const ranIn = ({ result }: Profiler.TakePreciseCoverageReturnType): Set<string> => {
  const scripts = result.filter(({ url }) => url.startsWith(SRC))
  const ran = scripts.flatMap(({ url, functions }) =>
    // The first function of a script is the script itself.
    functions.flatMap(({ functionName, ranges: [whole] }) =>
      whole && whole.count > 0 ? [`${url.slice(SRC.length + 1)}\n${functionName} ${whole.startOffset}`] : [],
    ),
  )
  return new Set(ran)
}

const flowOf = (name: string, functions: readonly string[]): Flow => {
  const files = new Set(functions.map((one) => one.split('\n', 1)[0] ?? ''))
  return { name, files: [...files].toSorted(), functions: functions.length }
}

const Created = z.object({ id: z.string() })

/** Runs the five requests, each after one of its kind that loads what is loaded late. */
export const countFlows = async (): Promise<Flow[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-flow-'))
  const { child, at } = await startSandbox()
  const receiver = await startReceiver()
  const configOf = (minInterval: string): Config => {
    const text = JSON.stringify({
      server: { port: 0 },
      store: { path: join(folder, 'talkbridge.db') },
      backends: {
        main: { interface: 'primary', base_url: at.primary.url, api_key: at.primary.key, slots: 20 },
        alt: { interface: 'alternate', base_url: at.alternate.url, api_key: at.alternate.key },
      },
      clients: [{ id: 'flow', key: KEY }],
      routing: { default: 'main', dropin: { primary: 'alt' } },
      engine: { poll: { min_interval: minInterval } },
      webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
    })
    const readFile = (): string => {
      throw new Error('this configuration names no file')
    }
    const parsed = parseConfig({ text, format: 'json', env: {}, readFile })
    if (!parsed.ok) throw new Error(parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
    return parsed.config
  }
  // No poll of another video runs beside what is counted.
  const config = configOf('10m')
  const gateway = await startGateway({
    config,
    clock: createSystemClock(),
    log: createLog({ ...config.log, level: 'error' }, batchedTo(2), false),
    secretKey: createHmac('sha256', 'flow').update('store').digest('base64'),
    random: Math.random,
    backendsAreLocal: true,
  })
  const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> => {
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: await response.json() }
  }
  const expectStatus = async (status: number, answer: ReturnType<typeof ask>): Promise<unknown> => {
    const { status: answered, json } = await answer
    if (answered !== status) throw new Error(`expected ${status}, got ${answered}: ${JSON.stringify(json)}`)
    return json
  }
  const video = (text: string, more: object = {}) =>
    ask('POST', '/unified/v1/videos', { image_url: 'https://example.com/anna.png', text, ...more })
  const create = async (more: object = {}): Promise<string> =>
    Created.parse(await expectStatus(202, video('Hello [[slow]]', more))).id

  const session = new Session()
  session.connect()
  try {
    session.post('Profiler.enable')
    const warm = await create()
    await expectStatus(200, ask('GET', `/unified/v1/videos/${warm}`))
    await expectStatus(200, ask('GET', `/api/v1/videos/${warm}`))
    await expectStatus(402, video('[[no-credits]]'))

    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    /** In a process's own session, the answer is there when the call returns. */
    const covered = (): Set<string> => {
      const taken: Set<string>[] = []
      session.post('Profiler.takePreciseCoverage', (error, found) => {
        if (error) throw error
        taken.push(ranIn(found))
      })
      const [ran] = taken
      if (!ran) throw new Error('the session answers later')
      return ran
    }
    /** What runs all the time, and on a busy machine in every flow: the timer that watches the event loop. */
    const always = async (): Promise<Set<string>> => {
      const spans: Set<string>[] = []
      covered()
      for (let n = 0; n < 3; n += 1) {
        await new Promise((resolve) => setTimeout(resolve, SPAN_MS))
        spans.push(covered())
      }
      return spans.reduce((both, span) => new Set([...both].filter((one) => span.has(one))))
    }
    const beside = await always()
    const take = (name: string): Flow =>
      flowOf(
        name,
        [...covered()].filter((one) => !beside.has(one)),
      )
    /** Up to the moment at which the answer is written: how soon its reader reads it depends on the machine. */
    const upToAnswer = async (name: string, work: () => Promise<unknown>): Promise<Flow> => {
      const flows: Flow[] = []
      const answered = (): void => void flows.push(take(name))
      take('before')
      subscribe('http.server.response.finish', answered)
      await work().finally(() => unsubscribe('http.server.response.finish', answered))
      const [flow] = flows
      if (!flow) throw new Error('nothing was answered')
      return flow
    }
    /** What runs beside it, such as a sweep, only adds: the files that each of five passes. */
    const common = async (name: string, work: () => Promise<unknown>): Promise<Flow> => {
      let least = await upToAnswer(name, work)
      for (let n = 1; n < 5; n += 1) {
        const { files, functions } = await upToAnswer(name, work)
        least = {
          name,
          files: least.files.filter((file) => files.includes(file)),
          functions: Math.min(least.functions, functions),
        }
      }
      return least
    }
    const created = await common('create', () => create())
    const read = await common('read', () => expectStatus(200, ask('GET', `/unified/v1/videos/${warm}`)))
    const dropin = await common('drop-in read', () => expectStatus(200, ask('GET', `/api/v1/videos/${warm}`)))
    const refused = await common('refused create', () => expectStatus(402, video('[[no-credits]]')))
    await gateway.reload(configOf('1s'))
    const webhook = { webhook_url: receiver.url, webhook_events: ['video.completed'] }
    await expectStatus(202, video('Hello.', webhook))
    take('its create')
    await receiver.received
    const polled = take('poll to webhook')
    return [created, read, polled, dropin, refused]
  } finally {
    session.disconnect()
    await gateway.close()
    receiver.close()
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const flows = await countFlows()
  for (const { name, files, functions } of flows) {
    process.stdout.write(
      `${name.padEnd(16)} ${String(files.length).padStart(4)} files ${String(functions).padStart(5)} functions\n`,
    )
    if (LISTED === name || LISTED === 'all') process.stdout.write(files.map((file) => `  src/${file}\n`).join(''))
  }
}
