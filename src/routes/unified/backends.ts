import type { DriftView, UsageView } from '../../core/api/videos.ts'
import { BACKEND, DRIFT, listOfOne, USAGE } from '../openapi/examples.ts'
import { BACKEND_PROBLEMS, json } from '../openapi/operation.ts'
import { PageQuery } from '../parse.ts'
import { operation } from './operation.ts'
import { backendOr404, listOfBackends } from './overview.ts'
import { listPage, openPlace } from './paging.ts'
import { asCaller } from './resources.ts'

const keyOf = ({ kind, operation, value }: DriftView): string => JSON.stringify([kind, operation, value])

export const BACKEND_OPERATIONS = [
  operation('Backends', {
    id: 'listBackends',
    at: ['get', '/unified/v1/backends'],
    summary: 'List your backends',
    description: 'Shows health, capabilities, and what is left of budgets and slots.',
    scope: 'videos:read',
    answers: { 200: json('All backends.', 'BackendList', listOfOne(BACKEND)) },
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
