import type { EndedVideo } from '../../core/store/routing.ts'

/** What became of videos, side by side with others. */
export interface Outcome {
  /** All that ended. */
  videos: number
  completed: number
  failed: number
  canceled: number
  /** Of completed and failed ones, with the 95 % interval; null: there are none. */
  success: { rate: number; low: number; high: number } | null
  /** From the create to the end, of completed ones; null: there are none. */
  seconds: { p50: number; p95: number } | null
  /** Of videos whose backend told their price. `each`: null where there are none. */
  credits: { total: number; each: number | null }
  /** The part of completed and failed ones that lost an option; null: there are none. */
  warned: number | null
}

/** Of the normal distribution, for 95 %. */
const Z = 1.959963984540054

/**
 * Wilson's interval for a share: unlike the plain one it stays within 0 to 1, and says how little is known when all of a
 * few succeeded. `of` is above 0. Pure.
 */
export const wilson = (count: number, of: number): { rate: number; low: number; high: number } => {
  const rate = count / of
  const scale = 1 + Z ** 2 / of
  const middle = (rate + Z ** 2 / (2 * of)) / scale
  const half = (Z / scale) * Math.sqrt((rate * (1 - rate)) / of + Z ** 2 / (4 * of ** 2))
  // At the ends the exact value is 0 or 1; rounding may leave a trace.
  return {
    rate,
    low: count === 0 ? 0 : Math.max(0, middle - half),
    high: count === of ? 1 : Math.min(1, middle + half),
  }
}

/** The smallest of the values that at least this part of them does not exceed. `sorted` rises and is not empty. Pure. */
export const percentile = (sorted: ArrayLike<number>, part: number): number =>
  sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN

type Counted = Pick<EndedVideo, 'status' | 'createdAtMs' | 'endedAtMs' | 'credits' | 'isWarned'>

/** Adds videos up. Keeps one number of each that was completed. */
export const createOutcome = () => {
  const of = { completed: 0, failed: 0, canceled: 0 }
  const tookMs: number[] = []
  const credits = { total: 0, known: 0 }
  let warned = 0
  return {
    add({ status, createdAtMs, endedAtMs, credits: charged, isWarned }: Counted): void {
      of[status] += 1
      if (status === 'completed') tookMs.push(Math.max(0, endedAtMs - createdAtMs))
      if (status !== 'canceled' && isWarned) warned += 1
      if (charged === null) return
      credits.total += charged
      credits.known += 1
    },
    /** Sorts: some ten milliseconds for a hundred thousand. */
    outcome(): Outcome {
      const decided = of.completed + of.failed
      const sorted = Float64Array.from(tookMs).toSorted()
      const seconds = (part: number): number => percentile(sorted, part) / 1_000
      return {
        videos: decided + of.canceled,
        ...of,
        success: decided === 0 ? null : wilson(of.completed, decided),
        seconds: sorted.length === 0 ? null : { p50: seconds(0.5), p95: seconds(0.95) },
        credits: { total: credits.total, each: credits.known === 0 ? null : credits.total / credits.known },
        warned: decided === 0 ? null : warned / decided,
      }
    },
  }
}
