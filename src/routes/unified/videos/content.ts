import type { Request, RequestHandler, Response, Router } from 'express'
import { Problem } from '../../../core/errors.ts'
import type { VideoRecord } from '../../../core/video.ts'
import type { Videos } from '../../../engine/index.ts'
import { demand, type Clients } from '../../clients.ts'
import { noBody } from '../../middleware/body.ts'
import { callerOf } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { ContentQuery } from '../queries.ts'
import { unknownVideo, videoOr404 } from './routes.ts'

interface ContentRoutesDeps {
  config: { backends: Readonly<Record<string, { base_url: string }>> }
  videos: Videos
  clients: Pick<Clients, 'byId'>
  /** Whether `sig` is this video's own. */
  linkSignatures: { content: { verify(videoId: string, sig: string): boolean } }
  authenticate: RequestHandler
}

/**
 * The link to keep: with its own `sig` it needs no bearer. A wrong one is the same 404 as an unknown video, and so is that
 * of a client which is disabled or gone.
 */
export const contentRoutes = ({ config, videos, clients, linkSignatures, authenticate }: ContentRoutesDeps): Router => {
  const bearerUnlessSigned: RequestHandler = (req, res, next) =>
    req.query['sig'] === undefined ? authenticate(req, res, next) : next()

  /** Throws `backend_error` for a link that a browser is not sent to on a backend's word alone. */
  const safeLink = (link: string, { id, backend }: VideoRecord): string => {
    const { protocol, origin, username, password } = new URL(link)
    const own = config.backends[backend]
    const isSafe = protocol === 'https:' || (own !== undefined && origin === new URL(own.base_url).origin)
    if (isSafe && username === '' && password === '') return link
    const message =
      'the gateway does not redirect to the link of the backend: it is not https, or has a user name in it'
    throw new Problem('backend_error', message, { retryable: false, backend, videoId: id })
  }

  const content = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const { id } = req.params
    const { sig } = parseQuery(ContentQuery, req)
    if (sig === undefined) demand(callerOf(res), 'videos:read')
    else if (!linkSignatures.content.verify(id, sig)) throw unknownVideo(id)
    const found = sig === undefined ? await videos.find(callerOf(res), id) : await videos.byId(id)
    const video = videoOr404(id, found)
    if (clients.byId(video.client) === null) throw unknownVideo(id)
    const { url } = await videos.download(video)
    res.redirect(302, safeLink(url, video))
  }

  const router = createRouter()
  router.route('/videos/:id/content').get(bearerUnlessSigned, noBody, content).all(onlyMethods('GET', 'HEAD'))
  return router
}
