import type { JobReport } from '../../core/adapter.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Ports } from '../../core/ports.ts'
import type { Apply, Decided } from '../life/apply.ts'
import { backoffMs } from '../life/backoff.ts'
import { readNow } from '../life/callback-steps.ts'
import { confirmedJob, isSameDoubt, searchAgain, withSeconds, type FirstPollAt } from '../life/create-steps.ts'
import type { Account } from '../upstream/accounts.ts'
import type { Confirm } from './confirm.ts'
import type { Pause } from './list-walk.ts'

export interface AdoptDeps extends Pick<Ports, 'clock' | 'random'> {
  apply: Apply
  confirm: Confirm
  firstPollAt: FirstPollAt
}

interface Found {
  jobId: string
  from: string
  /** The report that was just read for this video; null: read it now. */
  read: JobReport | null
  /** Other jobs of the video, which are reported as duplicates. */
  seconds?: readonly string[]
}

/** Gives a video in doubt the job that evidence named, if its backend confirms it. */
export const createAdopt = ({ apply, clock, random, confirm, firstPollAt }: AdoptDeps) => {
  const adoptAlone = async (
    account: Account,
    video: VideoRecord,
    { jobId, from, read, seconds = [] }: Found,
  ): Promise<Pause | null> => {
    const confirmed = read ? ({ kind: 'ours', report: read } as const) : await confirm(account, video, jobId)
    if ('retryAtMs' in confirmed) return confirmed
    const refuted = (current: VideoRecord, nowMs: number): Decided => {
      const told = readNow(current, jobId, nowMs)
      if (!isSameDoubt(current, video)) return { video: told, notes: [] }
      const why = `${from} named ${jobId}, which is not ours`
      return searchAgain(told, { reading: null }, nowMs, nowMs, why)
    }
    await apply(
      video.id,
      (current, nowMs): Decided => {
        if (confirmed.kind !== 'ours') return refuted(current, nowMs)
        const context = { nowMs, firstPollAt }
        const step = confirmedJob(current, jobId, confirmed.report, from, context)
        return step ? withSeconds(step, seconds, nowMs) : 'keep'
      },
      // Another video got the job since it was read.
      { onJobTaken: (current, _taken, nowMs) => refuted(current, nowMs) },
    )
    return null
  }

  /** Jobs that are being adopted. One video at a time: two at once would both find that the job is nobody's. */
  const adopting = new Set<string>()

  return async (account: Account, video: VideoRecord, found: Found): Promise<Pause | null> => {
    const job = JSON.stringify([account.id, found.jobId])
    if (adopting.has(job)) return { retryAtMs: clock.now() + backoffMs(1, random()) }
    adopting.add(job)
    return adoptAlone(account, video, found).finally(() => adopting.delete(job))
  }
}
