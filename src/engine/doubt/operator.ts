import type { AuditEntry } from '../../core/access.ts'
import { iso, isoOrNull } from '../../core/time/clock.ts'
import { Problem } from '../../core/errors.ts'
import { fitsInPath } from '../../core/ids.ts'
import type { Store } from '../../core/store/index.ts'
import type { AdminVideoView, VideoView } from '../../core/api/videos.ts'
import { isGivenUp, type VideoRecord } from '../../core/video.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { notNow, problemOf } from '../upstream/ask.ts'
import type { Account } from '../upstream/accounts.ts'
import { type Step, pendingEvidence } from '../life/job-steps.ts'
import type { Apply } from '../life/apply.ts'
import { candidatesOf } from './list.ts'
import { confirmedJob, resentAsAbsent, type FirstPollAt } from '../life/create-steps.ts'
import type { Upstream } from '../upstream/tickets.ts'

/** What an operator says of a create whose outcome is unknown: while it is in doubt, or after it was given up. */

/** An operator waits this long for a ticket. */
const PATIENCE_MS = 5_000

export const notInDoubt = ({ id, status }: VideoRecord): Problem =>
  new Problem('invalid_request', `the create of this video is not in doubt: it is ${status}`, { videoId: id })

/** The operator spoke of attempt `said`, which is not the latest one. */
export const notTheAttempt = ({ id, attempt }: VideoRecord, said: number): Problem => {
  const message =
    said < attempt
      ? `attempt ${said} is over: read the video again, and decide about attempt ${attempt}`
      : `there was no attempt ${said}: the last one is ${attempt}`
  return new Problem('invalid_request', message, { videoId: id, errors: [{ path: 'attempt', message }] })
}

const isNamed = ({ id }: VideoRecord, jobId: string): Problem =>
  new Problem(
    'invalid_request',
    `a callback named job ${jobId}, and the gateway is reading it: wait for the result first`,
    {
      videoId: id,
    },
  )

/**
 * Throws for a video given up whose job another one adopted: two would represent it, and its client be informed of the
 * last.
 */
export const refuseReplaced = ({ id, replacedBy }: VideoRecord): void => {
  if (replacedBy === null) return
  throw new Problem('video_replaced', `another video has this job already: ${replacedBy}`, {
    videoId: id,
    details: { replaced_by: replacedBy },
  })
}

export const belongsTo = (owner: string): Problem =>
  new Problem('invalid_request', `this job belongs to ${owner}`, { param: 'job_id' })

/** Throws for a job that is a video's already, and for what no backend can be asked about. */
export const refuseTaken = async (store: Pick<Store, 'owner'>, account: AccountId, jobId: string): Promise<void> => {
  const owner = await store.owner(account, jobId)
  if (owner !== null) throw belongsTo(owner)
  if (!fitsInPath(jobId)) throw new Problem('video_not_found', 'this cannot be the id of a job', { param: 'job_id' })
}

export const notConfigured = (): Problem =>
  new Problem('backend_unavailable', 'the configuration no longer has the account of this video')

const evidenceViewOf = ({ search, resends }: VideoRecord): NonNullable<AdminVideoView['doubt']>['evidence'] => ({
  walks: (search?.walks ?? []).map(({ atMs, total }) => ({ at: iso(atMs), jobs: total })),
  named: (search?.named ?? []).map(({ jobId, state }) => ({ job_id: jobId, state })),
  resends,
})

/** What an operator may decide about this video; null: nothing is in doubt. */
const doubtOf = (video: VideoRecord): AdminVideoView['doubt'] =>
  video.phase !== 'doubtful' && !isGivenUp(video)
    ? null
    : {
        open: video.phase === 'doubtful',
        attempt: video.attempt,
        since: isoOrNull(video.doubtSinceMs),
        candidates: candidatesOf(video),
        evidence: evidenceViewOf(video),
        resolved_at: isoOrNull(video.absentSinceMs),
      }

/** The public shape of a video, with whose it is, and the doubt that an operator may end. */
export const forOperator = (video: VideoRecord, view: VideoView): AdminVideoView => ({
  ...view,
  client: video.client,
  doubt: doubtOf(video),
})

/** An ended video stays as it is: the word is only noted in its timeline. */
export const resolved = (video: VideoRecord, detail: string, nowMs: number): Step => ({
  video: { ...video },
  notes: [{ at: nowMs, type: 'resolved', detail }],
})

/** Of a video that was given up as unknown: there was no job. */
export const saidAbsent = (video: VideoRecord, nowMs: number): Step => {
  const { video: same, notes } = resolved(video, 'there was no job', nowMs)
  return { video: { ...same, absentSinceMs: nowMs }, notes }
}

interface DecideDeps {
  store: Pick<Store, 'owner'>
  apply: Apply
  upstream: Pick<Upstream, 'ask'>
  firstPollAt: FirstPollAt
}

/** Why we cannot accept that attempt `said` made no job; null: we can. */
const refusesAbsence = (video: VideoRecord, said: number): Problem | null => {
  if (video.attempt !== said) return notTheAttempt(video, said)
  if (video.phase !== 'doubtful') return notInDoubt(video)
  const named = pendingEvidence(video)
  return named && isNamed(video, named.jobId)
}

/**
 * Ends a doubt by an operator's word. `jobId`: this is the video's job, of whichever attempt. Null: the attempt in
 * `video` made no job. Throws why the word cannot be accepted.
 */
export const createDecide =
  ({ store, apply, upstream, firstPollAt }: DecideDeps) =>
  async (account: Account, video: VideoRecord, jobId: string | null, audit?: AuditEntry): Promise<VideoRecord> => {
    if (jobId === null) {
      let refusal: Problem | null = null
      const after = await apply(video.id, (current, nowMs) => {
        refusal = refusesAbsence(current, video.attempt)
        return refusal ? 'keep' : { ...resentAsAbsent(current, nowMs), audit }
      })
      if (refusal) throw refusal
      return after ?? video
    }
    await refuseTaken(store, account.id, jobId)
    const asked = await upstream.ask(account, 'poll', PATIENCE_MS, () => account.adapter.status(jobId))
    const backend = { name: video.backend }
    if (asked.kind === 'not_now') throw notNow(backend, asked.retryAtMs)
    if (!asked.outcome.ok) throw problemOf(asked.outcome.problem, backend, { param: 'job_id' })
    const report = asked.outcome.value
    const after = await apply(
      video.id,
      (current, nowMs) => {
        const context = { nowMs, firstPollAt }
        const step = confirmedJob(current, jobId, report, 'the operator', context)
        return step ? { ...step, audit } : 'keep'
      },
      {
        onJobTaken: (_, taken) => {
          throw belongsTo(taken.owner)
        },
      },
    )
    return after ?? video
  }
