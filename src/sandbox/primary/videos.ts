import { invalid, Refusal, type Answer } from '../http/answer.ts'
import { readJson, type JsonObject } from '../http/body.ts'
import type { Call, Operation } from '../http/call.ts'
import { planJob, speechSecondsOf } from '../jobs.ts'
import { spokenPart } from '../media/index.ts'
import { scenariosIn, type Scenario } from '../scenarios.ts'
import type { Job } from '../state.ts'
import { hint, type World } from '../world.ts'
import { charge, checkReadiness } from './account.ts'
import { hostedIdIn, originsOf, usableAudio } from './audio.ts'
import * as fields from './fields.ts'
import type { Once } from './idempotency.ts'
import { described } from './jobs.ts'
import { refuseIfAsked } from './magic.ts'
import { findVoice } from './voices.ts'

const VIDEO_CREATE = { limitBytes: 65_536, blockCodes: { 413: 'VIDEO_CREATE_PAYLOAD_TOO_LARGE' } }

/** What the creates have in common once their fields are read: what to compare, and how to make the job. */
interface Wanted {
  readonly input: unknown
  readonly scenarios: ReadonlySet<Scenario>
  /** What the job is made of; throws when the account lacks it (hosted audio). */
  readonly parts: () => Pick<Job, 'speechSeconds' | 'script' | 'audioId' | 'voiceId' | 'imageUrl'>
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
        const job = createJob(world, call, wanted)
        return { resourceId: job.id, answer: described(world, job, call, false) }
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
    parts: () => ({ speechSeconds, script: spokenPart(script), audioId: null, voiceId, imageUrl }),
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
      return { speechSeconds, script: '', audioId: audio.id, voiceId: '', imageUrl }
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
