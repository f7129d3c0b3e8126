import type { JobPage, ListedJob } from '../../core/adapter.ts'
import type { Drift } from '../shared/account.ts'
import { readItems } from '../shared/catalog.ts'
import { statusOf, type Dialect } from '../shared/dialect.ts'
import { catalogDrift, unknownStatus } from '../shared/drift.ts'
import type { Headers } from '../shared/hints.ts'
import { readJobId, readTraits } from '../shared/job.ts'
import { asObject, count, find, httpDate, text } from '../shared/read.ts'
import { WRAPPERS } from '../shared/spellings.ts'

/** Contract, "List query": at most 100. */
export const JOBS_PER_PAGE = 100

const wordOf = (item: unknown, { job }: Dialect): string | null => find(item, job.status, text)

/** GET /v1/videos: one page of the account's jobs; null if the answer holds no list. Pure and total. */
export const readJobs = (body: unknown, headers: Headers, dialect: Dialect): JobPage | null => {
  const listed = readItems(body, 'videos', dialect)
  if (listed === null) return null
  const items = listed.flatMap((item): ListedJob[] => {
    const jobId = readJobId(item, {}, dialect)
    if (jobId === null) return []
    const word = wordOf(item, dialect)
    const { puppetId, createdAtMs } = readTraits(item, dialect)
    return [{ jobId, status: word === null ? null : statusOf(word, dialect), puppetId, createdAtMs }]
  })
  return {
    items,
    total: find(body, dialect.list.total, count),
    totalPages: find(body, dialect.list.totalPages, count),
    dateMs: httpDate(headers['date']),
  }
}

/** What a page holds that nobody told us of: unknown words, each once, and fields. */
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
