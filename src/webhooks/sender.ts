import { Problem } from '../core/errors.ts'
import { logFailure } from '../core/log.ts'
import type { Ports, Wake } from '../core/ports.ts'
import type { Store } from '../core/store/index.ts'
import type { AfterAttempt, Attempt, Delivery, LeasedDelivery, SecretKeeper } from '../core/store/webhooks.ts'
import type { CountedBy, Tally } from '../core/tally.ts'
import { type Clock, iso, persist } from '../core/time/clock.ts'
import { type Attributes, type Span, addressOf, during, linkedTo, noteMet, traceHeaders } from '../core/tracing.ts'
import { type Exchange, exchange } from '../http/exchange.ts'
import type { GuardedAgent } from '../http/guard.ts'
import {
  CAPACITY,
  type FairQueue,
  type Turn,
  createFairQueue,
  createFollowers,
  createIntake,
  createTasks,
} from './queue.ts'
import { type AttemptOutcome, afterAttempt, isDelivered } from './schedule.ts'
import type { SecretsOf } from './secrets.ts'
import { sign } from './sign.ts'

/** Kept of each answer. */
export const KEPT_ANSWER_BYTES = 16 * 1024

const MAX_ERROR_LENGTH = 300

interface Sent {
  attempt: Attempt
  outcome: AttemptOutcome
  /** When it ended, in milliseconds since the epoch. */
  endedAtMs: number
}

export interface PostOptions {
  agent: Pick<GuardedAgent, 'check' | 'dispatcher'>
  clock: Clock
  /** For the whole exchange, the answer's body included. */
  timeoutMs: number
  userAgent: string
  /** What goes out beside what is signed. */
  headers?: Readonly<Record<string, string>>
}

/** Bytes of a stranger as text, at most `KEPT_ANSWER_BYTES` in UTF-8: each bad byte becomes three. */
const keptText = (bytes: Buffer): string => {
  const text = Buffer.from(bytes.toString())
  // Drops a character that was cut in the middle.
  return text.length <= KEPT_ANSWER_BYTES
    ? text.toString()
    : text.toString('utf8', 0, KEPT_ANSWER_BYTES).replace(/\uFFFD$/, '')
}

/** The error that the client is shown: one line, bounded. TLS errors may quote a certificate. */
const publicError = (text: string): string =>
  text
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_ERROR_LENGTH)

export const outcomeOf = (result: Exchange): AttemptOutcome => {
  if (result.kind === 'answered')
    return { kind: 'answered', status: result.status, retryAfter: result.headers['retry-after'] ?? null }
  return { kind: result.fault === 'timeout' ? 'timeout' : 'failed' }
}

const errorOf = (result: Exchange): string | null => {
  if (result.kind === 'answered') {
    if (isDelivered(outcomeOf(result))) return null
    return result.status >= 300 && result.status < 400 ? 'redirects are not followed' : `status ${result.status}`
  }
  const begun = result.status === null ? '' : ` (an answer of status ${result.status} had begun)`
  return publicError(`${result.fault}: ${result.message}${begun}`)
}

/**
 * What is stored of an attempt. An answer that was cut off has no status: it is no success, whatever its first line
 * said.
 */
export const attemptOf = (result: Exchange, atMs: number, endedAtMs: number): Attempt => ({
  atMs,
  durationMs: endedAtMs - atMs,
  status: result.kind === 'answered' ? result.status : null,
  error: errorOf(result),
  responseBody: result.kind === 'answered' ? keptText(result.body) : null,
})

const refused = (message: string): Exchange => ({
  kind: 'failed',
  began: false,
  fault: 'connection',
  status: null,
  headers: {},
  message,
})

interface Signed {
  id: string
  url: string
  body: string
}

/** Checks the URL again, signs the stored bytes and sends them unchanged. */
const send = async (
  { id, url, body }: Signed,
  secrets: readonly string[],
  { agent, clock, timeoutMs, userAgent, headers }: PostOptions,
): Promise<Exchange> => {
  const verdict = agent.check(url)
  if (!verdict.ok) return refused(`the URL is not allowed: ${verdict.message}`)
  return exchange({
    dispatcher: agent.dispatcher,
    method: 'POST',
    url: verdict.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...headers,
      ...sign({ secrets, id, timestampS: Math.floor(clock.wall() / 1000), body }),
    },
    body,
    timeoutMs,
    maxBytes: KEPT_ANSWER_BYTES,
    overflow: 'truncate',
  })
}

/**
 * Makes one attempt (Standard Webhooks 1.0.0). Whatever the receiver does is an outcome. Throws only on a malformed
 * secret of ours.
 */
const post = async (delivery: Delivery, secrets: readonly string[], options: PostOptions): Promise<Sent> => {
  const { clock } = options
  const { id, body } = delivery.event
  const atMs = clock.now()
  const result = await send({ id, url: delivery.target.url, body }, secrets, options)
  const endedAtMs = clock.now()
  return { attempt: attemptOf(result, atMs, endedAtMs), outcome: outcomeOf(result), endedAtMs }
}

/** Sends a test event. Nothing is kept. The client sees what its receiver answered, as in an attempt of a delivery. */
export const postTest = async (message: Signed, secrets: readonly string[], options: PostOptions) => {
  const atMs = options.clock.now()
  const result = await send(message, secrets, options)
  return {
    delivered: isDelivered(outcomeOf(result)),
    status: result.kind === 'answered' ? result.status : null,
    error: errorOf(result),
    responseBody: result.kind === 'answered' ? keptText(result.body) : null,
    durationMs: options.clock.now() - atMs,
  }
}

interface Asked {
  id: string
  /** As it is under its lease: what was queued may be outdated. */
  resolve: (claimed: LeasedDelivery | null) => void
  reject: (error: unknown) => void
}

/** Leases deliveries: all that are asked for in one turn of the event loop are one write. */
const createClaims = (store: Pick<Store, 'claimDeliveries'>, leaseMs: number) => {
  let asked: Asked[] = []

  const claim = async (): Promise<void> => {
    const batch = asked
    asked = []
    try {
      const claimed = await store.claimDeliveries(
        batch.map(({ id }) => id),
        leaseMs,
      )
      for (const { id, resolve } of batch) resolve(claimed.get(id) ?? null)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** Null: it is not due, or another process has it. Rejects if the store fails. */
  return (id: string): Promise<LeasedDelivery | null> =>
    new Promise((resolve, reject) => {
      if (asked.push({ id, resolve, reject }) === 1) setImmediate(() => void claim())
    })
}

const closing = (): Problem =>
  new Problem('shutting_down', 'the gateway is stopping or loads a new configuration: retry')

interface TrialsDeps {
  queue: Pick<FairQueue, 'offer'>
  clock: Pick<Clock, 'now'>
  onQueued: () => void
}

/**
 * Test events are no deliveries: nothing is stored, and somebody waits for the outcome. But they take the same slots,
 * one at a time for each target, before its deliveries.
 */
const createTrials = ({ queue, clock, onQueued }: TrialsDeps) => {
  const waiting = new Map<string, { start: () => Promise<void>; drop: () => void }>()
  const busy = new Set<string>()
  let closed = false
  return {
    /**
     * Sends a test event in its turn. Throws `rate_limited` while another of the same target is under way, and
     * `shutting_down` where no more are sent.
     */
    async run<T>(turn: Turn, send: () => Promise<T>): Promise<T> {
      if (closed) throw closing()
      if (busy.has(turn.lane) || !queue.offer(turn, 'first')) {
        throw new Problem('rate_limited', 'a test of this endpoint is running: retry when it has ended', {
          retryAtMs: clock.now() + 1_000,
        })
      }
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      busy.add(turn.lane)
      waiting.set(turn.id, { start: () => send().then(resolve, reject), drop: () => reject(closing()) })
      onQueued()
      try {
        return await promise
      } finally {
        busy.delete(turn.lane)
      }
    },
    /** The test to send in this turn; null: the turn is a delivery's. */
    take(id: string): (() => Promise<void>) | null {
      const trial = waiting.get(id)
      waiting.delete(id)
      return trial?.start ?? null
    },
    /** Takes nothing new, and refuses tests that wait for their turn. */
    close(): void {
      closed = true
      for (const { drop } of waiting.values()) drop()
      waiting.clear()
    },
  }
}
type Trials = ReturnType<typeof createTrials>

export interface SenderDeps extends Pick<Ports, 'clock' | 'log' | 'random' | 'tracing'> {
  store: Pick<Store, 'dueDeliveries' | 'nextDueDelivery' | 'claimDeliveries' | 'deliveriesById' | 'attempted'>
  wake: Pick<Wake, 'hint' | 'on'>
  secretsOf: SecretsOf
  agent: Pick<GuardedAgent, 'check' | 'dispatcher'>
  tally: Pick<Tally, 'observe' | 'count'>
  /** For one whole attempt, in milliseconds. */
  timeoutMs: number
  /** Attempts that run, in all. */
  concurrency: number
  /** Attempts that run, per target. */
  perTarget: number
  /** `talkbridge/<version>`. */
  userAgent: string
  /** Called when an endpoint was disabled and its deliveries must move. */
  onDisabled: () => void
}

export interface Sender {
  start(): void
  /** Sends a test event in its turn among the deliveries, also before `start`. */
  trial: Trials['run']
  /** Takes nothing new, lets the attempts in flight end and be recorded, and resolves when idle. */
  stop(): Promise<void>
}

/** How much longer a lease lives than the timeout of the attempt: for reading, signing and recording. */
const LEASE_MARGIN_MS = 15_000

/** Whose secrets sign it. */
const keeperOf = ({ target, event }: Delivery): SecretKeeper =>
  target.kind === 'endpoint' ? { kind: 'endpoint', id: target.id } : { kind: 'client', id: event.client }

/** Paths and queries of webhook URLs often hold a token. */
const addressIn = (url: string) => {
  const parsed = URL.parse(url)
  return parsed && addressOf(parsed)
}

const attemptLine = (delivery: Delivery, { attempt, outcome }: Sent, after: AfterAttempt, span: Span) => ({
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
  ...(span.trace && { trace_id: span.trace.traceId }),
})

const about = ({ id, event, target, attempts }: Delivery): Attributes => ({
  client: event.client,
  video: event.videoId,
  delivery: id,
  event: event.id,
  eventType: event.type,
  attempt: attempts + 1,
  method: 'POST',
  ...addressIn(target.url),
})

const resultOf = (outcome: Sent['outcome']): CountedBy['delivery_attempt']['outcome'] => {
  if (outcome.kind !== 'answered') return outcome.kind
  const { status } = outcome
  return status < 300 ? '2xx' : status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx'
}

/** Measures how long an event took. Deliveries that were asked for later are left out. */
const time = (tally: SenderDeps['tally'], delivery: Delivery, sent: Sent, after: AfterAttempt): void => {
  const { event, target, attempts, isAskedLater } = delivery
  if (isAskedLater) return
  const labels = { target: target.kind }
  if (attempts === 0) tally.observe('webhook_first_attempt', sent.attempt.atMs - event.atMs, labels)
  if (after.status === 'delivered') tally.observe('webhook_delivered', sent.endedAtMs - event.atMs, labels)
}

/**
 * One delivery's turn: lease, attempt, record. `onSent` is called before the record. Answers what comes next; null if
 * it was not ours to send. Rejects on our own faults (store, secrets) before anything was sent. Then the lease runs
 * out, which is the pause before the next try, and no attempt counts against the receiver.
 */
const createTurn = (deps: SenderDeps, stopping: AbortSignal) => {
  const { store, clock, log, secretsOf, timeoutMs, random, tally, tracing } = deps
  /** Sends it and says what comes next, in a span. */
  const attempted = (delivery: Delivery, secrets: readonly string[]) =>
    during(tracing, 'delivery', linkedTo(delivery), about(delivery), async (span) => {
      const sent = await post(delivery, secrets, { ...deps, headers: traceHeaders(span.trace) })
      const state = { schedule: delivery.target.kind, attempts: delivery.tried + 1 }
      const after = afterAttempt(state, sent.outcome, sent.endedAtMs, random())
      noteMet(span, sent.attempt.status === null ? { fault: sent.outcome.kind } : { status: sent.attempt.status })
      span.set({ outcome: after.status })
      log.info(attemptLine(delivery, sent, after, span), 'webhook attempt')
      return { sent, after }
    })
  const claim = createClaims(store, timeoutMs + LEASE_MARGIN_MS)
  return async (id: string, onSent: () => void): Promise<AfterAttempt | null> => {
    const claimed = await claim(id)
    if (!claimed) return null
    const { lease, delivery } = claimed
    const secrets = await secretsOf(keeperOf(delivery))
    // The endpoint was deleted meanwhile, which ended the delivery.
    if (secrets.length === 0) return null
    const { sent, after } = await attempted(delivery, secrets)
    onSent()
    const recorded = await persist(
      () => store.attempted(lease, sent.attempt, after),
      clock,
      stopping,
      (err, tries) => logFailure(log, { delivery_id: id, tries, err }, 'webhook attempt not recorded yet'),
    )
    if (recorded.ok) {
      tally.count('delivery_attempt', { target: delivery.target.kind, outcome: resultOf(sent.outcome) })
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
}

/** Delivers what the store holds. Hints wake it; a sweep finds what hints forgot. */
export const createSender = (deps: SenderDeps): Sender => {
  const { store, wake, clock, log, concurrency, perTarget } = deps
  const stopping = new AbortController()
  const tasks = createTasks(log)
  const queue = createFairQueue({ perLane: perTarget, total: concurrency, capacity: CAPACITY })
  const followers = createFollowers()
  const takeTurn = createTurn(deps, stopping.signal)
  let unsubscribe = (): void => undefined

  const serve = async (turn: Turn): Promise<void> => {
    let after: AfterAttempt | null = null
    const trial = trials.take(turn.id)
    followers.started(turn)
    try {
      if (trial) return await trial()
      after = await takeTurn(turn.id, () => {
        // The next attempt need not wait for the disk. But if the disk is down, unrecorded attempts must not pile up.
        if (queue.sizes().freed >= concurrency) return
        queue.free(turn)
        fill()
      })
    } finally {
      // Only now: before it is recorded, a hint or a sweep would send it again.
      queue.done(turn)
      const next = followers.ended(turn, after !== null)
      // First: they had their turn before what waits now.
      if (!stopping.signal.aborted) for (const follower of next) queue.offer(follower, 'first')
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
