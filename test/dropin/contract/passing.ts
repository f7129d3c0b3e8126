import type { FakeClock } from '../../fakes/clock.ts'

/** A clock that counts those of its timers which are set through it. */
export const watchedClock = (clock: FakeClock): FakeClock => {
  let pending = 0
  return {
    ...clock,
    pending: () => pending,
    at(atMs, run) {
      let isOver = false
      const over = (): void => {
        if (!isOver) pending -= 1
        isOver = true
      }
      pending += 1
      const cancel = clock.at(atMs, () => {
        over()
        run()
      })
      return () => {
        over()
        cancel()
      }
    },
  }
}

/** The last of what passes goes timer by timer. What comes before it is a leap, as for a machine that slept. */
const STEPPED_MS = 30_000

/** Timer by timer, each only when everything that the one before began is done. */
export const createPass =
  (clock: FakeClock, quiet: () => Promise<void>) =>
  async (ms: number): Promise<void> => {
    const endMs = clock.now() + ms
    await quiet()
    if (ms > STEPPED_MS) clock.jump(ms - STEPPED_MS)
    for (; clock.now() < endMs; await quiet()) {
      const nextMs = Math.max(clock.now() + 1, Math.min(endMs, clock.nextAtMs() ?? endMs))
      await clock.advance(nextMs - clock.now())
    }
  }
