import { createBytes } from './columns.ts'

/**
 * A slot for each id that somebody keeps something of. A hundred thousand ids take as much memory as the rest of their
 * rows, so all who keep something of the same videos share them.
 */
export const createSlots = () => {
  const slots = new Map<string, number>()
  const ids: string[] = []
  const free: number[] = []
  /** By slot: a bit for each tenant that has something there. */
  const tenants = createBytes()
  let lent = 0

  /** For one who keeps something of some of the ids. At most eight share them. */
  const lease = () => {
    const bit = 1 << lent
    lent += 1
    let size = 0
    const isHere = (slot: number): boolean => (tenants.get(slot) & bit) !== 0
    return {
      size: (): number => size,
      /** In the order in which they came first, to any tenant. */
      *ids(): Generator<string, undefined> {
        for (const [id, slot] of slots) if (isHere(slot)) yield id
      },
      slotOf(id: string): number | undefined {
        const slot = slots.get(id)
        return slot !== undefined && isHere(slot) ? slot : undefined
      },
      idAt: (slot: number): string => ids[slot] ?? '',
      /** The slot of this id, a new one if it has none. */
      take(id: string): number {
        const known = slots.get(id)
        const slot = known ?? free.pop() ?? ids.length
        if (known === undefined) {
          slots.set(id, slot)
          ids[slot] = id
          tenants.set(slot, 0)
        }
        if (!isHere(slot)) size += 1
        tenants.set(slot, tenants.get(slot) | bit)
        return slot
      },
      leave(id: string): void {
        const slot = slots.get(id)
        if (slot === undefined || !isHere(slot)) return
        size -= 1
        tenants.set(slot, tenants.get(slot) & ~bit)
        if (tenants.get(slot) !== 0) return
        slots.delete(id)
        ids[slot] = ''
        free.push(slot)
      },
    }
  }
  return { lease }
}
export type Slots = ReturnType<typeof createSlots>
