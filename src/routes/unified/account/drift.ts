import type { Request, Response, Router } from 'express'
import type { Snapshots } from '../../../catalog/snapshots.ts'
import { Problem } from '../../../core/errors.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { PageQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'

/** What a backend sent that the gateway was never told of: nobody should learn from a stack trace that it changed. */
export const driftRoutes = ({ snapshots }: { snapshots: Snapshots }): Router => {
  const drift = (req: Request<{ name: string }>, res: Response): void => {
    const { limit, cursor } = parseQuery(PageQuery, req)
    const { name } = req.params
    const { id, visible } = callerOf(res)
    const backend = visible.get(name)
    if (!backend) throw new Problem('backend_not_found', 'there is no backend of this name')
    const scope = JSON.stringify(['drift', id, name])
    const { page } =
      cursor === undefined
        ? snapshots.first(id, scope, { items: backend.account.drift(), note: null }, limit)
        : snapshots.next(id, scope, cursor, limit)
    res.json(page)
  }

  const router = createRouter()
  router.route('/backends/:name/drift').get(needs('videos:read'), drift).all(onlyMethods('GET', 'HEAD'))
  return router
}
