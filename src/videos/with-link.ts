import type { BackendProblem, JobReport, ReadOutcome } from '../core/adapter.ts'
import type { Account } from './backends.ts'
import type { Upstream } from './upstream.ts'

/** Completes the report of a job that is called completed, and whose link only its download tells. */
export const createWithLink =
  (upstream: Pick<Upstream, 'ask'>) =>
  async (account: Account, jobId: string, outcome: ReadOutcome<JobReport>): Promise<ReadOutcome<JobReport>> => {
    if (!outcome.ok || outcome.value.status !== 'completed' || outcome.value.link) return outcome
    const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.download(jobId))
    // Not asked is no evidence that there is none.
    if (asked.kind === 'not_now') return { ...outcome, value: { ...outcome.value, status: null } }
    if (asked.outcome.ok) return { ...outcome, value: { ...outcome.value, link: asked.outcome.value } }
    // Anything else says nothing of the link, and is a failed look.
    return saysThereIsNone(asked.outcome.problem) ? outcome : { ...asked.outcome, lost: false }
  }

/** Refusals of whoever asks, or for now: a paid video is not failed for a key that was renewed too late. */
const NOT_OF_THE_VIDEO: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 425, 429])

const saysThereIsNone = ({ code, backendError: { status } }: BackendProblem): boolean =>
  status === null ? code === 'video_not_completed' : status >= 400 && status < 500 && !NOT_OF_THE_VIDEO.has(status)
