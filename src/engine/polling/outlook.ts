import type { Durations } from './durations.ts'
import { runningAt } from './lateness.ts'

/** What was learned of durations, as people look at it. Pure. Times are milliseconds since a job was accepted. */

export interface Bar {
  fromMs: number
  /** Null: whatever is longer. */
  toMs: number | null
  videos: number
}

export interface PollAhead {
  afterMs: number
  /** The part of jobs that it is expected to find running. */
  running: number
}

const MOST_BARS = 24
/** Steps that people count in. */
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200].map(
  (s) => s * 1_000,
)
const DAY_MS = 86_400_000

const MOST_POLLS = 40
/** Polls of a smaller part of the jobs are not shown; where nothing was learned yet, of a larger one. */
const LEAST_RUNNING = 0.01
const LEAST_RUNNING_UNLEARNED = 0.1

/** The value that this part of them, ascending, does not exceed; null: there are none. */
export const percentile = (ascending: readonly number[], part: number): number | null =>
  ascending[Math.max(0, Math.ceil(ascending.length * part) - 1)] ?? null

/** Durations, ascending, in bars of equal width. A few that ran for very long share the last one. */
export const barsOf = (sorted: readonly number[]): Bar[] => {
  const first = sorted[0]
  const most = percentile(sorted, 0.99)
  if (first === undefined || most === null) return []
  const width = STEPS_MS.find((step) => (most - first) / step <= MOST_BARS - 2) ?? DAY_MS
  const start = Math.floor(first / width)
  const count = Math.floor(most / width) - start + 1
  const bars = Array.from({ length: count }, (_, n): Bar => ({
    fromMs: (start + n) * width,
    toMs: (start + n + 1) * width,
    videos: 0,
  }))
  const rest: Bar = { fromMs: (start + count) * width, toMs: null, videos: 0 }
  for (const ms of sorted) (bars[Math.floor(ms / width) - start] ?? rest).videos += 1
  return rest.videos === 0 ? bars : [...bars, rest]
}

/** The polls of a job that is accepted at 0. `next`: when it is polled again after a poll at `lastMs`; null: the first. */
export const pollsOf = (memory: Durations, next: (lastMs: number | null) => number): PollAhead[] => {
  const longestMs = memory.sorted.at(-1)
  const least = longestMs === undefined ? LEAST_RUNNING_UNLEARNED : LEAST_RUNNING
  const polls: PollAhead[] = []
  for (let lastMs: number | null = null; polls.length < MOST_POLLS;) {
    const running = lastMs === null ? 1 : runningAt(memory, lastMs)
    if (running < least || (lastMs ?? 0) > (longestMs ?? Infinity)) break
    lastMs = next(lastMs)
    polls.push({ afterMs: lastMs, running: runningAt(memory, lastMs) })
  }
  return polls
}
