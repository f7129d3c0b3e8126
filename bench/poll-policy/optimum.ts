import type { Distribution } from './distributions.ts'

/** What a schedule costs: polls per job, and mean seconds from a job's end to the poll that sees it. */
export interface Cost {
  polls: number
  delayS: number
}

const GRID_S = 0.25
/** The longest gap tried after the first poll. */
const LONGEST_GAP_S = 300
const NEGLIGIBLE = 1e-6

interface Table {
  cells: number
  /** At each grid time: the part of the jobs that ended, and its integral from 0. */
  ended: Float64Array
  area: Float64Array
}

const tabulate = ({ cdf }: Distribution): Table => {
  let cells = 1
  while (1 - cdf(cells * GRID_S) > NEGLIGIBLE) cells += 1
  const ended = new Float64Array(cells + 1)
  const area = new Float64Array(cells + 1)
  for (let i = 1; i <= cells; i += 1) {
    ended[i] = i === cells ? 1 : cdf(i * GRID_S)
    area[i] = (area[i - 1] ?? 0) + (((ended[i - 1] ?? 0) + (ended[i] ?? 0)) / 2) * GRID_S
  }
  return { cells, ended, area }
}

/**
 * The schedule that minimises E[delay] + price · E[polls] when the distribution is known exactly: the best of all
 * schedules, of ours and of the peers', to the grid's quarter of a second. By dynamic programming from the end:
 * cost(s) = min over t of ∫ₛᵗ (t − u) dF(u) + price · (1 − F(s)) + cost(t).
 */
const optimal = ({ cells, ended, area }: Table, price: number): Cost => {
  const cost = new Float64Array(cells + 1)
  const next = new Int32Array(cells + 1)
  for (let s = cells - 1; s >= 0; s -= 1) {
    const farthest = s === 0 ? cells : Math.min(cells, s + LONGEST_GAP_S / GRID_S)
    const endedBefore = ended[s] ?? 0
    const areaBefore = area[s] ?? 0
    let best = Infinity
    for (let t = s + 1; t <= farthest; t += 1) {
      const total = (area[t] ?? 0) - areaBefore - endedBefore * (t - s) * GRID_S + (cost[t] ?? 0)
      if (total < best) {
        best = total
        next[s] = t
      }
    }
    cost[s] = best + price * (1 - endedBefore)
  }
  let polls = 0
  for (let s = 0; s < cells; s = next[s] ?? cells) polls += 1 - (ended[s] ?? 0)
  return { polls, delayS: (cost[0] ?? 0) - price * polls }
}

/** The least mean delay, in seconds, of any schedule of at most so many polls per job, for each of `polls`. */
export const optimumDelaysS = (distribution: Distribution, polls: readonly number[]): number[] => {
  const table = tabulate(distribution)
  return polls.map((count) => {
    let low: Cost & { price: number } = { ...optimal(table, 1e-3), price: 1e-3 }
    let high: Cost & { price: number } = { ...optimal(table, 1e3), price: 1e3 }
    for (let n = 0; n < 14; n += 1) {
      const price = Math.sqrt(low.price * high.price)
      const middle = { ...optimal(table, price), price }
      if (middle.polls > count) low = middle
      else high = middle
    }
    // Between two prices' schedules the best is to toss a coin.
    const share = low.polls === high.polls ? 1 : (low.polls - count) / (low.polls - high.polls)
    return low.delayS + (high.delayS - low.delayS) * Math.min(1, Math.max(0, share))
  })
}
