import type { ListedJob } from '../../core/adapter.ts'
import type { Clock } from '../../core/time/clock.ts'
import { Problem } from '../../core/errors.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { readThrough } from '../upstream/ask.ts'
import type { Backend } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'

/** Pages of one list that are read at most: 2,000 jobs, the newest. */
const PAGES_AT_MOST = 20
/** How long a list is answered again as it was read: every walk costs requests. */
const FRESH_MS = 60_000
/** How long a walk that ran out of requests can go on from where it stopped. */
const RESUMABLE_MS = 10 * 60_000

export interface Listing {
  jobs: readonly ListedJob[]
  /** The list is longer than what was read. */
  isCut: boolean
  atMs: number
}
export interface Listed extends Listing {
  state: 'hit' | 'miss'
}

interface Walk {
  beganAtMs: number
  pages: number
  jobs: Map<string, ListedJob>
}

/** What a backend itself lists, newest first. However many ask at once, its pages are read once. */
export const createListing = ({ upstream, clock }: { upstream: Pick<Upstream, 'ask'>; clock: Clock }) => {
  const known = new Map<AccountId, Listing>()
  const begun = new Map<AccountId, Walk>()
  const walking = new Map<AccountId, Promise<Listing>>()

  const walkOf = (account: AccountId): Walk => {
    const before = begun.get(account)
    if (before && clock.now() - before.beganAtMs < RESUMABLE_MS) return before
    const walk = { beganAtMs: clock.now(), pages: 0, jobs: new Map() }
    begun.set(account, walk)
    return walk
  }

  /** Throws if it cannot go on; what was read so far is kept. */
  const walk = async (backend: Backend): Promise<Listing> => {
    const { id, adapter } = backend.account
    const current = walkOf(id)
    let isMore = true
    while (isMore && current.pages < PAGES_AT_MOST) {
      const { items, totalPages } = await readThrough(upstream, backend, () => adapter.list(current.pages + 1))
      current.pages += 1
      // A new job pushes others to the next page, so a job may come twice: the first sight of it counts.
      for (const job of items) if (!current.jobs.has(job.jobId)) current.jobs.set(job.jobId, job)
      isMore = current.pages < (totalPages ?? 1)
    }
    begun.delete(id)
    return { jobs: [...current.jobs.values()], isCut: isMore, atMs: clock.now() }
  }

  /** Throws `capability_not_supported` where there is no list, and `backend_unavailable` while it is being read. */
  return async (backend: Backend): Promise<Listed> => {
    const { id, adapter } = backend.account
    if (!adapter.capabilities.native_list) {
      const message = `backend ${backend.name} has no list of its videos`
      throw new Problem('capability_not_supported', message, {
        param: 'origin',
        backend: backend.name,
        errors: [{ path: 'origin', message }],
      })
    }
    const last = known.get(id)
    if (last && clock.now() - last.atMs < FRESH_MS) return { ...last, state: 'hit' }
    const running =
      walking.get(id) ??
      walk(backend)
        .then((listing) => {
          known.set(id, listing)
          return listing
        })
        .finally(() => walking.delete(id))
    walking.set(id, running)
    return { ...(await running), state: 'miss' }
  }
}
