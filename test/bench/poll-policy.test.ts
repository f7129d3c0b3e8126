import { describe, expect, test } from 'vitest'
import { faster, logNormal } from '../../bench/poll-policy/distributions.ts'
import { pollPolicy } from '../../bench/poll-policy/index.ts'
import { optimumDelaysS } from '../../bench/poll-policy/optimum.ts'
import { costOf, FIXED, PEERS, type Peer } from '../../bench/poll-policy/peers.ts'
import { missed, tableOf } from '../../bench/report.ts'
import { isFull } from '../fakes/full.ts'
import { seededRandom } from '../fakes/random.ts'
import { HANG_MS } from '../fakes/until.ts'

/** A job with an even chance to end at any second up to 100. */
const EVEN = {
  name: 'even',
  draw: (random: () => number) => random() * 100,
  cdf: (seconds: number) => Math.min(1, Math.max(0, seconds / 100)),
}

describe('the optimum', () => {
  test('of an even chance is to poll after gaps that shrink by the price of a poll', () => {
    // Until none is left: 26.29, 22.29, … 2.29 s at a price of 4 s, 19, 17, … 1 s at 2 s. Delay: Σ gap² / 200 s.
    const [dear, cheap] = optimumDelaysS(EVEN, [2.88, 3.85])
    expect(dear).toBeCloseTo(9.38, 1)
    expect(cheap).toBeCloseTo(6.65, 1)
  })

  test('is below every peer at its own polls', () => {
    const distribution = logNormal(90, 0.35)
    const random = seededRandom(1)
    const jobs = Array.from({ length: 20_000 }, () => distribution.draw(random))
    const costs = PEERS.map((peer) => costOf(peer, jobs, random))
    optimumDelaysS(
      distribution,
      costs.map(({ polls }) => polls),
    ).forEach((best, i) => expect(best).toBeLessThan(costs[i]?.delayS ?? 0))
  })
})

describe('the peers', () => {
  const pollsAt = (peer: Peer, count: number): number[] => {
    const times = [peer.firstS]
    for (let n = 1; n < count; n += 1) times.push((times.at(-1) ?? 0) + peer.next(n, () => 0.999_999))
    return times.map((seconds) => Math.round(seconds * 100) / 100)
  }
  test.each([
    ['google-gax LRO', [0, 0.1, 0.23, 0.4, 0.62]],
    ['Smithy waiter', [0, 2, 6, 14, 30, 62, 126, 246, 366]],
    ['Azure core-lro', [0, 2, 4, 6]],
    ['fixed 5 s', [5, 10, 15]],
  ])('%s polls when its parameters say', (name, times) => {
    const peer = PEERS.find((one) => one.name === name) ?? FIXED
    expect(pollsAt(peer, times.length)).toEqual(times)
  })

  test('cost what they cost', () => {
    expect(costOf(FIXED, [7, 10, 1], () => 0)).toEqual({ polls: 5 / 3, delayS: 7 / 3 })
  })
})

test('the distributions draw what their cdf says', () => {
  for (const distribution of [logNormal(90, 0.35), faster(logNormal(240, 0.5), 3)]) {
    const random = seededRandom(2)
    const jobs = Array.from({ length: 20_000 }, () => distribution.draw(random))
    for (const seconds of [40, 80, 120]) {
      expect(jobs.filter((one) => one <= seconds).length / jobs.length).toBeCloseTo(distribution.cdf(seconds), 1.7)
    }
  }
})

// Nothing but computing: half a minute of a core.
test.runIf(isFull)('a smaller poll-policy meets every goal', { timeout: 5 * HANG_MS }, () => {
  const size = { lessons: 2, learnt: 500, heldOut: 1_000, saturated: 1_500, accounts: 20, speedUps: 4, compared: false }
  const result = pollPolicy(size)
  expect(missed(result), tableOf(result)).toEqual([])
  expect(result.rows.filter(({ goal }) => goal !== null)).toHaveLength(28)
})
