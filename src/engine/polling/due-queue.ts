import type { OpenVideo } from '../../core/store/videos.ts'
import {
  type Column,
  createBytes,
  createColumn,
  createCounts,
  createRows,
  createSlots,
  type Slots,
} from './memories.ts'

/** What a row waits for: a poll that somebody waits for, any other poll, or a step that no crowd of polls may hide. */
const KINDS = ['awaited', 'others', 'steps'] as const
type Kind = (typeof KINDS)[number]

/** Slots by their time; each knows its place, so that one that changes is moved and none is left behind. */
const createHeap = (times: Column, places: Column) => {
  const heap: number[] = []

  const timeOf = (slot: number | undefined): number => (slot === undefined ? Infinity : times.get(slot))
  const set = (slot: number, place: number): void => {
    places.set(slot, place)
    heap[place] = slot
  }
  /** Puts the slot where it belongs, from a place that is free. */
  const settle = (slot: number, from: number): void => {
    const atMs = timeOf(slot)
    let at = from
    for (let up = heap[(at - 1) >> 1]; at > 0 && up !== undefined && timeOf(up) > atMs; up = heap[(at - 1) >> 1]) {
      set(up, at)
      at = (at - 1) >> 1
    }
    for (;;) {
      const place = timeOf(heap[2 * at + 2]) < timeOf(heap[2 * at + 1]) ? 2 * at + 2 : 2 * at + 1
      const child = heap[place]
      if (child === undefined || timeOf(child) >= atMs) break
      set(child, at)
      at = place
    }
    set(slot, at)
  }

  return {
    slots: heap as readonly number[],
    first: (): number | undefined => heap[0],
    firstMs: (): number => timeOf(heap[0]),
    add: (slot: number): void => settle(slot, heap.length),
    /** Its time has changed. */
    moved: (slot: number): void => settle(slot, places.get(slot)),
    remove(slot: number): void {
      const last = heap.pop()
      if (last !== undefined && last !== slot) settle(last, places.get(slot))
    },
  }
}
type Heap = ReturnType<typeof createHeap>

/** The part of each take for polls that do not go first, so that none waits for ever. */
const OTHERS_SHARE = 1 / 4

/** How many steps are taken at once. There are few, unless the backend is failing. */
const STEPS_AT_ONCE = 64

/** Dealt with now: not due before it is put again. */
const HELD = Infinity

/**
 * The running videos of one account in the order in which they are due, so that videos that are not due cost nothing.
 * There are polls that somebody waits for, other polls, and steps (a doubt, a create whose process died). Steps never
 * wait behind polls, however many are due.
 */
export const createDueQueue = (slots: Slots = createSlots()) => {
  const rows = createRows(slots)
  /** By slot: when it is due, its place in its heap, and in which it is. */
  const [times, places, kinds] = [createColumn(), createCounts(), createBytes()]
  const heap = (): Heap => createHeap(times, places)
  const heaps: Readonly<Record<Kind, Heap>> = { awaited: heap(), others: heap(), steps: heap() }
  const kindOf = ({ phase }: OpenVideo, isAwaited: boolean): Kind =>
    phase !== 'accepted' ? 'steps' : isAwaited ? 'awaited' : 'others'

  const heapOf = (slot: number): Heap => heaps[KINDS[kinds.get(slot)] ?? 'steps']
  const retime = (slot: number, atMs: number): void => {
    times.set(slot, atMs)
    heapOf(slot).moved(slot)
  }

  return {
    size: rows.size,
    ids: rows.ids,
    has: (id: string): boolean => rows.slotOf(id) !== undefined,
    get(id: string): OpenVideo | undefined {
      const slot = rows.slotOf(id)
      return slot === undefined ? undefined : rows.at(slot)
    },
    /** `atMs` null: it is being dealt with, and not due before it is put again. */
    put(row: OpenVideo, atMs: number | null, isAwaited: boolean): void {
      const known = rows.slotOf(row.id)
      const slot = rows.put(row)
      const kind = kindOf(row, isAwaited)
      if (known !== undefined && heapOf(slot) === heaps[kind]) return retime(slot, atMs ?? HELD)
      if (known !== undefined) heapOf(slot).remove(slot)
      kinds.set(slot, KINDS.indexOf(kind))
      times.set(slot, atMs ?? HELD)
      heaps[kind].add(slot)
    },
    /** It is being dealt with. */
    hold(id: string): void {
      const slot = rows.slotOf(id)
      if (slot !== undefined) retime(slot, HELD)
    },
    drop(id: string): void {
      const slot = rows.slotOf(id)
      if (slot === undefined) return
      heapOf(slot).remove(slot)
      rows.remove(id)
    },
    /**
     * Takes the first due rows, earliest first; each must be put again. `limit` polls, those that somebody waits for
     * first, and steps beside them.
     */
    take(nowMs: number, limit: number): OpenVideo[] {
      const taken: OpenVideo[] = []
      const takeFrom = ({ first, firstMs }: Heap, most: number): void => {
        for (let slot = first(); slot !== undefined && firstMs() <= nowMs && taken.length < most; slot = first()) {
          retime(slot, HELD)
          taken.push(...[rows.at(slot) ?? []].flat())
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
      const firstMs = Math.min(...Object.values(heaps).map((of) => of.firstMs()))
      return firstMs === HELD ? null : firstMs
    },
    /** How many polls of a kind there are, due or not. */
    count: (kind: 'awaited' | 'others'): number => heaps[kind].slots.length,
  }
}
export type DueQueue = ReturnType<typeof createDueQueue>
