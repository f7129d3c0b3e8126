import { useState } from 'preact/hooks'
import { Button } from '../../../ui/button.tsx'
import { Code } from '../../../ui/copy.tsx'
import { Card } from '../../../ui/header.tsx'
import { Table } from '../../../ui/table.tsx'
import { durationOf, useNow } from '../../../ui/time.tsx'
import { historyOf, type Delivery, type Entry, type Moment } from './moments.ts'
import { Picture } from './picture.tsx'
import './timeline.css'

const SHOWN = 60
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false })

const After = ({ atMs, startMs }: { atMs: number; startMs: number }) => (
  <time class="tl-when" dateTime={new Date(atMs).toISOString()} title={new Date(atMs).toISOString()}>
    +{durationOf(Math.max(0, atMs - startMs))} <span class="muted small">{clock.format(atMs)}</span>
  </time>
)

const What = ({ moment: { what, detail, answer, tone } }: { moment: Moment }) => (
  <div>
    <strong class={`tl-what ${tone}`}>{what}</strong> {detail}
    {answer !== null && (
      <details>
        <summary>What the receiver answered</summary>
        <Code text={answer} label="answer" />
      </details>
    )}
  </div>
)

/** Every moment, in words: the picture is the same for who likes to look. */
const List = ({ moments }: { moments: readonly Moment[] }) => {
  const [isWhole, setWhole] = useState(false)
  const startMs = moments[0]?.atMs ?? 0
  return (
    <>
      <Table
        caption="What happened, in the order of time"
        rows={isWhole ? moments : moments.slice(0, SHOWN)}
        keyOf={({ key }) => key}
        columns={[
          { title: 'When', cell: ({ atMs }) => <After atMs={atMs} startMs={startMs} /> },
          { title: 'Where', cell: ({ lane }) => lane },
          { title: 'What', cell: (moment) => <What moment={moment} /> },
        ]}
      />
      {!isWhole && moments.length > SHOWN && (
        <Button onClick={() => setWhole(true)}>Show all {moments.length} entries</Button>
      )}
    </>
  )
}

interface TimelineProps {
  entries: readonly Entry[]
  deliveries: readonly Delivery[]
  isOver: boolean
}

const Drawn = ({ entries, deliveries, nowMs }: Omit<TimelineProps, 'isOver'> & { nowMs: number }) => {
  const history = historyOf(entries, deliveries, nowMs)
  return (
    <>
      <Picture history={history} />
      <List moments={history.moments} />
    </>
  )
}

const Running = (props: Omit<TimelineProps, 'isOver'>) => <Drawn {...props} nowMs={useNow()} />

/** A video's history with each poll and each attempt to deliver it. While it runs the picture grows. */
export const Timeline = ({ isOver, ...props }: TimelineProps) => (
  <Card title="Timeline">{isOver ? <Drawn {...props} nowMs={0} /> : <Running {...props} />}</Card>
)
