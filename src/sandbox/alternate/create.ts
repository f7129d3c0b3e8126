import { z } from 'zod'
import { iso } from '../../core/time/clock.ts'
import { Refusal, type Answer } from '../http/answer.ts'
import type { Call } from '../http/call.ts'
import { planJob, speechSecondsOf } from '../jobs.ts'
import { spokenPart } from '../media/index.ts'
import { portraitPath } from '../media/portraits.ts'
import { scenariosIn, type Scenario } from '../scenarios.ts'
import type { Job } from '../state.ts'
import { hint, type World } from '../world.ts'
import type { Callbacks } from './callbacks.ts'
import { findPuppet, findVoice } from './catalog.ts'
import { notFound, shared } from './view.ts'

const MAX_SCRIPT_CHARS = 5_000

const isWebUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')

/** The create body (alternate, "Endpoints"); unknown fields are ignored. */
export const createSchema = (maxUrlChars: number) =>
  z.object({
    script: z.string().max(MAX_SCRIPT_CHARS).regex(/\S/, 'must not be blank'),
    puppet_id: z.string().min(1),
    voice_id: z.string().min(1).optional(),
    resolution: z.enum(['720p', '1080p']).default('1080p'),
    webhook_url: z.string().max(maxUrlChars).refine(isWebUrl, 'must be an http or https URL').optional(),
  })
export type CreateInput = z.infer<ReturnType<typeof createSchema>>

/** Who asks, as far as a new job needs it. */
type Asker = Pick<Call, 'key' | 'origin'>

/** Makes the job of a create, and somebody else's twin of it when `[[foreign-twin]]` asks for one. */
export const create = (world: World, callbacks: Callbacks, call: Call, input: CreateInput): Answer => {
  const scenarios = scenariosIn(input.script)
  const job = newJob(world, call, input, scenarios)
  refuseIfAsked(world, scenarios)
  world.state.jobs.put(job.id, job)
  callbacks.arm(job)
  call.entry.job_id = job.id
  if (scenarios.has('foreign-twin')) putTwin(world, call, input)
  const body = {
    ...shared(world, job),
    duration_estimate_sec: job.speechSeconds,
    created_at: iso(job.createdAtMs),
  }
  return { status: world.decisions.alternate.createdStatus, body }
}

/**
 * A video that somebody else made on the account with the same request at the same moment: what a client that looks
 * for its own lost create in the list must not take for it.
 */
export const putTwin = (world: World, asker: Asker, input: CreateInput): void => {
  const { webhook_url: _, ...rest } = input
  const twin = newJob(world, asker, rest, scenariosIn(input.script))
  world.state.jobs.put(twin.id, { ...twin, keyId: 'somebody-else' })
}

const refuseIfAsked = (world: World, scenarios: ReadonlySet<Scenario>): void => {
  const { codes, transientRetryMs } = world.decisions.alternate
  if (scenarios.has('no-credits')) throw new Refusal(402, { code: codes.insufficientCredits }, 'Not enough credits.')
  if (scenarios.has('unavailable')) {
    const retryAfter = hint(world, transientRetryMs)
    throw new Refusal(503, { code: codes.unavailable }, 'Temporarily unavailable.', { retryAfter })
  }
}

const newJob = (world: World, { key, origin }: Asker, input: CreateInput, scenarios: ReadonlySet<Scenario>): Job => {
  const { timing, alternate } = world.decisions
  const puppet = findPuppet(input.puppet_id)
  if (!puppet) throw notFound(world, 'puppet')
  const voiceId = input.voice_id ?? puppet.defaultVoiceId
  if (!findVoice(voiceId)) throw notFound(world, 'voice')
  const nowMs = world.clock.now()
  const speechSeconds = speechSecondsOf(input.script.length, timing)
  return {
    id: world.newId(alternate.idPrefix),
    interface: 'alternate',
    keyId: key.id,
    account: key.account,
    createdAtMs: nowMs,
    ...planJob({ nowMs, speechSeconds, scenarios, speed: world.speed }, timing, world.random),
    resolution: input.resolution,
    speechSeconds,
    script: spokenPart(input.script),
    audioId: null,
    failingReads: null,
    voiceId,
    imageUrl: portraitPath(puppet.portrait),
    puppetId: puppet.id,
    origin,
    creditsRemaining: null,
    callback: input.webhook_url === undefined ? null : owed(input.webhook_url, scenarios),
  }
}

const owed = (url: string, scenarios: ReadonlySet<Scenario>) => ({
  url,
  owed: scenarios.has('never-callback') ? 0 : scenarios.has('callback-twice') ? 2 : 1,
  settled: false,
})
