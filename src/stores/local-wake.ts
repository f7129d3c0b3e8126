import type { Clock } from '../core/clock.ts'
import type { Wake, WakeHandlers } from '../core/ports.ts'

/** The embedded alarm clock: timers of this process. What it forgets at a restart, the sweep finds. */
export const createLocalWake = (clock: Clock): Wake => {
  const handlers = new Set<Partial<WakeHandlers>>()
  const alarms = new Map<string, { atMs: number; cancel: () => void }>()
  return {
    hint(kind, id, dueAtMs) {
      const key = `${kind}:${id}`
      const set = alarms.get(key)
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
