import { iso } from '../../core/time/clock.ts'
import { invalid, Refusal, type Answer } from '../http/answer.ts'
import type { Call, Operation } from '../http/call.ts'
import type { Phase } from '../jobs.ts'
import { videoPath } from '../media/routes.ts'
import type { Job } from '../state.ts'
import { after, hint, phaseNow, type World } from '../world.ts'
import { debitHeaders } from './account.ts'
import { hintHeaders, jobHeaders, statusPathOf } from './dialect.ts'

/** getVideoJob (primary, "GET /api/v1/videos/{jobId}"). */
export const jobOperations = (world: World): Operation[] => [
  {
    method: 'get',
    path: '/api/v1/videos/:jobId',
    name: 'getVideoJob',
    scope: 'videos:read',
    run: (call) => status(world, call),
    // "Both carry Retry-After, X-Service-Next-Poll-At, Location, Content-Location and the id headers."
    faulted: (req, status) => ({
      jobId: String(req.params['jobId']),
      ...(status === 404 && { blockCode: 'VIDEO_JOB_NOT_FOUND' }),
      ...([502, 504].includes(status) && {
        retryable: true,
        retryAfter: hint(world, world.decisions.primary.transientRetryMs),
      }),
    }),
  },
]

const isUnfinished = ({ status }: Phase): boolean => status === 'queued' || status === 'processing'

/** Hints of an unfinished job, and of a retryable failure that answers a create (a replay). */
const pacing = (world: World, phase: Phase, read: boolean) => {
  const { pollEveryMs, failedRetryMs } = world.decisions.primary
  if (isUnfinished(phase)) return hint(world, pollEveryMs)
  return !read && phase.status === 'failed' && phase.retryable ? hint(world, failedRetryMs) : null
}

/** 200 for a job that is over or is `read`, 202 for one that is yet to end. */
export const described = (world: World, job: Job, { origin, entry }: Call, read: boolean): Answer => {
  entry.job_id = job.id
  const phase = phaseNow(world, job)
  const next = pacing(world, phase, read)
  const statusUrl = statusPathOf(job.id)
  return {
    status: !read && isUnfinished(phase) ? 202 : 200,
    headers: { ...jobHeaders(job.id, origin), ...debitHeaders(world, job), ...(next && hintHeaders(next)) },
    body: {
      id: job.id,
      operation_id: job.id,
      request_id: job.id,
      status_url: statusUrl,
      content_location: statusUrl,
      ...world.decisions.primary.jobExtras(iso(job.createdAtMs)),
      ...outcomeFields(world, job, phase, origin),
      ...(next && { next_poll_at: iso(next.atMs), nextPollAt: iso(next.atMs) }),
    },
  }
}

const outcomeFields = (world: World, job: Job, phase: Phase, origin: string): Record<string, unknown> => {
  const { failedStatus, failedFields, videoLinkMs } = world.decisions.primary
  if (phase.status === 'failed') return { status: failedStatus, ...failedFields(phase.retryable) }
  if (phase.status !== 'completed') return phase
  const path = world.links.sign(videoPath(job.id), after(world, videoLinkMs))
  return { status: 'completed', video_url: `${origin}${path}` }
}

const status = (world: World, call: Call): Answer => {
  const { req, key, entry } = call
  const id = String(req.params['jobId'])
  if (!/^api_video_[A-Za-z0-9_-]+$/.test(id)) throw invalid('jobId must match ^api_video_[A-Za-z0-9_-]+$.')
  entry.job_id = id
  const job = world.state.jobs.get(id)
  if (!job || job.keyId !== key.id) {
    const extras = { blockCode: 'VIDEO_JOB_NOT_FOUND', jobId: id }
    throw new Refusal(404, { code: 'job_not_found' }, 'No such video job is visible to this key.', extras)
  }
  failIfAsked(world, job)
  return described(world, job, call, true)
}

/** The failing reads of `[[status-502]]` and `[[status-504]]`: "keep polling the same job id". */
const failIfAsked = (world: World, job: Job): void => {
  const failing = job.failingReads
  if (!failing || failing.left === 0) return
  world.state.jobs.put(job.id, { ...job, failingReads: { ...failing, left: failing.left - 1 } })
  const { codes, transientRetryMs } = world.decisions.primary
  const extras = { retryable: true, retryAfter: hint(world, transientRetryMs), jobId: job.id }
  throw failing.status === 502
    ? new Refusal(502, { code: codes.statusUnavailable }, 'The job status could not be inspected.', extras)
    : new Refusal(504, { code: codes.statusTimeout }, 'The job status lookup timed out.', extras)
}
