import { sourceOf, type VideoRecord } from '../../core/video.ts'
import type { FirstPollAt } from '../life/create-steps.ts'
import type { Account } from '../upstream/accounts.ts'
import type { Learned } from './learned.ts'

export interface FirstPollDeps {
  learned: Pick<Learned, 'nextPollAt'>
  /** Whether backends can reach the gateway. */
  takesCallbacks: () => boolean
  accountOf: (video: VideoRecord) => Account | null
}

/** Which backends call back, and when a job is polled first: by the backend's hint and what was learned of its jobs. */
export const createFirstPoll = ({ learned, takesCallbacks, accountOf }: FirstPollDeps) => {
  const calledBack = (account: Account): boolean => account.adapter.capabilities.native_webhook && takesCallbacks()
  /** Whether a callback is promised for this job. For one that was made elsewhere the backend has no URL to call. */
  const isCalledBack = (video: VideoRecord): boolean => {
    const account = accountOf(video)
    return account !== null && calledBack(account) && sourceOf(video) !== 'import'
  }
  const firstPollAt: FirstPollAt = (video, hintAtMs, nowMs) =>
    learned.nextPollAt(video, { nowMs, lastPollAtMs: null, readings: [], hintAtMs, calledBack: isCalledBack(video) })
  return { calledBack, isCalledBack, firstPollAt }
}
export type FirstPoll = ReturnType<typeof createFirstPoll>
