import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Videos } from '../../videos/index.ts'
import { demand } from '../clients.ts'
import { noBody } from '../middleware/body.ts'
import { callerOf } from '../middleware/locals.ts'
import { onlyMethods } from '../middleware/problems.ts'
import { parseQuery } from '../parse.ts'
import { ContentQuery } from './queries.ts'
import { unknownVideo } from './videos.ts'

export interface ContentRoutesDeps {
  videos: Videos
  /** Whether `sig` is this video's own. */
  contentSignature: { verify(videoId: string, sig: string): boolean }
  authenticate: RequestHandler
}

/** The link to keep: with its own `sig` it needs no bearer, and a wrong one is the same 404 as an unknown video. */
export const contentRoutes = ({ videos, contentSignature, authenticate }: ContentRoutesDeps): Router => {
  const bearerUnlessSigned: RequestHandler = (req, res, next) =>
    req.query['sig'] === undefined ? authenticate(req, res, next) : next()

  const content = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const { id } = req.params
    const { sig } = parseQuery(ContentQuery, req)
    if (sig === undefined) demand(callerOf(res), 'videos:read')
    else if (!contentSignature.verify(id, sig)) throw unknownVideo(id)
    const video = sig === undefined ? await videos.get(callerOf(res).id, id) : await videos.byId(id)
    if (!video) throw unknownVideo(id)
    const { url } = await videos.download(video)
    res.set('cache-control', 'no-store')
    res.redirect(302, url)
  }

  const router = Router()
  router.route('/videos/:id/content').get(bearerUnlessSigned, noBody, content).all(onlyMethods('GET', 'HEAD'))
  return router
}
