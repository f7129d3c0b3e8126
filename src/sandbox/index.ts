import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { createIds } from '../core/ids.ts'
import { alternateDialect } from './alternate/dialect.ts'
import { createCallbacks } from './alternate/callbacks.ts'
import { catalogOperations, findVoice as findAlternateVoice } from './alternate/catalog.ts'
import { videoOperations as alternateVideos } from './alternate/videos.ts'
import { openDatabase } from './database.ts'
import { createFaults } from './faults.ts'
import { seeded } from './jobs.ts'
import { ALTERNATE_KEY, PRIMARY_KEY, seedKeys } from './keys.ts'
import { createLedger, type LedgerView } from './ledger.ts'
import { createLinks } from './links.ts'
import { createMedia, type MediaOptions } from './media/index.ts'
import { primaryDialect } from './primary/dialect.ts'
import { puppetOperations, seedPuppets } from './primary/puppets.ts'
import { videoOperations as primaryVideos } from './primary/videos.ts'
import { findVoice as findPrimaryVoice, voiceOperations } from './primary/voices.ts'
import { createRates } from './rates.ts'
import { listen, serviceApp, type Listening, type Service } from './server.ts'
import { openState, type State } from './state.ts'
import { STANDARD, type Decisions } from './undecided.ts'
import { ledgerView, type World } from './world.ts'

export type { LedgerView } from './ledger.ts'
export { SCENARIOS } from './scenarios.ts'
export { STANDARD, type Decisions } from './undecided.ts'

export interface SandboxOptions {
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
  readonly unlimitedCredits?: boolean
  readonly unlimitedSlots?: boolean
  /** A folder that keeps keys, jobs, credits and idempotency keys over a restart. Default `null`: nothing is kept. */
  readonly dataDir?: string | null
  /** In [0, 1); of the ids. Default: the platform's secure source, so that a restarted sandbox repeats none. */
  readonly random?: () => number
  /** What the contracts do not show. Default: undecided.ts. */
  readonly decisions?: Decisions
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
  const services: Record<'primary' | 'alternate', Service> = {
    primary: {
      dialect: primaryDialect(world.decisions),
      operations: [...primaryVideos(world), ...voiceOperations, ...puppetOperations(world)],
      isVoice: (id) => findPrimaryVoice(id) !== undefined,
    },
    alternate: {
      dialect: alternateDialect(world.decisions),
      operations: [...alternateVideos(world, callbacks), ...catalogOperations],
      isVoice: (id) => findAlternateVoice(id) !== undefined,
    },
  }
  const servers: Listening[] = []
  const shut = async (): Promise<void> => {
    closing.abort()
    await Promise.all(servers.map((server) => server.close()))
    await callbacks.idle()
    await world.media.close()
    world.state.close()
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= shut())
  try {
    const names = { primary: namesOf(services.primary), alternate: namesOf(services.alternate) }
    const { host = '127.0.0.1', primaryPort = 0, alternatePort = 0 } = options
    const primary = await listen(serviceApp(world, services.primary, names), host, primaryPort)
    servers.push(primary)
    const alternate = await listen(serviceApp(world, services.alternate, names), host, alternatePort)
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

const namesOf = ({ operations }: Service): string[] => operations.map(({ name }) => name)

const createWorld = (options: SandboxOptions, closing: AbortSignal): World => {
  const { clock, speed = 10, seed = 1, decisions = STANDARD, dataDir = null, media = {} } = options
  if (!(speed > 0)) throw new RangeError('speed must be more than 0.')
  const state = openState(openDatabase(dataDir))
  seedKeys(state)
  seedPuppets(state, clock.now())
  return {
    clock,
    decisions,
    speed,
    unlimited: { credits: options.unlimitedCredits ?? false, slots: options.unlimitedSlots ?? false },
    state,
    newId: createIds(clock, options.random),
    random: seeded(seed),
    rates: createRates(clock, 60_000 / speed, options.unlimitedRate ?? false),
    ledger: createLedger(),
    faults: createFaults(),
    links: createLinks(linkSecret(state)),
    media: createMedia({ dir: dataDir === null ? null : join(dataDir, 'media'), timing: decisions.timing, ...media }),
    closing,
  }
}

/** Kept with the state: links signed before a restart stay good. */
const linkSecret = (state: State): string => {
  const kept = state.secrets.get('links')?.value
  if (kept !== undefined) return kept
  const value = randomBytes(32).toString('base64url')
  state.secrets.put('links', { value })
  return value
}
