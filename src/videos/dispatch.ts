import type { BackendProblem, CreateOutcome } from '../core/adapter.ts'
import type { Clock } from '../core/clock.ts'
import type { Lease } from '../core/ports.ts'
import type { VideoRecord } from '../core/video.ts'
import type { Account } from './backends.ts'
import type { Log } from '../core/log.ts'
import type { Apply, Decided } from './engine.ts'
import { applyVerdict, sending, waiting } from './steps.ts'
import type { Upstream } from './upstream.ts'
import { afterCreate, type Verdict, type VerdictContext } from './verdict.ts'

export interface DispatchDeps {
  apply: Apply
  upstream: Upstream
  clock: Clock
  log: Log
  random: () => number
  /** Where the backend may call back about an attempt; null when the gateway has no public URL. */
  callbackUrl: (video: VideoRecord, attempt: number) => string | null
  settings: { resendWindowMs: number; minIntervalMs: number }
}

export type Dispatched = { kind: 'recorded'; video: VideoRecord | null } | { kind: 'answered'; problem: BackendProblem }

type Tried = CreateOutcome | { kind: 'not_ours'; rate: null }

/** A listening client rather waits this long for the first headers of a window than in the queue. */
const PATIENCE_MS = 2_000

/**
 * Hands one leased video to its backend: a ticket, then the bytes stored, then the bytes sent, then the verdict stored.
 * `mode` says who hears a refusal (verdict.ts).
 */
export const createDispatch = ({ apply, upstream, clock, log, random, callbackUrl, settings }: DispatchDeps) => {
  const calledBack = (account: Account, video: VideoRecord): boolean =>
    account.adapter.capabilities.native_webhook && callbackUrl(video, video.attempt) !== null

  const record = async (
    account: Account,
    id: string,
    verdict: Verdict,
    mode: VerdictContext['mode'],
    token: string | null,
  ) =>
    apply(id, (video, nowMs): Decided => {
      if (verdict.kind === 'accepted') {
        const jobId = verdict.outcome.jobId
        if (video.backendJobId === jobId) return 'keep'
        if (video.backendJobId !== null || video.phase === 'ended') {
          // Two jobs for one video, or one for a video given up: it cannot be undone, so it must be seen.
          log.error(
            { video_id: id, backend: video.backend, job: jobId, known_job: video.backendJobId },
            'duplicate_job',
          )
          return { video: { ...video }, notes: [{ at: nowMs, type: 'duplicate_job', detail: jobId }] }
        }
      } else if (mode === 'resend' ? video.phase !== 'doubtful' : video.lease?.token !== token) return 'keep'
      if (verdict.kind === 'answer') return 'discard'
      return applyVerdict(video, verdict, {
        nowMs,
        minIntervalMs: settings.minIntervalMs,
        calledBack: calledBack(account, video),
      })
    })

  const judge = async (
    account: Account,
    video: VideoRecord,
    outcome: CreateOutcome,
    mode: VerdictContext['mode'],
    token: string | null,
  ): Promise<Dispatched> => {
    const verdict = afterCreate(outcome, video, {
      mode,
      nowMs: clock.now(),
      resendWindowMs: settings.resendWindowMs,
      random: random(),
    })
    if (verdict.kind === 'wait' && verdict.reason === 'no_free_slot') upstream.pauseSlots(account.id, verdict.untilMs)
    const after = await record(account, video.id, verdict, mode, token)
    // A refusal is the answer only if it left nothing: a lease that was over may have made it a doubt meanwhile.
    return verdict.kind === 'answer' && after === null
      ? { kind: 'answered', problem: verdict.problem }
      : { kind: 'recorded', video: after }
  }

  return {
    /** The first sending of a video that `lease` holds. */
    async dispatch(account: Account, video: VideoRecord, lease: Lease, mode: 'first' | 'queued'): Promise<Dispatched> {
      const attempt = video.attempt + 1
      const wire = account.adapter.createRequest(video.order, {
        idempotencyKey: `${video.id}.1`,
        callbackUrl: callbackUrl(video, attempt),
      })
      const asked = await upstream.ask<Tried>(account, 'create', mode === 'first' ? PATIENCE_MS : 0, async () => {
        const stored = await apply(video.id, (current, nowMs) =>
          current.lease?.token === lease.token && current.wire === null ? sending(current, wire, nowMs) : 'keep',
        )
        if (stored?.lease?.token !== lease.token) return { kind: 'not_ours', rate: null }
        return account.adapter.create(wire, AbortSignal.timeout(account.timeoutMs))
      })
      if (asked.kind === 'no_budget') {
        const after = await apply(video.id, (current, nowMs) =>
          current.lease?.token === lease.token ? waiting(current, asked.retryAtMs, 'no_budget', nowMs) : 'keep',
        )
        return { kind: 'recorded', video: after }
      }
      if (asked.outcome.kind === 'not_ours') return { kind: 'recorded', video }
      return judge(account, { ...video, attempt }, asked.outcome, mode, lease.token)
    },

    /** The stored bytes once more, under the same key. Answers when to ask for a ticket again if there is none. */
    async resend(account: Account, video: VideoRecord): Promise<{ retryAtMs: number } | null> {
      const { wire } = video
      if (!wire) return null
      const asked = await upstream.ask(account, 'create', 0, () =>
        account.adapter.create(wire, AbortSignal.timeout(account.timeoutMs)),
      )
      if (asked.kind === 'no_budget') return { retryAtMs: asked.retryAtMs }
      await judge(account, video, asked.outcome, 'resend', null)
      return null
    },

    calledBack,
  }
}
export type Dispatch = ReturnType<typeof createDispatch>
