import type { Puppet, Voice } from '../core/adapter.ts'
import type { Clock } from '../core/clock.ts'
import { Problem } from '../core/errors.ts'
import { fitsInPath } from '../core/ids.ts'
import { readThrough } from './ask.ts'
import type { Backend, Backends } from './backends.ts'
import type { Upstream } from './upstream.ts'

/** Pages of one list that are read at most: a backend whose list never ends is not followed for ever. */
const PAGES_AT_MOST = 20
/** A walk that ran out of requests goes on where it stood, for so long. */
const RESUMABLE_MS = 10 * 60_000

/** How far a list was read. */
interface Walk {
  beganAtMs: number
  pages: number
  /** Of the next page; null: the first, or none. */
  cursor: string | null
  /** Lists shift while they are read: each is there once. */
  puppets: Map<string, Puppet>
}

/** Reads catalogues, and what is in them, through the budget; throws the backend's problem, or `backend_unavailable` with a time. */
export const createCatalogLoader = ({
  backends,
  upstream,
  clock,
}: {
  backends: Backends
  upstream: Pick<Upstream, 'ask'>
  clock: Pick<Clock, 'now'>
}) => {
  const begun = new Map<string, Walk>()

  const known = (name: string): Backend => {
    const backend = backends.get(name)
    if (!backend) throw new Problem('backend_not_found', `there is no backend ${name}`)
    return backend
  }

  const newWalk = (): Walk => ({ beganAtMs: clock.now(), pages: 0, cursor: null, puppets: new Map() })

  const walkOf = (name: string): Walk => {
    const before = begun.get(name)
    const walk = before && clock.now() - before.beganAtMs < RESUMABLE_MS ? before : newWalk()
    begun.set(name, walk)
    return walk
  }

  /** A ticket a page. */
  const readPage = async (backend: Backend, walk: Walk, reader: string | null): Promise<readonly Puppet[]> => {
    const read = () => backend.account.adapter.puppets(walk.cursor)
    const { items, nextCursor } = await readThrough(upstream, backend, read, reader)
    walk.pages += 1
    walk.cursor = nextCursor
    for (const puppet of items) walk.puppets.set(puppet.id, puppet)
    return items
  }

  const goesOn = ({ cursor, pages }: Walk): boolean => cursor !== null && pages < PAGES_AT_MOST

  return {
    async loadVoices(name: string): Promise<Voice[]> {
      const backend = known(name)
      const voices = await readThrough(upstream, backend, () => backend.account.adapter.voices())
      return [...new Map(voices.map((voice) => [voice.id, voice])).values()]
    },
    /** Whoever asks again after the budget ended it pays for the pages that are missing; not for two at once. */
    async loadPuppets(name: string): Promise<Puppet[]> {
      const backend = known(name)
      const walk = walkOf(name)
      try {
        do await readPage(backend, walk, null)
        while (goesOn(walk))
        begun.delete(name)
        return [...walk.puppets.values()]
      } catch (error) {
        // The backend may know the place no more.
        if (!(error instanceof Problem) || error.code !== 'backend_unavailable') begun.delete(name)
        throw error
      }
    },
    /** Where one cannot be asked for, it is looked for in the list, no further than it is found. Of the reader's share. */
    async loadPuppet(name: string, id: string, reader: string): Promise<Puppet> {
      const backend = known(name)
      const { adapter } = backend.account
      if (adapter.capabilities.puppet_by_id) {
        if (!fitsInPath(id)) throw new Problem('puppet_not_found', 'no puppet can have this id', { backend: name })
        return readThrough(upstream, backend, () => adapter.puppet(id), reader)
      }
      const walk = newWalk()
      do {
        const found = (await readPage(backend, walk, reader)).find((puppet) => puppet.id === id)
        if (found) return found
      } while (goesOn(walk))
      throw new Problem('puppet_not_found', 'the backend lists no such puppet', { backend: name })
    },
  }
}
