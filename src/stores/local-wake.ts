import type { Clock } from '../core/time/clock.ts'
import type { Wake, WakeHandlers } from '../core/wake.ts'

/** What is due later has no timer: it would be set, and kept, for what the sweep finds as well. */
const AHEAD_MS = 60_000
/** Of deliveries that are not due yet. However many are, timers cost no more than that; accounts are few. */
const MOST_AHEAD = 10_000

/** The embedded alarm clock: timers of this process. What it forgets, by itself or at a restart, the sweep finds. */
export const createLocalWake = (clock: Clock): Wake => {
  const handlers = new Set<Partial<WakeHandlers>>()
  const alarms = new Map<string, { atMs: number; cancel: () => void }>()
  return {
    hint(kind, id, dueAtMs) {
      const key = `${kind}:${id}`
      const set = alarms.get(key)
      const aheadMs = dueAtMs - clock.now()
      if (aheadMs > AHEAD_MS || (kind === 'deliver' && aheadMs > 0 && !set && alarms.size >= MOST_AHEAD)) return
      if (set && set.atMs <= dueAtMs) return
      set?.cancel()
      const cancel = clock.at(dueAtMs, () => {
        alarms.delete(key)
        for (const handler of handlers) handler.work?.(kind, id)
      })
      alarms.set(key, { atMs: dueAtMs, cancel })
    },
    changed(id, version, client) {
      for (const handler of handlers) handler.changed?.(id, version, client)
    },
    on(handler) {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
    async close() {
      for (const { cancel } of alarms.values()) cancel()
      alarms.clear()
      handlers.clear()
    },
  }
}
