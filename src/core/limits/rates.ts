import type { Clock } from '../time/clock.ts'

type ShareTaken = { ok: true; giveBack: () => void } | { ok: false; retryAtMs: number }

/** Holds the share of all callers without a key together: no client has this id. */
export const ANYBODY = '*'

/** Counts what each holder took lately, in memory. */
export const createShares = (clock: Pick<Clock, 'now'>) => {
  /** When each was taken, oldest first; those before `from` no longer count. */
  const held = new Map<string, { moments: number[]; from: number }>()
  const heldBy = (holder: string): { moments: number[]; from: number } => {
    const known = held.get(holder) ?? { moments: [], from: 0 }
    held.set(holder, known)
    return known
  }
  return {
    /** Takes one of `share` in any `windowMs`, or says when there will be one again. */
    take(holder: string, share: number, windowMs: number): ShareTaken {
      const nowMs = clock.now()
      const mine = heldBy(holder)
      const { moments } = mine
      while (nowMs - (moments[mine.from] ?? nowMs) >= windowMs) mine.from += 1
      // As many are moved as are dropped, at most: no take costs more for all that were taken before it.
      if (mine.from * 2 > moments.length) {
        moments.splice(0, mine.from)
        mine.from = 0
      }
      if (moments.length - mine.from >= share)
        return { ok: false, retryAtMs: (moments[moments.length - share] ?? nowMs) + windowMs }
      moments.push(nowMs)
      const giveBack = (): void => {
        const at = moments.lastIndexOf(nowMs)
        if (at >= mine.from) moments.splice(at, 1)
      }
      return { ok: true, giveBack }
    },
  }
}
export type Shares = ReturnType<typeof createShares>

export const RATE_WINDOW_MS = 60_000
const SLOTS = 60

export interface Taken {
  ok: boolean
  limit: number
  remaining: number
  /** When the oldest request stops counting, so that there is room for another. */
  resetAtMs: number
}

/** Counts requests, or other costs, per client. */
export interface Rates {
  /** Takes one of `limit` in a window, if there is one left; what is refused is not counted. Immediately if it can. */
  take(client: string, limit: number): Taken | Promise<Taken>
  /** Adds to what was taken, even if nothing is left. */
  add(client: string, count: number): Promise<void>
}

interface Window {
  /** The newest slot that was written to, since the epoch. */
  newest: number
  /** What was taken by slot, `slot % SLOTS`. */
  counts: Uint32Array
  used: number
}

const fresh = (newest: number): Window => ({ newest, counts: new Uint32Array(SLOTS), used: 0 })

/** Forgets what is older than a window. If the clock was set back far, counting starts over: nobody is shut out. */
const moved = (window: Window | undefined, slot: number): Window => {
  if (!window || Math.abs(slot - window.newest) >= SLOTS) return fresh(slot)
  for (let passed = window.newest + 1; passed <= slot; passed += 1) {
    window.used -= window.counts[passed % SLOTS] ?? 0
    window.counts[passed % SLOTS] = 0
  }
  window.newest = Math.max(window.newest, slot)
  return window
}

const oldestOf = ({ newest, counts }: Window): number => {
  for (let slot = newest - SLOTS + 1; slot < newest; slot += 1) if (counts[slot % SLOTS]) return slot
  return newest
}

const count = (window: Window, many: number): void => {
  const slot = window.newest % SLOTS
  window.used += many
  window.counts[slot] = (window.counts[slot] ?? 0) + many
}

/** When enough has expired that less than `limit` counts. */
const resetOf = (window: Window, limit: number): number => {
  let slot = oldestOf(window)
  let left = window.used - (window.counts[slot % SLOTS] ?? 0)
  while (left >= limit && slot < window.newest) {
    slot += 1
    left -= window.counts[slot % SLOTS] ?? 0
  }
  return slot + SLOTS
}

/** A window that slides by a sixtieth of its length. In memory, one entry a client. */
export const createRates = (clock: Clock, windowMs = RATE_WINDOW_MS): Rates => {
  const slotMs = windowMs / SLOTS
  const windows = new Map<string, Window>()
  const windowOf = (client: string): Window => {
    const window = moved(windows.get(client), Math.floor(clock.now() / slotMs))
    windows.set(client, window)
    return window
  }
  return {
    take(client, limit) {
      const window = windowOf(client)
      const ok = window.used < limit
      if (ok) count(window, 1)
      const remaining = Math.max(0, limit - window.used)
      return { ok, limit, remaining, resetAtMs: resetOf(window, limit) * slotMs }
    },
    async add(client, many) {
      count(windowOf(client), many)
    },
  }
}

/** How many streams each client holds open. Many processes may share one count. */
export interface StreamPlaces {
  /** Takes one of the client's `limit` places; null if none is left. The answer gives the place back. Never rejects. */
  take(client: string, limit: number): Promise<(() => void) | null>
}

/** In memory, for one process. */
export const createStreamPlaces = (): StreamPlaces => {
  const held = new Map<string, number>()
  return {
    async take(client, limit) {
      const own = held.get(client) ?? 0
      if (own >= limit) return null
      held.set(client, own + 1)
      return () => {
        const left = (held.get(client) ?? 1) - 1
        if (left > 0) held.set(client, left)
        else held.delete(client)
      }
    },
  }
}
