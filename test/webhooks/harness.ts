import { Webhook } from 'standardwebhooks'
import type { Wake, WakeHandlers } from '../../src/core/ports.ts'
import { type GuardRules, type Lookup, compilePolicy, createGuardedAgent } from '../../src/http/guard.ts'
import { createSender, type Sender, type SenderDeps } from '../../src/webhooks/sender.ts'
import { newWebhookSecret } from '../../src/webhooks/sign.ts'
import type { Log } from '../../src/core/log.ts'
import { createPassing } from '../../src/core/tracing.ts'
import { createTally, type RecordedTally } from '../fakes/tally.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { createDeliveryStore, type DeliveryStore } from '../fakes/delivery-store.ts'
import { seededBytes, seededRandom } from '../fakes/random.ts'
import { type Received, type Receiver, startReceiver } from '../fakes/receiver.ts'

export const LOOPBACK: GuardRules = { ports: [443], allow: [{ cidr: '127.0.0.0/8', http: true }] }
export const SECRET = newWebhookSecret(seededBytes(9))

/** Every name is this machine. */
export const toLoopback: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]

/** Hints that come at their time by the clock, as a perfect wake would bring them. */
const fakeWake = (clock: FakeClock): Wake & { hints: { id: string; dueAtMs: number }[] } => {
  const listeners = new Set<Partial<WakeHandlers>>()
  const hints: { id: string; dueAtMs: number }[] = []
  return {
    hints,
    hint(kind, id, dueAtMs) {
      hints.push({ id, dueAtMs })
      clock.at(dueAtMs, () => listeners.forEach((listener) => listener.work?.(kind, id)))
    },
    changed: () => undefined,
    on(handlers) {
      listeners.add(handlers)
      return () => listeners.delete(handlers)
    },
    close: async () => undefined,
  }
}

export interface Harness {
  clock: FakeClock
  store: DeliveryStore
  wake: ReturnType<typeof fakeWake>
  sender: Sender
  tally: RecordedTally
  receiver: Receiver
  lines: { level: string; fields: Record<string, unknown>; message: string }[]
  /** Another sender on the same store, as of another process; `options` replace what the first has. */
  another(options?: Partial<SenderDeps>): Sender
  close(): Promise<void>
}

export const createHarness = async (
  options: Partial<SenderDeps> & { rules?: GuardRules; lookup?: Lookup } = {},
): Promise<Harness> => {
  const { rules = LOOPBACK, lookup = toLoopback, ...deps } = options
  const clock = fakeClock()
  const store = createDeliveryStore(clock)
  const wake = fakeWake(clock)
  const receiver = await startReceiver()
  const agent = createGuardedAgent({ policy: compilePolicy(rules), lookup })
  const lines: Harness['lines'] = []
  const logAt = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, fields, message })
  const log: Log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
  const tally = createTally()
  const senders: Sender[] = []
  const another = (more: Partial<SenderDeps> = {}): Sender => {
    const made = createSender({
      store,
      wake,
      clock,
      secretsOf: async () => [SECRET],
      agent,
      log,
      tally,
      timeoutMs: 5_000,
      concurrency: 256,
      perTarget: 8,
      random: seededRandom(1),
      tracing: createPassing(),
      userAgent: 'talkbridge/0.0.0-test',
      onDisabled: () => undefined,
      ...deps,
      ...more,
    })
    senders.push(made)
    return made
  }
  return {
    clock,
    store,
    wake,
    receiver,
    lines,
    tally,
    sender: another(),
    another,
    async close() {
      receiver.respond({ kind: 'reset' })
      await Promise.all([receiver.close(), ...senders.map((sender) => sender.stop())])
      await agent.close()
    },
  }
}

/** Throws unless the public package accepts the request at the time `nowMs`; the caller has put the wall clock there. */
export const verify = (received: Received, secret = SECRET): unknown => {
  const headers = Object.fromEntries(Object.entries(received.headers).map(([name, value]) => [name, String(value)]))
  return new Webhook(secret).verify(received.body, headers)
}
