import { Router, type Request, type Response } from 'express'
import type { Videos } from '../../videos/index.ts'
import { jsonBody } from '../middleware/body.ts'
import { needs } from '../middleware/locals.ts'
import { onlyMethods } from '../middleware/problems.ts'
import { parseOr400, parseQuery } from '../parse.ts'
import { NoQuery, ResolveBody } from './queries.ts'
import { unknownVideo } from './videos.ts'

export interface AdminRoutesDeps {
  videos: Videos
}

/** What an operator does to any client's videos, with the scope `admin`; the command line talks to these. */
export const adminRoutes = ({ videos }: AdminRoutesDeps): Router => {
  /** An operator's word on a create whose outcome nothing else can tell: it made that job, or none. */
  const resolve = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    parseQuery(NoQuery, req)
    const body = parseOr400(ResolveBody, req.body)
    const video = await videos.byId(req.params.id)
    if (!video) throw unknownVideo(req.params.id)
    res.json(await videos.render(await videos.resolve(video, 'job_id' in body ? body.job_id : null)))
  }

  const router = Router()
  router.route('/admin/videos/:id/resolve').post(needs('admin'), jsonBody, resolve).all(onlyMethods('POST'))
  return router
}
