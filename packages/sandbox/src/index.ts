import { randomBytes } from 'node:crypto'
import {
  createCallbacks,
  type Callbacks,
  catalogOperations,
  findVoice as findAlternateVoice,
  alternateDialect,
  videoOperations as alternateVideos,
} from './alternate/videos.ts'
import { createIds, isVirtual, type Clock, iso } from './clock.ts'
import { createFaults, createLedger, Fault } from './faults.ts'
import {
  createLinks,
  openBlobs,
  ALTERNATE_KEY,
  DEFAULT_ACCOUNT,
  PRIMARY_KEY,
  seedKeys,
  createRates,
  openDatabase,
  openState,
  type State,
  Interface,
  issueKey,
  SCOPES,
} from './state.ts'
import { seeded, ledgerView, type LedgerView, type World, SCENARIOS } from './world.ts'
import {
  seedPuppets,
  puppetOperations,
  findVoice as findPrimaryVoice,
  voiceOperations,
  usageOperations,
} from './primary/catalog.ts'
import { type Decisions, type VariantName, VARIANTS } from './undecided.ts'
import { createServer, type Server } from 'node:http'
import express, {
  type ErrorRequestHandler,
  type Express,
  Router,
  type RequestHandler,
  json,
  type Response,
} from 'express'
import { invalid, Refusal, declined, mount, recorded, type Dialect, type Operation } from './http.ts'
import { mediaRoutes, noted } from './media/media.ts'
import { alternateDocument, primaryDocument } from './openapi.ts'
import { primaryDialect, createOnce } from './primary/dialect.ts'
import { hostingRoutes, speechOperations, uploadOperations } from './primary/audio.ts'
import { jobOperations, videoOperations as primaryVideos } from './primary/videos.ts'
import { z } from 'zod'

export { SCENARIOS, type LedgerView } from './world.ts'
export { isVariant, STANDARD, VARIANTS, type Decisions, type VariantName } from './undecided.ts'
export { systemClock, virtualClock, type Clock, type VirtualClock } from './clock.ts'

/** Finished jobs of the primary's first key, made by nobody's request: one to import, and that of an example. */
const SAMPLES = ['api_video_sample', 'api_video_7Hq2']

const AGE_MS = 24 * 3_600_000

const seedJob = (state: State, nowMs: number, id: string): void => {
  if (state.jobs.get(id)) return
  const madeAtMs = nowMs - AGE_MS
  state.jobs.put(id, {
    id,
    interface: 'primary',
    keyId: 'key_primary',
    account: DEFAULT_ACCOUNT,
    createdAtMs: madeAtMs,
    startsAtMs: madeAtMs,
    endsAtMs: madeAtMs,
    outcome: 'completed',
    resolution: '720p',
    speechSeconds: 3,
    voiceId: 'sandbox-en-us-ava',
    imageUrl: 'https://example.com/anna.png',
    puppetId: null,
    origin: '',
    failingReads: null,
    creditsRemaining: null,
    callback: null,
  })
}

const seedSampleJobs = (state: State, nowMs: number): void => {
  for (const sample of SAMPLES) seedJob(state, nowMs, sample)
}

/** Puts together what every part of the sandbox works with. Throws when `speed` or the data folder cannot be. */
const createWorld = (options: SandboxOptions, closing: AbortSignal): World => {
  const { clock, speed = 10, seed = 1, variant = 'standard', dataDir = null } = options
  if (!(speed > 0)) throw new RangeError('speed must be more than 0.')
  const decisions = options.decisions ?? VARIANTS[variant].decisions
  const state = openState(openDatabase(dataDir))
  seedKeys(state)
  seedPuppets(state, clock.now(), decisions.primary.puppetIdPrefix)
  if (options.sampleJobs) seedSampleJobs(state, clock.now())
  return {
    clock,
    decisions,
    variant: options.decisions ? 'custom' : variant,
    speed,
    unlimited: { credits: options.unlimitedCredits ?? false, slots: options.unlimitedSlots ?? false },
    state,
    blobs: openBlobs(dataDir),
    newId: createIds(clock, options.random),
    random: seeded(seed),
    rates: createRates(clock, 60_000 / speed, options.unlimitedRate ?? false),
    ledger: createLedger(),
    faults: createFaults(),
    links: createLinks(linkSecret(state)),
    closing,
  }
}

/** Kept with the state: links signed before a restart stay good. */
const linkSecret = (state: State): string => {
  const kept = state.facts.get('links')?.value
  if (kept !== undefined) return kept
  const value = randomBytes(32).toString('base64url')
  state.facts.put('links', { value })
  return value
}

export interface Sandbox {
  readonly primaryUrl: string
  readonly alternateUrl: string
  readonly primaryKey: typeof PRIMARY_KEY
  readonly alternateKey: typeof ALTERNATE_KEY
  /** What `GET /sandbox/ledger` answers. */
  ledger(): LedgerView
  /** Stops both servers, open connections and waiting callbacks included. Calling it again changes nothing. */
  close(): Promise<void>
}

/** Starts a stand-in for both services: two HTTP servers that share nothing with the gateway. */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const closing = new AbortController()
  const world = createWorld(options, closing.signal)
  const callbacks = createCallbacks(world)
  const services = servicesOf(world, callbacks)
  const servers: Listening[] = []
  const shut = async (): Promise<void> => {
    closing.abort()
    await Promise.all(servers.map((server) => server.close()))
    await callbacks.idle()
    world.state.close()
    world.blobs.close()
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= shut())
  try {
    await restoreClock(world)
    const { host = '127.0.0.1', primaryPort = 0, alternatePort = 0 } = options
    const primary = await listen(serviceApp(world, services.primary, services), host, primaryPort)
    servers.push(primary)
    const alternate = await listen(serviceApp(world, services.alternate, services), host, alternatePort)
    servers.push(alternate)
    for (const job of world.state.jobs.values()) callbacks.arm(job)
    return {
      primaryUrl: primary.url,
      alternateUrl: alternate.url,
      primaryKey: PRIMARY_KEY,
      alternateKey: ALTERNATE_KEY,
      ledger: () => ledgerView(world),
      close,
    }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** A virtual clock that was moved continues from where it was: no time of the kept state lies in its future. */
const restoreClock = async ({ clock, state }: World): Promise<void> => {
  const keptMs = Number(state.facts.get('clock')?.value ?? 0)
  if (isVirtual(clock) && keptMs > clock.now()) await clock.advance(keptMs - clock.now())
}

export interface SandboxOptions {
  /** One with `advance` (virtualClock, a test's own) makes `POST /sandbox/clock` move it. */
  readonly clock: Clock
  /** 0, the default: the system chooses. */
  readonly primaryPort?: number
  readonly alternatePort?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Divides job durations, rate windows, hints and expiries. Default 10. */
  readonly speed?: number
  /** Of the durations. Default 1. */
  readonly seed?: number
  readonly unlimitedRate?: boolean
  /** Lifts all that a month sells: credits, voice characters, uploads, and the storage. */
  readonly unlimitedCredits?: boolean
  readonly unlimitedSlots?: boolean
  /** A folder that keeps keys, jobs, credits and idempotency keys over a restart. Default `null`: nothing is kept. */
  readonly dataDir?: string | null
  /** In [0, 1); of the ids. Default: the platform's secure source, so that a restarted sandbox repeats none. */
  readonly random?: () => number
  /** What the contracts do not show. Default: those of the variant. */
  readonly decisions?: Decisions
  /** Which other answers to "not shown" (undecided.ts). Default `standard`. */
  readonly variant?: VariantName
  /** With two finished jobs: `api_video_sample` to import, and that of the API's examples. Default false. */
  readonly sampleJobs?: boolean
}

/**
 * One contract as an Express app: control routes, then ledger, media, operations, and a 404 in the contract's words.
 */
const serviceApp = (
  world: World,
  { dialect, operations, isVoice, routes, openapi }: Service,
  all: Services,
): Express => {
  const app = express().disable('x-powered-by').disable('etag')
  app.use('/sandbox', controlRoutes(world, dialect.interface, all))
  app.use(recorded(world, dialect))
  app.use(mediaRoutes(world, dialect.interface, isVoice))
  app.use(routes)
  // "The machine-readable contract is served at {base_url}/openapi.json" (primary, "Versioning"); to anybody.
  if (dialect.interface === 'primary')
    app.get('/openapi.json', noted('getOpenapi'), (_req, res) => void res.json(openapi()))
  mount(app, world, dialect, operations)
  app.use((req, res) =>
    declined(world, dialect, req, res, new Refusal(404, 'not_found', 'The interface has no such path.')),
  )
  const unreadable: ErrorRequestHandler = (cause: unknown, req, res, next) => {
    if (res.headersSent) return next(cause)
    // Express marks what it could not decode (a path like /%zz) with a 4xx status; anything else is our own mistake.
    const bad = cause instanceof URIError || (cause instanceof Error && 'status' in cause && cause.status === 400)
    const refusal = bad ? invalid('The path is not valid.') : new Refusal(500, 'internal', 'The sandbox itself failed.')
    return declined(world, dialect, req, res, refusal)
  }
  return app.use(unreadable)
}

interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** Rejects when the port is taken. */
export const listen = (app: Express, host: string, port: number): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server: Server = createServer(app)
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve({ url: urlOf(server, host), close: () => closed(server) })
    })
  })

const urlOf = (server: Server, host: string): string => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** One contract, as a server needs it. */
export interface Service {
  readonly dialect: Dialect
  readonly operations: readonly Operation[]
  readonly isVoice: (id: string) => boolean
  /** Beyond the operations: where signed uploads go. */
  readonly routes: RequestHandler
  /** The OpenAPI document of the operations, as they are decided. */
  readonly openapi: () => unknown
}
type Services = Readonly<Record<Interface, Service>>

/** Both contracts: their operations, dialects and OpenAPI documents. */
const servicesOf = (world: World, callbacks: Callbacks): Services => {
  const { decisions } = world
  const once = createOnce(world)
  const primary: Operation[] = [
    ...voiceOperations,
    ...puppetOperations(world, once),
    ...speechOperations(world),
    ...uploadOperations(world, once),
    ...usageOperations(world),
    ...primaryVideos(world, once),
    ...jobOperations(world),
  ]
  const alternate = [...alternateVideos(world, callbacks), ...catalogOperations]
  return {
    primary: {
      dialect: primaryDialect(decisions),
      operations: primary,
      isVoice: (id) => findPrimaryVoice(id) !== undefined,
      routes: hostingRoutes(world),
      openapi: () => primaryDocument(decisions),
    },
    alternate: {
      dialect: alternateDialect(decisions),
      operations: alternate,
      isVoice: (id) => findAlternateVoice(id) !== undefined,
      routes: Router(),
      openapi: () => alternateDocument(decisions),
    },
  }
}

const NewKey = z.strictObject({
  interface: Interface,
  /** Default: an account of its own. */
  account: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional(),
  scopes: z.array(z.enum(SCOPES)).optional(),
})

const MAX_ADVANCE_MS = 10 * 366 * 86_400_000
const Advance = z.strictObject({ advance_ms: z.int().min(0).max(MAX_ADVANCE_MS) })

const refuse = (res: Response, status: number, message: string, error = 'invalid_request'): void =>
  void res.status(status).json({ error, message })

/** Answers 400 and `undefined` when the body does not fit. */
const read = <T>(res: Response, schema: z.ZodType<T>, body: unknown): T | undefined => {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  refuse(res, 400, z.prettifyError(result.error))
  return undefined
}

/** The sandbox's own routes, on both ports, without a key (docs/sandbox.md). */
const controlRoutes = (world: World, from: Interface, services: Services): Router =>
  Router()
    .use(json({ limit: 65_536 }))
    .use(listRoutes(world, services))
    .use('/faults', faultRoutes(world, from, services))
    .use('/keys', keyRoutes(world))
    .use('/clock', clockRoutes(world))
    .use(((_cause, _req, res, _next) =>
      refuse(res, 400, 'The body is not readable JSON.')) satisfies ErrorRequestHandler)

const listRoutes = (world: World, services: Services): Router =>
  Router()
    .get('/scenarios', (_req, res) => {
      const data = Object.entries(SCENARIOS).map(([name, effect]) => ({ input: `[[${name}]]`, effect }))
      res.json({ data })
    })
    .get('/variants', (_req, res) => {
      const data = Object.entries(VARIANTS).map(([name, { effect }]) => ({ name, effect }))
      res.json({ data, current: world.variant })
    })
    .get('/ledger', (_req, res) => void res.json(ledgerView(world)))
    .get('/openapi-primary.json', (_req, res) => void res.json(services.primary.openapi()))
    .get('/openapi-alternate.json', (_req, res) => void res.json(services.alternate.openapi()))

const faultRoutes = (world: World, from: Interface, services: Services): Router => {
  const operations = { primary: namesOf(services.primary), alternate: namesOf(services.alternate) }
  return Router()
    .get('/', (_req, res) => void res.json({ data: world.faults.list(), operations }))
    .delete('/', (_req, res) => {
      world.faults.clear()
      res.status(204).end()
    })
    .post('/', (req, res) => {
      const given = read(res, Fault, req.body)
      if (!given) return
      const fault = { ...given, interface: given.interface ?? from }
      const names = operations[fault.interface]
      if (fault.operation !== '*' && !names.includes(fault.operation)) {
        return refuse(res, 400, `operation must be * or one of: ${names.join(', ')}.`)
      }
      if (!world.faults.add(fault)) return refuse(res, 400, 'Too many faults are waiting: DELETE /sandbox/faults.')
      res.status(201).json(fault)
    })
}

const namesOf = ({ operations }: Service): string[] => operations.map(({ name }) => name)

const keyRoutes = (world: World): Router =>
  Router()
    .get('/', (_req, res) => {
      const data = world.state.keys.values().map(({ hash: _, ...shown }) => shown)
      res.json({ data })
    })
    .post('/', (req, res) => {
      const wanted = read(res, NewKey, req.body)
      if (!wanted) return
      const scopes = wanted.scopes ?? (wanted.interface === 'primary' ? SCOPES : [])
      const account = wanted.account ?? world.newId('acct')
      const { record, key } = issueKey(world.state, world.newId, { interface: wanted.interface, account, scopes })
      const { id, interface: of } = record
      res.status(201).json({ id, key, interface: of, account, scopes })
    })
    .delete('/:id', (req, res) => {
      const key = world.state.keys.values().find(({ id }) => id === req.params.id)
      if (!key) return refuse(res, 404, 'No key has this id.', 'not_found')
      world.state.keys.put(key.hash, { ...key, active: false })
      res.status(204).end()
    })

const clockRoutes = (world: World): Router =>
  Router()
    .get('/', (_req, res) => void res.json(clockOf(world)))
    .post('/', advancing(world))

const clockOf = ({ clock, speed }: World) => ({ now: iso(clock.now()), virtual: isVirtual(clock), speed })

const advancing =
  (world: World): RequestHandler =>
  async (req, res) => {
    const { clock, state } = world
    if (!isVirtual(clock))
      return refuse(res, 409, 'The clock is the real one: start with --clock virtual.', 'real_clock')
    const wanted = read(res, Advance, req.body)
    if (!wanted) return
    await clock.advance(wanted.advance_ms)
    state.facts.put('clock', { value: String(clock.now()) })
    res.json(clockOf(world))
  }
