import type { OpenVideo } from '../../core/store/videos.ts'

/** The heaps: polls that somebody waits for, other polls, and steps that no crowd of polls may hold up. */
type Kind = 'awaited' | 'others' | 'steps'

interface Entry {
  id: string
  atMs: number
  kind: Kind
  /** Its place in its heap. */
  place: number
}

/** A heap of entries by time. Each entry knows its place, so that a changed one can be moved. */
const createHeap = () => {
  const heap: Entry[] = []

  const set = (entry: Entry, place: number): void => {
    entry.place = place
    heap[place] = entry
  }
  /** Moves the entry from a free place to where it belongs. */
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

/** The part of each take for polls that do not go first, so that none waits for ever. */
const OTHERS_SHARE = 1 / 4

/** How many steps are taken at once. There are few, unless the backend is failing. */
const STEPS_AT_ONCE = 64

/**
 * The running videos of one account in the order in which they are due, so that videos that are not due cost nothing.
 * There are polls that somebody waits for, other polls, and steps (a doubt, a create whose process died). Steps never
 * wait behind polls, however many are due.
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
    /** `atMs` null: it is being worked on, and not due before it is put again. */
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
    /** It is being worked on. */
    hold,
    drop(id: string): void {
      rows.delete(id)
      hold(id)
    },
    /**
     * Takes the first due rows, earliest first; each must be put again. `limit` polls, those that somebody waits for
     * first, and steps beside them.
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
