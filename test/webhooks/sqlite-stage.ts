import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock, type ProcessClock } from '../../src/core/clock.ts'
import { createTally } from '../../src/core/tally.ts'
import type { Store, Wake } from '../../src/core/ports.ts'
import type { Log } from '../../src/core/log.ts'
import { createGuardedAgent } from '../../src/http/guard-agent.ts'
import { compilePolicy } from '../../src/http/guard.ts'
import { createLocalWake } from '../../src/stores/local-wake.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { createWebhookSecrets, createSecretBox } from '../../src/webhooks/secrets.ts'
import { createSender, type Sender, type SenderDeps } from '../../src/webhooks/sender.ts'
import { temporaryFolder } from '../fakes/gateway.ts'
import { draft, event } from '../fakes/records.ts'
import { seededBytes, seededRandom } from '../fakes/random.ts'
import { LOOPBACK } from './harness.ts'

/** What an event is owed to; its id is `evt_<video>_<sequence>`. */
export interface Owed {
  video: string
  client: string
  url: string
  /** How many events of it, one after the other; default 1. */
  events?: number
}

export interface SqliteStage {
  store: Store
  wake: Wake
  sender: Sender
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
  deps?: Partial<SenderDeps>
}

/** The sender as it is delivered, on a real store and real sockets. */
export const sqliteStage = async (options: StageOptions = {}): Promise<SqliteStage> => {
  const { clock = systemClock, wrapStore = (given: Store) => given, deps } = options
  const folder = options.folder ?? (await temporaryFolder())
  const store = wrapStore(await openSqliteStore({ path: join(folder, 'talkbridge.db'), clock, owner: true }))
  const wake = createLocalWake(clock)
  const agent = createGuardedAgent({ policy: compilePolicy(LOOPBACK) })
  const randomBytes = seededBytes(5)
  const { live: secretsOf } = createWebhookSecrets({
    store,
    box: createSecretBox(Buffer.alloc(32, 7), randomBytes),
    configured: new Map(),
    clock,
    randomBytes,
  })
  const sender = createSender({
    store,
    wake,
    clock,
    secretsOf,
    agent,
    log: SILENT,
    tally: createTally(),
    timeoutMs: 15_000,
    concurrency: 256,
    perTarget: 8,
    random: seededRandom(1),
    userAgent: 'talkbridge/0.0.0-test',
    ...deps,
  })
  return {
    store,
    wake,
    sender,
    async owe({ video: id, client, url, events: count = 1 }) {
      const events = Array.from({ length: count }, (_, n) => ({
        event: event(id, n + 1, { client, type: 'video.completed', atMs: clock.now() }),
        targets: [{ kind: 'video' as const, url }],
      }))
      const ended = { id, client, phase: 'ended', status: 'completed', dueAtMs: null, endedAtMs: clock.now() } as const
      const opened = await store.open(draft(ended, { events }), null, ROOMY, null)
      if (opened.kind !== 'opened') throw new Error(`not opened but ${opened.kind}`)
      return opened.deliveries
    },
    async close() {
      // What hangs ends with its connection, so that the sender can end.
      await agent.close()
      await sender.stop()
      await wake.close()
      await store.close()
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}
