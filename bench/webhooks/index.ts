import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, ratioRow, type Result, shownRow } from '../report.ts'
import { startContender, startReceivers, TARGETS, type Measured } from './protocol.ts'

/** The goal: ours is at least this part of the bare loop's rate. */
const GOAL = 0.5

export interface Size {
  rounds: number
  /** Deliveries per round and contender. */
  deliveries: number
}

const FULL: Size = { rounds: 7, deliveries: 6_000 }

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
  const cpuOf = (all: readonly Measured[]): string =>
    `${Math.round(median(all.map(({ cpuMs }) => (cpuMs / deliveries) * 1_000)))} µs`
  const rate = { ours: ratesOf(ours), bare: ratesOf(bare) }
  const ratios = rate.ours.map((own, round) => own / (rate.bare[round] ?? Infinity))
  const perSecond = (values: readonly number[]): string => `${Math.round(median(values))} /s`
  return {
    name: 'webhooks',
    notes: [
      `${size.rounds} rounds of ${deliveries} deliveries each, in turns; medians; ${TARGETS} targets in a process of their own`,
      'CPU: of all threads of the process that sends, the receivers’ not included',
    ],
    rows: [
      ratioRow('part of the bare loop’s rate', ratios, { least: GOAL }),
      shownRow('deliveries: durable, signed, recorded', perSecond(rate.ours)),
      shownRow('bare loop: signed only', perSecond(rate.bare)),
      shownRow('CPU per delivery', cpuOf(ours)),
      shownRow('CPU per POST of the bare loop', cpuOf(bare)),
    ],
  }
}
