import type { AccountId } from '../../core/vocabulary.ts'
import type { Ports } from '../../core/ports.ts'
import type { Apply } from '../life/apply.ts'
import { end, failure } from '../life/job-steps.ts'

export interface OverdueDeps extends Pick<Ports, 'store' | 'clock'> {
  apply: Apply
  settings: { maxAgeMs: number }
}

const AT_ONCE = 100

/** Fails videos that have waited for `engine.max_age`, with the last refusal that they met. */
export const createGiveUp =
  ({ store, apply, clock, settings }: OverdueDeps) =>
  async (account: AccountId): Promise<void> => {
    const beforeMs = clock.now() - settings.maxAgeMs
    for (const id of await store.overdue(account, beforeMs - clock.leaptSince(beforeMs), AT_ONCE)) {
      await apply(id, (video, nowMs) => {
        const error =
          video.refusal ?? failure('backend_unavailable', 'the backend had no room for the video in the allowed time')
        return video.phase === 'waiting' ? end(video, { status: 'failed', error }, nowMs) : 'keep'
      })
    }
  }
