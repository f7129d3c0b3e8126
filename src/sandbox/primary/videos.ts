import { iso } from '../../core/clock.ts'
import { invalid, Refusal, type Answer } from '../http/answer.ts'
import { readJson, type JsonObject } from '../http/body.ts'
import type { Call, Operation } from '../http/operation.ts'
import { phaseOf, planJob, speechSecondsOf, type Phase } from '../jobs.ts'
import { spokenPart } from '../media/index.ts'
import { videoPath } from '../media/routes.ts'
import { scenariosIn } from '../scenarios.ts'
import type { Job } from '../state.ts'
import { after, hint, type World } from '../world.ts'
import { charge, checkReadiness, debitHeaders } from './account.ts'
import { hintHeaders, jobHeaders, statusPathOf } from './dialect.ts'
import * as fields from './fields.ts'
import { createOnce } from './idempotency.ts'
import { findVoice } from './voices.ts'

const VIDEO_CREATE = {
  limitBytes: 65_536,
  tooLargeBlockCode: 'VIDEO_CREATE_PAYLOAD_TOO_LARGE',
}

/** createVideoFromText and getVideoJob (primary, "POST /api/v1/videos/text", "GET /api/v1/videos/{jobId}"). */
export const videoOperations = (world: World): Operation[] => {
  const once = createOnce(world)
  return [
    {
      method: 'post',
      path: '/api/v1/videos/text',
      name: 'createVideoFromText',
      scope: 'videos:create',
      run: async (call) => {
        const body = await readJson(call.req, VIDEO_CREATE)
        const key = fields.idempotencyKeyOf(call.req, body, world.decisions)
        const input = readTextVideo(world, body, call)
        const make = () => {
          const job = createJob(world, call, input)
          return { resourceId: job.id, answer: accepted(world, job, call) }
        }
        const replay = (jobId: string) => accepted(world, foundJob(world, jobId), call)
        return once({ call, endpoint: 'videos/text', key, input, make, replay, job: true })
      },
    },
    {
      method: 'get',
      path: '/api/v1/videos/:jobId',
      name: 'getVideoJob',
      scope: 'videos:read',
      run: (call) => status(world, call),
    },
  ]
}

type TextVideo = ReturnType<typeof readTextVideo>

const readTextVideo = (world: World, body: JsonObject, call: Call) => {
  const image = fields.requiredText(body, fields.ALIASES.image)
  const script = fields.requiredText(body, fields.ALIASES.script)
  const scenarios = scenariosIn(script, image)
  if (scenarios.has('invalid-image')) throw fields.unsupportedImage()
  const imageUrl = fields.imageUrlOf(image, call.origin)
  const voiceId = fields.textOf(body, fields.ALIASES.voice) ?? world.decisions.primary.defaultVoiceId
  const { expressiveness: range, languageMaxChars } = world.decisions.primary
  const expressiveness = fields.numberOf(body, 'expressiveness', range) ?? null
  const language = fields.textOf(body, ['language']) ?? null
  if (language !== null && language.length > languageMaxChars) throw invalid('language is too long.')
  if (!findVoice(voiceId)) {
    throw new Refusal({
      status: 404,
      reason: { code: 'voice_not_found' },
      message: 'No voice has this id.',
      blockCode: 'SERVICE_VOICE_NOT_FOUND',
    })
  }
  return { script, imageUrl, voiceId, expressiveness, language }
}

const createJob = (world: World, { key, origin }: Call, { script, imageUrl, voiceId }: TextVideo): Job => {
  const scenarios = scenariosIn(script, imageUrl)
  checkReadiness(world, key, scenarios.has('no-credits'))
  const { timing, primary } = world.decisions
  const speechSeconds = speechSecondsOf(script.length, timing)
  const nowMs = world.clock.now()
  const id = world.newId('api_video')
  const job: Job = {
    id,
    interface: 'primary',
    keyId: key.id,
    account: key.account,
    createdAtMs: nowMs,
    ...planJob({ nowMs, speechSeconds, scenarios, speed: world.speed }, timing, world.random),
    resolution: primary.resolution,
    speechSeconds,
    script: spokenPart(script),
    voiceId,
    imageUrl,
    puppetId: null,
    origin,
    creditsRemaining: charge(world, key, id),
    callback: null,
  }
  world.state.jobs.put(id, job)
  return job
}

const foundJob = (world: World, jobId: string): Job => {
  const job = world.state.jobs.get(jobId)
  if (job) return job
  throw new Error(`The job ${jobId} of a remembered idempotency key is no longer kept.`)
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
    headers: { ...jobHeaders(job.id, origin), ...debitHeaders(job), ...(next && hintHeaders(next)) },
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

/** 202 for a job that is not over, 200 for one that is (a replay). */
const accepted = (world: World, job: Job, { origin, entry }: Call): Answer => {
  entry.job_id = job.id
  const { phase, ...answer } = describe(world, job, origin, true)
  return { status: phase.status === 'queued' || phase.status === 'processing' ? 202 : 200, ...answer }
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
  const { headers, body } = describe(world, job, origin, false)
  return { status: 200, ...(headers && { headers }), ...(body && { body }) }
}
