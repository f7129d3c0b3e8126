import { api, ask, pathFor, type Schema } from '../../api.ts'
import { useFilters, useRead } from '../../reads.ts'
import { useSession } from '../../session.ts'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/header.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Table } from '../../ui/table.tsx'
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
  ['credits', 'Credits', ({ credits }: Point) => credits, ['client', 'backend']],
] as const
/** The same moments as those of the overview, whose steps are so long: both say the same. */
const RANGES = [
  ['1h', '1 h', 3_600_000, 300_000],
  ['24h', '24 h', 86_400_000, 3_600_000],
  ['7d', '7 d', 604_800_000, 28_800_000],
  ['30d', '30 d', 2_592_000_000, 172_800_000],
] as const

const WORDS: Readonly<Record<Series['unit'], (value: number) => string>> = {
  seconds: (value) => durationOf(value * 1_000),
  count: (value) => value.toLocaleString('en', { maximumFractionDigits: 1 }),
  ratio: (value) => `${(100 * value).toFixed(1)} %`,
}
/** As many as have a colour of their own. */
const LINES = 6

/** What costs most is first. Null: no backend reported any. */
const Costs = ({ by, rows }: { by: string; rows: Series['series'] }) => {
  const total = (points: readonly Point[], of: (point: Point) => number): number | null =>
    points.reduce((sum, point) => sum + of(point), 0) || null
  return (
    <Table
      caption={`Credits by ${by}`}
      rows={rows}
      columns={[
        { title: by === 'client' ? 'Client' : 'Backend', cell: ({ key }) => key },
        { title: 'Credits', cell: ({ points }) => total(points, ({ credits }) => credits ?? 0), isNumber: true },
        { title: 'Videos', cell: ({ points }) => total(points, ({ count }) => count ?? 0), isNumber: true },
      ]}
    />
  )
}

/** One figure over time, a line for each backend, client, code or endpoint. */
export const ChartsView = () => {
  const { isAdmin } = useSession()
  const { filters, set } = useFilters()
  const [metric, title, valueOf, allowed] = METRICS.find(([one]) => one === filters['metric']) ?? METRICS[0]
  const choices = allowed.filter((one) => one !== (isAdmin ? 'endpoint' : 'client'))
  const by = choices.find((one) => one === filters['by']) ?? choices[0] ?? 'backend'
  const [range, , ms, stepMs] = RANGES.find(([one]) => one === filters['range']) ?? RANGES[1]
  const read = useRead(
    `series ${metric} ${by} ${range}`,
    () => {
      const fromMs = Math.floor(Date.now() / stepMs + 1) * stepMs - ms
      const params = { query: { metric, by, from: new Date(fromMs).toISOString() } }
      return ask(api.GET(pathFor(isAdmin, 'overview/series'), { params }))
    },
    60_000,
  )
  return (
    <>
      <div class="filters">
        <Select label="Figure" value={metric} options={METRICS} onChange={(one) => set({ metric: one, by: '' })} />
        <Select label="By" value={by} options={choices} onChange={(one) => set({ by: one })} />
        <Select label="Time" value={range} options={RANGES} onChange={(one) => set({ range: one })} />
      </div>
      <Loaded read={read} what="the chart" rows={6}>
        {({ series, from, to, step_seconds: step, unit }) =>
          series.length === 0 ? (
            <Empty title="Nothing was measured in this time" />
          ) : (
            <Card title={title}>
              <Chart
                label={`${title}, by ${by}`}
                fromMs={Date.parse(from)}
                toMs={Date.parse(to)}
                stepMs={step * 1_000}
                words={WORDS[unit]}
                least={unit === 'ratio' ? 1 : 0}
                lines={series.slice(0, LINES).map(({ key, points }) => ({
                  key,
                  points: points.map((point) => ({ atMs: Date.parse(point.at), value: valueOf(point) })),
                }))}
              />
              {metric === 'credits' && <Costs by={by} rows={series} />}
              {metric === 'credits' && (
                <p class="muted small">Videos of a backend that reports no price add nothing.</p>
              )}
            </Card>
          )
        }
      </Loaded>
    </>
  )
}
