import { z } from 'zod'
import type { BackendDetailView, OverviewView, TroubleView } from '../../core/api/admin.ts'
import type { BackendView, DriftView, PoolView, UsageView } from '../../core/api/videos.ts'
import { Problem } from '../../core/errors.ts'
import type { SplitState } from '../../core/store/accounts.ts'
import { HOURS, type Overview } from '../../core/store/admin.ts'
import { iso, isoOrNull, onTheWall } from '../../core/time/clock.ts'
import type { TerminalStatus } from '../../core/vocabulary.ts'
import { noSingle, type Backends } from '../../engine/index.ts'
import { BACKEND, DRIFT, QUEUED, USAGE, listOfOne } from '../openapi/examples.ts'
import { BACKEND_PROBLEMS, json } from '../openapi/operation.ts'
import { PageQuery } from '../parse.ts'
import { AdminVideosQuery } from './input.ts'
import { type Ports, type Whose, listPage, openPlace, operation, whose } from './operation.ts'
import { asCaller } from './resources.ts'

const EXAMPLE_HOUR_MS = 3_600_000
const SINCE = Date.parse('2026-11-19T13:00:00.000Z')
const QUIET = { completed: 0, failed: 0, canceled: 0 }

/** A day with one failure, in its last hour. */
const OVERVIEW: OverviewView = {
  object: 'overview',
  at: '2026-11-20T12:00:41.000Z',
  client: 'acme',
  videos: { waiting: 3, queued: 1, processing: 1, doubtful: null, complete: true },
  ended: {
    since: '2026-11-19T13:00:00.000Z',
    completed: 41,
    failed: 1,
    canceled: 0,
    hours: Array.from({ length: 24 }, (_, n) => ({
      from: new Date(SINCE + n * EXAMPLE_HOUR_MS).toISOString(),
      ...(n === 23 ? { completed: 41, failed: 1, canceled: 0 } : QUIET),
    })),
    complete: true,
  },
  detection: { videos: 42, seconds: { p50: 0.9, p95: 3.1 } },
  deliveries: { delivered: 83, failed: 0, pending: 1, held: 0, complete: true },
  troubles: [
    {
      type: 'video_failed',
      at: '2026-11-20T12:00:12.000Z',
      standing: false,
      client: null,
      backend: 'main',
      video_id: QUEUED.id,
      delivery_id: null,
      endpoint_id: null,
      rule: null,
      code: 'backend_failed',
      message: 'the backend could not make it',
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

const HOUR_MS = 3_600_000

/** The start of the first of 24 hours of which this is in the last. */
const firstHourMs = (nowMs: number): number => (Math.floor(nowMs / HOUR_MS) - HOURS + 1) * HOUR_MS

type Counts = Record<TerminalStatus, number>
const NONE: Counts = { completed: 0, failed: 0, canceled: 0 }

const hoursOf = ({ hours }: Overview['ended'], sinceMs: number): (Counts & { from: string })[] => {
  const rows = Array.from({ length: HOURS }, (_, n) => ({ from: iso(sinceMs + n * HOUR_MS), ...NONE }))
  for (const { hour, status, videos } of hours) {
    const row = rows[hour - sinceMs / HOUR_MS]
    if (row) row[status] += videos
  }
  return rows
}

const percentile = (ascending: readonly number[], part: number): number =>
  (ascending[Math.max(0, Math.ceil(ascending.length * part) - 1)] ?? 0) / 1_000

interface Context {
  nowMs: number
  sinceMs: number
  client: string | null
  isOperator: boolean
  troubles: TroubleView[]
}

/** Pure. */
const overviewView = (
  { open, ended, lateMs, deliveries }: Overview,
  { nowMs, sinceMs, client, isOperator, troubles }: Context,
): OverviewView => {
  const hours = hoursOf(ended, sinceMs)
  const sum = (status: TerminalStatus): number => hours.reduce((all, hour) => all + hour[status], 0)
  const { isWhole: openIsWhole, doubtful, ...counts } = open
  const { isWhole: deliveriesAreWhole, ...delivered } = deliveries
  return {
    object: 'overview',
    at: iso(nowMs),
    client,
    videos: { ...counts, doubtful: isOperator ? doubtful : null, complete: openIsWhole },
    ended: {
      since: iso(sinceMs),
      completed: sum('completed'),
      failed: sum('failed'),
      canceled: sum('canceled'),
      hours,
      complete: ended.isWhole,
    },
    detection: {
      videos: lateMs.length,
      seconds: lateMs.length === 0 ? null : { p50: percentile(lateMs, 0.5), p95: percentile(lateMs, 0.95) },
    },
    deliveries: { ...delivered, complete: deliveriesAreWhole },
    troubles,
  }
}

interface Sources {
  overview: Overview
  backends: readonly BackendView[]
  /** Those that are stopped. */
  splits: readonly Pick<SplitState, 'key' | 'stopped'>[]
  /** What happened before is over. */
  sinceMs: number
  isOperator: boolean
}

const NOTHING = {
  client: null,
  backend: null,
  video_id: null,
  delivery_id: null,
  endpoint_id: null,
  rule: null,
  code: null,
  message: null,
}

type Dated = TroubleView & { at: string }

const latestFirst = (a: TroubleView, b: TroubleView): number => Date.parse(b.at ?? '') - Date.parse(a.at ?? '') || 0

const standing = ({ overview, backends, splits }: Sources): TroubleView[] => [
  ...backends
    .filter(({ health }) => health.status !== 'up')
    .map(({ name, health }): TroubleView => ({
      ...NOTHING,
      type: 'backend_unwell',
      at: health.since,
      standing: true,
      backend: name,
      code: health.reason,
      message: health.status,
    })),
  ...splits.map(({ key, stopped }): TroubleView => ({
    ...NOTHING,
    type: 'split_stopped',
    at: isoOrNull(stopped?.atMs ?? null),
    standing: true,
    rule: key,
  })),
  ...overview.doubtfulVideos.map(({ id, client, backend, doubtSinceMs }): TroubleView => ({
    ...NOTHING,
    type: 'create_in_doubt',
    at: isoOrNull(doubtSinceMs),
    standing: true,
    client,
    backend,
    video_id: id,
  })),
  ...overview.disabledEndpoints.map(({ id, client, description, reason, atMs }): TroubleView => ({
    ...NOTHING,
    type: 'endpoint_disabled',
    at: iso(atMs),
    standing: true,
    client,
    endpoint_id: id,
    code: reason,
    message: description,
  })),
]

const happened = ({ overview }: Sources): Dated[] => [
  ...overview.failedVideos.map(({ id, client, backend, error, endedAtMs }): Dated => ({
    ...NOTHING,
    type: 'video_failed',
    at: iso(endedAtMs ?? 0),
    standing: false,
    client,
    backend,
    video_id: id,
    code: error?.code ?? null,
    message: error?.message ?? null,
  })),
  ...overview.failedDeliveries.map(({ id, client, videoId, endpointId, atMs, status, error }): Dated => ({
    ...NOTHING,
    type: 'delivery_failed',
    at: iso(atMs),
    standing: false,
    client,
    video_id: videoId,
    delivery_id: id,
    endpoint_id: endpointId,
    message: error ?? (status === null ? null : `HTTP ${status}`),
  })),
]

/** What lasts, and then what happened, each the latest first. Whose it is only operators see. Pure. */
const troublesOf = (sources: Sources): TroubleView[] => {
  const { sinceMs, isOperator } = sources
  const recent = happened(sources).filter(({ at }) => Date.parse(at) >= sinceMs)
  const all = [...standing(sources).toSorted(latestFirst), ...recent.toSorted(latestFirst)]
  return isOperator ? all : all.map((one) => ({ ...one, client: null }))
}

const AdminOverviewQuery = z.strictObject({ client: AdminVideosQuery.shape.client })

const TROUBLES_OF_A_KIND = 10
const TROUBLES_FOR_MS = 7 * 86_400_000

const stoppedSplits = async ({ routing: { splits } }: Ports) => {
  if (splits.stopped() === 0) return []
  const states = await Promise.all(splits.all().map(({ key }) => splits.stateOf(key)))
  return states.filter((state) => state.stopped !== null)
}

/** How everything goes: for a client of its own, for operators of one client or all. */
const overviewOf = async (ports: Ports, of: Whose, visible: Backends, isOperator: boolean): Promise<OverviewView> => {
  const { store, videos, clock } = ports
  const nowMs = onTheWall(clock, clock.now())
  const sinceMs = firstHourMs(nowMs)
  const client = of === 'all' ? null : of.client
  const [overview, backends, splits] = await Promise.all([
    store.overview({ client, sinceMs, limit: TROUBLES_OF_A_KIND }),
    Promise.all([...visible.values()].map((backend) => videos.describe(backend))),
    isOperator ? stoppedSplits(ports) : [],
  ])
  const troubles = troublesOf({
    overview: isOperator ? overview : { ...overview, doubtfulVideos: [] },
    backends,
    splits,
    sinceMs: nowMs - TROUBLES_FOR_MS,
    isOperator,
  })
  return overviewView(overview, { nowMs, sinceMs, client, isOperator, troubles })
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
  'Shows open videos, how videos ended in the last 24 hours, how late the gateway noticed, deliveries, and the latest problems. The cost of this request does not grow with the number of videos.'
const WHAT_OF_ONE =
  'Adds to `listBackends`: the rate-limit window, the circuit breaker, the queue, and how long jobs ran. It also shows when a new job would be polled. The gateway sends nothing to the backend.'

export const OVERVIEW_OPERATIONS = [
  operation('Backends', {
    id: 'getOverview',
    at: ['get', '/unified/v1/overview'],
    summary: 'Show the overall state',
    description: WHAT,
    scope: 'videos:read',
    answers: { 200: json('The state now.', 'Overview', OVERVIEW) },
    problems: [],
    handle: (ports, { client: { id, visible } }) => overviewOf(ports, { client: id }, visible, false),
  }),
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
      200: json('The state now.', 'Overview', {
        ...OVERVIEW,
        client: null,
        videos: { ...OVERVIEW.videos, doubtful: 0 },
        troubles: OVERVIEW.troubles.map((one) => ({ ...one, client: 'acme' })),
      }),
    },
    problems: [],
    handle: (ports, { query }) => overviewOf(ports, whose(query.client), ports.backends, true),
  }),
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
