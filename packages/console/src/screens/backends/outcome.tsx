import type { Schema } from '../../api.ts'
import type { Column } from '../../ui/table.tsx'
import { durationOf } from '../../ui/time.tsx'

/** How the videos of a backend, or of one side of a split, ended. */
export type Outcome = Schema<'Migration'>['outcomes']['splits'][number]['old']

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`

const successOf = ({ success }: Outcome) =>
  success === null ? (
    '–'
  ) : (
    <span>
      {percent(success.rate)}{' '}
      <span class="muted small">
        ({percent(success.low)} to {percent(success.high)})
      </span>
    </span>
  )

const secondsOf = (outcome: Outcome, part: 'p50' | 'p95') =>
  outcome.seconds === null ? '–' : durationOf(outcome.seconds[part] * 1_000)

/** What is compared, column by column. */
export const outcomeColumns = <T extends Outcome>(): Column<T>[] => [
  { title: 'Ended', isNumber: true, cell: ({ videos }) => videos.toLocaleString('en') },
  { title: 'Succeeded', isNumber: true, cell: successOf },
  { title: 'Half done in', isNumber: true, cell: (outcome) => secondsOf(outcome, 'p50') },
  { title: '95 % done in', isNumber: true, cell: (outcome) => secondsOf(outcome, 'p95') },
  {
    title: 'Credits each',
    isNumber: true,
    cell: ({ credits: { each } }) => (each === null ? '–' : each.toFixed(2)),
  },
  { title: 'Lost an option', isNumber: true, cell: ({ warned }) => (warned === null ? '–' : percent(warned)) },
]
