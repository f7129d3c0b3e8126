import { z } from 'zod'
import { type BackendDetailView, type NeedView, type OverviewView, RANGES } from '../../core/api/admin.ts'
import type { BackendView, DriftView, PoolView, UsageView } from '../../core/api/videos.ts'
import { Problem } from '../../core/errors.ts'
import type { SplitState } from '../../core/store/accounts.ts'
import {
  type Grid,
  type OutcomeCount,
  type OutcomesQuery,
  type Overview,
  SAMPLED_EVERY_MS,
} from '../../core/store/admin.ts'
import { iso, isoOrNull, onTheWall } from '../../core/time/clock.ts'
import { noSingle, type Backends } from '../../engine/index.ts'
import { BACKEND, DRIFT, QUEUED, USAGE, listOfOne } from '../openapi/examples.ts'
import { BACKEND_PROBLEMS, json } from '../openapi/operation.ts'
import { BackendName, PageQuery } from '../parse.ts'
import { AdminVideosQuery } from './input.ts'
import { type Ports, type Whose, listPage, openPlace, operation, whose } from './operation.ts'
import { asCaller } from './resources.ts'
import { ADMIN_SERIES_OPERATION, byStep, countOf, minutesOf, rounded, SERIES_OPERATION, spread } from './series.ts'

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

const BACKEND_DETAIL: BackendDetailView = {
  ...BACKEND,
  queue_depth: 1,
  window: { seconds: 61, next_request_at: null, next_create_at: null },
  breaker: { open: false, retry_at: null },
  queue: [
    {
      position: 1,
      video_id: QUEUED.id,
      client: null,
      backend: 'main',
      reason: 'no_free_slot',
      created_at: QUEUED.created_at,
    },
  ],
  learned: [
    {
      source: 'text',
      videos: 3,
      seconds: { p50: 38.2, p95: 41, longest: 41 },
      histogram: [
        { from: 38, to: 39, videos: 2 },
        { from: 39, to: 40, videos: 0 },
        { from: 40, to: 41, videos: 0 },
        { from: 41, to: 42, videos: 1 },
      ],
      polls: [
        { after: 38.4, running: 0.48 },
        { after: 39.6, running: 0.46 },
        { after: 41.1, running: 0.14 },
      ],
      lateness: 0.04,
    },
    {
      source: 'audio',
      videos: 0,
      seconds: null,
      histogram: [],
      polls: [{ after: 2.2, running: 0.96 }],
      lateness: 0.04,
    },
  ],
  learned_here: true,
  drift: { kinds: 1, latest: [DRIFT] },
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

const MOST_CODES = 20

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
    .slice(0, MOST_CODES)

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
  backend: BackendName.optional().describe('Only videos of this backend. Deliveries and endpoints belong to none'),
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
const countAll = async ({ store }: Ports, { grid, steps }: Ranges, asked: OverviewWish): Promise<Counted> => {
  const { of, visible, query } = asked
  const client = of === 'all' ? null : of.client
  const backend = query.backend ?? null
  const sinceMs = grid.fromMs + steps * grid.stepMs
  const overview = await store.overview({ client, backend, sinceMs, limit: NEEDS_OF_A_TYPE })
  const read = (outcome: OutcomesQuery['of'], by: OutcomesQuery['by'], measure: OutcomesQuery['measure']) =>
    store.outcomes({ of: outcome, client, backend, by, measure, ...grid })
  const completed = await read('completed', [], 'took')
  const failed = await read('failed', ['code', 'backend'], null)
  const canceled = await read('canceled', [], null)
  const late = [await read('completed', [], 'late'), await read('failed', [], 'late')]
  const delivered = await read('delivered', [], null)
  const givenUp = await read('given_up', [], null)
  const account = backend === null ? null : (visible.get(backend)?.account.id ?? null)
  const waited = await store.samples({ of: of === 'all' ? 'accounts' : of, account, ...grid })
  return {
    overview,
    completed: completed.counts,
    failed: failed.counts,
    canceled: canceled.counts,
    late: late.flatMap(({ counts }) => counts),
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
  const ranges = rangesOf(range, nowMs)
  const shown = [...visible.values()].filter(({ name }) => backend === null || name === backend)
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

/** No backend has a longer name, and a path may. */
const MAX_NAME = 63

const backendOr404 = (name: string, visible: Backends) => {
  const found = visible.get(name)
  if (!found) throw new Problem('backend_not_found', noSingle(name.slice(0, MAX_NAME), visible))
  return found
}

/** What the members have together. A null limit: one of them has none. */
const poolView = (name: string, members: readonly BackendView[]): PoolView => {
  const sum = (of: (member: BackendView) => number): number => members.reduce((before, one) => before + of(one), 0)
  const roomOf = ({ health, slots, budget }: BackendView): number =>
    health.status === 'down' ? 0 : Math.max(0, Math.min((slots.limit ?? Infinity) - slots.used, budget.remaining))
  return {
    object: 'pool',
    name,
    interface: members[0]?.interface ?? '',
    members: members.map((one) => one.name),
    room: sum(roomOf),
    slots: {
      limit: members.some(({ slots }) => slots.limit === null) ? null : sum(({ slots }) => slots.limit ?? 0),
      used: sum(({ slots }) => slots.used),
    },
    queue_depth: sum((one) => one.queue_depth),
  }
}

const listOfBackends = async ({ videos }: Ports, visible: Backends) => {
  const data = await Promise.all([...visible.values()].map((backend) => videos.describe(backend)))
  const pools = Map.groupBy(data, ({ name }) => visible.get(name)?.pool?.name ?? null)
  pools.delete(null)
  return {
    object: 'list',
    data,
    pools: [...pools].map(([name, members]) => poolView(name ?? '', members)),
    has_more: false,
    next_cursor: null,
  }
}

const WHAT =
  'Shows open videos, and over a range: how videos ended, how long they took, why they failed, how late the gateway noticed, and deliveries. Each figure comes with the range before and a trend. `needs_you` lists what somebody should look at.'
const WHAT_OF_ONE =
  'Adds to `listBackends`: the rate-limit window, the circuit breaker, the queue, and how long jobs ran. It also shows when a new job would be polled. The gateway sends nothing to the backend.'

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
  operation('Backends', {
    id: 'getBackend',
    at: ['get', '/unified/v1/backends/{name}'],
    summary: 'Read a backend',
    description: WHAT_OF_ONE,
    scope: 'videos:read',
    answers: { 200: json('The state now.', 'BackendDetail', BACKEND_DETAIL) },
    problems: ['backend_not_found'],
    handle: ({ videos }, { client, id: name }) => videos.inspect(backendOr404(name, client.visible), client.id),
  }),
]

export const ADMIN_OVERVIEW_OPERATIONS = [
  operation('Administration', {
    id: 'getAdminOverview',
    at: ['get', '/unified/v1/admin/overview'],
    summary: 'Show the overall state of all clients',
    description: `${WHAT} It covers all clients, or one \`client\`. It also shows creates in doubt and stopped splits.`,
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
  operation('Administration', {
    id: 'listAdminBackends',
    at: ['get', '/unified/v1/admin/backends'],
    summary: 'List all backends',
    description: 'Shows each backend as its clients see it.',
    scope: 'admin',
    answers: { 200: json('All backends.', 'BackendList', { ...listOfOne(BACKEND), pools: [] }) },
    problems: [],
    handle: (ports) => listOfBackends(ports, ports.backends),
  }),
  operation('Administration', {
    id: 'getAdminBackend',
    at: ['get', '/unified/v1/admin/backends/{name}'],
    summary: 'Read a backend, with the queue of all clients',
    description: WHAT_OF_ONE,
    scope: 'admin',
    answers: {
      200: json('The state now.', 'BackendDetail', {
        ...BACKEND_DETAIL,
        queue: BACKEND_DETAIL.queue.map((one) => ({ ...one, client: 'acme' })),
      }),
    },
    problems: ['backend_not_found'],
    handle: ({ videos, backends }, { id: name }) => videos.inspect(backendOr404(name, backends), null),
  }),
]

const keyOf = ({ kind, operation, value }: DriftView): string => JSON.stringify([kind, operation, value])

export const BACKEND_OPERATIONS = [
  operation('Backends', {
    id: 'listBackends',
    at: ['get', '/unified/v1/backends'],
    summary: 'List your backends',
    description:
      'Shows health, capabilities, and what is left of budgets and slots. `pools` shows what the members of each pool have together.',
    scope: 'videos:read',
    answers: { 200: json('All backends.', 'BackendList', { ...listOfOne(BACKEND), pools: [] }) },
    problems: [],
    handle: (ports, { client }) => listOfBackends(ports, client.visible),
  }),
  operation('Backends', {
    id: 'getDrift',
    at: ['get', '/unified/v1/backends/{name}/drift'],
    summary: 'List what a backend sent outside its contract',
    description: 'Lists the statuses, error codes and fields that the backend sent and its contract does not have.',
    scope: 'videos:read',
    query: PageQuery,
    answers: { 200: json('A page.', 'DriftList', listOfOne(DRIFT)) },
    problems: ['backend_not_found', 'invalid_cursor'],
    handle: async ({ cursors }, { client, id: name, query: { limit, cursor } }) => {
      const backend = backendOr404(name, client.visible)
      const scope = JSON.stringify(['drift', client.id, name])
      const place = openPlace(cursors, scope, cursor)
      return listPage(await backend.account.drift(), place, { cursors, scope, limit, keyOf })
    },
  }),
  operation('Backends', {
    id: 'getUsage',
    at: ['get', '/unified/v1/usage'],
    summary: 'Show credits, slots and usage',
    description: 'Shows what each backend has left, and what you used through the gateway this month.',
    scope: 'videos:read',
    answers: { 200: json('The state now.', 'Usage', USAGE) },
    problems: BACKEND_PROBLEMS,
    handle: async ({ resources }, { res, client: { limits } }) => {
      const { videosPerMonth, creditsPerMonth } = limits
      const used = await resources.usage.view(asCaller(res))
      const quotas = { videos_per_month: videosPerMonth, credits_per_month: creditsPerMonth }
      return { ...used, client: { ...used.client, limits: quotas } } satisfies UsageView
    },
  }),
]
