import type { OpenVideo } from '../../core/store/videos.ts'
import type { TimelineEntry } from '../../core/video.ts'
import { type Memories, NO_POLLS, type PollMemory, type Unwritten } from './poll-memory.ts'
import { type Reading, KEPT as READINGS_KEPT } from './progress.ts'

const PIECE = 1_024

/**
 * Numbers by slot, in pieces: growing copies nothing, and none of it is looked through by the garbage collector. Each
 * kind of column has code of its own, because V8 makes that fast for one kind of array alone.
 */
export interface Column {
  get(slot: number): number
  set(slot: number, value: number): void
}

/** Moments and fractions; `NaN` stands for null. */
export const createColumn = (): Column => {
  const pieces: Float64Array[] = []
  return {
    get: (slot) => pieces[Math.floor(slot / PIECE)]?.[slot % PIECE] ?? NaN,
    set(slot, value) {
      const piece = (pieces[Math.floor(slot / PIECE)] ??= new Float64Array(PIECE))
      piece[slot % PIECE] = value
    },
  }
}

/** Whole numbers below 2³²; 0 where none was set. */
export const createCounts = (): Column => {
  const pieces: Uint32Array[] = []
  return {
    get: (slot) => pieces[Math.floor(slot / PIECE)]?.[slot % PIECE] ?? 0,
    set(slot, value) {
      const piece = (pieces[Math.floor(slot / PIECE)] ??= new Uint32Array(PIECE))
      piece[slot % PIECE] = value
    },
  }
}

/** Whole numbers below 256; 0 where none was set. */
export const createBytes = (): Column => {
  const pieces: Uint8Array[] = []
  return {
    get: (slot) => pieces[Math.floor(slot / PIECE)]?.[slot % PIECE] ?? 0,
    set(slot, value) {
      const piece = (pieces[Math.floor(slot / PIECE)] ??= new Uint8Array(PIECE))
      piece[slot % PIECE] = value
    },
  }
}

const orNull = (ms: number): number | null => (Number.isNaN(ms) ? null : ms)

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

/** No line: lines count from 1. */
const NONE = 0

/**
 * Texts, each kept once for as long as a line says it. There are few: words of a backend, and percents.
 */
const createTexts = () => {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  const uses: number[] = []
  const free: number[] = []
  return {
    textOf: (number: number): string => texts[number] ?? '',
    use(text: string): number {
      const number = numbers.get(text) ?? free.pop() ?? texts.length
      numbers.set(text, number)
      texts[number] = text
      uses[number] = (uses[number] ?? 0) + 1
      return number
    },
    drop(number: number): void {
      const left = (uses[number] ?? 0) - 1
      uses[number] = left
      if (left > 0) return
      numbers.delete(texts[number] ?? '')
      texts[number] = ''
      free.push(number)
    },
  }
}

/**
 * Lists of the polls that are not written yet, a line each. As objects a quarter of a million of them took some 20 MB,
 * which every collection went through; here it is sixteen bytes each.
 */
const createPollLines = () => {
  const [at, said, next] = [createColumn(), createCounts(), createCounts()]
  const texts = createTexts()
  /** Freed lines, one behind the other. */
  let free = NONE
  let made = 0

  const take = (): number => {
    if (free === NONE) return (made += 1)
    const line = free
    free = next.get(line)
    return line
  }

  return {
    /** Answers where the list begins. */
    add(polls: readonly TimelineEntry[]): number {
      let first = NONE
      for (const poll of polls.toReversed()) {
        const line = take()
        at.set(line, poll.at)
        said.set(line, texts.use(poll.detail ?? ''))
        next.set(line, first)
        first = line
      }
      return first
    },
    list(first: number): TimelineEntry[] {
      const polls: TimelineEntry[] = []
      for (let line = first; line !== NONE; line = next.get(line))
        polls.push({ at: at.get(line), type: 'polled', detail: texts.textOf(said.get(line)) })
      return polls
    },
    drop(first: number): void {
      for (let line = first; line !== NONE;) {
        const after = next.get(line)
        texts.drop(said.get(line))
        next.set(line, free)
        free = line
        line = after
      }
    },
  }
}

const NO_READINGS: readonly Reading[] = []
const MUST = 1
const ALONE = 2

/** How many there are, and each one's time and progress. Most backends tell no progress, and then nothing is kept here. */
const createReadings = () => {
  const counts = createBytes()
  const columns = Array.from({ length: READINGS_KEPT }, () => ({ elapsed: createColumn(), progress: createColumn() }))
  return {
    of(slot: number): readonly Reading[] {
      const count = counts.get(slot)
      if (count === 0) return NO_READINGS
      return columns
        .slice(0, count)
        .map(({ elapsed, progress }) => ({ elapsedMs: elapsed.get(slot), progress: progress.get(slot) }))
    },
    set(slot: number, readings: readonly Reading[]): void {
      if (readings.length === 0 && counts.get(slot) === 0) return
      counts.set(slot, readings.length)
      readings.forEach((reading, n) => {
        columns[n]?.elapsed.set(slot, reading.elapsedMs)
        columns[n]?.progress.set(slot, reading.progress)
      })
    },
  }
}

/** What a process remembers of the jobs of an account, as rows.ts keeps their rows, and for the same reason. */
export const createMemories = (slots: Slots = createSlots()): Memories => {
  const { size, ids, slotOf, take, leave } = slots.lease()
  const [version, failures, flags] = [createCounts(), createCounts(), createBytes()]
  const [dueAt, notBefore, lastPollAt, ranAt] = [createColumn(), createColumn(), createColumn(), createColumn()]
  const readings = createReadings()
  const lines = createPollLines()
  const [first, leftOut] = [createCounts(), createCounts()]

  const setUnwritten = (slot: number, unwritten: Unwritten): void => {
    lines.drop(first.get(slot))
    first.set(slot, lines.add(unwritten.polls))
    leftOut.set(slot, unwritten.leftOut)
  }

  return {
    size,
    ids,
    has: (id) => slotOf(id) !== undefined,
    get(id) {
      const slot = slotOf(id)
      if (slot === undefined) return undefined
      return {
        version: version.get(slot),
        dueAtMs: dueAt.get(slot),
        notBeforeMs: orNull(notBefore.get(slot)),
        failures: failures.get(slot),
        lastPollAtMs: orNull(lastPollAt.get(slot)),
        ranAtMs: orNull(ranAt.get(slot)),
        must: (flags.get(slot) & MUST) !== 0,
        alone: (flags.get(slot) & ALONE) !== 0,
        readings: readings.of(slot),
      }
    },
    set(id, memory: PollMemory) {
      const isNew = slotOf(id) === undefined
      const slot = take(id)
      if (isNew) {
        first.set(slot, 0)
        leftOut.set(slot, 0)
      }
      version.set(slot, memory.version)
      dueAt.set(slot, memory.dueAtMs)
      notBefore.set(slot, memory.notBeforeMs ?? NaN)
      failures.set(slot, memory.failures)
      lastPollAt.set(slot, memory.lastPollAtMs ?? NaN)
      ranAt.set(slot, memory.ranAtMs ?? NaN)
      flags.set(slot, (memory.must ? MUST : 0) | (memory.alone ? ALONE : 0))
      readings.set(slot, memory.readings)
    },
    delete(id) {
      const slot = slotOf(id)
      if (slot === undefined) return
      lines.drop(first.get(slot))
      leave(id)
    },
    unwritten(id) {
      const slot = slotOf(id)
      if (slot === undefined || first.get(slot) === 0) return NO_POLLS
      return { polls: lines.list(first.get(slot)), leftOut: leftOut.get(slot) }
    },
    keepUnwritten(id, unwritten) {
      const slot = slotOf(id)
      if (slot !== undefined) setUnwritten(slot, unwritten)
    },
  }
}
