import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AudioCarrier, UploadLookup } from '../../src/core/media.ts'
import { createIds } from '../../src/core/ids.ts'
import type { Log } from '../../src/core/log.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { Wake } from '../../src/core/ports.ts'
import type { Pause } from '../../src/core/store/accounts.ts'
import { pausesOf } from '../../src/engine/routing/pauses.ts'
import type { FailoverReason } from '../../src/core/vocabulary.ts'
import { createTally, type RecordedTally } from '../fakes/tally.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import {
  createVideos,
  type Account,
  type Backends,
  type CreateRequest,
  UNIFIED_CREATE,
  type Creator,
  type Videos,
} from '../../src/engine/index.ts'
import { NO_DEFAULTS } from '../../src/core/access.ts'
import { createAliases, NO_ALIASES } from '../../src/engine/create/route.ts'
import { createBoard } from '../../src/engine/replicas/board.ts'
import { createOneAtATime } from '../../src/engine/replicas/replica.ts'
import { createUpstream, type Upstream } from '../../src/engine/upstream/tickets.ts'
import { createPassing } from '../../src/core/tracing.ts'
import { accountOf, backendOf, expectAllAsked, scriptedAdapter, type ScriptedAdapter } from '../fakes/adapter.ts'
import { fakeClock, lateMsOf, ringNext, type FakeClock } from '../fakes/clock.ts'
import { layEmptyStore } from '../fakes/empty-store.ts'
import { temporaryFolder } from '../fakes/folder.ts'
import { seededRandom } from '../fakes/random.ts'
import { must } from '../fakes/must.ts'
import { turnOfLoop } from '../fakes/quiet.ts'
import { accountId, HOUR, INPUT, SECOND } from '../fakes/records.ts'

export interface EngineOptions {
  interface?: 'primary' | 'alternate'
  account?: Partial<Account>
  adapter?: (now: () => number) => ScriptedAdapter
  callbackUrl?: string | null
  queueLimit?: number
  historyOf?: Record<string, string>
  queuedVideos?: number
  uploads?: UploadLookup
  carrier?: AudioCarrier
  /** When the process began; default: now. A reload does not change it. */
  upSinceMs?: number
  /** The process was asked to stop. */
  isStopping?: () => boolean
  transferAudio?: boolean
  waitsWhenDown?: boolean
  /** Default: only where it is down. */
  failoverOn?: readonly FailoverReason[]
  /** Stands in for `main`, on an account of its own. */
  spare?: ScriptedAdapter
  /** Whether a client may use a member; null: all may. */
  maySee?: (client: string, member: string) => boolean
  /** Members of the pool `main`, in the place of `main` itself, each on an account of its own. */
  members?: Readonly<Record<string, ScriptedAdapter>>
  drain?: readonly string[]
  /** How a backend was paused, as this process knows it. */
  pauses?: (backend: string) => readonly Pause[]
  /** Of the ids it makes: engines that share a store need different ones. */
  seed?: number
  /** Default: one of its own. */
  clock?: FakeClock
  /** It shares its store with others under this name; default: it is alone. */
  replica?: string
}

export interface Logged {
  level: 'info' | 'warn' | 'error'
  message: string
  fields: Record<string, unknown>
}

export interface Engine {
  /** Of its store. */
  path: string
  videos: Videos
  store: Store
  wake: Wake
  clock: FakeClock
  adapter: ScriptedAdapter
  account: Account
  backends: Backends
  upstream: Upstream
  log: Logged[]
  tally: RecordedTally
  create(given?: Partial<CreateRequest>, key?: string | null, client?: string): ReturnType<Videos['create']>
  check(given: Partial<CreateRequest>): ReturnType<Videos['check']>
  /** Moves time on, and lets the engine and the writer thread finish what that began. */
  pass(ms: number): Promise<void>
  /** Lets them finish what is under way, at this moment. */
  rest(): Promise<void>
  record(id: string): Promise<VideoRecord>
  /** Stops the engine, or drops it where it stands, and starts a new one on the same file. */
  restart(how: 'stopped' | 'crashed', given?: Partial<EngineOptions>): Promise<Engine>
  destroy(): Promise<void>
}

/** As where the window has no request left when a video opens: it takes its ticket, and stores its bytes, later. */
export const opensWithoutTicket = ({ store }: Engine): void => {
  const real: Store['open'] = store.open
  store.open = (draft, key, limits, admission) => real(draft, key, limits, admission)
}

const REQUEST: CreateRequest = {
  ...UNIFIED_CREATE,
  input: INPUT,
  backend: null,
  unsupported: 'reject',
  webhookUrl: null,
  webhookEvents: ['video.completed', 'video.failed', 'video.canceled'],
  metadata: {},
}

const NO_UPLOADS: UploadLookup = { byId: async () => null, byUrl: async () => ({ kind: 'unknown' }) }
const NO_CARRIER: AudioCarrier = {
  fault: () => 'the scheme must be https',
  fetch: async () => ({ ok: false, code: 'audio_unreachable', message: 'not scripted', retryable: false }),
}

/** How many verbs of the store are under way, so that a test can wait for the writer thread without sleeping. */
const counted = (store: Store): { store: Store; busy: () => number } => {
  let busy = 0
  const proxy = new Proxy(store, {
    get(target, name: keyof Store) {
      const verb = target[name] as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        busy += 1
        try {
          return await verb(...args)
        } finally {
          busy -= 1
        }
      }
    },
  })
  return { store: proxy, busy: () => busy }
}

/** Rounds of the event loop without anything of the store under way, after which nothing more is to come. */
const QUIET_ROUNDS = 4

/** The engine over one handle of a store, with the alarm clock that it is given: nothing here knows the driver. */
export const assemble = (
  driver: Store,
  wake: Wake,
  clock: FakeClock,
  adapter: ScriptedAdapter,
  options: EngineOptions = {},
) => {
  const { store, busy } = counted(driver)
  const log: Logged[] = []
  const tally = createTally()
  const line =
    (level: Logged['level']) =>
    (fields: Record<string, unknown>, message: string): void =>
      void log.push({ level, message, fields })
  const logger: Log = { info: line('info'), warn: line('warn'), error: line('error') }
  const paused = (name: string) => ({ paused: pausesOf(clock, () => options.pauses?.(name) ?? []) })
  const account = accountOf(adapter, { ...options.account, ...paused('main') })
  const backends = new Map([['main', backendOf('main', account, options.interface)]])
  if (options.spare) {
    const given = { ...options.account, ...paused('spare'), id: accountId('spare'), backends: ['spare'] }
    backends.set('spare', backendOf('spare', accountOf(options.spare, given)))
  }
  const pool = { name: 'main', members: Object.keys(options.members ?? {}) }
  for (const [name, member] of Object.entries(options.members ?? {})) {
    const given = { ...options.account, ...paused(name), id: accountId(name), backends: [name] }
    const drain = options.drain?.includes(name) ?? false
    backends.delete('main')
    backends.set(name, { ...backendOf(name, accountOf(member, given), options.interface), pool, drain })
  }
  const replica = { id: options.replica ?? 'alone', isAlone: options.replica === undefined }
  const sharing = { store, clock, log: logger, replica }
  const board = createBoard(sharing, 'account')
  const upstream = createUpstream({ store, clock, log: logger, tally, board })
  const videos = createVideos({
    historyOf: options.historyOf ?? {},
    replica,
    oneAtATime: createOneAtATime(sharing),
    store,
    wake,
    clock,
    newId: createIds(clock, seededRandom(options.seed ?? 1)),
    random: seededRandom(1),
    log: logger,
    tally,
    tracing: createPassing(),
    upstream,
    backends,
    contentUrl: (id) => `https://gateway.example/${id}/content`,
    quotasOf: () => null,
    maySee: (client, { name }) => options.maySee?.(client, name) ?? true,
    eventsUrl: (id) => `https://gateway.example/${id}/events`,
    ownBody: () => null,
    takesCallbacks: () => (options.callbackUrl ?? null) !== null,
    callbackUrl: () => options.callbackUrl ?? null,
    vetWebhookUrl: async () => undefined,
    portraitOf: async () => null,
    knownPortraitOf: async () => null,
    fresh: { voices: () => null, puppets: () => null },
    lookUp: { voices: () => null, puppets: () => null },
    creditsLeft: async () => null,
    sentHeaders: (headers) => headers,
    aliases: createAliases(NO_ALIASES),
    rules: [],
    weightOf: ({ weight }) => weight,
    failover: {
      standIns: options.spare ? { main: ['spare'] } : {},
      on: options.failoverOn ?? ['down'],
      waitsWhenDown: () => options.waitsWhenDown ?? false,
    },
    uploads: options.uploads ?? NO_UPLOADS,
    carrier: options.carrier ?? NO_CARRIER,
    upSinceMs: options.upSinceMs ?? clock.now(),
    isStopping: options.isStopping ?? (() => false),
    settings: {
      transferAudio: options.transferAudio ?? true,
      defaultBackend: 'main',
      queueLimit: options.queueLimit ?? 100,
      maxAgeMs: 24 * HOUR,
      resendWindowMs: HOUR,
      lowAfterMs: HOUR,
      minIntervalMs: SECOND,
      pollsPerJob: null,
    },
  })
  const creator = (client: string): Creator => ({
    client,
    visible: backends,
    limits: { queuedVideos: options.queuedVideos ?? 100, videosPerMonth: null, creditsPerMonth: null },
    defaults: NO_DEFAULTS,
  })
  const create: Engine['create'] = (given = {}, key = null, client = 'acme') =>
    videos.create(creator(client), { ...REQUEST, ...given }, key)
  const check: Engine['check'] = (given) => videos.check(creator('acme'), { ...REQUEST, ...given })
  return { store, wake, log, tally, account, videos, upstream, backends, busy, create, check }
}

/** Lets what is under way in stores finish, at this moment. */
export const restOf = async (busy: () => number): Promise<void> => {
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet = busy() === 0 ? quiet + 1 : 0) await turnOfLoop(busy() > 0)
}

/** Timer by timer, so that what one began is finished, at its time, before the next one rings. */
export const passOf = async (clock: FakeClock, ms: number, rest: () => Promise<void>): Promise<void> => {
  const untilMs = clock.now() + ms
  await rest()
  while (clock.now() < untilMs) {
    await ringNext(clock, untilMs, lateMsOf(ms))
    await rest()
  }
}

/** An engine over a real store, with a scripted backend and a clock of the test's. */
export const openEngine = async (options: EngineOptions = {}): Promise<Engine> => {
  const folder = await temporaryFolder()
  const path = join(folder, 'talkbridge.db')
  layEmptyStore(path)
  const clock = options.clock ?? fakeClock()
  const adapter = options.adapter?.(clock.now) ?? scriptedAdapter(clock.now, options.interface)
  let closing = async (): Promise<void> => undefined

  const destroy = async (): Promise<void> => {
    await closing()
    rmSync(folder, { recursive: true })
    expectAllAsked(adapter)
  }

  const open = async (): Promise<Engine> => {
    const driver = await openSqliteStore({ path, clock, owner: true })
    const wake = createLocalWake(clock)
    const { videos, store, log, tally, account, backends, upstream, create, check, busy } = assemble(
      driver,
      wake,
      clock,
      adapter,
      options,
    )
    const rest = () => restOf(busy)
    closing = async () => {
      await wake.close()
      await driver.close()
    }
    return {
      path,
      videos,
      store,
      wake,
      clock,
      adapter,
      account,
      backends,
      upstream,
      log,
      tally,
      rest,
      create,
      check,
      pass: (ms) => passOf(clock, ms, rest),
      record: async (id) => must(await store.video(id)),
      async restart(how, given = {}) {
        Object.assign(options, given)
        if (how === 'stopped') await videos.stop()
        await closing()
        return open()
      },
      destroy,
    }
  }
  return open()
}
