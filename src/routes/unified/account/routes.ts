import type { Request, Response, Router } from 'express'
import type { Resources } from '../../../resources/index.ts'
import type { Videos } from '../../../engine/index.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { NoQuery } from '../queries.ts'

export interface AccountRoutesDeps {
  videos: Videos
  resources: Pick<Resources, 'usage'>
}

/** What a client may know of its backends. */
export const accountRoutes = ({ videos, resources }: AccountRoutesDeps): Router => {
  const backends = async (req: Request, res: Response): Promise<void> => {
    parseQuery(NoQuery, req)
    const visible = [...callerOf(res).visible.values()]
    const data = await Promise.all(visible.map((backend) => videos.describe(backend)))
    res.json({ object: 'list', data, has_more: false, next_cursor: null })
  }

  const usage = async (req: Request, res: Response): Promise<void> => {
    parseQuery(NoQuery, req)
    const { id, visible } = callerOf(res)
    res.json(await resources.usage({ client: id, visible }))
  }

  const router = createRouter()
  router.route('/usage').get(needs('videos:read'), usage).all(onlyMethods('GET', 'HEAD'))
  router.route('/backends').get(needs('videos:read'), backends).all(onlyMethods('GET', 'HEAD'))
  return router
}
