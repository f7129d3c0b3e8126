import type { Schema } from '../../api.ts'
import { Bars } from '../../ui/bars.tsx'
import { Card, Facts } from '../../ui/header.tsx'
import { Note } from '../../ui/states.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { durationOf } from '../../ui/time.tsx'

type Learned = Schema<'BackendDetail'>['learned'][number]
type Poll = Learned['polls'][number]

const span = (seconds: number): string => durationOf(seconds * 1_000)
const percent = (part: number): string => `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`

const rangeOf = ({ from, to }: Learned['histogram'][number]): string =>
  to === null ? `${span(from)} or longer` : `${span(from)} to ${span(to)}`

const POLLS: readonly Column<Poll>[] = [
  { title: 'Poll after', cell: ({ after }) => span(after) },
  { title: 'Still running then', isNumber: true, cell: ({ running }) => percent(running) },
]

/** Where in the picture the polls are; those outside of it are in the table alone. */
const marksOf = ({ histogram, polls }: Learned) => {
  const first = histogram[0]
  const width = first && first.to !== null ? first.to - first.from : null
  if (!first || width === null) return []
  const whole = width * histogram.length
  return polls
    .map(({ after }) => ({ at: (after - first.from) / whole, title: `poll after ${span(after)}` }))
    .filter(({ at }) => at >= 0 && at <= 1)
}

const Histogram = ({ learned }: { learned: Learned }) => {
  const { histogram, videos, source } = learned
  const last = histogram.at(-1)
  return (
    <Bars
      label={`How long ${videos} jobs from ${source} ran, and when the gateway polls the next one`}
      each="Ran for"
      ends={[span(histogram[0]?.from ?? 0), last ? (last.to === null ? `${span(last.from)} +` : span(last.to)) : '']}
      marks={marksOf(learned)}
      bars={histogram.map((bar) => ({
        key: String(bar.from),
        title: rangeOf(bar),
        parts: [{ name: 'videos', value: bar.videos, tone: 'busy' }],
      }))}
    />
  )
}

const Source = ({ learned }: { learned: Learned }) => {
  const { source, videos, seconds, polls, lateness } = learned
  return (
    <section class="learned" aria-label={`From ${source}`}>
      <h3>From {source}</h3>
      {videos === 0 ? (
        <p class="muted">Nothing learned yet: the gateway polls as for a new backend.</p>
      ) : (
        <Histogram learned={learned} />
      )}
      <Facts
        rows={[
          ['Half ran at most', seconds && span(seconds.p50)],
          ['95 % ran at most', seconds && span(seconds.p95)],
          ['Learned from', `${videos} ${videos === 1 ? 'video' : 'videos'}`],
          ['A poll is made', `when its expected lateness reaches ${span(lateness)}`],
        ]}
      />
      <details>
        <summary class="small">The {polls.length} polls of a job that starts now</summary>
        <Table
          caption={`Polls of a job from ${source}`}
          columns={POLLS}
          rows={polls}
          keyOf={({ after }) => String(after)}
        />
      </details>
    </section>
  )
}

interface LearnedProps {
  learned: readonly Learned[]
  isHere: boolean
  heldBy: string | null
}

/** How long jobs ran, and the polls that a job of now would get. */
export const LearnedCard = ({ learned, isHere, heldBy }: LearnedProps) => (
  <Card title="How long its jobs run">
    <p class="muted">Bars: how long jobs ran. Dashed lines: when the gateway would poll a job that starts now.</p>
    {!isHere && (
      <Note>
        Replica {heldBy ?? 'none'} polls for this backend. It may know up to 10 more videos than this page, and another
        price of a poll.
      </Note>
    )}
    <div class="cards">
      {learned.map((one) => (
        <Source key={one.source} learned={one} />
      ))}
    </div>
  </Card>
)
