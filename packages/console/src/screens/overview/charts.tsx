import { api, ask, type Schema } from '../../api.ts'
import { useFilters, useRead } from '../../reads.ts'
import { useSession } from '../../session.ts'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/header.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { durationOf } from '../../ui/time.tsx'

type Series = Schema<'OverviewSeries'>
type Point = Series['series'][number]['points'][number]

/** [metric, title, what is drawn of a point, what it is by]. Endpoints belong to one client. */
const METRICS = [
  ['completion', 'Time to done, 95 %', ({ p95 }: Point) => p95, ['backend', 'client']],
  ['lateness', 'How late ends were noticed, 95 %', ({ p95 }: Point) => p95, ['backend', 'client']],
  ['queue', 'Videos that wait, at most', ({ max }: Point) => max, ['backend']],
  ['budget', 'Used part of the requests, at most', ({ max }: Point) => max, ['backend']],
  ['deliveries', 'Deliveries that arrived', ({ success }: Point) => success, ['client', 'endpoint']],
  ['failures', 'Failures', ({ count }: Point) => count, ['code', 'backend', 'client']],
] as const
const RANGES = [
  ['1h', '1 h', 3_600_000],
  ['24h', '24 h', 86_400_000],
  ['7d', '7 d', 604_800_000],
  ['30d', '30 d', 2_592_000_000],
] as const

const WORDS: Readonly<Record<Series['unit'], (value: number) => string>> = {
  seconds: (value) => durationOf(value * 1_000),
  count: (value) => value.toLocaleString('en', { maximumFractionDigits: 1 }),
  ratio: (value) => `${(100 * value).toFixed(1)} %`,
}
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hour12: false })

const WIDE = 1_000
const HIGH = 240
/** As many as have a colour of their own. */
const LINES = 6

const Chart = ({
  data,
  valueOf,
  label,
}: {
  data: Series
  valueOf: (point: Point) => number | undefined
  label: string
}) => {
  const words = WORDS[data.unit]
  const [fromMs, toMs] = [Date.parse(data.from), Date.parse(data.to)]
  const stepMs = data.step_seconds * 1_000
  const lines = data.series.slice(0, LINES).map(({ key, points }) => ({
    key,
    points: points.flatMap((point) => {
      const value = valueOf(point)
      return value === undefined ? [] : [{ atMs: Date.parse(point.at), value }]
    }),
  }))
  const most =
    Math.max(...lines.flatMap(({ points }) => points.map(({ value }) => value)), data.unit === 'ratio' ? 1 : 0) || 1
  const x = (atMs: number): number => (WIDE * (atMs - fromMs)) / (toMs - fromMs)
  const y = (value: number): number => HIGH - (HIGH * value) / most
  const steps = [...new Set(lines.flatMap(({ points }) => points.map(({ atMs }) => atMs)))]
  const told = (atMs: number): string =>
    lines
      .flatMap(({ key, points }) =>
        points.filter((one) => one.atMs === atMs).map(({ value }) => `${key} ${words(value)}`),
      )
      .join(', ')
  return (
    <figure class="chart">
      <div class="small muted">{words(most)}</div>
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path class="middle" d={`M0 ${HIGH / 2}H${WIDE}`} />
        {lines.map(({ key, points }, n) => (
          <path
            key={key}
            class={`line line-${n}`}
            d={points
              .map(({ atMs, value }, at) => {
                const isBegin = atMs - (points[at - 1]?.atMs ?? -Infinity) > 1.5 * stepMs
                return `${isBegin ? 'M' : 'L'}${x(atMs)} ${y(value)}${isBegin ? 'h.1' : ''}`
              })
              .join('')}
          />
        ))}
        {steps.map((atMs) => (
          <rect key={atMs} x={x(atMs - stepMs / 2)} width={x(fromMs + stepMs)} y={0} height={HIGH}>
            <title>{`${moment.format(atMs)}: ${told(atMs)}`}</title>
          </rect>
        ))}
      </svg>
      <div class="bars-ends small muted">
        <span>{moment.format(fromMs)}</span>
        <span>{moment.format(toMs)}</span>
      </div>
      <ul class="plain chart-names">
        {lines.map(({ key, points }, n) => (
          <li key={key} class={`line-${n}`}>
            {key} <span class="muted small">last {words(points.at(-1)?.value ?? 0)}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** One figure over time, a line for each backend, client, code or endpoint. */
export const ChartsView = () => {
  const { isAdmin } = useSession()
  const { filters, set } = useFilters()
  const [metric, title, valueOf, allowed] = METRICS.find(([one]) => one === filters['metric']) ?? METRICS[0]
  const choices = allowed.filter((one) => one !== (isAdmin ? 'endpoint' : 'client'))
  const by = choices.find((one) => one === filters['by']) ?? choices[0] ?? 'backend'
  const [range, , ms] = RANGES.find(([one]) => one === filters['range']) ?? RANGES[1]
  const { data, error, reload } = useRead(
    `series ${metric} ${by} ${range}`,
    () => {
      const params = { query: { metric, by, from: new Date(Date.now() - ms).toISOString() } }
      return isAdmin
        ? ask(api.GET('/unified/v1/admin/overview/series', { params }))
        : ask(api.GET('/unified/v1/overview/series', { params }))
    },
    60_000,
  )
  return (
    <>
      <div class="filters">
        <Select
          label="Figure"
          value={metric}
          options={METRICS.map(([one, text]) => [one, text] as const)}
          onChange={(one) => set({ metric: one, by: '' })}
        />
        <Select
          label="By"
          value={by}
          options={choices.map((one) => [one, one] as const)}
          onChange={(one) => set({ by: one })}
        />
        <Select
          label="Time"
          value={range}
          options={RANGES.map(([one, text]) => [one, text] as const)}
          onChange={(one) => set({ range: one })}
        />
      </div>
      {error && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton what="the chart" rows={6} />}
      {data && data.series.length === 0 && <Empty title="Nothing was measured in this time" />}
      {data && data.series.length > 0 && (
        <Card title={title}>
          <Chart data={data} valueOf={valueOf} label={`${title}, by ${by}`} />
        </Card>
      )}
    </>
  )
}
