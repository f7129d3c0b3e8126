import { json, operations } from '../../openapi/operation.ts'
import { BACKEND, listOfOne } from '../../openapi/examples.ts'
import { BACKEND_DETAIL, OVERVIEW } from './examples.ts'
import { AdminOverviewQuery } from './routes.ts'

const WHAT =
  'Shows open videos, how videos ended in the last 24 hours, how late the gateway noticed, deliveries, and the latest problems. The cost of this request does not grow with the number of videos.'
const WHAT_OF_ONE =
  'Adds to `listBackends`: the rate-limit window, the circuit breaker, the queue, and how long jobs ran. It also shows when a new job would be polled. The gateway sends nothing to the backend.'

export const OVERVIEW_OPERATIONS = operations('Backends', {
  getOverview: {
    at: ['get', '/unified/v1/overview'],
    summary: 'Show the overall state',
    description: WHAT,
    scope: 'videos:read',
    answers: { 200: json('The state now.', 'Overview', OVERVIEW) },
    problems: [],
  },
  getBackend: {
    at: ['get', '/unified/v1/backends/{name}'],
    summary: 'Read a backend',
    description: WHAT_OF_ONE,
    scope: 'videos:read',
    answers: { 200: json('The state now.', 'BackendDetail', BACKEND_DETAIL) },
    problems: ['backend_not_found'],
  },
})

export const ADMIN_OVERVIEW_OPERATIONS = operations('Administration', {
  getAdminOverview: {
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
  },
  listAdminBackends: {
    at: ['get', '/unified/v1/admin/backends'],
    summary: 'List all backends',
    description: 'Shows each backend as its clients see it.',
    scope: 'admin',
    answers: { 200: json('All backends.', 'BackendList', listOfOne(BACKEND)) },
    problems: [],
  },
  getAdminBackend: {
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
  },
})
