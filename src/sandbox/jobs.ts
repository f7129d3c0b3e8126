import type { Scenario } from './scenarios.ts'
import type { Job } from './state.ts'
import type { Decisions } from './undecided.ts'

/** What a job is at one moment. `queued` exists only in the primary's vocabulary; the alternate says processing. */
export type Phase =
  | { readonly status: 'queued' }
  | { readonly status: 'processing'; readonly progress: number }
  | { readonly status: 'completed'; readonly endedAtMs: number }
  | { readonly status: 'failed'; readonly endedAtMs: number; readonly retryable: boolean }

/** The job's phase at `nowMs`: a pure function of its times, so that a restart or a jumping clock loses nothing. */
export const phaseOf = (job: Job, nowMs: number, stuckProgress: number): Phase => {
  if (job.endsAtMs !== null && nowMs >= job.endsAtMs) {
    return job.outcome === 'completed'
      ? { status: 'completed', endedAtMs: job.endsAtMs }
      : { status: 'failed', endedAtMs: job.endsAtMs, retryable: job.outcome === 'failed_retryable' }
  }
  if (nowMs < job.startsAtMs) return { status: 'queued' }
  const share =
    job.endsAtMs === null ? stuckProgress : (nowMs - job.startsAtMs) / Math.max(1, job.endsAtMs - job.startsAtMs)
  return { status: 'processing', progress: Math.min(0.99, Math.floor(share * 100) / 100) }
}

export const isOver = (job: Job, nowMs: number): boolean => job.endsAtMs !== null && nowMs >= job.endsAtMs

/** One draw of the standard normal distribution (Box–Muller), from two uniform ones. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

export const speechSecondsOf = (textLength: number, timing: Decisions['timing']): number =>
  Math.max(1, Math.ceil(textLength / timing.charsPerSpeechSecond))

/** When a new job starts and ends, and how. Times are milliseconds, already divided by `speed`. */
export const planJob = (
  input: { nowMs: number; speechSeconds: number; scenarios: ReadonlySet<Scenario>; speed: number },
  timing: Decisions['timing'],
  random: () => number,
): Pick<Job, 'startsAtMs' | 'endsAtMs' | 'outcome'> => {
  const { nowMs, speechSeconds, scenarios, speed } = input
  const medianMs = timing.fixedMs + timing.perSpeechSecondMs * speechSeconds
  const spread = Math.exp(timing.sigma * Math.max(-3, Math.min(3, normal(random))))
  const totalMs = (medianMs * spread * (scenarios.has('slow') ? timing.slowFactor : 1)) / speed
  return {
    startsAtMs: Math.round(nowMs + totalMs * timing.queuedShare),
    endsAtMs: scenarios.has('stuck') ? null : Math.round(nowMs + totalMs),
    outcome: scenarios.has('fail') ? 'failed' : scenarios.has('fail-retryable') ? 'failed_retryable' : 'completed',
  }
}

/** A small seeded generator (mulberry32): the same seed gives the same durations in every run. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
