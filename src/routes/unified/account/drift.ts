import type { Request, Response, Router } from 'express'
import type { Cursors } from '../../../core/api/signed.ts'
import type { DriftView } from '../../../core/api/videos.ts'
import { Problem } from '../../../core/errors.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { PageQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { listPage, openPlace } from '../list-pages.ts'

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
