import { doubtWarning, type VideoRecord } from '../../core/video.ts'
import type { Log } from '../../core/log.ts'
import type { Account } from '../upstream/accounts.ts'
import { persist } from '../../core/time/clock.ts'
import type { Store } from '../../core/store/index.ts'
import type { Ports } from '../../core/ports.ts'
import { pendingSecondJob, readNow, unreadNow } from '../life/callback-steps.ts'
import type { Confirm } from './list.ts'
import type { Apply } from '../life/apply.ts'
import type { Step } from '../life/job-steps.ts'
import { confirmedJob, type FirstPollAt } from '../life/create-steps.ts'

/** Warns at the start of accounts on which nothing can end a doubt. */
export const warnOfDoubts = (
  accounts: Iterable<Account>,
  calledBack: (account: Account) => boolean,
  log: Pick<Log, 'warn'>,
): void => {
  for (const account of accounts) {
    const { exclusive } = account.evidence
    const warning = doubtWarning(account.adapter.capabilities, { exclusive, isReachable: calledBack(account) })
    if (warning !== null) log.warn({ backends: account.backends }, warning)
  }
}

interface SecondJobDeps extends Pick<Ports, 'clock' | 'log' | 'wake'> {
  store: Pick<Store, 'video'>
  apply: Apply
  confirm: Confirm
  firstPollAt: FirstPollAt
}

/**
 * Reads the job that a callback named for a video whose create is not in doubt. A job that the backend confirms becomes
 * the video's if it has none; otherwise it is reported as `duplicate_job`. The record says what is to be read.
 */
export const createSecondJobs = ({ store, apply, confirm, clock, log, wake, firstPollAt }: SecondJobDeps) => {
  const stopping = new AbortController()
  return {
    async read(account: Account, id: string): Promise<void> {
      const video = await store.video(id)
      const job = video && pendingSecondJob(video)
      if (!job || job.atMs > clock.now()) return
      const { jobId } = job
      const confirmed = await confirm(account, video, jobId)
      if (confirmed.kind === 'not_now') return
      const refuted = (current: VideoRecord, nowMs: number): Step => ({
        video: readNow(current, jobId, nowMs),
        notes: [],
      })
      const concluded = (current: VideoRecord, nowMs: number): Step => {
        if (confirmed.kind === 'foreign') return refuted(current, nowMs)
        if (confirmed.kind !== 'ours') {
          return { video: unreadNow(current, job, confirmed.retryAtMs, nowMs), notes: [] }
        }
        const context = { nowMs, firstPollAt }
        return confirmedJob(current, jobId, confirmed.report, 'a callback', context) ?? refuted(current, nowMs)
      }
      // Retried until it is written, so that a failing store costs no second read.
      const written = await persist(
        // Another video may have got the job since it was read.
        () => apply(id, concluded, { onJobTaken: (current, _taken, nowMs) => refuted(current, nowMs) }),
        clock,
        stopping.signal,
        (err, tries) =>
          log.error({ video_id: id, tries, err }, 'the result of a job that a callback named is not written yet'),
      )
      const againAtMs = written.ok ? (written.value?.secondJobAtMs ?? null) : null
      if (againAtMs !== null) wake.hint('account', account.id, againAtMs)
    },
    /** From here on a write that fails is given up after some tries. */
    halt: (): void => stopping.abort(),
  }
}
