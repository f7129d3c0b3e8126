import type { MigrationView, OutcomeView, SplitView } from '../../core/api/migration.ts'
import { columns } from './columns.ts'

/** What people read of a migration. Pure. */

const NONE = '-'
const figure = (value: number): string => String(Number(value.toPrecision(3)))
const percent = (share: number): string => `${figure(share * 100)} %`

const successOf = ({ success }: OutcomeView): string =>
  success === null ? NONE : `${percent(success.rate)} (${percent(success.low)} to ${percent(success.high)})`

const rowOf = (name: string, outcome: OutcomeView): string[] => [
  name,
  String(outcome.videos),
  String(outcome.completed),
  String(outcome.failed),
  String(outcome.canceled),
  successOf(outcome),
  outcome.seconds ? `${figure(outcome.seconds.p50)} s` : NONE,
  outcome.seconds ? `${figure(outcome.seconds.p95)} s` : NONE,
  outcome.credits.each === null ? NONE : figure(outcome.credits.each),
  outcome.warned === null ? NONE : percent(outcome.warned),
]
const HEAD = ['videos', 'completed', 'failed', 'canceled', 'success (95 %)', 'p50', 'p95', 'credits each', 'warned']

/** How videos ended, side by side. */
export const outcomeTable = ({ outcomes, since, counted }: MigrationView): string => {
  const rules = outcomes.rules.filter(({ rule }) => rule !== null)
  const rows = [
    ...outcomes.backends.map((one) => rowOf(one.backend, one)),
    ...rules.map((one) => rowOf(one.path ?? one.rule ?? '', one)),
    ...outcomes.splits.flatMap(({ rule, ...sides }) => [
      rowOf(`${rule} old`, sides.old),
      rowOf(`${rule} new`, sides.new),
    ]),
  ]
  const cut = counted.complete ? '' : `, the latest ${counted.limit} of them`
  return `videos that ended after ${since}${cut}\n${columns([['', ...HEAD], ...rows])}`
}

const stateOf = ({ stopped, weight, ramp_weight: ramp, next_weight: next }: SplitView): string => {
  if (!stopped) return `${weight} %${next === null ? ', all of it' : `, next ${next} %`}`
  const { outcomes, at } = stopped
  const { old, new: fresh } = outcomes
  return `stopped at ${at}: 0 % instead of ${ramp} % (new side ${fresh.failed} of ${fresh.videos} failed, old side ${old.failed} of ${old.videos})`
}

const NO_GATES = '  the first step needs no gate\n'

/** How one split stands. */
export const splitText = (split: SplitView): string => {
  const { rule, path, old, new: fresh, gates, stepped_at: at, stepped_by: by, file_weight: file } = split
  const isIdle = split.ramp_weight === 0 && split.stopped === null
  const stood = at === null ? 'as the file says' : `since ${at}, by ${by}; the file says ${file} %`
  const gateRows = gates.map(({ name, held, why }) => [held ? '  holds' : '  does not hold', name, why])
  return `${rule}  ${old} -> ${fresh}  ${stateOf(split)}  (${path}, ${stood})\n${isIdle ? NO_GATES : columns(gateRows)}`
}
