import type { Puppet } from '../core/adapter.ts'

interface Change {
  sequence: number
  id: string
  /** Null: it is gone. */
  puppet: Puppet | null
}

/** Of one backend, since its list was read. */
const CHANGES_AT_MOST = 1_000

/**
 * What became of puppets since a list of them was read: laid over the list, so that a create or a delete shows at once,
 * costs no request, and is not undone by an older reading that arrives later.
 */
export const createChanges = () => {
  const changes = new Map<string, Change[]>()
  let sequence = 0
  return {
    /** To be taken before a list is asked for. */
    mark: (): number => sequence,
    note(backend: string, id: string, puppet: Puppet | null): void {
      sequence += 1
      const others = (changes.get(backend) ?? []).filter((one) => one.id !== id)
      changes.set(backend, [...others, { sequence, id, puppet }].slice(-CHANGES_AT_MOST))
    },
    /** `items`, read after `since` was marked, as they are now. */
    applied(backend: string, items: Puppet[], since: number): Puppet[] {
      const later = (changes.get(backend) ?? []).filter((one) => one.sequence > since)
      changes.set(backend, later)
      if (later.length === 0) return items
      const touched = new Set(later.map(({ id }) => id))
      const made = later.flatMap(({ puppet }) => (puppet ? [puppet] : []))
      return [...items.filter(({ id }) => !touched.has(id)), ...made]
    },
  }
}
