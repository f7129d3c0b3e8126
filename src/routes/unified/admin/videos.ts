import type { Request, Response, Router } from 'express'
import { entryOf, type AuditEntry, type Deed } from '../../../core/access.ts'
import { fieldProblem } from '../../../core/errors.ts'
import type { Cursors } from '../../../core/api/signed.ts'
import { forOperator, type Videos } from '../../../engine/index.ts'
import type { NewId } from '../../../core/ids.ts'
import type { Store } from '../../../core/store/index.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { VideoRecord } from '../../../core/video.ts'
import { jsonBody, noBody } from '../../middleware/body.ts'
import { actorOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { parseOr400, noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { withMetadata } from '../metadata-filter.ts'
import { GetVideoQuery, ResolveBody } from '../queries.ts'
import { listedVideos } from '../videos/listed.ts'
import { videoOr404 } from '../videos/routes.ts'
import { timelineView } from '../videos/timeline.ts'
import { AdminVideosQuery } from './queries.ts'

interface AdminVideoRoutesDeps {
  videos: Videos
  store: Pick<Store, 'list' | 'listOfAll' | 'withMetadata' | 'doubts'>
  cursors: Cursors
  newId: NewId
  clock: Clock
}

/** What an operator sees of and does to any client's videos; the command line talks to these. */
export const adminVideoRoutes = ({ videos, store, cursors, newId, clock }: AdminVideoRoutesDeps): Router => {
  const found = async (id: string) => videoOr404(id, await videos.byId(id))
  const shown = async (video: VideoRecord) => forOperator(video, await videos.render(video))

  const list = async (req: Request, res: Response): Promise<void> => {
    const { limit, cursor, ...filters } = parseQuery(AdminVideosQuery, withMetadata(req))
    const { doubt, ...narrower } = filters
    if (doubt !== undefined && Object.keys(narrower).length > 0)
      throw fieldProblem('invalid_request', 'doubt', 'doubt cannot be combined with other filters')
    const scope = JSON.stringify(['admin videos', filters])
    const client = filters.client ?? null
    res.json(
      await listedVideos({ videos, store, cursors }, { client, scope, limit, cursor, filters, view: forOperator }),
    )
  }

  const get = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const { expand } = parseQuery(GetVideoQuery, req)
    const video = await found(req.params.id)
    const view = await shown(video)
    res.json(expand ? { ...view, timeline: timelineView(await videos.timeline(video.id)) } : view)
  }

  const auditOf = (res: Response, deed: Deed): AuditEntry => entryOf(actorOf(res), newId('aud'), clock.now(), deed)

  const cancel = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const video = await found(req.params.id)
    const audit = auditOf(res, { action: 'video.cancel', subject: video.id, detail: { client: video.client } })
    res.json(await shown(await videos.cancel(video, audit)))
  }

  /** An operator's word on a create whose outcome nothing else can tell: it made that job, or none. */
  const resolve = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const body = parseOr400(ResolveBody, req.body)
    const video = await found(req.params.id)
    const detail = { ...body, client: video.client }
    const audit = auditOf(res, { action: 'video.resolve', subject: video.id, detail })
    const [jobId, attempt] = 'job_id' in body ? [body.job_id, video.attempt] : [null, body.attempt]
    const resolved = videos.resolve(video, jobId, attempt, audit)
    res.json(await shown(await resolved))
  }

  const router = createRouter()
  router.route('/admin/videos').get(needs('admin'), list).all(onlyMethods('GET', 'HEAD'))
  router.route('/admin/videos/:id').get(needs('admin'), get).all(onlyMethods('GET', 'HEAD'))
  router.route('/admin/videos/:id/resolve').post(needs('admin'), jsonBody, noQuery, resolve).all(onlyMethods('POST'))
  router.route('/admin/videos/:id/cancel').post(needs('admin'), noBody, noQuery, cancel).all(onlyMethods('POST'))
  return router
}
