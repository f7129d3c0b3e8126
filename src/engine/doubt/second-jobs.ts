import { sleepUntil, type Clock } from '../../core/time/clock.ts'
import type { Log } from '../../core/log.ts'
import { persist } from '../../core/persist.ts'
import type { Store } from '../../core/store/index.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'
import { pendingClaims, readNow, unreadNow } from '../life/callback-steps.ts'
import type { Confirm } from './confirm.ts'
import type { Apply } from '../life/apply.ts'
import type { Step } from '../life/job-steps.ts'
import { confirmedJob, type FirstPollAt } from '../life/create-steps.ts'

export interface ClaimsDeps {
  store: Pick<Store, 'video'>
  apply: Apply
  confirm: Confirm
  clock: Clock
  log: Log
  accountOf: (video: VideoRecord) => Account | null
  firstPollAt: FirstPollAt
}

/** Videos whose claims are followed at the same time. Any more wait for their next change. */
const AT_MOST = 1_000
/** Tries for one video, before its claims wait for its next change. */
const TRIES = 30
const AFTER_FAULT_MS = 5_000

/**
 * Reads the jobs that callbacks name for a video whose create is not in doubt. A job that the backend confirms becomes
 * the video's if it has none; otherwise it is reported as `duplicate_job`. The record says what is to be read.
 */
export const createClaims = ({ store, apply, confirm, clock, log, accountOf, firstPollAt }: ClaimsDeps) => {
  const following = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  /** Reads the next job. Answers when to go on; null: nothing is left. */
  const step = async (id: string): Promise<number | null> => {
    const video = await store.video(id)
    const account = video && accountOf(video)
    const claim = video && pendingClaims(video)[0]
    if (!account || !claim) return null
    if (claim.atMs > clock.now()) return claim.atMs
    const confirmed = await confirm(account, video, claim.jobId)
    if (confirmed.kind === 'not_now') return confirmed.retryAtMs
    const concluded = (current: VideoRecord, nowMs: number): Step => {
      if (confirmed.kind === 'unread')
        return { video: unreadNow(current, claim, confirmed.retryAtMs, nowMs), notes: [] }
      const context = { nowMs, firstPollAt }
      const { jobId } = claim
      const own =
        confirmed.kind === 'ours' ? confirmedJob(current, jobId, confirmed.report, 'a callback', context) : null
      return own ?? refuted(current, nowMs)
    }
    const refuted = (current: VideoRecord, nowMs: number): Step => ({
      video: readNow(current, claim.jobId, nowMs),
      notes: [],
    })
    // Retried until it is written, so that a failing store costs no second read.
    await persist(
      // Another video may have got the job since it was read.
      () => apply(id, concluded, (current, _taken, nowMs) => refuted(current, nowMs)),
      clock,
      stopping.signal,
      (err, tries) =>
        log.error({ video_id: id, tries, err }, 'what came of a job that a callback named is not written yet'),
    )
    return clock.now()
  }

  const follow = async (id: string): Promise<void> => {
    for (let tries = 0; tries < TRIES && !stopping.signal.aborted; tries += 1) {
      const nextAtMs = await step(id).catch((err: unknown) => {
        log.error({ video_id: id, err }, 'a job that a callback named was not read yet')
        return clock.now() + AFTER_FAULT_MS
      })
      if (nextAtMs === null) return
      await sleepUntil(clock, nextAtMs, stopping.signal)
    }
  }

  return {
    /** Follows what callbacks claim of this video. */
    check(video: VideoRecord): void {
      if (pendingClaims(video).length === 0 || stopping.signal.aborted) return
      if (following.has(video.id) || following.size >= AT_MOST) return
      const done: Promise<void> = follow(video.id).finally(() => following.delete(video.id))
      following.set(video.id, done)
    },
    /** Reads nothing more. */
    halt: (): void => stopping.abort(),
    async stop(): Promise<void> {
      await Promise.all(following.values())
    },
  }
}
