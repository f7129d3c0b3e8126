import type { Request, Response, Router } from 'express'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { onTheWall } from '../../../core/time/clock.ts'
import { Problem } from '../../../core/errors.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { AdminVideosQuery } from '../admin/queries.ts'
import { troublesOf } from './troubles.ts'
import { firstHourMs, overviewView } from './view.ts'

export const AdminOverviewQuery = z.strictObject({ client: AdminVideosQuery.shape.client })

type OverviewRoutesDeps = Pick<Deps, 'store' | 'videos' | 'backends' | 'routing' | 'clock'>
type Backends = Deps['backends']

const TROUBLES_OF_A_KIND = 10
const TROUBLES_FOR_MS = 7 * 86_400_000

/** How everything goes, and how one backend does: of the caller, or for operators of all. */
export const overviewRoutes = ({ store, videos, backends, routing, clock }: OverviewRoutesDeps): Router => {
  const { splits } = routing

  const stopped = async () => {
    if (splits.stopped() === 0) return []
    const states = await Promise.all(splits.all().map(({ key }) => splits.stateOf(key)))
    return states.filter((state) => state.stopped !== null)
  }

  const answer = async (
    res: Response,
    client: string | null,
    visible: Backends,
    isOperator: boolean,
  ): Promise<void> => {
    const nowMs = onTheWall(clock, clock.now())
    const sinceMs = firstHourMs(nowMs)
    const [overview, described, stoppedSplits] = await Promise.all([
      store.overview({ client, sinceMs, limit: TROUBLES_OF_A_KIND }),
      Promise.all([...visible.values()].map((backend) => videos.describe(backend))),
      isOperator ? stopped() : [],
    ])
    const troubles = troublesOf({
      overview: isOperator ? overview : { ...overview, doubtfulVideos: [] },
      backends: described,
      splits: stoppedSplits,
      sinceMs: nowMs - TROUBLES_FOR_MS,
      isOperator,
    })
    res.json(overviewView(overview, { nowMs, sinceMs, client, isOperator, troubles }))
  }

  const own = async (_req: Request, res: Response): Promise<void> => {
    const { id, visible } = callerOf(res)
    await answer(res, id, visible, false)
  }
  const ofAll = async (req: Request, res: Response): Promise<void> => {
    const { client = null } = parseQuery(AdminOverviewQuery, req)
    await answer(res, client, backends, true)
  }

  const list = async (_req: Request, res: Response): Promise<void> => {
    const data = await Promise.all([...backends.values()].map((one) => videos.describe(one)))
    res.json({ object: 'list', data, has_more: false, next_cursor: null })
  }

  const backend = async (req: Request<{ name: string }>, res: Response, client: string | null, among: Backends) => {
    const found = among.get(req.params.name)
    if (!found) throw new Problem('backend_not_found', 'there is no backend with this name')
    res.json(await videos.inspect(found, client))
  }
  const ownBackend = async (req: Request<{ name: string }>, res: Response): Promise<void> => {
    const { id, visible } = callerOf(res)
    await backend(req, res, id, visible)
  }
  const anyBackend = (req: Request<{ name: string }>, res: Response): Promise<void> => backend(req, res, null, backends)

  const router = createRouter()
  const reads = onlyMethods('GET', 'HEAD')
  router.route('/overview').get(needs('videos:read'), noQuery, own).all(reads)
  router.route('/admin/overview').get(needs('admin'), ofAll).all(reads)
  router.route('/backends/:name').get(needs('videos:read'), noQuery, ownBackend).all(reads)
  router.route('/admin/backends').get(needs('admin'), noQuery, list).all(reads)
  router.route('/admin/backends/:name').get(needs('admin'), noQuery, anyBackend).all(reads)
  return router
}
