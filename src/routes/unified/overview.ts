import { z } from 'zod'
import { type NeedView, type OverviewView, RANGES } from '../../core/api/admin.ts'
import type { BackendView } from '../../core/api/videos.ts'
import type { SplitState } from '../../core/store/accounts.ts'
import {
  type Grid,
  type OutcomeCount,
  type OutcomesQuery,
  type Overview,
  SAMPLED_EVERY_MS,
} from '../../core/store/admin.ts'
import { iso, isoOrNull, onTheWall } from '../../core/time/clock.ts'
import { type Backends, namesUnder } from '../../engine/index.ts'
import { json } from '../openapi/operation.ts'
import { BackendName } from '../parse.ts'
import { AdminVideosQuery } from './input.ts'
import { type Ports, type Whose, operation, whose } from './operation.ts'
import { ADMIN_SERIES_OPERATION, SERIES_OPERATION } from './series.ts'
import { byStep, countOf, creditsOf, inTurn, minutesOf, outcomesOf, rounded, samplesOf, spread } from './series.ts'

const HOUR_MS = 3_600_000
const EXAMPLE_STEPS = 12
const STEP_MS = HOUR_MS / EXAMPLE_STEPS
const SINCE = Date.parse('2026-11-20T11:05:00.000Z')
/** Of an hour with something in its last five minutes. */
const lastOnly = <T>(last: T, before: T): T[] =>
  Array.from({ length: EXAMPLE_STEPS }, (_, n) => (n === EXAMPLE_STEPS - 1 ? last : before))

const OVERVIEW: OverviewView = {
  object: 'overview',
  at: '2026-11-20T12:00:41.000Z',
  client: 'acme',
  backend: null,
  range: '1h',
  since: new Date(SINCE).toISOString(),
  step_seconds: 300,
  videos: { waiting: 3, running: 2, in_doubt: 0, queued: 1, processing: 1, complete: true },
  success: { value: 0.9762, before: null, trend: lastOnly<number | null>(0.9762, null) },
  time_to_done: { videos: 41, p50: 58.2, p95: 97.1, before: null, trend: lastOnly<number | null>(58.2, null) },
  waiting: { value: 3, before: 0, trend: lastOnly<number | null>(1.5, 0) },
  webhooks: { deliveries: 83, value: 1, before: null, trend: lastOnly<number | null>(1, null) },
  credits: {
    value: 41,
    before: null,
    trend: lastOnly<number | null>(41, null),
    by: [{ key: 'main', videos: 42, credits: 41 }],
  },
  ended: {
    completed: 41,
    failed: 1,
    canceled: 0,
    steps: lastOnly({ completed: 41, failed: 1, canceled: 0 }, { completed: 0, failed: 0, canceled: 0 }).map(
      (counts, n) => ({ from: new Date(SINCE + n * STEP_MS).toISOString(), ...counts }),
    ),
    complete: true,
  },
  detection: { videos: 42, seconds: { p50: 0.9, p95: 3.1 } },
  deliveries: { delivered: 83, failed: 0, pending: 1, held: 0, complete: true },
  needs_you: [
    {
      type: 'backend_unwell',
      at: '2026-11-20T12:00:12.000Z',
      count: 1,
      client: null,
      backend: 'alt',
      video_id: null,
      delivery_id: null,
      endpoint_id: null,
      rule: null,
      code: 'backend_credentials_rejected',
      message: 'down',
    },
  ],
  failures: [
    {
      code: 'backend_failed',
      videos: 1,
      backends: [{ backend: 'main', videos: 1 }],
      trend: lastOnly(1, 0),
      last_at: '2026-11-20T12:00:12.000Z',
    },
  ],
}

/** The length of a step, and how many there are. */
const STEPS = {
  '1h': { stepMs: HOUR_MS / 12, steps: 12 },
  '24h': { stepMs: HOUR_MS, steps: 24 },
  '7d': { stepMs: 8 * HOUR_MS, steps: 21 },
  '30d': { stepMs: 48 * HOUR_MS, steps: 15 },
} as const satisfies Record<(typeof RANGES)[number], unknown>

interface Counted {
  overview: Overview
  completed: readonly OutcomeCount[]
  failed: readonly OutcomeCount[]
  canceled: readonly OutcomeCount[]
  late: readonly OutcomeCount[]
  delivered: readonly OutcomeCount[]
  givenUp: readonly OutcomeCount[]
  /** By client, or of one client by backend. */
  credits: readonly OutcomeCount[]
  waited: readonly { step: number; waiting: number }[]
  videosAreWhole: boolean
  deliveriesAreWhole: boolean
}

/** Twice the steps of a range: those of the range before come first. */
interface Ranges {
  grid: Grid
  steps: number
}

const rangesOf = (range: keyof typeof STEPS, nowMs: number): Ranges => {
  const { stepMs, steps } = STEPS[range]
  const sinceMs = (Math.floor(nowMs / stepMs) - steps + 1) * stepMs
  // A little of the future: other replicas have other clocks.
  return { grid: { fromMs: sinceMs - steps * stepMs, untilMs: nowMs + HOUR_MS, stepMs }, steps }
}

const shareOf = (good: readonly OutcomeCount[], bad: readonly OutcomeCount[]): number | null => {
  const [part, other] = [countOf(good), countOf(bad)]
  return part + other === 0 ? null : rounded(part / (part + other))
}

const MOST_ROWS = 20

/** Pure. */
const failuresOf = (failed: readonly OutcomeCount[], steps: number): OverviewView['failures'] =>
  [...Map.groupBy(failed, ({ keys: [code = ''] }) => code || 'unknown')]
    .map(([code, counts]) => ({
      code,
      videos: countOf(counts),
      backends: [...Map.groupBy(counts, ({ keys: [, backend = ''] }) => backend)]
        .map(([backend, own]) => ({ backend, videos: countOf(own) }))
        .toSorted((a, b) => b.videos - a.videos),
      trend: byStep(counts, steps).map(countOf),
      last_at: iso(Math.max(...counts.map(({ lastAtMs }) => lastAtMs))),
    }))
    .toSorted((a, b) => b.videos - a.videos || (a.code < b.code ? -1 : 1))
    .slice(0, MOST_ROWS)

/** Pure. */
const spentBy = (cost: readonly OutcomeCount[]): OverviewView['credits']['by'] =>
  [...Map.groupBy(cost, ({ keys: [key = ''] }) => key)]
    .map(([key, own]) => ({ key, videos: countOf(own), credits: creditsOf(own) }))
    .toSorted((a, b) => (b.credits ?? 0) - (a.credits ?? 0) || b.videos - a.videos)
    .slice(0, MOST_ROWS)

/** The range before, and the range itself step by step. Pure. */
const sidesOf = (counts: readonly OutcomeCount[], steps: number) => {
  const now = counts.filter(({ step }) => step >= steps).map((one) => ({ ...one, step: one.step - steps }))
  return { before: counts.filter(({ step }) => step < steps), now, each: byStep(now, steps) }
}
type Sides = ReturnType<typeof sidesOf>

const successOf = (good: Sides, bad: Sides) => ({
  value: shareOf(good.now, bad.now),
  before: shareOf(good.before, bad.before),
  trend: good.each.map((counts, n) => shareOf(counts, bad.each[n] ?? [])),
})

const waitingOf = ({ overview, waited }: Counted, { grid, steps }: Ranges, nowMs: number): OverviewView['waiting'] => {
  const minutes = byStep(waited, 2 * steps).map((own) => own.reduce((sum, { waiting }) => sum + waiting, 0))
  const before = minutes.slice(0, steps).reduce((sum, waiting) => sum + waiting, 0)
  return {
    value: overview.open.waiting,
    before: rounded(before / ((steps * grid.stepMs) / SAMPLED_EVERY_MS)),
    trend: minutes.slice(steps).map((waiting, n) => rounded(waiting / minutesOf(steps + n, grid, nowMs))),
  }
}

type Figures = Omit<OverviewView, 'object' | 'at' | 'client' | 'backend' | 'range' | 'needs_you'>

/** Pure. */
const figuresOf = (counted: Counted, ranges: Ranges, nowMs: number): Figures => {
  const { grid, steps } = ranges
  const sinceMs = grid.fromMs + steps * grid.stepMs
  const { open, deliveries } = counted.overview
  const { waiting, queued, processing, doubtful } = open
  const sides = (counts: readonly OutcomeCount[]): Sides => sidesOf(counts, steps)
  const [completed, failed, canceled] = [sides(counted.completed), sides(counted.failed), sides(counted.canceled)]
  const [delivered, givenUp] = [sides(counted.delivered), sides(counted.givenUp)]
  const cost = sides(counted.credits)
  const done = { completed, failed, canceled }
  const times = spread(completed.now)
  const late = sides(counted.late).now
  const ended = (each: (side: Sides) => number) => ({
    completed: each(done.completed),
    failed: each(done.failed),
    canceled: each(done.canceled),
  })
  return {
    since: iso(sinceMs),
    step_seconds: grid.stepMs / 1_000,
    videos: {
      waiting,
      running: Math.max(0, queued + processing - doubtful),
      in_doubt: doubtful,
      queued,
      processing,
      complete: open.isWhole,
    },
    success: successOf(completed, failed),
    time_to_done: {
      videos: countOf(completed.now.filter(({ ms }) => ms !== null)),
      p50: times?.p50 ?? null,
      p95: times?.p95 ?? null,
      before: spread(completed.before),
      trend: completed.each.map((counts) => spread(counts)?.p50 ?? null),
    },
    waiting: waitingOf(counted, ranges, nowMs),
    webhooks: { deliveries: countOf(delivered.now) + countOf(givenUp.now), ...successOf(delivered, givenUp) },
    credits: {
      value: creditsOf(cost.now),
      before: creditsOf(cost.before),
      trend: cost.each.map(creditsOf),
      by: spentBy(cost.now),
    },
    ended: {
      ...ended(({ now }) => countOf(now)),
      steps: Array.from({ length: steps }, (_, n) => ({
        from: iso(sinceMs + n * grid.stepMs),
        ...ended(({ each }) => countOf(each[n] ?? [])),
      })),
      complete: counted.videosAreWhole,
    },
    detection: { videos: countOf(late), seconds: spread(late) },
    deliveries: {
      delivered: countOf(delivered.now),
      failed: countOf(givenUp.now),
      pending: deliveries.pending,
      held: deliveries.held,
      complete: counted.deliveriesAreWhole && deliveries.isWhole,
    },
    failures: failuresOf(failed.now, steps),
  }
}

interface Sources {
  overview: Overview
  backends: readonly BackendView[]
  /** Those that are stopped. */
  splits: readonly Pick<SplitState, 'key' | 'stopped'>[]
  isOperator: boolean
}

const NOTHING = {
  count: 1,
  client: null,
  backend: null,
  video_id: null,
  delivery_id: null,
  endpoint_id: null,
  rule: null,
  code: null,
  message: null,
}

/** The latest first. Whose it is only operators see, and how a create in doubt ends only they can say. Pure. */
const needsOf = ({ overview, backends, splits, isOperator }: Sources): NeedView[] => {
  const needs: NeedView[] = [
    ...backends
      .filter(({ health }) => health.status !== 'up')
      .map(({ name, health }) => ({
        ...NOTHING,
        type: 'backend_unwell' as const,
        at: health.since,
        backend: name,
        code: health.reason,
        message: health.status,
      })),
    ...backends.flatMap(({ name, paused }) =>
      paused
        ? [{ ...NOTHING, type: 'backend_paused' as const, at: paused.since, backend: name, message: paused.reason }]
        : [],
    ),
    ...splits.map(({ key, stopped }) => ({
      ...NOTHING,
      type: 'split_stopped' as const,
      at: isoOrNull(stopped?.atMs ?? null),
      rule: key,
    })),
    ...(isOperator ? overview.doubtfulVideos : []).map(({ id, client, backend, doubtSinceMs }) => ({
      ...NOTHING,
      type: 'create_in_doubt' as const,
      at: isoOrNull(doubtSinceMs),
      client,
      backend,
      video_id: id,
    })),
    ...overview.disabledEndpoints.map(({ id, client, description, reason, atMs, held }) => ({
      ...NOTHING,
      type: 'endpoint_disabled' as const,
      at: iso(atMs),
      count: held,
      client,
      endpoint_id: id,
      code: reason,
      message: description,
    })),
    ...overview.failingEndpoints.map(({ id, client, description, failures, sinceMs }) => ({
      ...NOTHING,
      type: 'endpoint_failing' as const,
      at: iso(sinceMs),
      count: failures,
      client,
      endpoint_id: id,
      message: description,
    })),
    ...overview.givenUp.map(({ client, endpointId, deliveries, deliveryId, atMs, status }) => ({
      ...NOTHING,
      type: 'deliveries_given_up' as const,
      at: iso(atMs),
      count: deliveries,
      client,
      delivery_id: deliveryId,
      endpoint_id: endpointId,
      message: status === null ? null : `HTTP ${status}`,
    })),
  ]
  const latestFirst = needs.toSorted((a, b) => Date.parse(b.at ?? '') - Date.parse(a.at ?? '') || 0)
  return isOperator ? latestFirst : latestFirst.map((one) => ({ ...one, client: null }))
}

const OverviewQuery = z.strictObject({
  range: z.enum(RANGES).optional().describe('How far back. Default: `24h`'),
  backend: BackendName.optional().describe(
    'Only videos of this backend, or of the members of this pool. Deliveries and endpoints belong to none',
  ),
})
const AdminOverviewQuery = OverviewQuery.extend({ client: AdminVideosQuery.shape.client })

const NEEDS_OF_A_TYPE = 10

const stoppedSplits = async ({ routing: { splits } }: Ports) => {
  if (splits.stopped() === 0) return []
  const states = await Promise.all(splits.all().map(({ key }) => splits.stateOf(key)))
  return states.filter((state) => state.stopped !== null)
}

interface OverviewWish {
  of: Whose
  visible: Backends
  isOperator: boolean
  query: z.output<typeof OverviewQuery>
}

/** Everything that an overview is made of. One read after the other: a page that is read often takes few connections. */
/** Of several backends together. Deliveries and endpoints are of none, so those of the first are those of all. */
const together = (all: readonly [Overview, ...Overview[]]): Overview => {
  const sum = (count: (open: Overview['open']) => number): number => all.reduce((n, { open }) => n + count(open), 0)
  const doubtful = all.flatMap(({ doubtfulVideos }) => doubtfulVideos)
  return {
    ...all[0],
    open: {
      waiting: sum(({ waiting }) => waiting),
      queued: sum(({ queued }) => queued),
      processing: sum(({ processing }) => processing),
      doubtful: sum((open) => open.doubtful),
      isWhole: all.every(({ open }) => open.isWhole),
    },
    doubtfulVideos: doubtful.toSorted((a, b) => b.createdAtMs - a.createdAtMs).slice(0, NEEDS_OF_A_TYPE),
  }
}

const countAll = async (ports: Ports, { grid, steps }: Ranges, asked: OverviewWish): Promise<Counted> => {
  const { of, visible, query } = asked
  const client = of === 'all' ? null : of.client
  const name = query.backend ?? null
  const [first = null, ...others] = name === null ? [] : namesUnder(name, visible)
  const sinceMs = grid.fromMs + steps * grid.stepMs
  const overviewOf = (backend: string | null): Promise<Overview> =>
    ports.store.overview({ client, backend, sinceMs, limit: NEEDS_OF_A_TYPE })
  const overview = together([await overviewOf(first), ...(await inTurn(others, overviewOf))])
  const read = (
    outcome: OutcomesQuery['of'],
    by: OutcomesQuery['by'],
    measure: OutcomesQuery['measure'],
    backends: readonly (string | null)[] = [first, ...others],
  ) => outcomesOf(ports, { of: outcome, client, by, measure, ...grid }, backends)
  const completed = await read('completed', [], 'took')
  const failed = await read('failed', ['code', 'backend'], null)
  const canceled = await read('canceled', [], null)
  const late = [await read('completed', [], 'late'), await read('failed', [], 'late')]
  const by = of === 'all' ? (['client'] as const) : (['backend'] as const)
  const credits = [await read('completed', by, 'credits'), await read('failed', by, 'credits')]
  const delivered = await read('delivered', [], null, [null])
  const givenUp = await read('given_up', [], null, [null])
  const waited = await samplesOf(ports, { of: of === 'all' ? 'accounts' : of, ...grid }, name, visible)
  return {
    overview,
    completed: completed.counts,
    failed: failed.counts,
    canceled: canceled.counts,
    late: late.flatMap(({ counts }) => counts),
    credits: credits.flatMap(({ counts }) => counts),
    delivered: delivered.counts,
    givenUp: givenUp.counts,
    waited: waited.sums,
    videosAreWhole: [completed, failed, canceled].every(({ isWhole }) => isWhole),
    deliveriesAreWhole: [delivered, givenUp].every(({ isWhole }) => isWhole),
  }
}

/** How everything goes: for a client of its own, for operators of one client or all. */
const overviewOf = async (ports: Ports, asked: OverviewWish): Promise<OverviewView> => {
  const { of, visible, isOperator, query } = asked
  const { videos, clock } = ports
  const nowMs = onTheWall(clock, clock.now())
  const { range = '24h', backend = null } = query
  const names = backend === null ? null : namesUnder(backend, visible)
  const ranges = rangesOf(range, nowMs)
  const shown = [...visible.values()].filter(({ name }) => names?.includes(name) ?? true)
  const [counted, backends, splits] = await Promise.all([
    countAll(ports, ranges, asked),
    Promise.all(shown.map((one) => videos.describe(one))),
    isOperator ? stoppedSplits(ports) : [],
  ])
  return {
    object: 'overview',
    at: iso(nowMs),
    client: of === 'all' ? null : of.client,
    backend,
    range,
    ...figuresOf(counted, ranges, nowMs),
    needs_you: needsOf({ overview: counted.overview, backends, splits, isOperator }),
  }
}

const WHAT =
  'Shows open videos, and over a range: how videos ended, how long they took, why they failed, how late the gateway noticed, and deliveries. Each figure comes with the range before and a trend. `needs_you` lists what somebody should look at.'
export const OVERVIEW_OPERATIONS = [
  operation('Backends', {
    id: 'getOverview',
    at: ['get', '/unified/v1/overview'],
    summary: 'Show the overall state',
    description: WHAT,
    scope: 'videos:read',
    query: OverviewQuery,
    answers: { 200: json('The state now.', 'Overview', OVERVIEW) },
    problems: [],
    handle: (ports, { client: { id, visible }, query }) =>
      overviewOf(ports, { of: { client: id }, visible, isOperator: false, query }),
  }),
  SERIES_OPERATION,
]

export const ADMIN_OVERVIEW_OPERATIONS = [
  operation('Administration', {
    id: 'getAdminOverview',
    at: ['get', '/unified/v1/admin/overview'],
    summary: 'Show the overall state of all clients',
    description: '`getOverview` of all clients, or of one `client`. It also shows creates in doubt and stopped splits.',
    scope: 'admin',
    query: AdminOverviewQuery,
    answers: {
      200: json('The state now.', 'Overview', OVERVIEW),
    },
    problems: [],
    handle: (ports, { query: { client, ...query } }) =>
      overviewOf(ports, { of: whose(client), visible: ports.backends, isOperator: true, query }),
  }),
  ADMIN_SERIES_OPERATION,
]
