import type { Request, Response, Router } from 'express'
import type { Videos } from '../../../engine/index.ts'
import { jsonBody } from '../../middleware/body.ts'
import { needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { parseOr400, noQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { ResolveBody } from '../queries.ts'
import { videoOr404 } from '../videos/routes.ts'

/** What an operator does to any client's videos, with the scope `admin`; the command line talks to these. */
export const adminRoutes = ({ videos }: { videos: Videos }): Router => {
  const shown = async (id: string) => videoOr404(id, await videos.byId(id))

  const get = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    res.json(await videos.renderForOperator(await shown(req.params.id)))
  }

  /** An operator's word on a create whose outcome nothing else can tell: it made that job, or none. */
  const resolve = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const body = parseOr400(ResolveBody, req.body)
    const video = await shown(req.params.id)
    const resolved = 'job_id' in body ? videos.resolve(video, body.job_id) : videos.resolve(video, null, body.attempt)
    res.json(await videos.renderForOperator(await resolved))
  }

  const router = createRouter()
  router.route('/admin/videos/:id').get(needs('admin'), noQuery, get).all(onlyMethods('GET'))
  router.route('/admin/videos/:id/resolve').post(needs('admin'), jsonBody, noQuery, resolve).all(onlyMethods('POST'))
  return router
}
