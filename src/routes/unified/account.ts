import { Router, type Request, type Response } from 'express'
import { Problem } from '../../core/errors.ts'
import type { Resources } from '../../resources/index.ts'
import type { Videos } from '../../videos/index.ts'
import { callerOf, needs } from '../middleware/locals.ts'
import { onlyMethods } from '../middleware/problems.ts'
import { parseOr400 } from '../parse.ts'
import { NoQuery } from './queries.ts'

export interface AccountRoutesDeps {
  videos: Videos
  resources: Pick<Resources, 'usage'>
  /** Live secrets of a client, newest first. */
  secretsOf: (client: string) => Promise<readonly string[]>
}

/** What a client may know of its backends, and the secret that signs its `webhook_url` targets. */
export const accountRoutes = ({ videos, resources, secretsOf }: AccountRoutesDeps): Router => {
  const backends = async (req: Request, res: Response): Promise<void> => {
    parseOr400(NoQuery, req.query)
    const visible = [...callerOf(res).visible.values()]
    const data = await Promise.all(visible.map((backend) => videos.describe(backend)))
    res.json({ object: 'list', data, has_more: false, next_cursor: null })
  }

  const secret = async (req: Request, res: Response): Promise<void> => {
    parseOr400(NoQuery, req.query)
    const [newest] = await secretsOf(callerOf(res).id)
    if (newest === undefined) throw new Problem('internal_error', 'this client has no webhook secret')
    res.set('cache-control', 'no-store').json({ object: 'webhook_secret', secret: newest })
  }

  const usage = async (req: Request, res: Response): Promise<void> => {
    parseOr400(NoQuery, req.query)
    const { id, visible } = callerOf(res)
    res.json(await resources.usage({ client: id, visible }))
  }

  const router = Router()
  router.route('/usage').get(needs('videos:read'), usage).all(onlyMethods('GET', 'HEAD'))
  router.route('/backends').get(needs('videos:read'), backends).all(onlyMethods('GET', 'HEAD'))
  router.route('/webhook_secret').get(needs('webhooks:write'), secret).all(onlyMethods('GET', 'HEAD'))
  return router
}
