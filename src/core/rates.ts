import type { Clock } from './clock.ts'

export const RATE_WINDOW_MS = 60_000
const SLOT_MS = 1_000
const SLOTS = RATE_WINDOW_MS / SLOT_MS

export interface Taken {
  ok: boolean
  limit: number
  remaining: number
  /** When the oldest request that still counts does no more, and there is room for others. */
  resetAtMs: number
}

/** Counts requests per client. A driver that is shared by many processes stands in the same place. */
export interface Rates {
  /** Takes one request of `limit` in a minute, if there is one left; what is refused is not counted. */
  take(client: string, limit: number): Promise<Taken>
}

interface Window {
  /** The newest second that was written to, since the epoch. */
  newest: number
  /** Requests by second, `second % SLOTS`. */
  counts: Uint32Array
  used: number
}

const fresh = (newest: number): Window => ({ newest, counts: new Uint32Array(SLOTS), used: 0 })

/** Forgets what is a minute old. A clock that was set back far starts over: nobody is shut out until it has caught up. */
const moved = (window: Window | undefined, second: number): Window => {
  if (!window || Math.abs(second - window.newest) >= SLOTS) return fresh(second)
  for (let passed = window.newest + 1; passed <= second; passed += 1) {
    window.used -= window.counts[passed % SLOTS] ?? 0
    window.counts[passed % SLOTS] = 0
  }
  window.newest = Math.max(window.newest, second)
  return window
}

const oldestOf = ({ newest, counts }: Window): number => {
  for (let second = newest - SLOTS + 1; second < newest; second += 1) if (counts[second % SLOTS]) return second
  return newest
}

/** A window of sixty seconds that slides by the second, in this process; holds as much as there are clients. */
export const createRates = (clock: Clock): Rates => {
  const windows = new Map<string, Window>()
  return {
    async take(client, limit) {
      const window = moved(windows.get(client), Math.floor(clock.now() / SLOT_MS))
      windows.set(client, window)
      const ok = window.used < limit
      if (ok) {
        window.used += 1
        const slot = window.newest % SLOTS
        window.counts[slot] = (window.counts[slot] ?? 0) + 1
      }
      const remaining = Math.max(0, limit - window.used)
      return { ok, limit, remaining, resetAtMs: (oldestOf(window) + SLOTS) * SLOT_MS }
    },
  }
}
