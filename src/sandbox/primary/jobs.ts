import { iso } from '../../core/time/clock.ts'
import { invalid, Refusal, type Answer } from '../http/answer.ts'
import type { Call, Operation } from '../http/call.ts'
import { phaseOf, type Phase } from '../jobs.ts'
import { videoPath } from '../media/routes.ts'
import type { Job } from '../state.ts'
import { after, hint, type World } from '../world.ts'
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
      job: { id: String(req.params['jobId']), inBody: true },
      ...(status === 404 && { blockCode: 'VIDEO_JOB_NOT_FOUND' }),
      ...([502, 504].includes(status) && {
        retryable: true,
        retryAfter: hint(world, world.decisions.primary.transientRetryMs),
      }),
    }),
  },
]

/** 202 for a job that is not over, 200 for one that is (a replay). */
export const accepted = (world: World, job: Job, { origin, entry }: Call): Answer => {
  entry.job_id = job.id
  const { phase, ...answer } = describe(world, job, origin, true)
  return { status: phase.status === 'queued' || phase.status === 'processing' ? 202 : 200, ...answer }
}

/** Hints of an unfinished job, and of a retryable failure when `onFailure` (a replay). */
const pacing = (world: World, phase: Phase, onFailure: boolean) => {
  const { pollEveryMs, failedRetryMs } = world.decisions.primary
  if (phase.status === 'queued' || phase.status === 'processing') return hint(world, pollEveryMs)
  return onFailure && phase.status === 'failed' && phase.retryable ? hint(world, failedRetryMs) : null
}

const describe = (
  world: World,
  job: Job,
  origin: string,
  onFailure: boolean,
): Omit<Answer, 'status'> & { phase: Phase } => {
  const phase = phaseOf(job, world.clock.now(), world.decisions.timing.stuckProgress)
  const next = pacing(world, phase, onFailure)
  const statusUrl = statusPathOf(job.id)
  return {
    phase,
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

const status = (world: World, { req, key, origin, entry }: Call): Answer => {
  const id = String(req.params['jobId'])
  if (!/^api_video_[A-Za-z0-9_-]+$/.test(id)) throw invalid('jobId must match ^api_video_[A-Za-z0-9_-]+$.')
  entry.job_id = id
  const job = world.state.jobs.get(id)
  if (!job || job.keyId !== key.id) {
    throw new Refusal({
      status: 404,
      reason: { code: 'job_not_found' },
      message: 'No such video job is visible to this key.',
      blockCode: 'VIDEO_JOB_NOT_FOUND',
      job: { id, inBody: true },
    })
  }
  failIfAsked(world, job)
  const { headers, body } = describe(world, job, origin, false)
  return { status: 200, ...(headers && { headers }), ...(body && { body }) }
}

/** The failing reads of `[[status-502]]` and `[[status-504]]`: "keep polling the same job id". */
const failIfAsked = (world: World, job: Job): void => {
  const failing = job.failingReads
  if (!failing || failing.left === 0) return
  world.state.jobs.put(job.id, { ...job, failingReads: { ...failing, left: failing.left - 1 } })
  const { codes, transientRetryMs } = world.decisions.primary
  throw new Refusal({
    status: failing.status,
    reason: { code: failing.status === 502 ? codes.statusUnavailable : codes.statusTimeout },
    message: failing.status === 502 ? 'The job status could not be inspected.' : 'The job status lookup timed out.',
    retryable: true,
    retryAfter: hint(world, transientRetryMs),
    job: { id: job.id, inBody: true },
  })
}
