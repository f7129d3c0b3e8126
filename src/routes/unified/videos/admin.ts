import type { Request, Response, Router } from 'express'
import { entryOf, type AuditEntry, type Deed } from '../../../core/access.ts'
import { fieldProblem } from '../../../core/errors.ts'
import type { Cursors } from '../../../core/api/signed.ts'
import { forOperator, type Videos } from '../../../engine/index.ts'
import type { NewId } from '../../../core/ids.ts'
import type { Store } from '../../../core/store/index.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { VideoRecord } from '../../../core/video.ts'
import { jsonBody, noBody, parseOr400, noQuery, parseQuery } from '../../parse.ts'
import { actorOf, needs } from '../../middleware/caller.ts'
import { onlyMethods, createRouter } from '../../middleware/problems.ts'
import { withMetadata, GetVideoQuery, ResolveBody, AdminVideosQuery } from '../input.ts'
import { listedVideos, videoOr404, timelineView, VIDEO_EVENTS } from './routes.ts'
import { IN_DOUBT, listOfOne, QUEUED } from '../../openapi/examples.ts'
import { json, operations, BACKEND_PROBLEMS, BODY_PROBLEMS } from '../../openapi/operation.ts'

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

export const ADMIN_VIDEO_OPERATIONS = operations('Administration', {
  listAdminVideos: {
    at: ['get', '/unified/v1/admin/videos'],
    summary: 'List the videos of all clients',
    description:
      'Lists the videos of all clients, or of one `client`, newest first. Each is as its owner sees it, plus `client` and `doubt`. The pages repeat no video and skip none. With `doubt` you get only creates in doubt.',
    scope: 'admin',
    query: AdminVideosQuery,
    answers: { 200: json('A page.', 'AdminVideoList', listOfOne(IN_DOUBT)) },
    problems: ['invalid_cursor'],
  },
  getAdminVideo: {
    at: ['get', '/unified/v1/admin/videos/{id}'],
    summary: 'Read a video of any client, and its doubt',
    description:
      'Shows what you need before you end a doubt: the attempt in doubt, and the jobs that it may have made.',
    scope: 'admin',
    query: GetVideoQuery,
    answers: { 200: json('The video.', 'AdminVideoWithTimeline', IN_DOUBT) },
    problems: ['video_not_found'],
  },
  streamAdminVideoEvents: {
    at: ['get', '/unified/v1/admin/videos/{id}/events'],
    summary: 'Follow a video of any client',
    description: 'Works like streamVideoEvents, for a video of any client. It counts towards your own limits.',
    scope: 'admin',
    requestHeaders: ['Last-Event-ID'],
    answers: VIDEO_EVENTS,
    problems: ['video_not_found'],
  },
  cancelAdminVideo: {
    at: ['post', '/unified/v1/admin/videos/{id}/cancel'],
    summary: 'Cancel a waiting video of any client',
    description:
      'Works like cancelVideo: only while the video waits in the gateway, before anything is paid. The audit log records it.',
    scope: 'admin',
    answers: {
      200: json('The video is canceled.', 'AdminVideo', {
        ...QUEUED,
        status: 'canceled',
        backend_job_id: null,
        completed_at: QUEUED.created_at,
        client: 'acme',
        doubt: null,
      }),
    },
    problems: ['video_not_found', 'video_not_cancelable'],
  },
  resolveVideo: {
    at: ['post', '/unified/v1/admin/videos/{id}/resolve'],
    summary: 'End a doubt manually',
    description:
      'Use this when you know what a create in doubt did. Give `job_id` if it made that job. Give `absent` if it made none: the gateway then sends the create again. `absent` is about one attempt, `doubt.attempt` of the video. The gateway refuses it for an attempt that is over.\n\nA video that failed with `create_outcome_unknown` stays failed, and nothing is sent again. With `job_id`, the job becomes a new video of the same client, which `replaces` the failed one. The answer is that new video. If you repeat the same `job_id`, you get the same answer. Another `job_id`, or `absent`, then gets 409 `video_replaced`.',
    scope: 'admin',
    body: {
      name: 'ResolveVideo',
      examples: {
        job: { summary: 'The create made this job', value: { job_id: 'clip_7Hq2' } },
        absent: { summary: 'The create made no job', value: { absent: true, attempt: 1 } },
      },
    },
    onSandbox: { status: 400, why: 'no create is in doubt there' },
    answers: {
      200: json(
        'The video that has the job, or waits to be sent again. If the create was given up and made no job, the failed video.',
        'AdminVideo',
        {
          ...QUEUED,
          client: 'acme',
          doubt: null,
        },
      ),
    },
    problems: [...BODY_PROBLEMS, ...BACKEND_PROBLEMS, 'video_not_found', 'video_replaced'],
  },
})
