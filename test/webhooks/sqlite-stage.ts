import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createSystemClock, type ProcessClock } from '../../src/core/time/clock.ts'
import { createIds } from '../../src/core/ids.ts'
import type { Log } from '../../src/core/log.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { Wake } from '../../src/core/ports.ts'
import { createTally } from '../fakes/tally.ts'
import { compilePolicy, createGuardedAgent, createLookup, createResolve } from '../../src/http/guard.ts'
import { createRates } from '../../src/core/limits/rates.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { createWebhooks, type Webhooks } from '../../src/webhooks/index.ts'
import { createResends, RESEND_WINDOW_MS, createVetWebhookUrl } from '../../src/webhooks/endpoints.ts'
import { createSecretBox } from '../../src/webhooks/secrets.ts'
import { createPassing } from '../../src/core/tracing.ts'
import { layEmptyStore } from '../fakes/empty-store.ts'
import { temporaryFolder } from '../fakes/folder.ts'
import { draft, event } from '../fakes/records.ts'
import { seededBytes, seededRandom } from '../fakes/random.ts'
import { LOOPBACK } from './harness.ts'

/** What an event is owed to; its id is `evt_<video>_<sequence>`. */
export interface Owed {
  video: string
  client: string
  /** Null: to nobody but the client's endpoints. */
  url: string | null
  /** How many events of it, one after the other; default 1. */
  events?: number
}

export interface SqliteStage extends Webhooks {
  store: Store
  wake: Wake
  /** Writes a video with its deliveries, which are due; answers their ids, nobody is told. */
  owe(owed: Owed): Promise<string[]>
  close(): Promise<void>
}

const ROOMY = { queue: 1e9, client: 1e9, videosPerMonth: null, creditsPerMonth: null }
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

export interface StageOptions {
  /** Kept when the stage is closed; default: one of its own, removed. */
  folder?: string
  clock?: ProcessClock
  wrapStore?: (store: Store) => Store
  /** Attempts at once, in all. */
  concurrency?: number
  /** Of one attempt in all. */
  timeoutMs?: number
  /** Of all chance in it; processes that share a folder differ in it. */
  seed?: number
}

/** Everything outbound as it is delivered, on a real store and real sockets. */
export const sqliteStage = async (options: StageOptions = {}): Promise<SqliteStage> => {
  const { clock = createSystemClock(), wrapStore = (given: Store) => given, concurrency = 256, seed = 1 } = options
  const { timeoutMs = 15_000 } = options
  const folder = options.folder ?? (await temporaryFolder())
  const path = join(folder, 'talkbridge.db')
  layEmptyStore(path)
  const store = wrapStore(await openSqliteStore({ path, clock, owner: true }))
  const wake = createLocalWake(clock)
  const policy = compilePolicy(LOOPBACK)
  const agent = createGuardedAgent({ policy })
  const random = seededRandom(seed)
  const randomBytes = seededBytes(seed + 4)
  const webhooks = createWebhooks({
    store,
    wake,
    clock,
    log: SILENT,
    tally: createTally(),
    newId: createIds(clock, random),
    resends: createResends(createRates(clock, RESEND_WINDOW_MS)),
    box: createSecretBox(Buffer.alloc(32, 7), randomBytes),
    configured: new Map(),
    agent,
    vet: createVetWebhookUrl(policy, clock, createLookup(createResolve())),
    timeoutMs,
    concurrency,
    random,
    randomBytes,
    tracing: createPassing(),
    userAgent: 'talkbridge/0.0.0-test',
  })
  return {
    ...webhooks,
    store,
    wake,
    async owe({ video: id, client, url, events: count = 1 }) {
      const events = Array.from({ length: count }, (_, n) => ({
        event: event(id, n + 1, { client, type: 'video.completed', atMs: clock.now() }),
        targets: url === null ? [] : [{ kind: 'video' as const, url }],
      }))
      const ended = { id, client, phase: 'ended', status: 'completed', dueAtMs: null, endedAtMs: clock.now() } as const
      const opened = await store.open(draft(ended, { events }), null, ROOMY, null)
      if (opened.kind !== 'opened') throw new Error(`not opened but ${opened.kind}`)
      return opened.deliveries
    },
    async close() {
      // What hangs ends with its connection, so that the sender can end.
      await agent.close()
      await webhooks.sender.stop()
      await wake.close()
      await store.close()
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}
