import type { ProcessClock } from '../../src/core/time/clock.ts'

export interface FakeClock extends ProcessClock {
  /** Moves time on, running what becomes due in order, each at its own time. */
  advance(ms: number): Promise<void>
  /** Jumps without running timers on the way: what setting it does to a clock that follows. */
  jump(ms: number): void
  /** Leaps ahead, as the clock of a process does that follows a database's. */
  leap(ms: number): void
  /** Time passes and no timer runs: a process that stands still. */
  stall(ms: number): void
  /** Calls `run` once when `ms` have passed, whatever jumps; the answer cancels it. */
  after(ms: number, run: () => void): () => void
  pending(): number
  /** When the next timer is due; null without any. */
  nextAtMs(): number | null
}

interface Timer {
  atMs: number
  run: () => void
  /** Moves with the clock when that jumps. */
  steady: boolean
}

/** Lets every promise and immediate that is ready run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const fakeClock = (startMs = Date.parse('2026-11-20T10:00:00Z')): FakeClock => {
  let nowMs = startMs
  let jumpedMs = 0
  const leaps: { toMs: number; byMs: number }[] = []
  const timers = new Set<Timer>()
  const nextDue = (untilMs: number) =>
    [...timers].filter((t) => t.atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0]
  const add = (timer: Timer): (() => void) => {
    timers.add(timer)
    return () => timers.delete(timer)
  }
  const jump = (ms: number): void => {
    nowMs += ms
    jumpedMs += ms
    for (const timer of timers) if (timer.steady) timer.atMs += ms
  }
  return {
    now: () => nowMs,
    wall: () => nowMs,
    elapsed: () => nowMs - jumpedMs,
    at: (atMs, run) => add({ atMs, run, steady: false }),
    after: (ms, run) => add({ atMs: nowMs + ms, run, steady: true }),
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
    jump,
    leap(ms) {
      jump(ms)
      leaps.push({ toMs: nowMs, byMs: ms })
    },
    leaptSince: (ms) => leaps.reduce((sum, { toMs, byMs }) => (toMs > ms ? sum + byMs : sum), 0),
    stall: (ms) => void (nowMs += ms),
    notBefore: (ms) => jump(Math.max(0, ms - nowMs)),
    // The test alone says what time it is.
    agree: () => undefined,
    pending: () => timers.size,
    nextAtMs: () => (timers.size === 0 ? null : Math.min(...[...timers].map(({ atMs }) => atMs))),
  }
}

/**
 * How late timers may ring while so much time passes: as on a machine with too much to do, and less than any lease lasts. What
 * takes hours is not about the sweeps of each second, of which a day has 86,000.
 */
export const lateMsOf = (ms: number): number => (ms < 15 * 60_000 ? 0 : 10_000)

/** Moves time on to the next timer, and `lateMs` at least, but not past `endMs`; then all rings that is due. */
export const ringNext = async (clock: FakeClock, endMs: number, lateMs: number): Promise<void> => {
  const atMs = Math.max(clock.nextAtMs() ?? endMs, clock.now() + lateMs)
  clock.stall(Math.min(atMs, endMs) - clock.now())
  await clock.advance(0)
}
