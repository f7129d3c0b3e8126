import type { Page, Puppet, Voice } from '../core/adapter.ts'
import { Problem } from '../core/errors.ts'
import { fitsInPath } from '../core/ids.ts'
import { readThrough } from './ask.ts'
import type { Backend, Backends } from './backends.ts'
import type { Upstream } from './upstream.ts'

/** Pages of one list that are read at most: a backend whose list never ends is not followed for ever. */
const PAGES_AT_MOST = 20

/** Reads catalogues, and what is in them, through the budget; throws the backend's problem, or `backend_unavailable` with a time. */
export const createCatalogLoader = ({
  backends,
  upstream,
}: {
  backends: Backends
  upstream: Pick<Upstream, 'ask'>
}) => {
  const known = (name: string): Backend => {
    const backend = backends.get(name)
    if (!backend) throw new Problem('backend_not_found', `there is no backend ${name}`)
    return backend
  }

  /** A ticket a page. */
  async function* puppetPages(backend: Backend): AsyncGenerator<Puppet[]> {
    let cursor: string | null = null
    for (let pages = 0; pages < PAGES_AT_MOST; pages += 1) {
      const from: string | null = cursor
      const page: Page<Puppet> = await readThrough(upstream, backend, () => backend.account.adapter.puppets(from))
      yield page.items
      cursor = page.nextCursor
      if (cursor === null) return
    }
  }

  return {
    loadVoices: async (name: string): Promise<Voice[]> => {
      const backend = known(name)
      return readThrough(upstream, backend, () => backend.account.adapter.voices())
    },
    async loadPuppets(name: string): Promise<Puppet[]> {
      const puppets: Puppet[] = []
      for await (const page of puppetPages(known(name))) puppets.push(...page)
      return puppets
    },
    /** Where one cannot be asked for, it is looked for in the list, no further than it is found. */
    async loadPuppet(name: string, id: string): Promise<Puppet> {
      const backend = known(name)
      const { adapter } = backend.account
      if (adapter.readsPuppets && fitsInPath(id)) return readThrough(upstream, backend, () => adapter.puppet(id))
      if (adapter.readsPuppets) throw new Problem('puppet_not_found', 'no puppet can have this id', { backend: name })
      for await (const page of puppetPages(backend)) {
        const found = page.find((puppet) => puppet.id === id)
        if (found) return found
      }
      throw new Problem('puppet_not_found', 'the backend lists no such puppet', { backend: name })
    },
  }
}
