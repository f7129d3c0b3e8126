import type { Clock } from '../core/time/clock.ts'
import { createCallbacks } from './alternate/callbacks.ts'
import { createWorld } from './build.ts'
import { isVirtual } from './clock.ts'
import type { Decisions } from './decisions.ts'
import { ALTERNATE_KEY, PRIMARY_KEY } from './keys.ts'
import type { LedgerView } from './ledger.ts'
import type { MediaOptions } from './media/index.ts'
import { listen, serviceApp, type Listening } from './server.ts'
import { servicesOf } from './services.ts'
import type { VariantName } from './variants.ts'
import { ledgerView, type World } from './world.ts'

export type { LedgerView } from './ledger.ts'
export { SCENARIOS } from './scenarios.ts'
export type { Decisions } from './decisions.ts'
export { STANDARD } from './undecided.ts'
export { isVariant, VARIANTS, type VariantName } from './variants.ts'
export { virtualClock, type VirtualClock } from './clock.ts'

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
  /** With a finished job to import, `api_video_sample`. Default false. */
  readonly sampleJob?: boolean
  /** How videos are rendered, beyond the defaults: media/index.ts. */
  readonly media?: Partial<MediaOptions>
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

/** Starts a stand-in for both services: two HTTP servers that share nothing with the gateway but the clock and ids. */
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
    await world.media.close()
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
