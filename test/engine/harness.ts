import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createIds } from '../../src/core/ids.ts'
import type { Log } from '../../src/core/log.ts'
import type { Store, Wake } from '../../src/core/ports.ts'
import { createTally, type Tally } from '../../src/core/tally.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { createLocalWake } from '../../src/stores/local-wake.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { createVideos, type Account, type Backends, type CreateRequest, type Videos } from '../../src/videos/index.ts'
import { createUpstream } from '../../src/videos/upstream.ts'
import { accountOf, backendOf, scriptedAdapter, type ScriptedAdapter } from '../fakes/adapter.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { seededRandom } from '../fakes/random.ts'
import { must } from '../fakes/must.ts'
import { HOUR, INPUT, SECOND } from '../fakes/records.ts'

export interface EngineOptions {
  interface?: 'primary' | 'alternate'
  account?: Partial<Account>
  adapter?: (now: () => number) => ScriptedAdapter
  callbackUrl?: string | null
  queueLimit?: number
  queuedVideos?: number
}

export interface Logged {
  level: 'info' | 'warn' | 'error'
  message: string
  fields: Record<string, unknown>
}

export interface Engine {
  videos: Videos
  store: Store
  wake: Wake
  clock: FakeClock
  adapter: ScriptedAdapter
  account: Account
  log: Logged[]
  tally: Tally
  create(given?: Partial<CreateRequest>, key?: string | null): ReturnType<Videos['create']>
  /** Moves time on, and lets the engine and the writer thread finish what that began. */
  pass(ms: number): Promise<void>
  /** Lets them finish what is under way, at this moment. */
  rest(): Promise<void>
  record(id: string): Promise<VideoRecord>
  /** Stops the engine, or drops it where it stands, and starts a new one on the same file. */
  restart(how: 'stopped' | 'crashed'): Promise<Engine>
  destroy(): Promise<void>
}

const REQUEST: CreateRequest = {
  input: INPUT,
  backend: null,
  unsupported: 'reject',
  webhookUrl: null,
  webhookEvents: ['video.completed', 'video.failed', 'video.canceled'],
  metadata: {},
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

const build = async (path: string, clock: FakeClock, adapter: ScriptedAdapter, options: EngineOptions) => {
  const driver = await openSqliteStore({ path, clock, owner: true })
  const { store, busy } = counted(driver)
  const wake = createLocalWake(clock)
  const log: Logged[] = []
  const tally = createTally()
  const line =
    (level: Logged['level']) =>
    (fields: Record<string, unknown>, message: string): void =>
      void log.push({ level, message, fields })
  const logger: Log = { info: line('info'), warn: line('warn'), error: line('error') }
  const account = accountOf(adapter, options.account)
  const backends: Backends = new Map([['main', backendOf('main', account)]])
  const videos = createVideos({
    store,
    wake,
    clock,
    newId: createIds(clock, () => 0.5),
    random: seededRandom(1),
    log: logger,
    tally,
    upstream: createUpstream({ store, clock, log: logger }),
    backends,
    contentUrl: (id) => `https://gateway.example/${id}/content`,
    takesCallbacks: () => (options.callbackUrl ?? null) !== null,
    callbackUrl: () => options.callbackUrl ?? null,
    vetWebhookUrl: async () => undefined,
    portraitOf: async () => null,
    settings: {
      defaultBackend: 'main',
      queueLimit: options.queueLimit ?? 100,
      maxAgeMs: 24 * HOUR,
      resendWindowMs: HOUR,
      minIntervalMs: SECOND,
      pollsPerJob: 60,
    },
  })
  const rest = async (): Promise<void> => {
    for (let quiet = 0; quiet < QUIET_ROUNDS; quiet = busy() === 0 ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve))
  }
  return { driver, store, wake, log, tally, account, backends, videos, rest }
}

/** An engine over a real store, with a scripted backend and a clock of the test's. */
export const openEngine = async (options: EngineOptions = {}): Promise<Engine> => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-engine-'))
  const path = join(folder, 'talkbridge.db')
  const clock = fakeClock()
  const adapter = options.adapter?.(clock.now) ?? scriptedAdapter(clock.now, options.interface)
  let closing = async (): Promise<void> => undefined

  const open = async (): Promise<Engine> => {
    const made = await build(path, clock, adapter, options)
    const { videos, store, wake, log, tally, account, backends, rest } = made
    closing = async () => {
      await wake.close()
      await made.driver.close()
    }
    return {
      videos,
      store,
      wake,
      clock,
      adapter,
      account,
      log,
      tally,
      rest,
      create: (given = {}, key = null) =>
        videos.create(
          { client: 'acme', visible: backends, queuedVideos: options.queuedVideos ?? 100 },
          { ...REQUEST, ...given },
          key,
        ),
      async pass(ms) {
        const untilMs = clock.now() + ms
        await rest()
        // Step by step, so that what one timer began is finished before the next one rings.
        while (clock.now() < untilMs) {
          await clock.advance(Math.min(100, untilMs - clock.now()))
          await rest()
        }
      },
      record: async (id) => must(await store.video(id)),
      async restart(how) {
        if (how === 'stopped') await videos.stop()
        await closing()
        return open()
      },
      async destroy() {
        await closing()
        rmSync(folder, { recursive: true })
      },
    }
  }
  const first = await open()
  return { ...first, destroy: () => closing().then(() => rmSync(folder, { recursive: true })) }
}
