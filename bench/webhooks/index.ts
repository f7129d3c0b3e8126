import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result, Row } from '../report.ts'
import { startContender, startReceivers, TARGETS, type Measured } from './protocol.ts'

/** The goal: ours is at least this part of the bare loop's rate. */
const GOAL = 0.5
const WANTED_NEXT = 0.6

export interface Size {
  rounds: number
  /** Deliveries per round and contender. */
  deliveries: number
}

const FULL: Size = { rounds: 7, deliveries: 6_000 }

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** One round of each, in turns: whatever else the machine does meets both. */
const measure = async ({ rounds, deliveries }: Size): Promise<{ ours: Measured[]; bare: Measured[] }> => {
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  const receivers = await startReceivers(TARGETS)
  const setup = { targets: receivers.targets, folder }
  const [ours, bare] = await Promise.all([startContender('./ours.ts', setup), startContender('./bare.ts', setup)])
  try {
    // To fill caches and let both be compiled: unmeasured.
    for (const contender of [ours, bare]) await contender.run({ count: deliveries })
    const results = { ours: [] as Measured[], bare: [] as Measured[] }
    for (let round = 0; round < rounds; round += 1) {
      results.ours.push(await ours.run({ count: deliveries }))
      results.bare.push(await bare.run({ count: deliveries }))
    }
    return results
  } finally {
    for (const child of [ours, bare, receivers]) await child.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Durable signed deliveries, each attempt recorded, beside a bare loop of signed POSTs. */
export const webhooks = async (size: Size = FULL): Promise<Result> => {
  const { deliveries } = size
  const { ours, bare } = await measure(size)
  const ratesOf = (all: readonly Measured[]): number[] => all.map(({ elapsedMs }) => (deliveries / elapsedMs) * 1_000)
  const cpuOf = (all: readonly Measured[]): number => medianOf(all.map(({ cpuMs }) => (cpuMs / deliveries) * 1_000))
  const rate = { ours: ratesOf(ours), bare: ratesOf(bare) }
  const ratio = medianOf(rate.ours.map((own, round) => own / (rate.bare[round] ?? Infinity)))
  const row = (what: string, measured: string, goal: string | null = null, met = true): Row => ({
    what,
    goal,
    measured,
    optimum: null,
    met,
  })
  const perSecond = (values: readonly number[]): string => `${Math.round(medianOf(values))} /s`
  return {
    name: 'webhooks',
    notes: [
      `${size.rounds} rounds of ${deliveries} deliveries each, in turns; medians; ${TARGETS} targets in a process of their own`,
      'CPU: of all threads of the process that sends, the receivers’ not included',
    ],
    rows: [
      row(
        'part of the bare loop’s rate',
        `${(Math.floor(ratio * 100) / 100).toFixed(2)}×`,
        `≥ ${GOAL}×`,
        ratio >= GOAL,
      ),
      row(`then ${WANTED_NEXT}×`, ratio >= WANTED_NEXT ? 'reached' : 'not yet'),
      row('deliveries: durable, signed, recorded', perSecond(rate.ours)),
      row('bare loop: signed only', perSecond(rate.bare)),
      row('CPU per delivery', `${Math.round(cpuOf(ours))} µs`),
      row('CPU per POST of the bare loop', `${Math.round(cpuOf(bare))} µs`),
    ],
  }
}
