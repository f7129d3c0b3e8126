import type { BackendDetailView } from '../../core/api/admin.ts'
import type { BackendView, DriftView, PoolView, UsageView } from '../../core/api/videos.ts'
import { Problem, fieldProblem } from '../../core/errors.ts'
import { noSingle, type Backends } from '../../engine/index.ts'
import { actorOf } from '../middleware/request.ts'
import { BACKEND, DRIFT, QUEUED, USAGE, listOfOne } from '../openapi/examples.ts'
import { BACKEND_PROBLEMS, BODY_PROBLEMS, json } from '../openapi/operation.ts'
import { PageQuery } from '../parse.ts'
import { type Ports, listPage, openPlace, operation } from './operation.ts'
import { asCaller } from './resources.ts'

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
  const roomOf = ({ health, slots, budget, paused }: BackendView): number =>
    health.status === 'down' || paused?.creates
      ? 0
      : Math.max(0, Math.min((slots.limit ?? Infinity) - slots.used, budget.remaining))
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

const WHAT_OF_ONE =
  'Adds to `listBackends`: the rate-limit window, the circuit breaker, the queue, and how long jobs ran. It also shows when a new job would be polled. The gateway sends nothing to the backend.'

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
    id: 'getBackend',
    at: ['get', '/unified/v1/backends/{name}'],
    summary: 'Read a backend',
    description: WHAT_OF_ONE,
    scope: 'videos:read',
    answers: { 200: json('The state now.', 'BackendDetail', BACKEND_DETAIL) },
    problems: ['backend_not_found'],
    handle: ({ videos }, { client, id: name }) => videos.inspect(backendOr404(name, client.visible), client.id),
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

export const ADMIN_BACKEND_OPERATIONS = [
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
    description: '`getBackend` with the queue of all clients.',
    scope: 'admin',
    answers: { 200: json('The state now.', 'BackendDetail', BACKEND_DETAIL) },
    problems: ['backend_not_found'],
    handle: ({ videos, backends }, { id: name }) => videos.inspect(backendOr404(name, backends), null),
  }),
  operation('Administration', {
    id: 'pauseBackend',
    at: ['post', '/unified/v1/admin/backends/{name}/pause'],
    summary: 'Pause creates or polls of a backend',
    description:
      'In force on every process within two seconds, for all names of the account. It replaces an earlier pause. While creates are paused, new videos go to other backends, and a video that only this one can make waits (`backend_paused`). The time of a pause does not count for `engine.max_age` and `engine.resend_window`. Clients see the reason. For a pool, pause its members.',
    scope: 'admin',
    body: {
      name: 'PauseBackend',
      examples: {
        creates: {
          summary: 'Send it nothing new',
          value: { creates: true, polls: false, reason: 'Its videos have no sound' },
        },
      },
    },
    answers: {
      200: json('The backend, paused.', 'Backend', {
        ...BACKEND,
        paused: {
          creates: true,
          polls: false,
          until: null,
          reason: 'Its videos have no sound',
          by: 'acme',
          since: '2026-11-20T12:00:41.000Z',
        },
      }),
    },
    problems: [...BODY_PROBLEMS, 'backend_not_found'],
    handle: async ({ videos, backends, routing, clock }, { res, id: name, body }) => {
      const backend = backendOr404(name, backends)
      const { creates, polls, reason, until = null } = body
      if (!creates && !polls) throw fieldProblem('invalid_request', 'creates', 'pause creates, polls, or both')
      if (until !== null && until <= clock.now())
        throw fieldProblem('invalid_request', 'until', 'until must be in the future')
      await routing.pauses.pause(backend.account, name, { creates, polls, reason, untilMs: until }, actorOf(res))
      return videos.describe(backend)
    },
  }),
  operation('Administration', {
    id: 'resumeBackend',
    at: ['post', '/unified/v1/admin/backends/{name}/resume'],
    summary: 'End the pause of a backend',
    description: 'In force on every process within two seconds. If it is not paused, nothing changes.',
    scope: 'admin',
    answers: { 200: json('The backend, not paused.', 'Backend', BACKEND) },
    problems: ['backend_not_found'],
    handle: async ({ videos, backends, routing }, { res, id: name }) => {
      const backend = backendOr404(name, backends)
      await routing.pauses.resume(backend.account, name, actorOf(res))
      return videos.describe(backend)
    },
  }),
]
