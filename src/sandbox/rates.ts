import type { Clock } from '../core/time/clock.ts'

/** A key's rate window, as the X-RateLimit-* headers tell it. */
export interface Window {
  readonly limit: number
  readonly remaining: number
  /** Always a whole second: see undecided.ts. */
  readonly resetAtMs: number
  readonly allowed: boolean
}

const UNLIMITED = 1_000_000

const endOf = (nowMs: number, windowMs: number): number => Math.ceil((nowMs + windowMs) / 1000) * 1000

/** Both contracts count requests per minute; `windowMs` is that minute divided by the speed. */
export const createRates = (clock: Clock, windowMs: number, unlimited: boolean) => {
  const windows = new Map<string, { used: number; resetAtMs: number }>()
  const current = (keyId: string, nowMs: number) => {
    const open = windows.get(keyId)
    // The second condition ends a window that a clock set back would keep open for hours.
    return open && nowMs < open.resetAtMs && open.resetAtMs <= endOf(nowMs, windowMs)
      ? open
      : { used: 0, resetAtMs: endOf(nowMs, windowMs) }
  }
  return {
    /** Counts one request of the key. */
    take(keyId: string, stated: number): Window {
      const limit = unlimited ? UNLIMITED : stated
      const open = current(keyId, clock.now())
      const allowed = open.used < limit
      const used = allowed ? open.used + 1 : open.used
      windows.set(keyId, { used, resetAtMs: open.resetAtMs })
      return { limit, remaining: limit - used, resetAtMs: open.resetAtMs, allowed }
    },
    /** The headers of a caller without a key: an untouched window, nothing counted. */
    untouched(stated: number): Window {
      const limit = unlimited ? UNLIMITED : stated
      return { limit, remaining: limit, resetAtMs: endOf(clock.now(), windowMs), allowed: true }
    },
  }
}
export type Rates = ReturnType<typeof createRates>
