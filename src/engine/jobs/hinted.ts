import type { Ports } from '../../core/ports.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Apply } from '../life/apply.ts'
import { calledBack, keptBody } from '../life/callback-steps.ts'
import type { Account } from '../upstream/accounts.ts'

interface HintedDeps extends Pick<Ports, 'store' | 'wake' | 'clock'> {
  apply: Apply
  accountOf: (video: VideoRecord) => Account | null
  plannedAtMs: (video: VideoRecord) => number | null
}

/** A backend called back about an attempt of a video: a hint to poll, and no more. Answers when it is written. */
export const createHinted =
  ({ store, wake, clock, apply, accountOf, plannedAtMs }: HintedDeps) =>
  async (videoId: string, attempt: number, body: unknown): Promise<void> => {
    const known = await store.video(videoId)
    const account = known && accountOf(known)
    if (!account) return
    const jobId = account.adapter.callbackJobId(body)
    const owner = jobId === null ? null : await store.owner(account.id, jobId)
    // The job of another video says nothing about this one: a poll of it would be wasted.
    const isOfOther = owner !== null && owner !== videoId
    const callback = isOfOther ? { attempt, jobId: null, body: null } : { attempt, jobId, body: keptBody(body) }
    const video = await apply(
      videoId,
      (current, nowMs) => calledBack(current, callback, plannedAtMs(current), nowMs) ?? 'keep',
    )
    if (video)
      wake.hint('account', video.account, Math.min(video.dueAtMs ?? clock.now(), video.secondJobAtMs ?? Infinity))
  }
