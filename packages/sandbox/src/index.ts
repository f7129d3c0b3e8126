import { randomBytes } from 'node:crypto'
import { createCallbacks } from './alternate/videos.ts'
import { createIds, isVirtual, type Clock } from './clock.ts'
import { createFaults, createLedger } from './faults.ts'
import { createLinks, openBlobs } from './files.ts'
import { seeded } from './jobs.ts'
import { ALTERNATE_KEY, DEFAULT_ACCOUNT, PRIMARY_KEY, seedKeys, createRates } from './keys.ts'
import { seedPuppets } from './primary/catalog.ts'
import { listen, type Listening, serviceApp } from './server.ts'
import { servicesOf } from './services.ts'
import { openDatabase, openState, type State } from './state.ts'
import type { Decisions } from './undecided.ts'
import { type VariantName, VARIANTS } from './variants.ts'
import { ledgerView, type LedgerView, type World } from './world.ts'

export type { LedgerView } from './world.ts'
export { SCENARIOS } from './jobs.ts'
export type { Decisions } from './undecided.ts'
export { STANDARD } from './undecided.ts'
export { isVariant, VARIANTS, type VariantName } from './variants.ts'
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

/** A virtual clock that was moved goes on from where it was: no time of the kept state lies in its future. */
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
  /** Which other answers to "not shown" (variants.ts). Default `standard`. */
  readonly variant?: VariantName
  /** With two finished jobs: `api_video_sample` to import, and that of the API's examples. Default false. */
  readonly sampleJobs?: boolean
}
