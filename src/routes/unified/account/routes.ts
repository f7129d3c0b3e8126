import type { Request, Response, Router } from 'express'
import type { UsageView } from '../../../core/api/videos.ts'
import type { Resources } from '../../../resources/index.ts'
import type { Videos } from '../../../engine/index.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { asCaller } from '../resources/puppets.ts'

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
