import { readItems, readJob, readJobId } from '../shared/answers.ts'
import { type Dialect, type Drift, type ErrorRow, WRAPPERS } from '../shared/dialect.ts'
import { asObject, count, find, httpDate, stated, text } from '../shared/read.ts'
import { catalogDrift, unknownStatus } from '../shared/speaker.ts'
import type { CreateContext, JobPage } from '../../core/adapter.ts'
import type { Order, WireRequest } from '../../core/video.ts'

/** POST /v1/videos. The same order and context give the same bytes. */
export const createRequest = (order: Order, { callbackUrl }: CreateContext): WireRequest => ({
  method: 'POST',
  path: '/v1/videos',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(
    stated({
      script: order.text,
      puppet_id: order.puppetId,
      voice_id: order.voiceId,
      resolution: order.resolution,
      webhook_url: callbackUrl,
    }),
  ),
})

/** Contract, "List query": at most 100. */
export const JOBS_PER_PAGE = 100

const wordOf = (item: unknown, { job }: Dialect): string | null => find(item, job.status, text)

/** GET /v1/videos: one page of the account's jobs; null if the answer holds no list. Pure and total. */
export const readJobs = (
  body: unknown,
  { headers, ...moment }: Parameters<typeof readJob>[2],
  dialect: Dialect,
): JobPage | null => {
  const listed = readItems(body, 'videos', dialect)
  if (listed === null) return null
  const items = listed.flatMap((item) => {
    const report = readJob(item, dialect, { ...moment, headers: {} })
    const { jobId, status, made } = report
    if (jobId === null) return []
    return [{ jobId, status, puppetId: made.puppetId, createdAtMs: made.createdAtMs, report }]
  })
  return {
    items,
    total: find(body, dialect.list.total, count),
    totalPages: find(body, dialect.list.totalPages, count),
    dateMs: httpDate(headers['date']),
  }
}

/** What a page holds that no dialect names: unknown words, each once, and fields. */
export const listDrift = (body: unknown, dialect: Dialect): Drift[] => {
  const words = new Set((readItems(body, 'videos', dialect) ?? []).map((item) => wordOf(item, dialect)))
  const unknown = [...words].flatMap((word) => unknownStatus(word, dialect, 'listVideos'))
  return [...unknown, ...catalogDrift(body, 'videos', dialect, 'listVideos')]
}

/** Where a callback may name its job: its payload is not shown, so every usual place is tried. */
const CALLBACK_LAYERS = [...WRAPPERS, 'payload', 'result', 'event'] as const

export const readCallbackJobId = (body: unknown, dialect: Dialect): string | null => {
  // What is wrapped is the job; an id beside the wrapper names the notification.
  const layers = [...CALLBACK_LAYERS.map((name) => find(body, [name], asObject)), body]
  for (const layer of layers) {
    const jobId = layer === null ? null : readJobId(layer, {}, dialect)
    if (jobId !== null) return jobId
  }
  return null
}

/**
 * Where the alternate's errors are mapped. Its contract shows neither bodies nor codes, so the status decides and a
 * code only refines it. The first row that fits decides; columns as in `ErrorRow`: when, error code, block code → code,
 * retryable, what it waits for, what it means for a create.
 */
// prettier-ignore
export const ERRORS: readonly ErrorRow[] = [
  [401, null, null, 'backend_credentials_rejected', false, null, 'refused'],
  [402, null, null, 'insufficient_credits', false, null, 'refused'],
  [403, null, null, 'backend_credentials_rejected', false, null, 'refused'],
  [408, null, null, 'backend_timeout', true, null, 'doubt'],
  ['4xx', 'voice_not_found', null, 'voice_not_found', false, null, 'refused'],
  ['4xx', 'puppet_not_found', null, 'puppet_not_found', false, null, 'refused'],
  [400, null, null, 'invalid_request', 'told', null, 'refused'],
  [404, null, null, 'not_found', 'told', null, 'refused'],
  [413, null, null, 'payload_too_large', false, null, 'refused'],
  [422, null, null, 'invalid_request', 'told', null, 'refused'],
  [429, 'concurrent_job_limit_reached', null, 'concurrency_limit_reached', true, 'slot', 'refused'],
  [429, 'rate_limited', null, 'rate_limited', true, 'budget', 'refused'],
  ['429 hinted', null, null, 'rate_limited', true, 'budget', 'refused'],
  [429, null, null, 'quota_exceeded', false, null, 'refused'],
  [503, null, null, 'backend_unavailable', true, null, 'doubt'],
  [504, null, null, 'backend_timeout', true, null, 'doubt'],
  ['4xx', null, null, 'backend_error', 'told', null, 'refused'],
  ['3xx', null, null, 'backend_error', false, null, 'doubt'],
]
