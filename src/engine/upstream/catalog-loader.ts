import type { Listed, Page, Puppet, PuppetList, Voice } from '../../core/adapter.ts'
import type { Clock } from '../../core/time/clock.ts'
import { Problem } from '../../core/errors.ts'
import { fitsInPath } from '../../core/ids.ts'
import { createWalks, PAGES_AT_MOST, readThrough } from './ask.ts'
import type { OneAtATime } from '../replicas/replica.ts'
import type { Backend, Backends } from './accounts.ts'
import type { Upstream } from './tickets.ts'

const eachOnce = <T extends { id: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]

/**
 * Reads catalogues and single puppets within the budget. Throws the backend's problem, or `backend_unavailable` with a
 * time.
 */
export const createCatalogLoader = ({
  backends,
  upstream,
  clock,
  oneAtATime,
}: {
  backends: Backends
  /** Of the processes, one reads a list at a time; each reads it for itself. */
  oneAtATime: OneAtATime
  upstream: Pick<Upstream, 'ask'>
  clock: Pick<Clock, 'now'>
}) => {
  const walks = createWalks<Page<Puppet>>(clock)

  const known = (name: string): Backend => {
    const backend = backends.get(name)
    if (!backend) throw new Problem('backend_not_found', `there is no backend ${name}`)
    return backend
  }

  /** A ticket a page. */
  const readPage = (backend: Backend, before: Page<Puppet> | undefined, reader: string | null): Promise<Page<Puppet>> =>
    readThrough(upstream, backend, () => backend.account.adapter.puppets(before?.nextCursor ?? null), reader)

  return {
    async loadVoices(name: string): Promise<Listed<Voice>> {
      const backend = known(name)
      const read = () => readThrough(upstream, backend, () => backend.account.adapter.voices())
      const { items, raw } = await oneAtATime(`voices/${backend.account.id}`, read)
      return { items: eachOnce(items), raw }
    },
    /**
     * Reads all puppets, or the first pages of very many. If the budget ends, the next call continues with the missing
     * pages. One walk at a time.
     */
    async loadPuppets(name: string): Promise<PuppetList> {
      const backend = known(name)
      try {
        const { pages, goesOn } = await oneAtATime(`puppets/${backend.account.id}`, () =>
          walks.walk<never>(name, async (before) => {
            const page = await readPage(backend, before.at(-1), null)
            return { page, isLast: page.nextCursor === null }
          }),
        )
        // A list shifts while it is read, and a puppet may come twice.
        const items = eachOnce(pages.flatMap((page) => page.items))
        return { items, pages: pages.map(({ raw }) => raw), isWhole: !goesOn }
      } catch (error) {
        // The backend may not know the cursor any more.
        if (!(error instanceof Problem) || error.code !== 'backend_unavailable') walks.forget(name)
        throw error
      }
    },
    /**
     * Reads one puppet. If the backend has no such request, reads its list until the puppet is found. Counts in the
     * reader's share.
     */
    async loadPuppet(name: string, id: string, reader: string): Promise<Puppet> {
      const backend = known(name)
      const { adapter } = backend.account
      if (adapter.capabilities.puppet_by_id) {
        if (!fitsInPath(id))
          throw new Problem('puppet_not_found', 'this cannot be the id of a puppet', { backend: name })
        return readThrough(upstream, backend, () => adapter.puppet(id), reader)
      }
      let page: Page<Puppet> | undefined
      for (let n = 0; n < PAGES_AT_MOST && page?.nextCursor !== null; n += 1) {
        page = await readPage(backend, page, reader)
        const found = page.items.find((puppet) => puppet.id === id)
        if (found) return found
      }
      throw new Problem('puppet_not_found', 'the backend does not list this puppet', { backend: name })
    },
  }
}
