import { z } from 'zod'
import { iso } from '../../core/time/clock.ts'
import { invalid, Refusal, type Answer } from '../http/answer.ts'
import { readJson } from '../http/body.ts'
import type { Call, Operation } from '../http/call.ts'
import { scenariosIn } from '../scenarios.ts'
import type { Job } from '../state.ts'
import { phaseNow, type World } from '../world.ts'
import type { Callbacks } from './callbacks.ts'
import { create, createSchema, putTwin } from './create.ts'
import { downloadUrl, durationOf, notFound, shared, statusOf } from './view.ts'

const integer = (min: number, max: number, byDefault: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max)).default(byDefault)

/** The list query (alternate, "Endpoints"). */
export const ListQuery = z.object({
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
  const { webhookUrlMaxChars, bodyBytes } = world.decisions.alternate
  const schema = createSchema(webhookUrlMaxChars)
  const rules = { limitBytes: bodyBytes }
  return [
    {
      method: 'post',
      path: '/v1/videos',
      name: 'createVideo',
      run: async (call) => {
        const input = parsed(schema, await readJson(call.req, rules))
        await call.during()
        return create(world, callbacks, call, input)
      },
      unheard: async (call) => {
        const input = schema.safeParse(await readJson(call.req, rules).catch(() => null))
        if (input.success && scenariosIn(input.data.script).has('foreign-twin')) putTwin(world, call, input.data)
      },
    },
    { method: 'get', path: '/v1/videos', name: 'listVideos', run: (call) => list(world, call) },
    { method: 'get', path: '/v1/videos/:id', name: 'getVideo', run: (call) => detail(world, call) },
    { method: 'get', path: '/v1/videos/:id/download', name: 'getVideoDownload', run: (call) => download(world, call) },
  ]
}

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
  if (!job || job.interface !== 'alternate' || job.account !== key.account) throw notFound(world, 'video')
  entry.job_id = id
  return job
}

const detail = (world: World, call: Call): Answer => {
  const job = found(world, call)
  const now = phaseNow(world, job)
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
    const reason = { code: world.decisions.alternate.codes.notReady }
    throw new Refusal(409, reason, 'The video is not completed.')
  }
  const { url, expiresAtMs } = downloadUrl(world, job, call.origin)
  return { status: 200, body: { download_url: url, expires_at: iso(expiresAtMs) } }
}
