import autocannon from 'autocannon'
import { median, type Row, shownRow } from '../report.ts'
import type { BenchServer } from './start.ts'

/** What a round measured of one side. */
export interface Round {
  /** Of the process, per request. */
  cpuUs: number
  p50Ms: number
  p99Ms: number
}

interface Load {
  clients: number
  /** Requests of this round. */
  amount: number
  /** What the client with this number sends, in turn. */
  requestsOf: (client: number) => autocannon.Request[]
  /** What each is answered; otherwise it throws. */
  expected?: '2xx' | '3xx'
}

/** One connection for each client, which sends its next request as soon as it is answered. */
export const load = async (
  server: BenchServer,
  { clients, amount, requestsOf, expected = '2xx' }: Load,
): Promise<Round> => {
  let next = 0
  const before = await server.cpu()
  const result = await autocannon({
    url: server.url,
    connections: clients,
    amount,
    setupClient: (client) => client.setRequests(requestsOf(next++)),
  })
  const spent = (await server.cpu()) - before
  const answered = result[expected]
  if (answered !== amount) throw new Error(`${amount - answered} of ${amount} requests were not answered ${expected}`)
  return { cpuUs: spent / amount, p50Ms: result.latency.p50, p99Ms: result.latency.p99 }
}

/** What the rounds of one side cost, in medians. Pure. */
export const costRow = (what: string, rounds: readonly Round[]): Row =>
  shownRow(
    what,
    [
      `${median(rounds.map(({ cpuUs }) => cpuUs)).toFixed(0)} µs CPU`,
      `p50 ${median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(0)} ms`,
      `p99 ${median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(0)} ms`,
    ].join(', '),
  )

/** The CPU of each round by that of the reference in the same round. Pure. */
export const costRatios = (rounds: readonly Round[], reference: readonly Round[]): number[] =>
  rounds.map(({ cpuUs }, i) => cpuUs / (reference[i]?.cpuUs ?? 0))
