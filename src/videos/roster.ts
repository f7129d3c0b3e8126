import type { OpenVideo } from '../core/ports.ts'

interface Entry {
  id: string
  atMs: number
  isAwaited: boolean
}

/** Entries by time; one that is stale stays until it comes up, and is passed over then. */
const createHeap = (isStale: (entry: Entry) => boolean) => {
  let heap: Entry[] = []

  const pop = (): void => {
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      if (!left) break
      const right = heap[2 * at + 2]
      const [below, child] = right && right.atMs < left.atMs ? [2 * at + 2, right] : [2 * at + 1, left]
      if (last.atMs <= child.atMs) break
      heap[at] = child
      at = below
    }
    heap[at] = last
  }

  return {
    pop,
    /** `live`: how many are not stale, at most. */
    push(entry: Entry, live: number): void {
      // Mostly stale: start again.
      if (heap.length > 2 * live + 64) heap = heap.filter((one) => !isStale(one)).toSorted((a, b) => a.atMs - b.atMs)
      let at = heap.push(entry) - 1
      while (at > 0) {
        const above = (at - 1) >> 1
        const parent = heap[above]
        if (!parent || parent.atMs <= entry.atMs) break
        heap[at] = parent
        at = above
      }
      heap[at] = entry
    },
    first(): Entry | null {
      for (let top = heap[0]; top; top = heap[0]) {
        if (!isStale(top)) return top
        pop()
      }
      return null
    },
  }
}

/** Of what is taken at once, for those that do not go first: nobody is passed over for ever. */
const OTHERS_SHARE = 1 / 4

/**
 * The running videos of one account in the order in which they are due, so that finding what is due costs nothing for
 * those that are not: those that somebody waits for, and the others.
 */
export const createRoster = () => {
  const rows = new Map<string, OpenVideo>()
  const entries = new Map<string, Entry>()
  const isStale = (entry: Entry): boolean => entries.get(entry.id) !== entry
  const awaited = createHeap(isStale)
  const others = createHeap(isStale)

  return {
    rows: rows as ReadonlyMap<string, OpenVideo>,
    /** `atMs` null: it is being dealt with, and not due before it is put again. */
    put(row: OpenVideo, atMs: number | null, isAwaited: boolean): void {
      rows.set(row.id, row)
      const before = entries.get(row.id)
      if (before && before.atMs === atMs && before.isAwaited === isAwaited) return
      entries.delete(row.id)
      if (atMs === null) return
      const entry = { id: row.id, atMs, isAwaited }
      entries.set(row.id, entry)
      const heap = isAwaited ? awaited : others
      heap.push(entry, entries.size)
    },
    /** It is being dealt with. */
    hold: (id: string): void => void entries.delete(id),
    drop(id: string): void {
      rows.delete(id)
      entries.delete(id)
    },
    /** Takes out the first that are due, those that somebody waits for before others, earliest first: each is to be put again. */
    take(nowMs: number, limit: number): OpenVideo[] {
      const taken: OpenVideo[] = []
      const takeFrom = (heap: typeof awaited, most: number): void => {
        for (let top = heap.first(); top && top.atMs <= nowMs && taken.length < most; top = heap.first()) {
          heap.pop()
          entries.delete(top.id)
          taken.push(...[rows.get(top.id) ?? []].flat())
        }
      }
      takeFrom(awaited, limit)
      takeFrom(others, Math.max(limit, taken.length + Math.ceil(limit * OTHERS_SHARE)))
      return taken
    },
    /** When the next is due, or was. */
    nextAtMs(): number | null {
      const firsts = [awaited.first(), others.first()].flatMap((entry) => entry?.atMs ?? [])
      return firsts.length === 0 ? null : Math.min(...firsts)
    },
  }
}
