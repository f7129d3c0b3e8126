import { z } from 'zod'
import { type OverviewSeriesView, SERIES_KEYS, SERIES_METRICS } from '../../core/api/admin.ts'
import { fieldProblem } from '../../core/errors.ts'
import {
  type Grid,
  type OutcomeCount,
  type OutcomesQuery,
  SAMPLED_EVERY_MS,
  type SamplesQuery,
  type SampleSum,
} from '../../core/store/admin.ts'
import { iso, onTheWall } from '../../core/time/clock.ts'
import { type Backends, namedBy, namesUnder } from '../../engine/index.ts'
import { json } from '../openapi/operation.ts'
import { BackendName, Instant } from '../parse.ts'
import { AdminVideosQuery } from './input.ts'
import { operation, type Ports, type Whose, whose } from './operation.ts'

type Metric = (typeof SERIES_METRICS)[number]
type SeriesKey = (typeof SERIES_KEYS)[number]
type Series = OverviewSeriesView['series'][number]
type Values = Omit<Series['points'][number], 'at'>

export const countOf = (counts: readonly OutcomeCount[]): number => counts.reduce((sum, { count }) => sum + count, 0)

/** Of each step those that are in it; what came after the last one is in the last one. */
export const byStep = <T extends { step: number }>(counts: readonly T[], steps: number): T[][] => {
  const all = Array.from({ length: steps }, (): T[] => [])
  for (const one of counts) all[Math.min(one.step, steps - 1)]?.push(one)
  return all
}

const percentile = (ascending: readonly OutcomeCount[], most: number): number => {
  let met = 0
  for (const { ms, count } of ascending) if ((met += count) >= most) return (ms ?? 0) / 1_000
  return 0
}

/** In seconds, by nearest rank; null: nothing was measured. */
export const spread = (counts: readonly OutcomeCount[]): { p50: number; p95: number } | null => {
  const ascending = counts.filter(({ ms }) => ms !== null).toSorted((a, b) => (a.ms ?? 0) - (b.ms ?? 0))
  const all = countOf(ascending)
  return all === 0 ? null : { p50: percentile(ascending, all * 0.5), p95: percentile(ascending, all * 0.95) }
}

const DIGITS = 4
export const rounded = (value: number): number => Number(value.toFixed(DIGITS))

/** Null: no backend reported any. */
export const creditsOf = (counts: readonly OutcomeCount[]): number | null => {
  const reported = counts.flatMap(({ credits }) => credits ?? [])
  return reported.length === 0 ? null : rounded(reported.reduce((sum, credits) => sum + credits))
}

/** Minutes of a step that have begun. */
export const minutesOf = (step: number, { fromMs, stepMs }: Grid, nowMs: number): number => {
  const sinceMs = nowMs - (fromMs + step * stepMs)
  return Math.min(stepMs / SAMPLED_EVERY_MS, Math.max(0, Math.floor(sinceMs / SAMPLED_EVERY_MS)) + 1)
}

/** One after the other: a page that is read every few seconds must not take all connections of the store. */
export const inTurn = async <A, B>(items: readonly A[], read: (item: A) => Promise<B>): Promise<B[]> => {
  const found: B[] = []
  for (const item of items) found.push(await read(item))
  return found
}

/** Of each of these backends; null: of all. */
export const outcomesOf = async (
  { store }: Pick<Ports, 'store'>,
  query: Omit<OutcomesQuery, 'backend'>,
  backends: readonly (string | null)[],
): ReturnType<Ports['store']['outcomes']> => {
  const found = await inTurn(backends, (backend) => store.outcomes({ ...query, backend }))
  return { counts: found.flatMap(({ counts }) => counts), isWhole: found.every(({ isWhole }) => isWhole) }
}

/** Of each account under the name of a backend or a pool; null: of all. */
export const samplesOf = async (
  { store }: Pick<Ports, 'store'>,
  query: Omit<SamplesQuery, 'account'>,
  name: string | null,
  visible: Backends,
): ReturnType<Ports['store']['samples']> => {
  const accounts = name === null ? [null] : namedBy(name, visible).map(({ account }) => account.id)
  const found = await inTurn(accounts, (account) => store.samples({ ...query, account }))
  return { sums: found.flatMap(({ sums }) => sums), isWhole: found.every(({ isWhole }) => isWhole) }
}

const STEPS_S = [60, 300, 900, 1_800, 3_600, 7_200, 21_600, 86_400] as const
const LONGEST_S = 86_400
const MOST_POINTS = 400
const USUAL_POINTS = 100
const MOST_SERIES = 20
const DAY_MS = 86_400_000
const MOST_DAYS = 30

const UNITS = {
  completion: 'seconds',
  lateness: 'seconds',
  queue: 'count',
  budget: 'ratio',
  deliveries: 'ratio',
  failures: 'count',
  credits: 'count',
} as const satisfies Record<Metric, OverviewSeriesView['unit']>

/** What a metric is grouped by, the usual first. */
const KEYS: Readonly<Record<Metric, readonly SeriesKey[]>> = {
  completion: ['backend', 'client'],
  lateness: ['backend', 'client'],
  queue: ['backend', 'client'],
  budget: ['backend'],
  deliveries: ['endpoint', 'client'],
  failures: ['code', 'backend', 'client'],
  credits: ['backend', 'client'],
}

const SeriesQuery = z.strictObject({
  metric: z
    .enum(SERIES_METRICS)
    .describe(
      '`completion`: from created to completed. `lateness`: how late ends were noticed. `queue`: videos that wait. `budget`: the used share of the window of requests. `deliveries`: the success and duration of webhooks. `failures`: videos that failed. `credits`: what videos that ended cost',
    )
    .meta({ example: 'completion' }),
  by: z
    .enum(SERIES_KEYS)
    .optional()
    .describe(
      'What the series are grouped by. `code`: only `failures`. `endpoint`: only `deliveries`. `client`: only for operators. `budget` has only `backend`',
    ),
  from: Instant('Default: 24 hours before `to`. At most 30 days before it').optional(),
  to: Instant('Default: now').optional(),
  step: z.coerce
    .number()
    .int()
    .min(1)
    .max(LONGEST_S)
    .optional()
    .describe('Seconds. Rounded up to 1, 5, 15 or 30 minutes, 1, 2 or 6 hours, or a day; at most 400 steps'),
  backend: BackendName.optional().describe('Only this backend, or the members of this pool. Deliveries belong to none'),
})
const AdminSeriesQuery = SeriesQuery.extend({ client: AdminVideosQuery.shape.client })
type Query = z.output<typeof SeriesQuery>

const refuse = (param: string, why: string): never => {
  throw fieldProblem('invalid_request', param, why)
}

const keyOf = ({ metric, by, backend }: Query, of: Whose, isOperator: boolean): SeriesKey => {
  const isOfAll = of === 'all'
  const key = by ?? (metric === 'deliveries' && isOfAll ? 'client' : (KEYS[metric][0] ?? 'backend'))
  if (!KEYS[metric].includes(key)) refuse('by', `${metric} has no ${key}: give ${KEYS[metric].join(' or ')}`)
  if (key === 'client' && !isOperator) refuse('by', 'only operators see clients')
  if (key === 'endpoint' && isOfAll) refuse('by', 'endpoints belong to a client: give the parameter client')
  if (metric === 'deliveries' && backend !== undefined) refuse('backend', 'deliveries belong to no backend')
  return key
}

/** Steps are whole in UTC, so that the same step has the same points in each answer. */
const gridOf = ({ from, to, step }: Query, nowMs: number): Grid => {
  // With what ends in this millisecond.
  const untilMs = to ?? nowMs + 1
  const fromMs = from ?? untilMs - DAY_MS
  if (fromMs >= untilMs) refuse('from', 'must be before to')
  if (untilMs - fromMs > MOST_DAYS * DAY_MS) refuse('from', `must be at most ${MOST_DAYS} days before to`)
  const seconds = (untilMs - fromMs) / 1_000
  const least = Math.max(step ?? seconds / USUAL_POINTS, seconds / (MOST_POINTS - 1))
  const stepMs = (STEPS_S.find((one) => one >= least) ?? LONGEST_S) * 1_000
  return { fromMs: Math.floor(fromMs / stepMs) * stepMs, untilMs, stepMs }
}

interface Keyed<T> {
  key: string
  /** What the series are in the order of. */
  weight: number
  items: T[]
}

/** The most first. Those that are too many are one. */
const topOf = <T>(items: readonly T[], key: (item: T) => string, weight: (item: T) => number): Keyed<T>[] => {
  const all = [...Map.groupBy(items, key)]
    .map(([name, own]) => ({ key: name, weight: own.reduce((sum, item) => sum + weight(item), 0), items: own }))
    .toSorted((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1))
  if (all.length <= MOST_SERIES) return all
  const rest = all.slice(MOST_SERIES - 1)
  const other = { key: 'other', weight: 0, items: rest.flatMap((one) => one.items) }
  return [...all.slice(0, MOST_SERIES - 1), other]
}

/** Values of each step that has any. */
const pointsOf = <T extends { step: number }>(
  items: readonly T[],
  { fromMs, untilMs, stepMs }: Grid,
  valuesOf: (items: readonly T[], step: number) => Values,
): Series['points'] =>
  byStep(items, Math.ceil((untilMs - fromMs) / stepMs)).flatMap((own, step) =>
    own.length === 0 ? [] : [{ at: iso(fromMs + step * stepMs), ...valuesOf(own, step) }],
  )

interface Asked {
  ports: Ports
  metric: Metric
  key: SeriesKey
  grid: Grid
  of: Whose
  backend: string | null
  visible: Backends
  nowMs: number
}

type Found = Pick<OverviewSeriesView, 'series' | 'complete'>

const outcomeSeries = async ({ ports, metric, key, grid, of, backend, visible }: Asked): Promise<Found> => {
  const read = async (outcome: OutcomesQuery['of'], measure: OutcomesQuery['measure']) => {
    const client = of === 'all' ? null : of.client
    const backends = backend === null ? [null] : namesUnder(backend, visible)
    const query = { of: outcome, ...grid, client, by: [key], measure }
    const { counts, isWhole } = await outcomesOf(ports, query, backends)
    return { counts: counts.map((one) => ({ ...one, isGood: outcome !== 'given_up' })), isWhole }
  }
  const found = await {
    completion: async () => [await read('completed', 'took')],
    lateness: async () => [await read('completed', 'late'), await read('failed', 'late')],
    deliveries: async () => [await read('delivered', 'took'), await read('given_up', null)],
    failures: async () => [await read('failed', null)],
    credits: async () => [await read('completed', 'credits'), await read('failed', 'credits')],
  }[metric as Exclude<Metric, 'queue' | 'budget'>]()
  const valuesOf = (own: readonly (OutcomeCount & { isGood: boolean })[]): Values => {
    const count = countOf(own)
    if (metric === 'failures') return { count }
    if (metric === 'credits') return { count, credits: creditsOf(own) }
    const times = spread(own)
    if (metric !== 'deliveries') return { count, ...times }
    const success = rounded(countOf(own.filter(({ isGood }) => isGood)) / count)
    return { count, success, ...(times && { p95: times.p95 }) }
  }
  const named = ({ keys: [name = ''] }: OutcomeCount): string => name || (key === 'code' ? 'unknown' : '')
  return {
    complete: found.every(({ isWhole }) => isWhole),
    series: topOf(
      found.flatMap(({ counts }) => counts),
      named,
      ({ count, credits }) => (metric === 'credits' ? (credits ?? 0) : count),
    ).map(({ key: name, items }) => ({
      key: name,
      points: pointsOf(items, grid, valuesOf),
    })),
  }
}

const sampleSeries = async ({ ports, metric, key, grid, of, backend, visible, nowMs }: Asked): Promise<Found> => {
  const accounts = new Map([...ports.backends.values()].map(({ account }) => [account.id, account.backends]))
  if (backend !== null && namedBy(backend, visible).length === 0) refuse('backend', 'there is none of this name')
  const isOfClient = metric === 'queue' && (of !== 'all' || key === 'client')
  const whose = !isOfClient ? 'accounts' : of === 'all' ? 'clients' : of
  const { sums, isWhole } = await samplesOf(ports, { of: whose, ...grid }, backend, visible)
  const named = ({ account: id, client }: SampleSum): string | null =>
    key === 'client' ? client : (accounts.get(id)?.find((name) => visible.has(name)) ?? null)
  const shown = sums.filter((one) => named(one) !== null)
  const valuesOf = (own: readonly SampleSum[], step: number): Values => {
    const minutes = minutesOf(step, grid, nowMs)
    const sum = (value: (one: SampleSum) => number): number => own.reduce((before, one) => before + value(one), 0)
    return metric === 'queue'
      ? { mean: rounded(sum(({ waiting }) => waiting) / minutes), max: sum(({ mostWaiting }) => mostWaiting) }
      : { mean: rounded(sum(({ used }) => used) / minutes), max: rounded(Math.max(...own.map((one) => one.mostUsed))) }
  }
  const top = topOf(
    shown,
    (one) => named(one) ?? '',
    ({ waiting, used }) => (metric === 'queue' ? waiting : used),
  )
  return {
    complete: isWhole,
    series: top.map(({ key: name, items }) => ({ key: name, points: pointsOf(items, grid, valuesOf) })),
  }
}

const seriesOf = async (
  ports: Ports,
  query: Query,
  { of, visible, isOperator }: { of: Whose; visible: Backends; isOperator: boolean },
): Promise<OverviewSeriesView> => {
  const { metric, backend = null } = query
  const key = keyOf(query, of, isOperator)
  const nowMs = onTheWall(ports.clock, ports.clock.now())
  const grid = gridOf(query, nowMs)
  const asked = { ports, metric, key, grid, of, backend, visible, nowMs }
  const isSampled = metric === 'queue' || metric === 'budget'
  const { series, complete } = await (isSampled ? sampleSeries(asked) : outcomeSeries(asked))
  return {
    object: 'overview_series',
    metric,
    by: key,
    unit: UNITS[metric],
    from: iso(grid.fromMs),
    to: iso(grid.untilMs),
    step_seconds: grid.stepMs / 1_000,
    complete,
    series,
  }
}

const EXAMPLE: OverviewSeriesView = {
  object: 'overview_series',
  metric: 'completion',
  by: 'backend',
  unit: 'seconds',
  from: '2026-11-19T12:00:00.000Z',
  to: '2026-11-20T12:00:41.000Z',
  step_seconds: 900,
  complete: true,
  series: [{ key: 'main', points: [{ at: '2026-11-20T11:45:00.000Z', count: 12, p50: 58.2, p95: 97.1 }] }],
}

const WHAT =
  'One series for each `by`, for a chart. `completion` and `lateness` have `count`, `p50` and `p95` in seconds; `deliveries` has `count`, `success` and `p95`; `failures` has `count`; `credits` has `count` and `credits`, which is null where the backend reports none. `queue` and `budget` have `mean` and `max`, from a sample in each busy minute. Times are to within 2 %.'

export const SERIES_OPERATION = operation('Backends', {
  id: 'getOverviewSeries',
  at: ['get', '/unified/v1/overview/series'],
  summary: 'Show a figure over time',
  description: WHAT,
  scope: 'videos:read',
  query: SeriesQuery,
  answers: { 200: json('The series.', 'OverviewSeries', EXAMPLE) },
  problems: [],
  handle: (ports, { client: { id, visible }, query }) =>
    seriesOf(ports, query, { of: { client: id }, visible, isOperator: false }),
})

export const ADMIN_SERIES_OPERATION = operation('Administration', {
  id: 'getAdminOverviewSeries',
  at: ['get', '/unified/v1/admin/overview/series'],
  summary: 'Show a figure of all clients over time',
  description: '`getOverviewSeries` of all clients, or of one `client`.',
  scope: 'admin',
  query: AdminSeriesQuery,
  answers: { 200: json('The series.', 'OverviewSeries', EXAMPLE) },
  problems: [],
  handle: (ports, { query: { client, ...query } }) =>
    seriesOf(ports, query, { of: whose(client), visible: ports.backends, isOperator: true }),
})
