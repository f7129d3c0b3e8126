import type { Request, Response, Router } from 'express'
import { iso } from '../../../core/time/clock.ts'
import { Problem } from '../../../core/errors.ts'
import type { VideoRecord } from '../../../core/video.ts'
import type { Videos } from '../../../engine/index.ts'
import { jsonBodyOf, idempotencyKey } from '../../parse.ts'
import { callerOf } from '../../middleware/caller.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import type { Frame } from '../frame.ts'
import { readCreate, readList } from './input.ts'
import { createdBody, detailBody, itemBody, statusesOf } from './views.ts'

/** The contract names no limit: room for the longest script, however it is escaped. */
const CREATE_BODY_BYTES = 262_144

type Id = Request<{ id: string }>

/** POST /v1/videos, GET /v1/videos, GET /v1/videos/:id and its download ("Endpoints"). */
export const alternateVideos = (
  router: Router,
  frame: Frame,
  { videos }: { videos: Pick<Videos, 'render' | 'page' | 'download'> },
): void => {
  /** The contract has no idempotency keys: a client that sends the usual header is understood all the same. */
  const create = async (req: Request, res: Response): Promise<void> => {
    const { script, puppet_id, voice_id, resolution, webhook_url, unknown } = readCreate(req.body)
    const { video } = await frame.create(res, {
      operation: 'POST /v1/videos',
      input: { text: script, puppet_id, voice_id: voice_id ?? null, resolution: resolution ?? null },
      webhookUrl: webhook_url ?? null,
      key: idempotencyKey(req),
      unknown,
    })
    res.status(201).json(createdBody(video))
  }

  const found = async (res: Response, id: string): Promise<VideoRecord> => {
    const video = await frame.find(res, id)
    if (video) return video
    throw new Problem('video_not_found', 'there is no such video of yours', { videoId: id })
  }

  const get = async (req: Id, res: Response): Promise<void> => {
    const video = await found(res, req.params.id)
    res.json(detailBody(video, frame.linkOf(video, await videos.render(video))))
  }

  const download = async (req: Id, res: Response): Promise<void> => {
    const video = await found(res, req.params.id)
    // A backend of this contract tells when a link expires only here.
    const { url, goodUntilMs } = await videos.download(video, { wantsExpiry: video.interface === 'alternate' })
    res.json({ download_url: url, expires_at: iso(goodUntilMs) })
  }

  const list = async (req: Request, res: Response): Promise<void> => {
    const { page, limit, status } = readList(req)
    const query = { statuses: status === undefined ? null : statusesOf(status), offset: (page - 1) * limit, limit }
    const { videos: data, total } = await videos.page(callerOf(res).id, query)
    const pagination = { page, limit, total, total_pages: Math.ceil(total / limit) }
    res.json({ data: data.map(itemBody), pagination })
  }

  const reads = frame.guarded('videos:read')
  const body = jsonBodyOf(CREATE_BODY_BYTES, ['application/json'])
  router
    .route('/videos')
    .get(reads, list)
    .post(frame.guarded('videos:create'), body, create)
    .all(onlyMethods('GET', 'HEAD', 'POST'))
  router.route('/videos/:id').get(reads, get).all(onlyMethods('GET', 'HEAD'))
  router.route('/videos/:id/download').get(reads, download).all(onlyMethods('GET', 'HEAD'))
}
