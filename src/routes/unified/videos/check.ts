import type { Request, Response, Router } from 'express'
import type { Videos } from '../../../engine/index.ts'
import { jsonBody } from '../../middleware/body.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { postBesideIds } from '../../middleware/problems.ts'
import { noQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { readCreateVideo } from './input.ts'

/** What createVideo would do; sends nothing and costs nothing. */
export const checkRoutes = ({ videos }: { videos: Pick<Videos, 'check'> }): Router => {
  const check = async (req: Request, res: Response): Promise<void> => {
    const { id: client, visible, limits } = callerOf(res)
    res.json(await videos.check({ client, visible, limits }, readCreateVideo(req.body, visible)))
  }

  const router = createRouter()
  router.route('/videos/check').post(needs('videos:create'), jsonBody, noQuery, check).all(postBesideIds)
  return router
}
