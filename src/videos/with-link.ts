import type { JobReport, ReadOutcome } from '../core/adapter.ts'
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
    // A refusal says that there is no link; a fault says nothing, and is a failed look.
    const { status } = asked.outcome.problem.backendError
    const refused =
      status === null ? asked.outcome.problem.code === 'video_not_completed' : status < 500 && status !== 429
    return refused ? outcome : { ...asked.outcome, lost: false }
  }
