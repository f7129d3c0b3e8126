import type { JobPage, ListedJob } from '../../core/adapter.ts'
import type { Drift } from '../shared/account.ts'
import { readItems } from '../shared/catalog.ts'
import { catalogDrift, unknownWord } from '../shared/drift.ts'
import type { Headers } from '../shared/hints.ts'
import { readJobId, readTraits, type JobDialect } from '../shared/job.ts'
import { asObject, count, find, httpDate, text } from '../shared/read.ts'
import { LIST, VIDEO, WRAPPERS } from '../shared/spellings.ts'

/** Contract, "List query": at most 100. */
export const JOBS_PER_PAGE = 100

const wordOf = (item: unknown): string | null => find(item, VIDEO.status, text)

/** GET /v1/videos: one page of the account's jobs; null if the answer holds no list. Pure and total. */
export const readJobs = (body: unknown, headers: Headers, dialect: JobDialect): JobPage | null => {
  const listed = readItems(body, 'videos')
  if (listed === null) return null
  const items = listed.flatMap((item): ListedJob[] => {
    const jobId = readJobId(item, {}, dialect)
    if (jobId === null) return []
    const word = wordOf(item)
    const { puppetId, createdAtMs } = readTraits(item)
    return [{ jobId, status: word === null ? null : dialect.statusOf(word), puppetId, createdAtMs }]
  })
  return {
    items,
    total: find(body, LIST.total, count),
    totalPages: find(body, LIST.totalPages, count),
    dateMs: httpDate(headers['date']),
  }
}

/** What a page holds that nobody told us of: unknown words, each once, and fields. */
export const listDrift = (body: unknown, dialect: JobDialect): Drift[] => {
  const words = new Set((readItems(body, 'videos') ?? []).map(wordOf))
  const unknown = [...words].flatMap((word) =>
    word !== null && dialect.statusOf(word) === null ? [unknownWord('status', word, 'listVideos')] : [],
  )
  return [...unknown, ...catalogDrift(body, 'videos', 'listVideos')]
}

/** Where a callback may name its job: its payload is not shown, so every usual place is tried. */
const CALLBACK_LAYERS = [...WRAPPERS, 'payload', 'result', 'event'] as const

export const readCallbackJobId = (body: unknown, dialect: JobDialect): string | null => {
  // What is wrapped is the job; an id beside the wrapper names the notification.
  const layers = [...CALLBACK_LAYERS.map((name) => find(body, [name], asObject)), body]
  for (const layer of layers) {
    const jobId = layer === null ? null : readJobId(layer, {}, dialect)
    if (jobId !== null) return jobId
  }
  return null
}
