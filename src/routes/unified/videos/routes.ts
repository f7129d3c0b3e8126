import type { Request, RequestHandler, Response, Router } from 'express'
import { isoOrNull, type Clock } from '../../../core/time/clock.ts'
import type { Cursors } from '../../../core/api/signed.ts'
import { noBackend, Problem } from '../../../core/errors.ts'
import type { VideoView } from '../../../core/api/videos.ts'
import type { Store } from '../../../core/store/index.ts'
import type { VideoRecord } from '../../../core/video.ts'
import { isTerminal } from '../../../core/vocabulary.ts'
import type { Videos } from '../../../engine/index.ts'
import { jsonBody, noBody } from '../../middleware/body.ts'
import { callerOf, keyEnds, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { idempotencyKey, NoQuery, noQuery, parseQuery, preferredWaitSeconds } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { createBackendVideos, type BackendVideosDeps } from './of-backend.ts'
import { readCreateVideo } from './input.ts'
import { pace } from './pace.ts'
import { withMetadata } from '../metadata-filter.ts'
import { listedVideos } from './listed.ts'
import { etagOf, OWN_AND_CHECKED } from './shown.ts'
import { timelineView } from './timeline.ts'
import { GetVideoQuery, ListVideosQuery } from '../queries.ts'

interface VideoRoutesDeps extends BackendVideosDeps {
  videos: Videos
  clock: Clock
  cursors: Cursors
  store: Pick<Store, 'list' | 'listOfAll' | 'withMetadata' | 'doubts'>
  stopping: Pick<AbortController, 'signal'>
}

export const unknownVideo = (id: string): Problem =>
  new Problem('video_not_found', `there is no video ${id.slice(0, 64)}`)

export const videoOr404 = (id: string, video: VideoRecord | null): VideoRecord => {
  if (!video) throw unknownVideo(id)
  return video
}

/** Aborts when the caller hangs up, its key ends or the process stops, so that nobody waits for nobody. */
const hangUp = (res: Response, stopping: AbortSignal): AbortSignal => {
  const controller = new AbortController()
  res.once('close', () => controller.abort())
  return AbortSignal.any([controller.signal, stopping, keyEnds(res)])
}

/** An account may hold other people's videos. */
const mayList: RequestHandler = (req, res, next) =>
  needs(req.query['origin'] === 'backend' ? 'backends:read_all' : 'videos:read')(req, res, next)

export const videoRoutes = (deps: VideoRoutesDeps): Router => {
  const { videos, clock, stopping } = deps
  const listBackendVideos = createBackendVideos(deps)

  const waited = async (req: Request, res: Response, video: VideoRecord): Promise<VideoRecord> => {
    const seconds = preferredWaitSeconds(req)
    if (seconds === null) return video
    res.set('preference-applied', `wait=${seconds}`)
    return (await videos.wait(video.id, seconds * 1000, hangUp(res, stopping.signal))) ?? video
  }

  const create = async (req: Request, res: Response): Promise<void> => {
    const client = callerOf(res)
    const key = idempotencyKey(req)
    parseQuery(NoQuery, req)
    const creator = { client: client.id, visible: client.visible, limits: client.limits }
    const created = await videos.create(creator, readCreateVideo(req.body, client.visible), key)
    const video = await waited(req, res, created.video)
    if (created.replayed) res.set('idempotency-replayed', 'true')
    const view = await videos.render(video)
    pace(res, view, clock.wall())
    res
      .status(isTerminal(view.status) ? 200 : 202)
      .location(`/unified/v1/videos/${view.id}`)
      .json(view)
  }

  const list = async (req: Request, res: Response): Promise<void> => {
    const query = parseQuery(ListVideosQuery, withMetadata(req))
    if (query.origin === 'backend') return listBackendVideos(res, query)
    const { limit, cursor, ...filters } = query
    const client = callerOf(res)
    if (filters.backend !== undefined && !client.visible.has(filters.backend)) {
      throw new Problem('invalid_request', noBackend(filters.backend, client.visible.keys()), { param: 'backend' })
    }
    const scope = JSON.stringify(['videos', client.id, filters])
    const view = (_: VideoRecord, shown: VideoView): VideoView => shown
    res.json(await listedVideos(deps, { client: client.id, scope, limit, cursor, filters, view }))
  }

  const ownVideo = async (res: Response, id: string): Promise<VideoRecord> =>
    videoOr404(id, await videos.find(callerOf(res), id))

  const get = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const { expand } = parseQuery(GetVideoQuery, req)
    const video = await waited(req, res, await ownVideo(res, req.params.id))
    const view: VideoView & { timeline?: unknown } = await videos.render(video)
    if (expand) view.timeline = timelineView(await videos.timeline(video.id))
    const body = JSON.stringify(view)
    pace(res, view, clock.wall())
    res.set('etag', etagOf(body))
    res.set('cache-control', OWN_AND_CHECKED)
    if (req.fresh) return void res.status(304).end()
    // The read that clients repeat: one string, so that head and body leave in one write.
    res.setHeader('content-type', 'application/json; charset=utf-8')
    // Told here: an answer to HEAD has no body to tell it by.
    res.setHeader('content-length', Buffer.byteLength(body))
    res.end(body)
  }

  const download = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const { url, expiresAtMs } = await videos.download(await ownVideo(res, req.params.id))
    res.json({ download_url: url, expires_at: isoOrNull(expiresAtMs) })
  }

  const cancel = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    res.json(await videos.render(await videos.cancel(await ownVideo(res, req.params.id))))
  }

  const router = createRouter()
  router
    .route('/videos')
    .post(needs('videos:create'), jsonBody, create)
    .get(mayList, list)
    .all(onlyMethods('GET', 'HEAD', 'POST'))
  router.route('/videos/:id').get(needs('videos:read'), get).all(onlyMethods('GET', 'HEAD'))
  router.route('/videos/:id/download').get(needs('videos:read'), noQuery, download).all(onlyMethods('GET', 'HEAD'))
  router.route('/videos/:id/cancel').post(needs('videos:create'), noBody, noQuery, cancel).all(onlyMethods('POST'))
  return router
}
