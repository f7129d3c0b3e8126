import { learn, newBudget, restarted, take, type Budget } from '../../../../src/core/limits/budget.ts'
import type { RateHeaders } from '../../../../src/core/adapter.ts'

export const WINDOW_MS = 60_000
export const LIMIT = 10

export interface World {
  seed: number
  /** Where in its window the upstream is when we start, by its own clock. */
  phaseMs: number
  /** The upstream's clock less ours. */
  skewMs: number
  /** The longest way of a request or of an answer. */
  latencyMs: number
  /** How the upstream makes whole seconds of the end of its window. */
  rounding: 'floor' | 'ceil' | 'round'
  windows: number
}

export type Demand =
  /** So many callers, each with another request as soon as the one before was answered. */
  | { kind: 'constant'; callers: number }
  /** So many requests at once, at each of these times. */
  | { kind: 'bursts'; atMs: number[]; size: number }

/** A seeded source of numbers in [0, 1). */
export const mulberry = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Plays a demand against an upstream with a fixed one-minute window, through the model, for `windows` minutes of the
 * upstream's time; `lost` is the part of the answers that never come, so that the caller gives up on them. At each of
 * `restarts` (after the start) another process takes the callers over: what is out arrives, and nobody hears of it.
 * Answers how many requests each of its windows took, and how many it would have refused.
 */
export const simulate = (
  world: World,
  demand: Demand,
  { lost = 0, restarts = [] }: { lost?: number; restarts?: readonly number[] } = {},
): { used: number[]; refused: number } => {
  const random = mulberry(world.seed)
  const events: { atMs: number; run: () => void }[] = []
  const at = (atMs: number, run: () => void): void => {
    const next = events.findIndex((other) => other.atMs > atMs)
    events.splice(next < 0 ? events.length : next, 0, { atMs, run })
  }
  const startMs = 1_795_168_800_000
  const firstEndMs = startMs + WINDOW_MS - world.phaseMs
  const windowOf = (trueMs: number): number => Math.floor((trueMs - firstEndMs) / WINDOW_MS) + 1
  const endOf = (window: number): number => firstEndMs + window * WINDOW_MS

  const used: number[] = Array.from({ length: world.windows }, () => 0)
  let refused = 0
  let budget: Budget = newBudget(LIMIT)
  let nowMs = startMs
  let generation = 0

  const arrive = (): RateHeaders => {
    const window = windowOf(nowMs)
    const before = used[window] ?? 0
    if (before >= LIMIT) refused += 1
    used[window] = before + 1
    return {
      limit: LIMIT,
      remaining: Math.max(0, LIMIT - before - 1),
      resetAtMs: Math[world.rounding]((endOf(window) + world.skewMs) / 1_000) * 1_000,
      dateMs: Math.floor((nowMs + world.skewMs) / 1_000) * 1_000,
    }
  }

  const ask = (done: () => void): void => {
    const taken = take(budget, nowMs)
    budget = taken.budget
    const { retryAtMs } = taken
    if (retryAtMs !== null) return at(Math.max(retryAtMs, nowMs + 1), () => ask(done))
    const ticket = budget.window
    const asker = generation
    const answerLost = random() < lost
    at(nowMs + random() * world.latencyMs, () => {
      const rate = arrive()
      at(nowMs + (answerLost ? 10_000 : random() * world.latencyMs), () => {
        if (asker !== generation) return ask(done)
        budget = learn(budget, ticket, answerLost ? null : rate, nowMs)
        done()
      })
    })
  }

  if (demand.kind === 'constant') {
    const again = (): void => at(nowMs + random() * 200, () => ask(again))
    for (let n = 0; n < demand.callers; n += 1) at(startMs + n, () => ask(again))
  } else {
    for (const atMs of demand.atMs)
      for (let n = 0; n < demand.size; n += 1) at(startMs + atMs, () => ask(() => undefined))
  }

  for (const afterMs of restarts)
    at(startMs + afterMs, () => {
      generation += 1
      budget = restarted(budget)
    })

  const untilMs = endOf(world.windows - 1)
  for (let next = events.shift(); next && next.atMs < untilMs; next = events.shift()) {
    nowMs = next.atMs
    next.run()
  }
  return { used, refused }
}
