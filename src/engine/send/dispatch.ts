import {
  type BackendProblem,
  type CreateOutcome,
  NOWHERE_ELSE,
  type Otherwise,
  reasonOf,
  UNTOLD,
} from '../../core/adapter.ts'
import { evidenceOf, type VideoRecord, type WireRequest } from '../../core/video.ts'
import { persist, type Persisted } from '../../core/time/clock.ts'
import type { Lease } from '../../core/store/webhooks.ts'
import type { Ports } from '../../core/ports.ts'
import { below, during, linkedTo } from '../../core/tracing.ts'
import { type Account, leaseMsOf } from '../upstream/accounts.ts'
import { duplicate, end, failure, idempotencyKeyOf, pendingEvidence } from '../life/job-steps.ts'
import type { Apply, Decided } from '../life/apply.ts'
import {
  afterCreate,
  applyVerdict,
  type FirstPollAt,
  isSameDoubt,
  mayBeForgotten,
  putBack,
  sending,
  unknown,
  type Verdict,
  type VerdictContext,
  waiting,
} from '../life/create-steps.ts'
import type { Upstream } from '../upstream/tickets.ts'
import type { Ticket } from '../../core/store/accounts.ts'
import type { Admission, Admitted, FirstRequest, Queue } from '../../core/store/videos.ts'
import type { AccountId } from '../../core/vocabulary.ts'

/** What the latest accepted create of each account cost, and what was left then. */
export type Credits = Map<AccountId, { charged: number | null; remaining: number | null }>

interface DispatchDeps extends Pick<Ports, 'clock' | 'log' | 'random' | 'tracing'> {
  apply: Apply
  upstream: Upstream
  credits: Credits
  /** Where the backend may call back about an attempt; null when it cannot. */
  callbackUrl: (video: Pick<VideoRecord, 'id' | 'backend'>, attempt: number) => string | null
  firstPollAt: FirstPollAt
  /** Whether the account's backend can call back. */
  calledBack: (account: Account) => boolean
  settings: { resendWindowMs: number }
}

/** `isGone`: nothing is left of the video. Otherwise its record is deleted once the store can be written again. */
type Dispatched =
  { kind: 'recorded'; video: VideoRecord | null } | { kind: 'answered'; problem: BackendProblem; isGone: boolean }

/** What `open` or `admit` took for the video, and the time before that write, by `elapsed`. */
interface Opening {
  ticket: Ticket
  askedAtMs: number
}

/** Null: it was seen to. */
type Resent = { retryAtMs: number } | null
type Tried = CreateOutcome | { kind: 'not_sent'; video: VideoRecord | null; rate: null; isSilent: true }

/** How long a create with a listening client waits for a ticket, before the video goes into the queue. */
const PATIENCE_MS = 2_000
const WRITE_PATIENCE_MS = 5_000
/** What a lease must have left beyond the exchange, so that the outcome can still be written. */
const SEND_MARGIN_MS = 5_000
/** The pause before the next try, after the store was too slow. */
const SLOW_STORE_MS = 5_000

const unsent = (code: BackendProblem['code'], message: string, retryAtMs: number): BackendProblem => ({
  ...UNTOLD,
  code,
  message,
  retryable: true,
  retryAtMs,
})

/** Nothing was sent, as if the backend had said so: the breaker is open, or the window is spent. */
const NOT_ASKED = {
  circuit_open: (retryAtMs: number): CreateOutcome => ({
    kind: 'unreachable',
    problem: unsent('backend_unavailable', 'the backend has not answered for a while, and is left alone', retryAtMs),
    rate: null,
  }),
  no_budget: (retryAtMs: number): CreateOutcome => ({
    kind: 'refused',
    waits: 'budget',
    problem: unsent('rate_limited', 'the window of this backend is spent', retryAtMs),
    rate: null,
  }),
}

/**
 * Hands one leased video to its backend: a ticket, then the bytes stored, then the bytes sent, then the verdict stored.
 * `mode` says who receives a refusal (`afterCreate` in create-steps.ts).
 */
export const createDispatch = (deps: DispatchDeps) => {
  const { apply, upstream, clock, log, random, tracing, callbackUrl, firstPollAt, calledBack, settings } = deps
  const sentAtMs = ({ dispatchedAtMs, doubtSinceMs }: VideoRecord): number =>
    dispatchedAtMs ?? doubtSinceMs ?? clock.now()
  const stopping = new AbortController()
  const unwritten = new Set<{ id: string; done: Promise<void> }>()
  const record = async (sent: VideoRecord, verdict: Verdict, mode: VerdictContext['mode'], token: string | null) => {
    const decide = (video: VideoRecord, nowMs: number): Decided => {
      const context = { nowMs, firstPollAt }
      if (verdict.kind === 'accepted') {
        const known = video.backendJobId !== null || video.phase === 'ended'
        if (known) return duplicate(video, verdict.outcome.jobId, nowMs) ?? 'keep'
        return applyVerdict(video, verdict, context)
      }
      if (mode === 'resend' ? !isSameDoubt(video, sent) : video.lease?.token !== token) return 'keep'
      // A callback named a job, of whichever attempt: it is read before anything is decided.
      if (pendingEvidence(video)) {
        return applyVerdict(video, { kind: 'doubt', resendAtMs: nowMs, problem: verdict.problem }, context)
      }
      return verdict.kind === 'answer' ? 'discard' : applyVerdict(video, verdict, context)
    }
    return apply(sent.id, decide, { known: sent })
  }

  /**
   * Writes the outcome of a create, and retries until it is written: a paid job id must not be lost because the store
   * fails for a moment. A listening client waits for `WRITE_PATIENCE_MS` at most.
   */
  const writeDown = async <T>(
    id: string,
    mode: VerdictContext['mode'],
    write: () => Promise<T>,
  ): Promise<Persisted<T>> => {
    const writing = persist(write, clock, stopping.signal, (err, tries) =>
      log.error({ video_id: id, tries, err }, 'the result of a create is not written yet'),
    )
    const owed = { id, done: writing.then(() => void unwritten.delete(owed)) }
    unwritten.add(owed)
    if (mode !== 'first') return writing
    let cancel = (): void => {}
    const patience = new Promise<Persisted<never>>((resolve) => {
      cancel = clock.at(clock.now() + WRITE_PATIENCE_MS, () => resolve({ ok: false }))
    })
    const first = await Promise.race([writing, patience])
    cancel()
    return first
  }

  const judge = async (
    account: Account,
    video: VideoRecord,
    outcome: CreateOutcome,
    mode: VerdictContext['mode'],
    token: string | null,
    otherwise: Otherwise,
  ): Promise<Dispatched> => {
    if (outcome.kind === 'accepted') upstream.takesCreates(account.id)
    else if (outcome.kind === 'refused' && outcome.waits === null && reasonOf(outcome.problem) !== null)
      upstream.refusesCreates(account.id)
    if (outcome.kind === 'accepted' && outcome.credits) deps.credits.set(account.id, outcome.credits)
    const verdict = afterCreate(outcome, video, {
      mode,
      nowMs: clock.now(),
      resendWindowMs:
        settings.resendWindowMs +
        clock.leaptSince(sentAtMs(video)) +
        account.paused.pausedMs('creates', sentAtMs(video)),
      resends: account.adapter.capabilities.native_idempotency,
      random: random(),
      otherwise,
    })
    if (verdict.kind === 'wait' && verdict.reason === 'no_free_slot') upstream.pauseSlots(account.id, verdict.untilMs)
    const written = await writeDown(video.id, mode, () => record(video, verdict, mode, token))
    if (!written.ok) {
      // The store is failing. A refusal is reported even so, and its record is deleted later. Anything else is answered
      // as a video and never as an error, or the client might pay twice.
      return verdict.kind === 'answer'
        ? { kind: 'answered', problem: verdict.problem, isGone: false }
        : { kind: 'recorded', video }
    }
    const after = written.value
    // The refusal is the answer only if the record is gone. If the lease had run out, it may be a doubt by now.
    return verdict.kind === 'answer' && after === null
      ? { kind: 'answered', problem: verdict.problem, isGone: true }
      : { kind: 'recorded', video: after }
  }

  /** Puts the video back before its lease ends, or the stored bytes would be taken for sent. */
  const notSent = async (video: VideoRecord, mode: VerdictContext['mode'], token: string) => {
    const written = await writeDown(video.id, mode, () =>
      apply(video.id, (current, nowMs) =>
        current.lease?.token === token ? putBack(current, nowMs + SLOW_STORE_MS, nowMs) : 'keep',
      ),
    )
    return written.ok ? written.value : video
  }

  const wireOf = (account: Account, video: VideoRecord, attempt = video.attempt + 1): WireRequest =>
    account.adapter.createRequest(video.order, {
      idempotencyKey: idempotencyKeyOf(video),
      callbackUrl: callbackUrl(video, attempt),
    })

  /**
   * What waited in a restored copy has no bytes. They are those that it went out with, if it did: the key is the same.
   */
  const storeBytesOfCopy = (account: Account, video: VideoRecord) => {
    const wire = wireOf(account, video, video.attempt)
    return apply(video.id, (current, nowMs): Decided => {
      if (!isSameDoubt(current, video) || current.wire !== null) return 'keep'
      // Where its audio is hosted was not known yet, and is part of the bytes.
      if (current.transfer?.step === 'needed') return unknown(current, nowMs, 'its audio was not hosted in the copy')
      // Never sent in the copy, so it may have moved since, and no other account knows this one's keys.
      if (current.pool !== null && current.attempt === 1)
        return unknown(current, nowMs, 'another member of its pool may have made it since the copy')
      return { video: { ...current, wire }, notes: [] }
    })
  }

  const storeBytes = (account: Account, video: VideoRecord, wire: WireRequest, token: string) => {
    const outgoing = { wire, offsetMs: upstream.offsetMs(account.id) }
    const decide = (current: VideoRecord, nowMs: number): Decided =>
      current.lease?.token === token && current.wire === null
        ? sending(current, outgoing, leaseMsOf(account), nowMs)
        : 'keep'
    // Read first: the lease begins by the store's own time.
    return apply(video.id, decide)
  }

  const handOver = async (
    account: Account,
    video: VideoRecord,
    lease: Lease,
    mode: 'first' | 'queued',
    otherwise: Otherwise,
    opening: Opening | null,
  ): Promise<Dispatched> => {
    let known = video
    const send = async (): Promise<Tried> => {
      const wire = video.wire ?? wireOf(account, video)
      // The lease began no earlier. No two clocks are compared: each may be set at any time.
      const askedAtMs = opening?.askedAtMs ?? clock.elapsed()
      const stored = video.wire === null ? await storeBytes(account, video, wire, lease.token) : video
      const unsent = { kind: 'not_sent', video, rate: null, isSilent: true } as const
      if (stored?.lease?.token !== lease.token) return unsent
      const leftMs = leaseMsOf(account) - (clock.elapsed() - askedAtMs)
      if (leftMs < account.timeoutMs + SEND_MARGIN_MS) {
        return { ...unsent, video: await notSent(stored, mode, lease.token) }
      }
      known = stored
      return account.adapter.create(wire)
    }
    const asked = opening
      ? await upstream.askWith(account, opening.ticket, send)
      : await upstream.ask(account, 'create', mode === 'first' ? PATIENCE_MS : 0, send)
    if (asked.kind === 'not_now') {
      const { why, retryAtMs } = asked
      if (why === 'circuit_open' || otherwise.movesOn.includes(why)) {
        return judge(account, video, NOT_ASKED[why](retryAtMs), mode, lease.token, otherwise)
      }
      // The whole account waits for its window. This video stays the first of its client's.
      const after = await apply(video.id, (current, nowMs) =>
        current.lease?.token === lease.token ? waiting(current, nowMs, 'no_budget', nowMs) : 'keep',
      )
      return { kind: 'recorded', video: after }
    }
    if (asked.outcome.kind === 'not_sent') return { kind: 'recorded', video: asked.outcome.video }
    return judge(account, known, asked.outcome, mode, lease.token, otherwise)
  }

  const sendAgain = async (account: Account, doubtful: VideoRecord): Promise<Resent> => {
    let video = doubtful
    const isForgotten = (current: VideoRecord, nowMs: number): boolean =>
      // The backend forgets its keys during a pause, too.
      mayBeForgotten(current, nowMs - clock.leaptSince(sentAtMs(current)), settings.resendWindowMs)
    if (isForgotten(video, clock.now())) {
      await apply(video.id, (current, nowMs) =>
        current.phase === 'doubtful' && isForgotten(current, nowMs)
          ? unknown(current, nowMs, 'the backend may have forgotten its key: the gateway does not send it again')
          : 'keep',
      )
      return null
    }
    if (video.wire === null) video = (await storeBytesOfCopy(account, video)) ?? video
    const { wire } = video
    if (wire === null || video.phase !== 'doubtful') return null
    const asked = await upstream.ask(account, 'create', 0, () => account.adapter.create(wire))
    if (asked.kind === 'not_now') return { retryAtMs: asked.retryAtMs }
    await judge(account, video, asked.outcome, 'resend', null, NOWHERE_ELSE)
    return null
  }

  const about = ({ id, client, backend }: VideoRecord, attempt: number) => ({ video: id, client, backend, attempt })

  return {
    /**
     * What the store's `open` takes and stores with a new video, or `admit` with one that waited; null: nothing. A video
     * that is stored with its bytes is in doubt if the process dies before it sends them, so it is not where nothing
     * could end a doubt.
     */
    first(account: Account, video: VideoRecord): FirstRequest | null {
      const { exclusive } = account.evidence
      const can = evidenceOf(account.adapter.capabilities, { exclusive, isReachable: calledBack(account) })
      const request = upstream.firstRequest(account)
      if (!request) return null
      if (!can.keys && !can.list && !can.callback) return { ...request, outgoing: null }
      return { ...request, outgoing: { wire: wireOf(account, video), offsetMs: upstream.offsetMs(account.id) } }
    },

    /** The first sending of a video that `lease` holds. */
    dispatch(
      account: Account,
      video: VideoRecord,
      lease: Lease,
      mode: 'first' | 'queued',
      otherwise = NOWHERE_ELSE,
      opening: Opening | null = null,
    ): Promise<Dispatched> {
      const place = mode === 'first' ? below(video) : linkedTo(video)
      const attempt = video.wire === null ? video.attempt + 1 : video.attempt
      return during(tracing, 'dispatch', place, about(video, attempt), async (span) => {
        const dispatched = await handOver(account, video, lease, mode, otherwise, opening)
        if (dispatched.kind === 'answered') span.fail(dispatched.problem.code)
        span.set({ outcome: dispatched.kind === 'answered' ? 'refused' : (dispatched.video?.phase ?? 'discarded') })
        return dispatched
      })
    },

    /** Sends the stored bytes again, under the same key. If there is no ticket, answers when to try again. */
    resend: (account: Account, video: VideoRecord): Promise<Resent> =>
      during(tracing, 'dispatch', linkedTo(video), about(video, video.attempt), async (span) => {
        const resent = await sendAgain(account, video)
        span.set({ outcome: resent === null ? 'resent' : 'not_now' })
        return resent
      }),

    /** Resolves when every outcome that this process knows of this video's creates is written, or given up on. */
    async written(videoId: string): Promise<void> {
      await Promise.all([...unwritten].flatMap(({ id, done }) => (id === videoId ? [done] : [])))
    },
    /** From here on a write that fails is given up after some tries. */
    halt: (): void => stopping.abort(),
    /** Resolves when every outcome is written, or given up on. */
    async stop(): Promise<void> {
      while (unwritten.size > 0) await Promise.all([...unwritten].map(({ done }) => done))
    },
  }
}
export type Dispatch = ReturnType<typeof createDispatch>

/** What a member of a pool sends next, within one turn. */
export interface PoolTurn {
  /** Whether it may take something over now. */
  mayTake(queue: Queue): boolean
  /** Of its own queue, or to be taken over. */
  next(): Promise<VideoRecord | null>
  /** Takes it over. Null: it could not, and passes over it in this turn. */
  take(next: VideoRecord, admission: Admission): Promise<Admitted | null>
}

/** What waits and was never sent may go to another member. */
const TO_ANOTHER: Otherwise = { movesOn: ['down', 'no_credits'], waitsWhenDown: false }

interface DispatchWaitingDeps extends Pick<Ports, 'store' | 'clock'> {
  upstream: Upstream
  dispatch: Dispatch
  /** Null: the account is a member of no pool, or is drained. */
  poolTurnOf: (account: Account) => PoolTurn | null
  /** Whether another member of its pool may be expected to make the video. */
  mayPass: (video: VideoRecord) => boolean
  /** Starts on videos that wait for their audio, not for a turn. */
  startTransfers: (account: Account) => Promise<void>
}

/** Whether the account may have more work under way, and how to begin it. */
interface Room {
  hasRoom(): boolean
  start(video: VideoRecord, action: () => Promise<void>): void
}

/**
 * Dispatches what waits, here or elsewhere in its pool, while there are slots and tickets. Answers when to try again, if
 * something still waits.
 */
export const createDispatchWaiting =
  ({ store, clock, upstream, dispatch, poolTurnOf, mayPass, startTransfers }: DispatchWaitingDeps) =>
  async (account: Account, queue: Queue, { hasRoom, start }: Room): Promise<number | null> => {
    if (account.paused.isPaused('creates')) return queue.waiting > 0 ? account.paused.untilMs('creates') : null
    if (queue.hasTransfers) await startTransfers(account)
    const ofPool = poolTurnOf(account)
    const admission = { slots: account.slots, leaseMs: leaseMsOf(account) }
    const admit = (next: VideoRecord): Promise<Admitted | null> => {
      const { id, version } = next
      const first = dispatch.first(account, next)
      return store.admit(account.id, admission, first && { ...first, id, version })
    }
    for (let now = queue; ; now = await store.queue(account.id)) {
      const { waiting, held, nextDueAtMs, window } = now
      const slots = account.slots ?? Infinity
      const pool = ofPool?.mayTake(now) ? ofPool : null
      if ((nextDueAtMs === null && !pool) || held >= slots || !hasRoom()) return null
      const notBeforeMs = Math.max(
        pool ? 0 : (nextDueAtMs ?? 0),
        upstream.slotsPausedUntilMs(account.id),
        upstream.shutUntilMs(account.id),
        upstream.view(account, window).nextCreateAtMs ?? 0,
      )
      if (notBeforeMs > clock.now()) return notBeforeMs
      const next = await (pool ? pool.next() : store.nextWaiting(account.id, account.slots))
      if (!next) return nextDueAtMs !== null && nextDueAtMs > clock.now() ? nextDueAtMs : null
      const askedAtMs = clock.elapsed()
      const isOwn = next.account === account.id
      const leftUntilMs = upstream.refusesUntilMs(account.id)
      if (isOwn && next.attempt === 0 && leftUntilMs > clock.now() && mayPass(next)) return leftUntilMs
      const admitted = await (pool && !isOwn ? pool.take(next, admission) : admit(next))
      if (!admitted) {
        if (isOwn) return null
        continue
      }
      const { video, lease, ticket } = admitted
      start(video, async () => {
        const otherwise = mayPass(video) ? TO_ANOTHER : NOWHERE_ELSE
        await dispatch.dispatch(account, video, lease, 'queued', otherwise, ticket && { ticket, askedAtMs })
      })
      if ((waiting <= 1 && !pool) || held + 1 >= slots) return null
    }
  }

interface OverdueDeps extends Pick<Ports, 'store' | 'clock'> {
  apply: Apply
  settings: { maxAgeMs: number }
}

const AT_ONCE = 100

/** Fails videos that have waited for `engine.max_age`, with the last refusal that they met. */
export const createGiveUp =
  ({ store, apply, clock, settings }: OverdueDeps) =>
  async ({ id: account, paused }: Account): Promise<void> => {
    const beforeMs = paused.before('creates', clock.now() - settings.maxAgeMs)
    for (const id of await store.overdue(account, beforeMs - clock.leaptSince(beforeMs), AT_ONCE)) {
      await apply(id, (video, nowMs) => {
        const error =
          video.refusal ?? failure('backend_unavailable', 'the backend had no room for the video in the allowed time')
        return video.phase === 'waiting' ? end(video, { status: 'failed', error }, nowMs) : 'keep'
      })
    }
  }
