import type { Server } from 'node:http'
import { seededRandom } from './random.ts'
import { HANG_MS } from './until.ts'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import supertest from 'supertest'
import { expect, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { parseConfig, type Config } from '../../src/config.ts'
import { createSystemClock, type ProcessClock } from '../../src/core/time/clock.ts'
import type { Store } from '../../src/core/store/index.ts'
import { buildDeps, type Deps } from '../../src/deps.ts'
import { startGateway, type Gateway, type GatewayOptions as StartOptions } from '../../src/gateway.ts'
import type { Lookup } from '../../src/http/guard.ts'
import { createLog } from '../../src/log.ts'
import { createGatewayServer } from '../../src/server.ts'
import { startBackend, type ScriptedBackend } from './backend.ts'
import { undocumented, watched } from './documented.ts'
import { layEmptyStore } from './empty-store.ts'
import { temporaryFolder } from './folder.ts'

/** Two clients with every right, by the names of their keys. */
export const KEYS = { anna: 'tb_anna_0123456789abcdef', bert: 'tb_bert_0123456789abcdef' } as const
export const BACKEND_KEYS = { main: 'upstream_main_0123456789', alt: 'upstream_alt_0123456789' } as const
export const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

type Section = Record<string, unknown>

export interface ConfigDraft {
  server?: Section
  /** Over the defaults of each backend; and others. */
  backends?: Record<string, Section>
  clients?: Section[]
  engine?: Section
  webhooks?: Section
  aliases?: Section
  /** Beside `default: main`. */
  routing?: Section
  dropin?: Section
  metrics?: Section
  tracing?: Section
  console?: Section
}

/** The file that an operator would write for these two backends, read by the reader that reads theirs. */
export const gatewayConfig = (
  dir: string,
  urls: Record<'main' | 'alt', string>,
  {
    server,
    backends,
    clients,
    engine,
    webhooks,
    aliases,
    routing,
    dropin,
    metrics,
    tracing,
    console: page,
  }: ConfigDraft = {},
): Config => {
  const defaults = { timeout: '5s', slots: null, requests_per_minute: 100_000 }
  const { main: _main, alt: _alt, ...others } = backends ?? {}
  const document = {
    server: { port: 0, ...server },
    store: { path: join(dir, 'talkbridge.db') },
    backends: {
      main: {
        interface: 'primary',
        base_url: urls.main,
        api_key: BACKEND_KEYS.main,
        ...defaults,
        ...backends?.['main'],
      },
      alt: { interface: 'alternate', base_url: urls.alt, api_key: BACKEND_KEYS.alt, ...defaults, ...backends?.['alt'] },
      ...others,
    },
    // They ask far faster than life, too. A draft that says no scopes gets every right.
    clients: (
      clients ?? Object.entries(KEYS).map(([id, key]) => ({ id, key, limits: { requests_per_minute: 1_000_000 } }))
    ).map((client) => ({ scopes: ['*'], ...client })),
    routing: { default: 'main', ...routing },
    dropin: { ...dropin },
    metrics: { ...metrics },
    console: { ...page },
    // Test backends run far faster than life.
    engine: { poll: { min_interval: '10ms' }, ...engine },
    webhooks: { ...webhooks },
    aliases: { ...aliases },
    tracing: { ...tracing },
  }
  const readFile = (): string => {
    throw new Error('this configuration names no file')
  }
  const parsed = parseConfig({ text: JSON.stringify(document), format: 'json', env: {}, readFile })
  if (parsed.ok) return parsed.config
  throw new Error(parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
}

export { temporaryFolder }

/** The real log of level `info`, as lines. */
const createLines = () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  return { lines, log: createLog({ level: 'info', format: 'json' }, destination, false) }
}

export interface GatewayOptions extends ConfigDraft {
  clock?: ProcessClock
  /** Kept when the gateway closes; default: one of its own, removed. */
  dir?: string
  /** Runs the pump and the sender; without, only requests make anything happen. */
  runsEngine?: boolean
  /** `null`: kept in a file beside the store. */
  secretKey?: string | null
  wrapStore?: (store: Store) => Store
  /** Of the names that clients give. */
  lookup?: Lookup
  consoleParts?: Deps['console']
  /** The backends answer otherwise than their contracts: what is relayed is in no document. */
  isBeyondContract?: true
}

export interface TestApp {
  deps: Deps
  /** Where it listens. */
  url: string
  main: ScriptedBackend
  alt: ScriptedBackend
  dir: string
  /** Everything that was logged. */
  logs: string[]
  /** Every request that either backend received. */
  upstream(): number
  /** Speaks as anna. */
  get(path: string): supertest.Test
  post(body: unknown, headers?: Record<string, string>): supertest.Test
  /** Speaks with no key. */
  raw: ReturnType<typeof supertest>
  /** Fails if any answer, to whomever, was not as the OpenAPI document says. */
  close(): Promise<void>
}

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const shut = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

export const bearer = (key: string): { authorization: string } => ({ authorization: `Bearer ${key}` })

/** The app over a real store in a folder of its own and two scripted backends. */
export const openApp = async (options: GatewayOptions = {}): Promise<TestApp> => {
  const { clock = createSystemClock(), runsEngine = false, secretKey = SECRET_KEY, wrapStore, lookup } = options
  const dir = options.dir ?? (await temporaryFolder())
  const [main, alt] = await Promise.all([startBackend(), startBackend()])
  const { lines, log } = createLines()
  const config = gatewayConfig(dir, { main: main.url, alt: alt.url }, options)
  layEmptyStore(config.store.path)
  const putAway = async (): Promise<void> => {
    await Promise.all([main.close(), alt.close()])
    if (options.dir === undefined) await rm(dir, { recursive: true, force: true })
  }
  const building = buildDeps({
    config,
    clock,
    log,
    secretKey,
    random: seededRandom(1),
    ...(wrapStore && { wrapStore }),
    ...(lookup && { lookup }),
    ...(options.consoleParts && { console: options.consoleParts }),
  })
  const deps = await building.catch(async (error: unknown) => {
    await putAway()
    throw error
  })
  const surprises: string[] = []
  const listener = watched(buildApp(deps), (seen) => {
    const test = expect.getState().currentTestName ?? ''
    if (!options.isBeyondContract) surprises.push(...undocumented(seen).map((fault) => `${test}\n  ${fault}`))
  })
  // While it stops, a silent connection is closed after a moment: on a busy machine one whose request is on its way, too.
  const silentTimeoutMs = HANG_MS
  const { server } = createGatewayServer({ ...deps, handle: listener, stopping: deps.stopping.signal, silentTimeoutMs })
  const url = await listen(server)
  deps.origin.url = url
  await deps.routing.load()
  if (runsEngine) {
    deps.videos.start()
    deps.sender.start()
  }
  const raw = supertest(url)
  return {
    deps,
    url,
    main,
    alt,
    dir,
    logs: lines,
    upstream: () => main.requests.length + alt.requests.length,
    get: (path) => raw.get(`/unified/v1${path}`).set(bearer(KEYS.anna)),
    post: (body, headers = {}) =>
      raw
        .post('/unified/v1/videos')
        .set({ ...bearer(KEYS.anna), 'content-type': 'application/json', ...headers })
        .send(typeof body === 'string' ? body : JSON.stringify(body)),
    raw,
    async close() {
      deps.stopping.abort()
      await shut(server)
      // Before the engine: it waits for what is under way, and a backend that hangs would keep it waiting.
      await Promise.all([main.close(), alt.close()])
      await Promise.all([deps.videos.stop(), deps.sender.stop()])
      await deps.lifecycle.close()
      if (options.dir === undefined) await rm(dir, { recursive: true, force: true })
      if (surprises.length > 0)
        throw new Error(`answers that the OpenAPI document does not describe:\n${surprises.join('\n')}`)
    },
  }
}

/** As `openApp`, closed when the test ends. */
export const testApp = async (options: GatewayOptions = {}): Promise<TestApp> => {
  const app = await openApp(options)
  onTestFinished(() => app.close())
  return app
}

export interface RunningGateway {
  gateway: Gateway
  logs: string[]
}

/** The whole gateway as `talkbridge serve` runs it, in front of backends of this machine. */
export const runGateway = async (
  config: Config,
  options: Partial<
    Pick<
      StartOptions,
      'clock' | 'headersTimeoutMs' | 'requestTimeoutMs' | 'stalledTimeoutMs' | 'silentTimeoutMs' | 'backendsAreLocal'
    >
  > = {},
): Promise<RunningGateway> => {
  const { lines, log } = createLines()
  const gateway = await startGateway({
    clock: createSystemClock(),
    backendsAreLocal: true,
    // Connections that `fetch` keeps would hold up every stop.
    silentTimeoutMs: 0,
    ...options,
    config,
    log,
    secretKey: SECRET_KEY,
    random: seededRandom(1),
  })
  return { gateway, logs: lines }
}
