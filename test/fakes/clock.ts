import type { Clock } from '../../src/core/clock.ts'

export interface FakeClock extends Clock {
  /** Moves time on, running what becomes due in order, each at its own time. */
  advance(ms: number): Promise<void>
  /** Jumps without running timers on the way: what an NTP step or a suspended laptop does. */
  jump(ms: number): void
  pending(): number
  /** When the next timer is due; null without any. */
  nextAtMs(): number | null
}

/** Lets every promise and immediate that is ready run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const fakeClock = (startMs = Date.parse('2026-11-20T10:00:00Z')): FakeClock => {
  let nowMs = startMs
  const timers = new Set<{ atMs: number; run: () => void }>()
  const nextDue = (untilMs: number) =>
    [...timers].filter((t) => t.atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0]
  return {
    now: () => nowMs,
    at(atMs, run) {
      const timer = { atMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const untilMs = nowMs + ms
      await settle()
      for (let t = nextDue(untilMs); t; t = nextDue(untilMs)) {
        timers.delete(t)
        nowMs = Math.max(nowMs, t.atMs)
        t.run()
        await settle()
      }
      nowMs = untilMs
      await settle()
    },
    jump(ms) {
      nowMs += ms
    },
    pending: () => timers.size,
    nextAtMs: () => (timers.size === 0 ? null : Math.min(...[...timers].map(({ atMs }) => atMs))),
  }
}
