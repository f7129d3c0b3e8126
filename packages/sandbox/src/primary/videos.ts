import { iso } from '../clock.ts'
import { type Answer, type Call, invalid, type JsonObject, type Operation, readJson, Refusal } from '../http.ts'
import {
  type Phase,
  planJob,
  speechSecondsOf,
  type Scenario,
  scenariosIn,
  after,
  hint,
  atOnce,
  phaseNow,
  type World,
} from '../world.ts'
import { videoPath } from '../media/media.ts'
import type { Job } from '../state.ts'
import { charge, checkReadiness, debitHeaders, findVoice } from './catalog.ts'
import { hostedIdIn, originsOf, usableAudio } from './audio.ts'
import * as fields from './dialect.ts'
import { hintHeaders, jobHeaders, type Once, refuseIfAsked, statusPathOf } from './dialect.ts'

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
const described = (world: World, job: Job, { origin, entry }: Call, read: boolean): Answer => {
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

const VIDEO_CREATE = { limitBytes: 65_536, blockCodes: { 413: 'VIDEO_CREATE_PAYLOAD_TOO_LARGE' } }

/** What the creates have in common once their fields are read: what to compare, and how to make the job. */
interface Wanted {
  readonly input: unknown
  readonly scenarios: ReadonlySet<Scenario>
  /** What the job is made of; throws when the account lacks it (hosted audio). */
  readonly parts: () => Pick<Job, 'speechSeconds' | 'voiceId' | 'imageUrl'>
}

/** createVideoFromText and createVideoFromAudio (primary, "POST /api/v1/videos/text", "POST /api/v1/videos/audio"). */
export const videoOperations = (world: World, once: (request: Once) => Promise<Answer>): Operation[] => {
  const creating = (read: (world: World, body: JsonObject, call: Call) => Wanted, endpoint: string) => ({
    method: 'post' as const,
    path: `/api/v1/${endpoint}`,
    scope: 'videos:create',
    run: async (call: Call): Promise<Answer> => {
      const body = await readJson(call.req, VIDEO_CREATE)
      const key = fields.idempotencyKeyOf(call.req, body, world.decisions)
      const wanted = read(world, body, call)
      const make = () => {
        const now = atOnce(world)
        const job = createJob(now, call, wanted)
        return { resourceId: job.id, answer: described(now, job, call, false) }
      }
      const replay = (jobId: string) => described(world, keptJob(world, jobId), call, false)
      return once({ call, endpoint, key, input: wanted.input, make, replay, job: true })
    },
  })
  return [
    { ...creating(readTextVideo, 'videos/text'), name: 'createVideoFromText' },
    { ...creating(readAudioVideo, 'videos/audio'), name: 'createVideoFromAudio' },
  ]
}

const readImage = ({ origin }: Call, image: string, scenarios: ReadonlySet<Scenario>): string => {
  if (scenarios.has('invalid-image')) throw fields.unsupportedImage()
  return fields.imageUrlOf(image, origin)
}

const readTextVideo = (world: World, body: JsonObject, call: Call): Wanted => {
  const { expressiveness: range, languageMaxChars, defaultVoiceId } = world.decisions.primary
  const image = fields.requiredText(body, fields.ALIASES.image)
  const script = fields.requiredText(body, fields.ALIASES.script)
  const scenarios = scenariosIn(script, image)
  const imageUrl = readImage(call, image, scenarios)
  const voiceId = fields.textOf(body, fields.ALIASES.voice) ?? defaultVoiceId
  const expressiveness = fields.numberOf(body, 'expressiveness', range) ?? null
  const language = fields.textOf(body, ['language']) ?? null
  if (language !== null && language.length > languageMaxChars) throw invalid('language is too long.')
  if (!findVoice(voiceId)) {
    const blockCode = 'SERVICE_VOICE_NOT_FOUND'
    throw new Refusal(404, { code: 'voice_not_found' }, 'No voice has this id.', { blockCode })
  }
  const speechSeconds = speechSecondsOf(script.length, world.decisions.timing)
  return {
    input: { script, imageUrl, voiceId, expressiveness, language },
    scenarios,
    parts: () => ({ speechSeconds, voiceId, imageUrl }),
  }
}

const readAudioVideo = (world: World, body: JsonObject, call: Call): Wanted => {
  const image = fields.requiredText(body, fields.ALIASES.image)
  const audioUrl = fields.requiredText(body, fields.ALIASES.audio)
  const scenarios = scenariosIn(image, audioUrl)
  const imageUrl = readImage(call, image, scenarios)
  const expressiveness = fields.numberOf(body, 'expressiveness', world.decisions.primary.expressiveness) ?? null
  const audioId = hostedIdIn(audioUrl, originsOf(call.req, call.origin))
  return {
    // The hosted audio itself, not its URL: another signature is the same input ("Audio rules").
    input: { imageUrl, audio: audioId ?? audioUrl, expressiveness },
    scenarios,
    parts: () => {
      if (scenarios.has('audio-check-unavailable')) throw checkUnavailable(world)
      const audio = usableAudio(world, call.key, audioId)
      const seconds = audio.seconds ?? audio.sizeBytes / world.decisions.timing.audioBytesPerSecond
      const speechSeconds = Math.max(1, Math.ceil(seconds))
      return { speechSeconds, voiceId: '', imageUrl }
    },
  }
}

const checkUnavailable = (world: World): Refusal => {
  const extras = { retryable: true, retryAfter: hint(world, world.decisions.primary.transientRetryMs) }
  const message = 'The ownership of the upload cannot be checked at the moment.'
  return new Refusal(400, { code: 'hosted_audio_upload_unavailable' }, message, extras)
}

const createJob = (world: World, { key, origin }: Call, { scenarios, parts }: Wanted): Job => {
  refuseIfAsked(world, scenarios)
  const made = parts()
  checkReadiness(world, key, scenarios.has('no-credits') ? 'credits' : scenarios.has('slots-full') ? 'slots' : null)
  const { timing, primary } = world.decisions
  const nowMs = world.clock.now()
  const plan = { nowMs, speechSeconds: made.speechSeconds, scenarios, speed: world.speed }
  const id = world.newId('api_video')
  const failing = scenarios.has('status-502') ? 502 : scenarios.has('status-504') ? 504 : null
  const job: Job = {
    id,
    interface: 'primary',
    keyId: key.id,
    account: key.account,
    createdAtMs: nowMs,
    ...planJob(plan, timing, world.random),
    ...made,
    resolution: primary.resolution,
    puppetId: null,
    origin,
    failingReads: failing === null ? null : { status: failing, left: timing.failingReads },
    creditsRemaining: charge(world, key, id),
    callback: null,
  }
  world.state.jobs.put(id, job)
  return job
}

const keptJob = (world: World, jobId: string): Job => {
  const job = world.state.jobs.get(jobId)
  if (job) return job
  throw new Error(`The job ${jobId} of a remembered idempotency key is no longer kept.`)
}
