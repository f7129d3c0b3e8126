import { BACKEND, DRIFT, listOfOne, USAGE } from '../../openapi/examples.ts'
import { json, operations, BACKEND_PROBLEMS } from '../../openapi/operation.ts'
import { PageQuery } from '../../parse.ts'

export const BACKEND_OPERATIONS = operations('Backends', {
  listBackends: {
    at: ['get', '/unified/v1/backends'],
    summary: 'List your backends',
    description: 'Shows health, capabilities, and what is left of budgets and slots.',
    scope: 'videos:read',
    answers: { 200: json('All backends.', 'BackendList', listOfOne(BACKEND)) },
    problems: [],
  },
  getDrift: {
    at: ['get', '/unified/v1/backends/{name}/drift'],
    summary: 'List what a backend sent outside its contract',
    description: 'Lists the statuses, error codes and fields that the backend sent and its contract does not have.',
    scope: 'videos:read',
    query: PageQuery,
    answers: { 200: json('A page.', 'DriftList', listOfOne(DRIFT)) },
    problems: ['backend_not_found', 'invalid_cursor'],
  },
  getUsage: {
    at: ['get', '/unified/v1/usage'],
    summary: 'Show credits, slots and usage',
    description: 'Shows what each backend has left, and what you used through the gateway this month.',
    scope: 'videos:read',
    answers: { 200: json('The state now.', 'Usage', USAGE) },
    problems: BACKEND_PROBLEMS,
  },
})
