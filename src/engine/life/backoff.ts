const BACKOFF_FIRST_MS = 2_000
const BACKOFF_LONGEST_MS = 60_000

/**
 * The pause after a repeated failure, in whole milliseconds: 2 s, doubling to a minute. `random` in [0, 1) adds up to a
 * quarter.
 */
export const backoffMs = (failures: number, random: number): number =>
  Math.ceil(Math.min(BACKOFF_FIRST_MS * 2 ** Math.max(0, failures - 1), BACKOFF_LONGEST_MS) * (1 + random / 4))

const HINTS_PER_VIDEO = 3
export const HINT_GAP_MS = 30_000

/** When to poll for a callback: at once, then at least 30 s apart, three times a video; null: not any more. */
export const hintedPollAt = (hintedPolls: number, lastHintAtMs: number | null, nowMs: number): number | null => {
  if (hintedPolls >= HINTS_PER_VIDEO) return null
  return lastHintAtMs === null ? nowMs : Math.max(nowMs, lastHintAtMs + HINT_GAP_MS)
}

const AT_ONCE_LEAST = 8
const AT_ONCE_MOST = 256

/** How many requests an account may have under way: enough to use up its window if each takes a second. */
export const atOnceFor = (requestsPerMinute: number): number =>
  Math.min(Math.max(AT_ONCE_LEAST, Math.ceil(requestsPerMinute / 60)), AT_ONCE_MOST)
