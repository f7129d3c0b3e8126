import type { OpenVideo } from '../../core/store/videos.ts'

/** What a row waits for: a look that somebody waits for, any other look, or a step that no crowd of looks may hide. */
type Kind = 'awaited' | 'others' | 'steps'

interface Entry {
  id: string
  atMs: number
  kind: Kind
  /** Its place in the heap that it is in. */
  place: number
}

/** Entries by time; each knows its place, so that one that changes is moved and none is left behind. */
const createHeap = () => {
  const heap: Entry[] = []

  const set = (entry: Entry, place: number): void => {
    entry.place = place
    heap[place] = entry
  }
  /** Puts the entry where it belongs, from a place that is free. */
  const settle = (entry: Entry, from: number): void => {
    let at = from
    for (let up = heap[(at - 1) >> 1]; at > 0 && up && up.atMs > entry.atMs; up = heap[(at - 1) >> 1]) {
      set(up, at)
      at = (at - 1) >> 1
    }
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      const child = left && right && right.atMs < left.atMs ? right : left
      if (!child || child.atMs >= entry.atMs) break
      const { place } = child
      set(child, at)
      at = place
    }
    set(entry, at)
  }

  return {
    first: (): Entry | null => heap[0] ?? null,
    add: (entry: Entry): void => settle(entry, heap.length),
    /** Its time has changed. */
    moved: (entry: Entry): void => settle(entry, entry.place),
    remove(entry: Entry): void {
      const last = heap.pop()
      if (last && last !== entry) settle(last, entry.place)
    },
  }
}
type Heap = ReturnType<typeof createHeap>

/** Of what is taken at once, for those that do not go first: nobody is passed over for ever. */
const OTHERS_SHARE = 1 / 4

/** Of steps that are no looks, so many are taken at once. They are few, or the backend has a bad time. */
const STEPS_AT_ONCE = 64

/**
 * The running videos of one account in the order in which they are due, so that finding what is due costs nothing for
 * those that are not: looks that somebody waits for, the other looks, and what is no look (a doubt, a create whose
 * process died). Looks that wait for a window, however many and however late, stand before none of those.
 */
export const createRoster = () => {
  const rows = new Map<string, OpenVideo>()
  const entries = new Map<string, Entry>()
  const heaps: Readonly<Record<Kind, Heap>> = { awaited: createHeap(), others: createHeap(), steps: createHeap() }
  const heapOf = ({ kind }: Entry): Heap => heaps[kind]
  const kindOf = ({ phase }: OpenVideo, isAwaited: boolean): Kind =>
    phase !== 'accepted' ? 'steps' : isAwaited ? 'awaited' : 'others'

  const hold = (id: string): void => {
    const entry = entries.get(id)
    if (!entry) return
    heapOf(entry).remove(entry)
    entries.delete(id)
  }

  return {
    rows: rows as ReadonlyMap<string, OpenVideo>,
    /** `atMs` null: it is being dealt with, and not due before it is put again. */
    put(row: OpenVideo, atMs: number | null, isAwaited: boolean): void {
      rows.set(row.id, row)
      const known = entries.get(row.id)
      const kind = kindOf(row, isAwaited)
      if (known && atMs !== null && known.kind === kind) {
        if (known.atMs === atMs) return
        known.atMs = atMs
        return heapOf(known).moved(known)
      }
      hold(row.id)
      if (atMs === null) return
      const entry = { id: row.id, atMs, kind, place: 0 }
      entries.set(row.id, entry)
      heapOf(entry).add(entry)
    },
    /** It is being dealt with. */
    hold,
    drop(id: string): void {
      rows.delete(id)
      hold(id)
    },
    /**
     * Takes out the first that are due, earliest first: each is to be put again. Of looks so many, those that somebody
     * waits for before others; steps beside them.
     */
    take(nowMs: number, limit: number): OpenVideo[] {
      const taken: OpenVideo[] = []
      const takeFrom = (heap: Heap, most: number): void => {
        for (let top = heap.first(); top && top.atMs <= nowMs && taken.length < most; top = heap.first()) {
          hold(top.id)
          taken.push(...[rows.get(top.id) ?? []].flat())
        }
      }
      takeFrom(heaps.steps, STEPS_AT_ONCE)
      const steps = taken.length
      takeFrom(heaps.awaited, steps + limit)
      takeFrom(heaps.others, Math.max(steps + limit, taken.length + Math.ceil(limit * OTHERS_SHARE)))
      return taken
    },
    /** When the next is due, or was. */
    nextAtMs(): number | null {
      const firsts = Object.values(heaps).flatMap((heap) => heap.first()?.atMs ?? [])
      return firsts.length === 0 ? null : Math.min(...firsts)
    },
  }
}
