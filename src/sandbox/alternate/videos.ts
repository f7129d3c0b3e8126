import { z } from 'zod'
import { iso } from '../../core/clock.ts'
import { invalid, Refusal, type Answer } from '../http/answer.ts'
import { readJson } from '../http/body.ts'
import type { Call, Operation } from '../http/operation.ts'
import { phaseOf, planJob, speechSecondsOf } from '../jobs.ts'
import { spokenPart } from '../media/index.ts'
import { portraitPath } from '../media/portraits.ts'
import { videoSeconds } from '../media/routes.ts'
import { scenariosIn, type Scenario } from '../scenarios.ts'
import type { Job } from '../state.ts'
import type { World } from '../world.ts'
import type { Callbacks } from './callbacks.ts'
import { findPuppet, findVoice } from './catalog.ts'
import { downloadUrl } from './download.ts'

const MAX_SCRIPT_CHARS = 5_000
const BODY = { limitBytes: 262_144 }

const isWebUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')

/** The create body (alternate, "Endpoints"); unknown fields are ignored. */
const createSchema = (maxUrlChars: number) =>
  z.object({
    script: z.string().max(MAX_SCRIPT_CHARS).regex(/\S/, 'must not be blank'),
    puppet_id: z.string().min(1),
    voice_id: z.string().min(1).optional(),
    resolution: z.enum(['720p', '1080p']).default('1080p'),
    webhook_url: z.string().max(maxUrlChars).refine(isWebUrl, 'must be an http or https URL').optional(),
  })

const integer = (min: number, max: number, byDefault: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max)).default(byDefault)

/** The list query (alternate, "Endpoints"). */
const ListQuery = z.object({
  page: integer(1, Number.MAX_SAFE_INTEGER, 1),
  limit: integer(1, 100, 20),
  status: z.enum(['processing', 'completed', 'failed']).optional(),
})

const parsed = <T>(schema: z.ZodType<T>, input: unknown): T => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw invalid(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
}

/** POST /v1/videos, GET /v1/videos, GET /v1/videos/:id and its download (alternate, "Endpoints"). */
export const videoOperations = (world: World, callbacks: Callbacks): Operation[] => {
  const schema = createSchema(world.decisions.alternate.webhookUrlMaxChars)
  return [
    {
      method: 'post',
      path: '/v1/videos',
      name: 'createVideo',
      run: async (call) => {
        const input = parsed(schema, await readJson(call.req, BODY))
        await call.during()
        return create(world, callbacks, call, input)
      },
    },
    { method: 'get', path: '/v1/videos', name: 'listVideos', run: (call) => list(world, call) },
    { method: 'get', path: '/v1/videos/:id', name: 'getVideo', run: (call) => detail(world, call) },
    { method: 'get', path: '/v1/videos/:id/download', name: 'getVideoDownload', run: (call) => download(world, call) },
  ]
}

const create = (
  world: World,
  callbacks: Callbacks,
  { key, origin, entry }: Call,
  input: z.infer<ReturnType<typeof createSchema>>,
): Answer => {
  const { timing, alternate } = world.decisions
  const puppet = findPuppet(input.puppet_id)
  if (!puppet) throw notFound('puppet')
  const voiceId = input.voice_id ?? puppet.defaultVoiceId
  if (!findVoice(voiceId)) throw notFound('voice')
  const scenarios = scenariosIn(input.script)
  if (scenarios.has('no-credits')) {
    throw new Refusal({ status: 402, reason: { code: 'insufficient_credits' }, message: 'Not enough credits.' })
  }
  const nowMs = world.clock.now()
  const speechSeconds = speechSecondsOf(input.script.length, timing)
  const job: Job = {
    id: world.newId(alternate.idPrefix),
    interface: 'alternate',
    keyId: key.id,
    account: key.account,
    createdAtMs: nowMs,
    ...planJob({ nowMs, speechSeconds, scenarios, speed: world.speed }, timing, world.random),
    resolution: input.resolution,
    speechSeconds,
    script: spokenPart(input.script),
    voiceId,
    imageUrl: portraitPath(puppet.portrait),
    puppetId: puppet.id,
    origin,
    creditsRemaining: null,
    callback: input.webhook_url === undefined ? null : owed(input.webhook_url, scenarios),
  }
  world.state.jobs.put(job.id, job)
  callbacks.arm(job)
  entry.job_id = job.id
  const body = { ...shared(world, job), duration_estimate_sec: speechSeconds, created_at: iso(nowMs) }
  return { status: alternate.createdStatus, body }
}

const owed = (url: string, scenarios: ReadonlySet<Scenario>) => ({
  url,
  owed: scenarios.has('never-callback') ? 0 : scenarios.has('callback-twice') ? 2 : 1,
  settled: false,
})

const phase = (world: World, job: Job) => phaseOf(job, world.clock.now(), world.decisions.timing.stuckProgress)

/** The alternate has no `queued`. */
const statusOf = (world: World, job: Job): 'processing' | 'completed' | 'failed' => {
  const { status } = phase(world, job)
  return status === 'queued' ? 'processing' : status
}

const shared = (world: World, job: Job): Record<string, unknown> => ({
  id: job.id,
  status: statusOf(world, job),
  puppet_id: job.puppetId,
  voice_id: job.voiceId,
  resolution: job.resolution,
})

const durationOf = (world: World, job: Job): number | null =>
  statusOf(world, job) === 'completed' ? videoSeconds(world, job) : null

const list = (world: World, { req, key }: Call): Answer => {
  const { page, limit, status } = parsed(ListQuery, req.query)
  const all = world.state.jobs
    .values()
    .filter((job) => job.interface === 'alternate' && job.account === key.account)
    .filter((job) => status === undefined || statusOf(world, job) === status)
    .toReversed()
  const data = all.slice((page - 1) * limit, page * limit).map((job) => ({
    id: job.id,
    status: statusOf(world, job),
    puppet_id: job.puppetId,
    duration_sec: durationOf(world, job),
    created_at: iso(job.createdAtMs),
  }))
  const pagination = { page, limit, total: all.length, total_pages: Math.ceil(all.length / limit) }
  return { status: 200, body: { data, pagination } }
}

const found = (world: World, { req, key, entry }: Call): Job => {
  const id = String(req.params['id'])
  const job = world.state.jobs.get(id)
  if (!job || job.interface !== 'alternate' || job.account !== key.account) throw notFound('video')
  entry.job_id = id
  return job
}

const detail = (world: World, call: Call): Answer => {
  const job = found(world, call)
  const now = phase(world, job)
  const completed = now.status === 'completed'
  return {
    status: 200,
    body: {
      ...shared(world, job),
      duration_sec: durationOf(world, job),
      download_url: completed ? downloadUrl(world, job, call.origin).url : null,
      thumbnail_url: `${call.origin}${job.imageUrl}`,
      created_at: iso(job.createdAtMs),
      ...(completed && { completed_at: iso(now.endedAtMs) }),
      ...(now.status === 'failed' && { error: world.decisions.alternate.videoError(now.retryable) }),
    },
  }
}

const download = (world: World, call: Call): Answer => {
  const job = found(world, call)
  if (statusOf(world, job) !== 'completed') {
    throw new Refusal({ status: 409, reason: { code: 'video_not_ready' }, message: 'The video is not completed.' })
  }
  const { url, expiresAtMs } = downloadUrl(world, job, call.origin)
  return { status: 200, body: { download_url: url, expires_at: iso(expiresAtMs) } }
}

const notFound = (what: 'video' | 'puppet' | 'voice'): Refusal =>
  new Refusal({ status: 404, reason: { code: `${what}_not_found` }, message: `No such ${what}.` })
