import type { BackendProblem, JobReport, ReadOutcome } from '../../core/adapter.ts'
import type { Account } from './accounts.ts'
import type { Asked, Upstream } from './tickets.ts'

/** What is known of a job by its status alone, as a list or a download tells it. */
export const bareReport = (jobId: string, status: JobReport['status'], link: JobReport['link'] = null): JobReport => ({
  jobId,
  status,
  backendStatus: null,
  progress: null,
  link,
  failure: null,
  thumbnailUrl: null,
  durationSeconds: null,
  durationEstimateSeconds: null,
  nextPollAtMs: null,
  made: { puppetId: null, voiceId: null, resolution: null, createdAtMs: null },
  verbatim: null,
})

/** Whether a report calls its job completed, and only a download tells the link. */
export const lacksLink = (outcome: ReadOutcome<JobReport>): outcome is Extract<ReadOutcome<JobReport>, { ok: true }> =>
  outcome.ok && outcome.value.status === 'completed' && outcome.value.link === null

/** Asks for the link of a job that is over, and for nothing else. `reader`: the client that it is read for. */
export const createAskLink =
  (upstream: Pick<Upstream, 'ask'>) =>
  async (account: Account, jobId: string, reader: string | null = null): Promise<Asked<ReadOutcome<JobReport>>> => {
    const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.download(jobId), reader)
    if (asked.kind === 'not_now') return asked
    const { outcome } = asked
    if (outcome.ok)
      return { kind: 'asked', outcome: { ...outcome, value: bareReport(jobId, 'completed', outcome.value) } }
    // Any other refusal says nothing about the link: the poll failed.
    if (!saysThereIsNone(outcome.problem)) return { kind: 'asked', outcome: { ...outcome, lost: false } }
    return { kind: 'asked', outcome: { ok: true, value: bareReport(jobId, 'completed'), rate: outcome.rate } }
  }

/** Refusals of the key, or for now. They say nothing about the video, so they do not fail it. */
const NOT_OF_THE_VIDEO: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 425, 429])

const saysThereIsNone = ({ code, backendError: { status } }: BackendProblem): boolean =>
  status === null ? code === 'video_not_completed' : status >= 400 && status < 500 && !NOT_OF_THE_VIDEO.has(status)
