import type { OpenVideo } from '../../core/store/videos.ts'
import { createColumn, createCounts, orNull } from './columns.ts'
import type { Slots } from './slots.ts'

/** What many rows have alike: kept once for all of them. */
type Alike = Pick<OpenVideo, 'client' | 'phase' | 'backend' | 'hasWebhook' | 'linkOwed' | 'source'>

/**
 * Rows by id, a column each, because there may be a hundred thousand: as objects they took four times the memory, and
 * every one of them was followed at each collection. A row has its slot for as long as it is here; `at` makes a copy.
 */
export const createRows = (slots: Slots) => {
  const { size, ids, slotOf, idAt, take, leave } = slots.lease()
  const [version, likeness] = [createCounts(), createCounts()]
  const [dueAt, leaseUntil, acceptedAt, lastHintAt] = [createColumn(), createColumn(), createColumn(), createColumn()]
  const likenesses: Alike[] = []
  const places = new Map<string, number>()

  const likenessOf = ({ client, phase, backend, hasWebhook, linkOwed, source }: OpenVideo): number => {
    const alike: Alike = { client, phase, backend, hasWebhook, linkOwed, source }
    const key = JSON.stringify(alike)
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, likenesses.length)
    return likenesses.push(alike) - 1
  }

  return {
    size,
    ids,
    slotOf,
    at(slot: number): OpenVideo | undefined {
      const [id, alike] = [idAt(slot), likenesses[likeness.get(slot)]]
      if (id === '' || !alike) return undefined
      return {
        ...alike,
        id,
        version: version.get(slot),
        dueAtMs: orNull(dueAt.get(slot)),
        leaseUntilMs: orNull(leaseUntil.get(slot)),
        acceptedAtMs: orNull(acceptedAt.get(slot)),
        lastHintAtMs: orNull(lastHintAt.get(slot)),
      }
    },
    put(row: OpenVideo): number {
      const slot = take(row.id)
      version.set(slot, row.version)
      dueAt.set(slot, row.dueAtMs ?? NaN)
      leaseUntil.set(slot, row.leaseUntilMs ?? NaN)
      acceptedAt.set(slot, row.acceptedAtMs ?? NaN)
      lastHintAt.set(slot, row.lastHintAtMs ?? NaN)
      likeness.set(slot, likenessOf(row))
      return slot
    },
    remove: leave,
  }
}
