import type { Cost } from './optimum.ts'

/**
 * How others poll, from their published parameters. None of them learns, so a schedule is all there is to them.
 * `next`: the seconds to wait after poll number `polls`, counted from 1. `first`: when the first poll goes out.
 */
export interface Peer {
  readonly name: string
  readonly firstS: number
  next(polls: number, random: () => number): number
}

export const FIXED: Peer = { name: 'fixed 5 s', firstS: 5, next: () => 5 }

export const PEERS: readonly Peer[] = [
  {
    // google-gax for Node: `createDefaultBackoffSettings` is (100 ms, × 1.3, at most 60 s), and the operation's
    // `startPolling_` asks at once, then after each answer that is not done (gax.ts, longrunning.ts; npm 6.17.0).
    name: 'google-gax LRO',
    firstS: 0,
    next: (polls) => Math.min(0.1 * 1.3 ** (polls - 1), 60),
  },
  {
    // Smithy 2.0, additional specs, "Waiter retries": asks at once, then waits random(minDelay, min(maxDelay,
    // minDelay · 2^(attempt − 1))), whole seconds, both ends included; defaults minDelay 2 s, maxDelay 120 s.
    name: 'Smithy waiter',
    firstS: 0,
    next: (polls, random) => {
      const most = polls > Math.log2(120 / 2) + 1 ? 120 : 2 * 2 ** (polls - 1)
      return 2 + Math.floor(random() * (most - 2 + 1))
    },
  },
  {
    // @azure/core-lro: `POLL_INTERVAL_IN_MS` = 2000; `pollUntilDone` asks at once, then every interval (npm 3.4.1).
    name: 'Azure core-lro',
    firstS: 0,
    next: () => 2,
  },
  FIXED,
]

/** What a peer pays for these jobs, each so many seconds long. */
export const costOf = (peer: Peer, durationsS: readonly number[], random: () => number): Cost => {
  let polls = 0
  let delayS = 0
  for (const endS of durationsS) {
    let atS = peer.firstS
    let own = 1
    for (; atS < endS; own += 1) atS += peer.next(own, random)
    polls += own
    delayS += atS - endS
  }
  return { polls: polls / durationsS.length, delayS: delayS / durationsS.length }
}
