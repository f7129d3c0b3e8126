import type { OpenVideo } from '../core/ports.ts'

interface Entry {
  id: string
  atMs: number
}

/**
 * The running videos of one account in the order in which they are due, so that finding what is due costs nothing for
 * those that are not. A heap; an entry whose time was changed stays in it until it comes up, and is passed over then.
 */
export const createRoster = () => {
  const rows = new Map<string, OpenVideo>()
  const times = new Map<string, number>()
  let heap: Entry[] = []

  const isStale = ({ id, atMs }: Entry): boolean => times.get(id) !== atMs

  const push = (entry: Entry): void => {
    let at = heap.push(entry) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (!parent || parent.atMs <= entry.atMs) break
      heap[at] = parent
      at = above
    }
    heap[at] = entry
  }

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

  const first = (): Entry | null => {
    for (let top = heap[0]; top; top = heap[0]) {
      if (!isStale(top)) return top
      pop()
    }
    return null
  }

  return {
    rows: rows as ReadonlyMap<string, OpenVideo>,
    /** `atMs` null: it is being dealt with, and not due before it is put again. */
    put(row: OpenVideo, atMs: number | null): void {
      rows.set(row.id, row)
      if (times.get(row.id) === atMs) return
      times.delete(row.id)
      if (atMs === null) return
      times.set(row.id, atMs)
      // Mostly stale: start again.
      if (heap.length > 2 * times.size + 64)
        heap = heap.filter((entry) => !isStale(entry)).toSorted((a, b) => a.atMs - b.atMs)
      push({ id: row.id, atMs })
    },
    /** It is being dealt with. */
    hold: (id: string): void => void times.delete(id),
    drop(id: string): void {
      rows.delete(id)
      times.delete(id)
    },
    /** Takes out the first that are due, earliest first: each is to be put again. */
    take(nowMs: number, limit: number): OpenVideo[] {
      const taken: OpenVideo[] = []
      for (let top = first(); top && top.atMs <= nowMs && taken.length < limit; top = first()) {
        pop()
        times.delete(top.id)
        taken.push(...[rows.get(top.id) ?? []].flat())
      }
      return taken
    },
    /** When the next is due, or was. */
    nextAtMs: (): number | null => first()?.atMs ?? null,
  }
}
