import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { SILENT } from '../../src/core/tally.ts'
import type { Store } from '../../src/core/store/index.ts'
import { compilePolicy, createGuardedAgent } from '../../src/http/guard.ts'
import { createLog } from '../../src/log.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { createWebhookSecrets, createSecretBox, deriveKey } from '../../src/webhooks/secrets.ts'
import { createSender } from '../../src/webhooks/sender.ts'
import { createPassing } from '../../src/core/tracing.ts'
import { draft, event } from '../../test/fakes/records.ts'
import { bodyOf, PER_TARGET, serve, TARGETS, TIMEOUT_MS, type Order, type Setup } from './protocol.ts'

/** The sender as it is delivered, on a store on disk, with every attempt recorded and logged. */
const { targets, folder } = JSON.parse(process.argv[2] ?? '{}') as Setup
const clock = createSystemClock()
const sink = createWriteStream('/dev/null')
const log = createLog({ level: 'info', format: 'json' }, sink, false)
const store = await openSqliteStore({ path: join(folder, 'talkbridge.db'), clock, owner: true })
const wake = createLocalWake(clock)
const agent = createGuardedAgent({
  policy: compilePolicy({ ports: [443], allow: [{ cidr: '127.0.0.0/8', http: true }] }),
})
const { live: secretsOf } = createWebhookSecrets({
  store,
  box: createSecretBox(deriveKey(randomBytes(32), 'box'), randomBytes),
  configured: new Map(),
  clock,
  randomBytes,
})

let made = 0
const owe = async (): Promise<void> => {
  made += 1
  const id = `vid_${made}`
  const owed = event(id, 1, { type: 'video.completed', atMs: clock.now(), body: bodyOf(made) })
  const url = `${targets[made % targets.length]}/hook`
  const limits = { queue: 1e9, client: 1e9, videosPerMonth: null, creditsPerMonth: null }
  const asked = draft(
    { id, phase: 'ended', status: 'completed', endedAtMs: clock.now(), dueAtMs: null },
    { events: [{ event: owed, targets: [{ kind: 'video', url }] }] },
  )
  await store.open(asked, null, limits, null)
}

/** A sender that works off what is owed; resolves when the last attempt of `count` is recorded. */
const sendAll = async (count: number): Promise<void> => {
  const all = Promise.withResolvers<void>()
  let recorded = 0
  const attempted: Store['attempted'] = async (...args) => {
    const came = await store.attempted(...args)
    if (args[2].status !== 'delivered') all.reject(new Error('a delivery failed'))
    recorded += 1
    if (recorded === count) all.resolve()
    return came
  }
  const sender = createSender({
    store: { ...store, attempted },
    wake,
    clock,
    secretsOf,
    agent,
    log,
    tally: SILENT,
    timeoutMs: TIMEOUT_MS,
    concurrency: TARGETS * PER_TARGET,
    perTarget: PER_TARGET,
    random: Math.random,
    tracing: createPassing(),
    userAgent: 'talkbridge/bench',
    onDisabled: () => undefined,
  })
  sender.start()
  await all.promise
  await sender.stop()
}

serve(
  async ({ count }: Order) => {
    await Promise.all(Array.from({ length: count }, owe))
    return () => sendAll(count)
  },
  async () => {
    await agent.close()
    await wake.close()
    await store.close()
    sink.destroy()
  },
)
