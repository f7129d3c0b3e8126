import { createBytes, createColumn, createCounts, orNull } from './columns.ts'
import { createPollLines } from './poll-lines.ts'
import type { Memories, PollMemory } from './poll-memory.ts'
import { NO_POLLS, type Unwritten } from './poll-notes.ts'
import { KEPT as READINGS_KEPT, type Reading } from './progress.ts'
import { createSlots, type Slots } from './slots.ts'

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
