import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { onTestFinished } from 'vitest'
import type { FakeClock } from '../../fakes/clock.ts'

/** `fetch` says so of its requests, and only the rules use it. */
const FETCH = 'sec-fetch-mode'

const isOfTheGateway = (message: unknown): boolean => {
  const { request }: { request?: unknown } = Object(message)
  const { headers }: { headers?: unknown } = Object(request)
  return !JSON.stringify(headers).includes(FETCH)
}

/** Requests of the gateway that are under way. */
const countRequests = (): (() => number) => {
  let open = 0
  const by = (n: number) => (message: unknown) => void (isOfTheGateway(message) && (open += n))
  const done = by(-1)
  const on = { 'undici:request:create': by(1), 'undici:request:trailers': done, 'undici:request:error': done }
  for (const [name, listener] of Object.entries(on)) subscribe(name, listener)
  onTestFinished(() => Object.entries(on).forEach(([name, listener]) => void unsubscribe(name, listener)))
  return () => open
}

/** Rounds of the event loop in which nothing is under way, after which nothing more is to come. */
const QUIET_ROUNDS = 6
/** The same where requests stay open: a fault holds them until the clock moves. */
const HELD_ROUNDS = 60

/** Waits until the gateway has done all that it can do at this moment. */
export const createQuiet = (verbs: () => number, isHeld: () => boolean) => {
  const requests = countRequests()
  return async (): Promise<void> => {
    let quiet = 0
    let held = 0
    while (quiet < QUIET_ROUNDS && held < HELD_ROUNDS) {
      await new Promise((resolve) => setImmediate(resolve))
      const isStill = verbs() === 0
      quiet = isStill && requests() <= 0 ? quiet + 1 : 0
      held = isStill && isHeld() ? held + 1 : 0
    }
  }
}

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

/** What passes timer by timer; beyond it time leaps, as for a machine that slept. */
const STEPPED_MS = 3_600_000

/** Timer by timer, each only when everything that the one before began is done. */
export const createPass =
  (clock: FakeClock, quiet: () => Promise<void>) =>
  async (ms: number): Promise<void> => {
    const step = async (passMs: number): Promise<void> => {
      const endMs = clock.now() + passMs
      for (await quiet(); clock.now() < endMs; await quiet()) {
        const nextMs = Math.max(clock.now() + 1, Math.min(endMs, clock.nextAtMs() ?? endMs))
        await clock.advance(nextMs - clock.now())
      }
    }
    if (ms <= 2 * STEPPED_MS) return step(ms)
    await step(STEPPED_MS)
    clock.jump(ms - 2 * STEPPED_MS)
    await step(STEPPED_MS)
  }
