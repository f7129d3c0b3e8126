import type { Request, Response, Router } from 'express'
import type { Cursors } from '../../core/api/signed.ts'
import type { DriftView, UsageView } from '../../core/api/videos.ts'
import { Problem } from '../../core/errors.ts'
import { callerOf, needs } from '../middleware/caller.ts'
import { onlyMethods, createRouter } from '../middleware/problems.ts'
import { PageQuery, parseQuery, noQuery } from '../parse.ts'
import { listPage, openPlace } from './paging.ts'
import type { Resources } from '../../resources/index.ts'
import type { Videos } from '../../engine/index.ts'
import { asCaller } from './resources.ts'
import { BACKEND, DRIFT, listOfOne, USAGE } from '../openapi/examples.ts'
import { json, operations, BACKEND_PROBLEMS } from '../openapi/operation.ts'

const keyOf = ({ kind, operation, value }: DriftView): string => JSON.stringify([kind, operation, value])

/** What a backend sent that the gateway was never told of: nobody should learn from a stack trace that it changed. */
export const driftRoutes = ({ cursors }: { cursors: Cursors }): Router => {
  const drift = async (req: Request<{ name: string }>, res: Response): Promise<void> => {
    const { limit, cursor } = parseQuery(PageQuery, req)
    const { name } = req.params
    const { id, visible } = callerOf(res)
    const backend = visible.get(name)
    if (!backend) throw new Problem('backend_not_found', 'there is no backend with this name')
    const scope = JSON.stringify(['drift', id, name])
    const place = openPlace(cursors, scope, cursor)
    res.json(listPage(await backend.account.drift(), place, { cursors, scope, limit, keyOf }))
  }

  const router = createRouter()
  router.route('/backends/:name/drift').get(needs('videos:read'), drift).all(onlyMethods('GET', 'HEAD'))
  return router
}

/** What a client may know of its backends. */
export const accountRoutes = ({
  videos,
  resources,
}: {
  videos: Videos
  resources: Pick<Resources, 'usage'>
}): Router => {
  const backends = async (_req: Request, res: Response): Promise<void> => {
    const visible = [...callerOf(res).visible.values()]
    const data = await Promise.all(visible.map((backend) => videos.describe(backend)))
    res.json({ object: 'list', data, has_more: false, next_cursor: null })
  }

  const usage = async (_req: Request, res: Response): Promise<void> => {
    const { videosPerMonth, creditsPerMonth } = callerOf(res).limits
    const limits = { videos_per_month: videosPerMonth, credits_per_month: creditsPerMonth }
    const used = await resources.usage.view(asCaller(res))
    const view: UsageView = { ...used, client: { ...used.client, limits } }
    res.json(view)
  }

  const router = createRouter()
  router.route('/usage').get(needs('videos:read'), noQuery, usage).all(onlyMethods('GET', 'HEAD'))
  router.route('/backends').get(needs('videos:read'), noQuery, backends).all(onlyMethods('GET', 'HEAD'))
  return router
}

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
