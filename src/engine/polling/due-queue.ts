import type { OpenVideo } from '../../core/store/videos.ts'

/** What a row waits for: a poll that somebody waits for, any other poll, or a step that no crowd of polls may hide. */
type Kind = 'awaited' | 'others' | 'steps'

interface Entry {
  row: OpenVideo
  kind: Kind
  /** When it is due; `HELD` while it is dealt with. */
  atMs: number
  /** Its place in the heap of its kind, so that one whose time changes is moved. */
  place: number
}

/** Dealt with now: not due before it is put again. */
const HELD = Infinity

/** A binary heap: the first is due first. */
const createHeap = () => {
  const heap: Entry[] = []
  const timeAt = (place: number): number => heap[place]?.atMs ?? Infinity
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
      const place = timeAt(2 * at + 2) < timeAt(2 * at + 1) ? 2 * at + 2 : 2 * at + 1
      const child = heap[place]
      if (!child || child.atMs >= entry.atMs) break
      set(child, at)
      at = place
    }
    set(entry, at)
  }
  return {
    size: (): number => heap.length,
    first: (): Entry | undefined => heap[0],
    firstMs: (): number => timeAt(0),
    add: (entry: Entry): void => settle(entry, heap.length),
    /** Its time has changed. */
    moved: (entry: Entry): void => settle(entry, entry.place),
    remove(entry: Entry): void {
      const last = heap.pop()
      if (last && last !== entry) settle(last, entry.place)
    },
  }
}

/** The part of each take for polls that do not go first, so that none waits for ever. */
const OTHERS_SHARE = 1 / 4
/** How many steps are taken at once. There are few, unless the backend is failing. */
const STEPS_AT_ONCE = 64

/**
 * The running videos of one account in the order in which they are due, so that videos that are not due cost nothing.
 * There are polls that somebody waits for, other polls, and steps (a doubt, a create whose process died). Steps never
 * wait behind polls, however many are due.
 */
export const createDueQueue = () => {
  const entries = new Map<string, Entry>()
  const heaps = { awaited: createHeap(), others: createHeap(), steps: createHeap() }

  const drop = (id: string): void => {
    const entry = entries.get(id)
    if (!entry) return
    heaps[entry.kind].remove(entry)
    entries.delete(id)
  }
  const retime = (entry: Entry, atMs: number): void => {
    entry.atMs = atMs
    heaps[entry.kind].moved(entry)
  }

  return {
    size: (): number => entries.size,
    ids: () => entries.keys(),
    has: (id: string): boolean => entries.has(id),
    get: (id: string): OpenVideo | undefined => entries.get(id)?.row,
    /** `atMs` null: it is being dealt with, and not due before it is put again. */
    put(row: OpenVideo, atMs: number | null, isAwaited: boolean): void {
      const kind = row.phase !== 'accepted' ? 'steps' : isAwaited ? 'awaited' : 'others'
      const known = entries.get(row.id)
      if (known?.kind === kind) {
        known.row = row
        retime(known, atMs ?? HELD)
        return
      }
      drop(row.id)
      const entry: Entry = { row, kind, atMs: atMs ?? HELD, place: 0 }
      entries.set(row.id, entry)
      heaps[kind].add(entry)
    },
    /** It is being dealt with. */
    hold(id: string): void {
      const entry = entries.get(id)
      if (entry) retime(entry, HELD)
    },
    drop,
    /**
     * Takes the first due rows, earliest first; each must be put again. `limit` polls, those that somebody waits for
     * first, and steps beside them.
     */
    take(nowMs: number, limit: number): OpenVideo[] {
      const taken: OpenVideo[] = []
      const takeFrom = (kind: Kind, most: number): void => {
        const { first } = heaps[kind]
        for (let next = first(); next && next.atMs <= nowMs && taken.length < most; next = first()) {
          retime(next, HELD)
          taken.push(next.row)
        }
      }
      takeFrom('steps', STEPS_AT_ONCE)
      const steps = taken.length
      takeFrom('awaited', steps + limit)
      takeFrom('others', Math.max(steps + limit, taken.length + Math.ceil(limit * OTHERS_SHARE)))
      return taken
    },
    /** When the next is due, or was. */
    nextAtMs(): number | null {
      const firstMs = Math.min(...Object.values(heaps).map((heap) => heap.firstMs()))
      return firstMs === HELD ? null : firstMs
    },
    /** How many polls of a kind there are, due or not. */
    count: (kind: 'awaited' | 'others'): number => heaps[kind].size(),
  }
}
export type DueQueue = ReturnType<typeof createDueQueue>
