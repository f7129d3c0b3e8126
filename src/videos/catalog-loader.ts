import type { Page, Puppet, ReadOutcome, Voice } from '../core/adapter.ts'
import { Problem } from '../core/errors.ts'
import type { Backend, Backends } from './backends.ts'
import type { Upstream } from './upstream.ts'

/** Somebody waits for a catalogue: rather this long for a ticket than an error. */
const PATIENCE_MS = 2_000
/** Pages of one list that are read at most: a backend whose list never ends is not followed for ever. */
const PAGES_AT_MOST = 20

/** Reads whole catalogues through the budget; throws the backend's problem, or `backend_unavailable` with a time. */
export const createCatalogLoader = ({ backends, upstream }: { backends: Backends; upstream: Upstream }) => {
  const read = async <T>(backend: Backend, request: () => Promise<ReadOutcome<T>>): Promise<T> => {
    const asked = await upstream.ask(backend.account, 'read', PATIENCE_MS, request)
    if (asked.kind === 'no_budget') {
      const message = `backend ${backend.name} takes no more requests at the moment`
      throw new Problem('backend_unavailable', message, { backend: backend.name, retryAtMs: asked.retryAtMs })
    }
    if (asked.outcome.ok) return asked.outcome.value
    const { code, message, retryable, retryAtMs, backendError } = asked.outcome.problem
    throw new Problem(code, message, { retryable, retryAtMs, backendError, backend: backend.name })
  }

  const known = (name: string): Backend => {
    const backend = backends.get(name)
    if (!backend) throw new Problem('backend_not_found', `there is no backend ${name}`)
    return backend
  }

  return {
    loadVoices: async (name: string): Promise<Voice[]> => {
      const backend = known(name)
      return read(backend, () => backend.account.adapter.voices())
    },
    async loadPuppets(name: string): Promise<Puppet[]> {
      const backend = known(name)
      const puppets: Puppet[] = []
      let cursor: string | null = null
      for (let pages = 0; pages < PAGES_AT_MOST; pages += 1) {
        const from: string | null = cursor
        const page: Page<Puppet> = await read(backend, () => backend.account.adapter.puppets(from))
        puppets.push(...page.items)
        cursor = page.nextCursor
        if (cursor === null) return puppets
      }
      return puppets
    },
  }
}
