import type { OpenVideo } from '../../core/store/videos.ts'

const PIECE = 1_024

/** Numbers by slot, in pieces: growing copies nothing, and none of it is looked through by the garbage collector. */
export const createColumn = () => {
  const pieces: Float64Array[] = []
  return {
    get: (slot: number): number => pieces[Math.floor(slot / PIECE)]?.[slot % PIECE] ?? NaN,
    set(slot: number, value: number): void {
      const piece = (pieces[Math.floor(slot / PIECE)] ??= new Float64Array(PIECE))
      piece[slot % PIECE] = value
    },
  }
}
export type Column = ReturnType<typeof createColumn>

/** What many rows have alike: kept once for all of them. */
type Alike = Pick<OpenVideo, 'client' | 'phase' | 'backend' | 'hasWebhook' | 'linkOwed' | 'source'>

const orNull = (ms: number): number | null => (Number.isNaN(ms) ? null : ms)

/**
 * Rows by id, a column each, because there may be a hundred thousand: as objects they took four times the memory, and
 * every one of them was followed at each collection. A row has its slot for as long as it is here; `at` makes a copy.
 */
export const createRows = () => {
  const slots = new Map<string, number>()
  const free: number[] = []
  const ids: string[] = []
  const [version, dueAt, leaseUntil] = [createColumn(), createColumn(), createColumn()]
  const [acceptedAt, lastHintAt, likeness] = [createColumn(), createColumn(), createColumn()]
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
    size: (): number => slots.size,
    ids: () => slots.keys(),
    slotOf: (id: string): number | undefined => slots.get(id),
    at(slot: number): OpenVideo | undefined {
      const [id, alike] = [ids[slot], likenesses[likeness.get(slot)]]
      if (id === undefined || !alike) return undefined
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
      const slot = slots.get(row.id) ?? free.pop() ?? ids.length
      slots.set(row.id, slot)
      ids[slot] = row.id
      version.set(slot, row.version)
      dueAt.set(slot, row.dueAtMs ?? NaN)
      leaseUntil.set(slot, row.leaseUntilMs ?? NaN)
      acceptedAt.set(slot, row.acceptedAtMs ?? NaN)
      lastHintAt.set(slot, row.lastHintAtMs ?? NaN)
      likeness.set(slot, likenessOf(row))
      return slot
    },
    remove(id: string): void {
      const slot = slots.get(id)
      if (slot === undefined) return
      slots.delete(id)
      ids[slot] = ''
      free.push(slot)
    },
  }
}
