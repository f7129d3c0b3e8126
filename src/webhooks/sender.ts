import { iso } from '../core/time/clock.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Log } from '../core/log.ts'
import type { AfterAttempt, Delivery } from '../core/store/deliveries.ts'
import type { Store } from '../core/store/index.ts'
import type { Wake } from '../core/wake.ts'
import type { Tally } from '../core/tally.ts'
import type { GuardedAgent } from '../http/guard-agent.ts'
import { post } from './attempt.ts'
import type { Sent } from './attempt.ts'
import { createFairQueue } from './fair-queue.ts'
import type { Turn } from './fair-queue.ts'
import { CAPACITY, createIntake } from './intake.ts'
import { persist } from '../core/persist.ts'
import { afterAttempt } from './schedule.ts'
import type { SecretsOf } from './secrets.ts'
import type { SecretKeeper } from '../core/store/webhooks.ts'
import { createTasks } from './tasks.ts'
import { createTrials, type Trials } from './trials.ts'

export interface SenderDeps {
  store: Pick<Store, 'dueDeliveries' | 'claim' | 'delivery' | 'attempted'>
  wake: Pick<Wake, 'hint' | 'on'>
  clock: Clock
  secretsOf: SecretsOf
  agent: Pick<GuardedAgent, 'check' | 'dispatcher'>
  log: Log
  tally: Pick<Tally, 'observe' | 'count'>
  /** Of one attempt in all, milliseconds. */
  timeoutMs: number
  /** Attempts at once, in all. */
  concurrency: number
  /** Attempts at once, per target. */
  perTarget: number
  /** In [0, 1): jitter. */
  random: () => number
  /** `talkbridge/<version>`. */
  userAgent: string
  /** An endpoint was disabled: its deliveries follow. */
  onDisabled: () => void
}

export interface Sender {
  start(): void
  /** Sends a test event among the deliveries, in its turn; also before the start. */
  trial: Trials['run']
  /** Takes nothing new, lets the attempts in flight end and be recorded, and resolves when idle. */
  stop(): Promise<void>
}

/** What a lease has beyond the timeout of the attempt: for reading, signing and recording. */
const LEASE_MARGIN_MS = 15_000

/** Whose secrets sign it. */
export const keeperOf = ({ target, event }: Delivery): SecretKeeper =>
  target.kind === 'endpoint' ? { kind: 'endpoint', id: target.id } : { kind: 'client', id: event.client }

const attemptLine = (delivery: Delivery, { attempt, outcome }: Sent, after: AfterAttempt) => ({
  delivery_id: delivery.id,
  event_id: delivery.event.id,
  endpoint_id: delivery.target.kind === 'endpoint' ? delivery.target.id : null,
  video_id: delivery.event.videoId,
  client: delivery.event.client,
  // Paths and queries of webhook URLs often hold a token.
  host: URL.parse(delivery.target.url)?.host ?? null,
  attempt: delivery.attempts + 1,
  status: attempt.status,
  fault: outcome.kind === 'answered' ? null : outcome.kind,
  duration_ms: attempt.durationMs,
  outcome: after.status,
  next_attempt_at: after.status === 'pending' ? iso(after.nextAttemptAtMs) : null,
})

/** What was asked for later than its event says nothing of how long news take. */
const time = (tally: SenderDeps['tally'], delivery: Delivery, sent: Sent, after: AfterAttempt): void => {
  const { event, target, attempts, isAskedLater } = delivery
  if (isAskedLater) return
  const labels = { target: target.kind }
  if (attempts === 0) tally.observe('webhook_first_attempt', sent.attempt.atMs - event.atMs, labels)
  if (after.status === 'delivered') tally.observe('webhook_delivered', sent.endedAtMs - event.atMs, labels)
}

/**
 * One delivery's turn: lease, attempt, record; `onSent` is called between the last two. Answers what comes next, null if
 * it was not ours to send. Rejects on faults of our own (store, secrets) before anything was sent: the lease then runs
 * out, which is the pause before the next try, and no attempt is counted against the receiver.
 */
const createTurn =
  (deps: SenderDeps, stopping: AbortSignal) =>
  async (id: string, onSent: () => void): Promise<AfterAttempt | null> => {
    const { store, clock, log, secretsOf, timeoutMs, random, tally } = deps
    const lease = await store.claim('deliver', id, timeoutMs + LEASE_MARGIN_MS)
    // Read under the lease: what was read to queue it may be old.
    const delivery = lease && (await store.delivery(id))
    if (!lease || delivery?.status !== 'pending') return null
    const secrets = await secretsOf(keeperOf(delivery))
    // Its endpoint was deleted meanwhile, and the delivery has ended with it.
    if (secrets.length === 0) return null
    const sent = await post(delivery, secrets, deps)
    onSent()
    const state = { schedule: delivery.target.kind, attempts: delivery.tried + 1 }
    const after = afterAttempt(state, sent.outcome, sent.endedAtMs, random())
    log.info(attemptLine(delivery, sent, after), 'webhook attempt')
    const recorded = await persist(
      () => store.attempted(lease, sent.attempt, after),
      clock,
      stopping,
      (err, tries) => log.error({ delivery_id: id, tries, err }, 'webhook attempt not recorded yet'),
    )
    if (recorded.ok) {
      time(tally, delivery, sent, after)
      const { target, event } = delivery
      const { status, disabled: reason } = recorded.value
      if (status === 'delivered' || status === 'failed') tally.count('delivery_ended', { status, target: target.kind })
      if (reason !== null && target.kind === 'endpoint') {
        tally.count('endpoint_disabled', { reason })
        log.warn({ endpoint_id: target.id, client: event.client, reason }, 'webhook endpoint disabled')
        deps.onDisabled()
      }
      return after
    }
    log.error({ delivery_id: id, outcome: after.status }, 'webhook attempt not recorded: it may be repeated')
    return null
  }

/** Delivers what the store holds. Hints wake it; a sweep finds what hints forgot. */
export const createSender = (deps: SenderDeps): Sender => {
  const { store, wake, clock, log, concurrency, perTarget } = deps
  const stopping = new AbortController()
  const tasks = createTasks(log)
  const queue = createFairQueue({ perLane: perTarget, total: concurrency, capacity: CAPACITY })
  const takeTurn = createTurn(deps, stopping.signal)
  let unsubscribe = (): void => undefined

  const serve = async (turn: Turn): Promise<void> => {
    let after: AfterAttempt | null = null
    const trial = trials.take(turn.id)
    try {
      if (trial) return await trial()
      after = await takeTurn(turn.id, () => {
        // The next need not wait for the disk, but a disk that is down must not pile up what is to be recorded.
        if (queue.sizes().freed >= concurrency) return
        queue.free(turn)
        fill()
      })
    } finally {
      // Only now: until it is recorded, a hint or a sweep must not send it again.
      queue.done(turn)
      fill()
    }
    if (after) intake.progressed()
    if (after?.status === 'pending') wake.hint('deliver', turn.id, after.nextAttemptAtMs)
  }

  const fill = (): void => {
    for (let turn = queue.next(); turn; turn = queue.next()) {
      const started = turn
      tasks.run('webhook not sent by a fault of the gateway', { delivery_id: started.id }, () => serve(started))
    }
  }

  const intake = createIntake({ store, clock, queue, tasks, onQueued: fill })
  const trials = createTrials({ queue, clock, onQueued: fill })

  return {
    trial: trials.run,
    start() {
      unsubscribe = wake.on({
        work(kind, id) {
          if (kind === 'deliver') intake.arrive(id)
        },
      })
      intake.sweep()
    },
    stop() {
      stopping.abort()
      unsubscribe()
      // Empties the queue: `fill` finds nothing more to start.
      intake.close()
      trials.close()
      return tasks.idle()
    },
  }
}
