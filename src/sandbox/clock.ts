import type { Clock } from '../core/time/clock.ts'

/** A clock that stands still until it is told to go: `--clock virtual`, or a test's own. */
export interface VirtualClock extends Clock {
  /** Moves time on; what becomes due on the way runs in order, each at its own time. */
  advance(ms: number): Promise<void>
}

export const isVirtual = (clock: Clock): clock is VirtualClock =>
  'advance' in clock && typeof clock.advance === 'function'

/** Lets what a timer started run on until it waits again. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const virtualClock = (startMs: number): VirtualClock => {
  let nowMs = startMs
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  const nextDue = (untilMs: number) =>
    [...timers].filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0]
  /** One after the other: two callers at once would each run the other's timers too late. */
  let last: Promise<void> = Promise.resolve()
  const advance = async (ms: number): Promise<void> => {
    const untilMs = nowMs + ms
    for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) {
      timers.delete(timer)
      nowMs = Math.max(nowMs, timer.atMs)
      timer.run()
      await settle()
    }
    nowMs = untilMs
    await settle()
  }
  return {
    now: () => nowMs,
    wall: () => nowMs,
    elapsed: () => nowMs,
    leaptSince: () => 0,
    at(atMs, run) {
      const timer = { atMs, run }
      timers.add(timer)
      // What is due already does not wait for the next advance.
      if (atMs <= nowMs) setImmediate(() => timers.delete(timer) && run())
      return () => timers.delete(timer)
    },
    advance(ms) {
      last = last.then(() => advance(ms))
      return last
    },
  }
}
