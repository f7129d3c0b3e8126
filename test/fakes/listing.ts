import type { JobPage, JobTraits, ReadOutcome } from '../../src/core/adapter.ts'
import { listed, running, scriptedAdapter, unread, type ScriptedAdapter } from './adapter.ts'

/** A job on the account, whoever made it. */
export interface ListedAs extends JobTraits {
  jobId: string
  /** The list and the detail know it from then on, our clock. */
  visibleFromMs: number
}

export interface ListingAdapter extends ScriptedAdapter {
  jobs: ListedAs[]
  /** The backend's clock less ours. */
  skewMs: number
  /** Adds a job as the backend makes it now, but for what is given. */
  put(jobId: string, given?: Partial<ListedAs>): void
}

const PER_PAGE = 100

/** A scripted alternate whose list and details tell of the same jobs, unless the test scripts an answer. */
export const listingAdapter = (now: () => number): ListingAdapter => {
  const scripted = scriptedAdapter(now, 'alternate')
  const base = { list: scripted.list, status: scripted.status }
  const visible = (): ListedAs[] => adapter.jobs.filter(({ visibleFromMs }) => visibleFromMs <= now())
  const page = (number: number): ReadOutcome<JobPage> => {
    const all = visible().toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0))
    const items = all
      .slice((number - 1) * PER_PAGE, number * PER_PAGE)
      .map(({ jobId, puppetId, createdAtMs }) => listed({ jobId, status: 'processing', puppetId, createdAtMs }))
    const dateMs = Math.floor((now() + adapter.skewMs) / 1_000) * 1_000
    const value = { items, total: all.length, totalPages: Math.ceil(all.length / PER_PAGE), dateMs }
    return { ok: true, value, rate: null }
  }
  const adapter: ListingAdapter = Object.assign(scripted, {
    jobs: [],
    skewMs: 0,
    put(jobId: string, given: Partial<ListedAs> = {}): void {
      const createdAtMs = Math.floor((now() + adapter.skewMs) / 1_000) * 1_000
      const made = { puppetId: 'pup_1', voiceId: 'v1', resolution: '1080p', createdAtMs }
      adapter.jobs.push({ jobId, visibleFromMs: now(), ...made, ...given })
    },
    list(number: number) {
      if (adapter.lists.length === 0) adapter.lists.push(page(number))
      return base.list(number)
    },
    status(jobId: string) {
      const job = visible().find((one) => one.jobId === jobId)
      if (adapter.polls.length === 0) adapter.polls.push(job ? running({ jobId, made: job }) : unread(true))
      return base.status(jobId)
    },
  })
  return adapter
}
