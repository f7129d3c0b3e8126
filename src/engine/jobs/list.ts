import type { ListedJob } from '../../core/adapter.ts'
import type { Clock } from '../../core/time/clock.ts'
import { fieldProblem } from '../../core/errors.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { createWalks, readThrough } from '../upstream/ask.ts'
import type { OneAtATime } from '../replicas/replica.ts'
import type { Backend } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'

/** How long a list is answered again as it was read: every walk costs requests. */
const FRESH_MS = 60_000
/** The same for its later pages, so that they are of one reading where they come to the same process. */
const PAGED_MS = 10 * 60_000
export interface Listing {
  jobs: readonly ListedJob[]
  /** The list is longer than what was read. */
  isCut: boolean
  atMs: number
}
export interface Listed extends Listing {
  state: 'hit' | 'miss'
}

interface ListingDeps {
  upstream: Pick<Upstream, 'ask'>
  clock: Clock
  /** Of the processes, one walks a list at a time; each walks it for itself. */
  oneAtATime: OneAtATime
}

/** What a backend itself lists, newest first. However many ask at once, its pages are read once. */
export const createListing = ({ upstream, clock, oneAtATime }: ListingDeps) => {
  const known = new Map<AccountId, Listing>()
  const walks = createWalks<readonly ListedJob[]>(clock)
  const walking = new Map<AccountId, Promise<Listing>>()

  /** Throws if it cannot go on; what was read so far is kept. */
  const walk = async (backend: Backend): Promise<Listing> => {
    const { id, adapter } = backend.account
    const { pages, goesOn } = await walks.walk<never>(id, async (before) => {
      const number = before.length + 1
      const { items, totalPages } = await readThrough(upstream, backend, () => adapter.list(number))
      return { page: items, isLast: number >= (totalPages ?? 1) }
    })
    // A new job pushes others to the next page, so a job may come twice: the first sight of it counts.
    const newestLast = pages.flat().toReversed()
    const jobs = new Map(newestLast.map((job) => [job.jobId, job]))
    return { jobs: [...jobs.values()].toReversed(), isCut: goesOn, atMs: clock.now() }
  }

  /**
   * `goesOn`: for a later page of it. Throws `capability_not_supported` where there is no list, and
   * `backend_unavailable` while it is being read.
   */
  return async (backend: Backend, { goesOn }: { goesOn: boolean }): Promise<Listed> => {
    const { id, adapter } = backend.account
    if (!adapter.capabilities.native_list) {
      const { name } = backend
      throw fieldProblem('capability_not_supported', 'origin', `backend ${name} cannot list its videos`, {
        backend: name,
      })
    }
    const last = known.get(id)
    if (last && clock.now() - last.atMs < (goesOn ? PAGED_MS : FRESH_MS)) return { ...last, state: 'hit' }
    const running =
      walking.get(id) ??
      oneAtATime(`jobs/${id}`, () => walk(backend))
        .then((listing) => {
          known.set(id, listing)
          return listing
        })
        .finally(() => walking.delete(id))
    walking.set(id, running)
    return { ...(await running), state: 'miss' }
  }
}
