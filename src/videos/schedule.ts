/** When to look at a running job again (design 4, "Polling"). Times are milliseconds since the epoch, or spans. */
export interface LookState {
  nowMs: number
  /** Looks taken so far that found it still running. */
  looks: number
  /** The upstream's own hint: never earlier than that. */
  hintAtMs: number | null
  minIntervalMs: number
  /** The backend promised to call back: looking is only the backstop for a lost callback. */
  calledBack: boolean
}

const FIRST_LOOK_MS = 2_000
const GROWTH = 1.4
const LONGEST_MS = 30_000
const BACKSTOP_MS = 60_000

/** The next look at a job that still runs. */
export const nextLookAt = ({ nowMs, looks, hintAtMs, minIntervalMs, calledBack }: LookState): number => {
  const ownMs = calledBack ? BACKSTOP_MS : Math.min(FIRST_LOOK_MS * GROWTH ** looks, LONGEST_MS)
  const atMs = hintAtMs ?? nowMs + ownMs
  return Math.max(atMs, nowMs + minIntervalMs)
}

const BACKOFF_FIRST_MS = 2_000
const BACKOFF_LONGEST_MS = 60_000

/** Backs off a repeated failure, 2 s doubling to a minute; `random` in [0, 1) adds up to a quarter, so that many do not march together. */
export const backoffMs = (failures: number, random: number): number =>
  Math.min(BACKOFF_FIRST_MS * 2 ** Math.max(0, failures - 1), BACKOFF_LONGEST_MS) * (1 + random / 4)

const HINTS_PER_VIDEO = 3
const HINT_GAP_MS = 30_000

/** When a callback, which is only a hint, makes us look: at once, then ≥ 30 s apart, three times a video; null: not at all. */
export const hintedLookAt = (hintedPolls: number, lastHintAtMs: number | null, nowMs: number): number | null => {
  if (hintedPolls >= HINTS_PER_VIDEO) return null
  return lastHintAtMs === null ? nowMs : Math.max(nowMs, lastHintAtMs + HINT_GAP_MS)
}
