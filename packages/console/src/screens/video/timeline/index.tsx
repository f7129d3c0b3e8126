import { clockOf, durationOf, useNow } from '../../../ui/time.tsx'
import { type Bar, folded, type History, type Moment, historyOf, type Delivery, type Entry } from './moments.ts'
import { scaleOf, type Scale } from './scale.ts'
import { useState } from 'preact/hooks'
import { Button, Code } from '../../../ui/button.tsx'
import { Card } from '../../../ui/header.tsx'
import { Table } from '../../../ui/table.tsx'
import './timeline.css'

const at = (x: number): { left: string } => ({ left: `${x.toFixed(3)}%` })
const between = (fromX: number, toX: number) => ({ ...at(fromX), width: `${(toX - fromX).toFixed(3)}%` })

const Axis = ({ scale }: { scale: Scale }) => (
  <div class="tl-row tl-axis">
    <span class="tl-name" />
    <div class="tl-track">
      {scale.ticks.map(({ x, offsetMs }) => (
        <span key={offsetMs} class={x > 72 ? 'tl-tick end' : 'tl-tick'} style={at(x)}>
          {offsetMs === 0 ? '0 s' : durationOf(offsetMs)}
        </span>
      ))}
    </div>
  </div>
)

const Lane = ({ name, bars, moments, scale }: { name: string; bars: Bar[]; moments: Moment[]; scale: Scale }) => (
  <div class="tl-row" data-lane={name}>
    <span class="tl-name">{name}</span>
    <div class="tl-track">
      {scale.breaks.map(({ fromX, toX, ms }) => (
        <span key={fromX} class="tl-break" title={`${durationOf(ms)} are left out here`} style={between(fromX, toX)} />
      ))}
      {bars.map(({ fromMs, toMs, what, tone }) => (
        <span
          key={`${fromMs} ${what}`}
          class={`tl-bar ${tone}`}
          title={`${what}: ${durationOf(toMs - fromMs)}`}
          style={between(scale.x(fromMs), scale.x(toMs))}
        />
      ))}
      {moments.map(({ key, atMs, what, detail, tone }) => (
        <span
          key={key}
          class={`tl-mark ${tone}`}
          data-at={atMs}
          title={detail === null ? what : `${what}: ${detail}`}
          style={at(scale.x(atMs))}
        />
      ))}
    </div>
  </div>
)

/**
 * Drawn to scale, one lane for each stage and each receiver. Anyone who cannot see it has the same in the list below,
 * so it is one picture to them.
 */
const Picture = ({ history }: { history: History }) => {
  const { moments, bars, lanes, kept } = history
  const times = [...moments.map(({ atMs }) => atMs), ...bars.flatMap(({ fromMs, toMs }) => [fromMs, toMs])]
  const scale = scaleOf(times, kept)
  const first = Math.min(...times)
  const label = `Timeline, drawn to scale over ${durationOf(Math.max(...times) - first)}; the list below has the same`
  return (
    <div class="tl" role="img" aria-label={label}>
      <Axis scale={scale} />
      {lanes.map((lane) => (
        <Lane
          key={lane}
          name={lane}
          scale={scale}
          bars={bars.filter((one) => one.lane === lane)}
          moments={moments.filter((one) => one.lane === lane)}
        />
      ))}
      {scale.breaks.length > 0 && (
        <p class="muted small">
          Nothing happened in the hatched parts, for {scale.breaks.map(({ ms }) => durationOf(ms)).join(', ')}: they are
          not to scale.
        </p>
      )}
    </div>
  )
}

const SHOWN = 60

const After = ({ atMs, startMs }: { atMs: number; startMs: number }) => (
  <time class="tl-when" dateTime={new Date(atMs).toISOString()} title={new Date(atMs).toISOString()}>
    +{durationOf(Math.max(0, atMs - startMs))} <span class="muted small">{clockOf(atMs)}</span>
  </time>
)

const What = ({ moment: { what, detail, answer, tone } }: { moment: Moment }) => (
  <div>
    <strong class={`tl-what ${tone}`}>{what}</strong> {detail}
    {answer && (
      <details>
        <summary>What the receiver answered</summary>
        <Code text={answer} label="answer" isBody />
      </details>
    )}
  </div>
)

/** Every moment, in words: the picture is the same for who likes to look. */
const List = ({ moments }: { moments: readonly Moment[] }) => {
  const [isWhole, setWhole] = useState(false)
  const startMs = moments[0]?.atMs ?? 0
  const few = folded(moments).slice(0, SHOWN)
  return (
    <>
      <Table
        caption="What happened, in the order of time"
        rows={isWhole ? moments : few}
        keyOf={({ key }) => key}
        columns={[
          { title: 'When', cell: ({ atMs }) => <After atMs={atMs} startMs={startMs} /> },
          { title: 'Where', cell: ({ lane }) => lane },
          { title: 'What', isText: true, cell: (moment) => <What moment={moment} /> },
        ]}
      />
      {!isWhole && moments.length > few.length && (
        <Button onClick={() => setWhole(true)}>Show all {moments.length} entries</Button>
      )}
    </>
  )
}

interface TimelineProps {
  entries: readonly Entry[]
  deliveries: readonly Delivery[]
}

/** A video's history with each poll and each attempt to deliver it. While it runs the picture grows. */
export const Timeline = ({ entries, deliveries }: TimelineProps) => {
  const history = historyOf(entries, deliveries, useNow())
  return (
    <Card title="Timeline">
      <Picture history={history} />
      <List moments={history.moments} />
    </Card>
  )
}
