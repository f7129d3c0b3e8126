import type { JobReport } from '../../core/adapter.ts'
import type { Store } from '../../core/store/index.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Ports } from '../../core/ports.ts'
import type { Account } from '../upstream/accounts.ts'
import { isMadeOf } from './evidence.ts'
import { backoffMs } from '../life/backoff.ts'
import type { Upstream } from '../upstream/tickets.ts'

export interface ConfirmDeps extends Pick<Ports, 'clock' | 'random'> {
  store: Pick<Store, 'owner'>
  upstream: Upstream
}

export type Confirmed =
  | { kind: 'ours'; report: JobReport }
  /** Another video's, unknown to the backend, or made of something else. */
  | { kind: 'foreign' }
  /** `not_now`: nothing was asked. `unread`: no answer that tells. */
  | { kind: 'not_now' | 'unread'; retryAtMs: number }

/** Reads a job: whether it can be this video's, and is nobody else's. */
export const createConfirm =
  ({ store, upstream, clock, random }: ConfirmDeps) =>
  async (account: Account, video: VideoRecord, jobId: string): Promise<Confirmed> => {
    const owner = await store.owner(account.id, jobId)
    if (owner !== null && owner !== video.id) return { kind: 'foreign' }
    const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.status(jobId))
    if (asked.kind === 'not_now') return { kind: 'not_now', retryAtMs: asked.retryAtMs }
    const { outcome } = asked
    if (outcome.ok) {
      return isMadeOf(video.order, outcome.value.made) ? { kind: 'ours', report: outcome.value } : { kind: 'foreign' }
    }
    if (outcome.lost) return { kind: 'foreign' }
    return { kind: 'unread', retryAtMs: outcome.problem.retryAtMs ?? clock.now() + backoffMs(2, random()) }
  }
export type Confirm = ReturnType<typeof createConfirm>
