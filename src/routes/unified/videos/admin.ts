import type { Response } from 'express'
import { entryOf, type AuditEntry, type Deed } from '../../../core/access.ts'
import { unknownClient } from '../../../access/index.ts'
import { fieldProblem } from '../../../core/errors.ts'
import type { VideoRecord } from '../../../core/video.ts'
import { forOperator } from '../../../engine/index.ts'
import { actorOf } from '../../middleware/request.ts'
import { IN_DOUBT, listOfOne, QUEUED } from '../../openapi/examples.ts'
import { BACKEND_PROBLEMS, BODY_PROBLEMS, json } from '../../openapi/operation.ts'
import { acceptsEvents } from '../../sse.ts'
import { PageQuery } from '../../parse.ts'
import { AdminVideosQuery, GetVideoQuery, withMetadata } from '../input.ts'
import { openCursor, operation, whose, type Ports } from '../operation.ts'
import { followed } from '../streams.ts'
import { timelineView, videoOr404 } from './read.ts'
import { pageOfVideos, placeOf, VIDEO_EVENTS } from './routes.ts'

/** So many videos are looked at in one call of deleteClientData. */
const DELETED_AT_ONCE = 100
const PlaceQuery = PageQuery.pick({ cursor: true })

const anyVideo = async ({ videos }: Ports, id: string) => videoOr404(id, await videos.byId(id))

const shown = async ({ videos }: Ports, video: VideoRecord) => forOperator(video, await videos.render(video))

const auditOf = ({ newId, clock }: Ports, res: Response, deed: Deed): AuditEntry =>
  entryOf(actorOf(res), newId('aud'), clock.now(), deed)

/** What an operator sees of and does to any client's videos; the command line sends these requests. */
export const ADMIN_VIDEO_OPERATIONS = [
  operation('Administration', {
    id: 'listAdminVideos',
    at: ['get', '/unified/v1/admin/videos'],
    summary: 'List the videos of all clients',
    description:
      'Lists the videos of all clients, or of one `client`, newest first. Each is as its owner sees it, plus `client` and `doubt`. The pages repeat no video and skip none. With `doubt` you get only creates in doubt.',
    scope: 'admin',
    query: AdminVideosQuery,
    answers: { 200: json('A page.', 'AdminVideoList', listOfOne(IN_DOUBT)) },
    problems: ['invalid_cursor'],
    rawQuery: withMetadata,
    handle: (ports, { query: { client, ...query } }) => {
      const { limit: _limit, cursor: _cursor, doubt, ...narrower } = query
      if (doubt !== undefined && (client !== undefined || Object.keys(narrower).length > 0))
        throw fieldProblem('invalid_request', 'doubt', 'doubt cannot be combined with other filters')
      return pageOfVideos(ports, whose(client), query, ['admin videos', forOperator])
    },
  }),
  operation('Administration', {
    id: 'getAdminVideo',
    at: ['get', '/unified/v1/admin/videos/{id}'],
    summary: 'Read a video of any client, and its doubt',
    description:
      'Shows what you need before you end a doubt: the attempt in doubt, and the jobs that it may have made.',
    scope: 'admin',
    query: GetVideoQuery,
    answers: { 200: json('The video.', 'AdminVideoWithTimeline', IN_DOUBT) },
    problems: ['video_not_found'],
    handle: async (ports, { id, query: { expand } }) => {
      const video = await anyVideo(ports, id)
      const view = await shown(ports, video)
      return expand ? { ...view, timeline: timelineView(await ports.videos.timeline(video.id)) } : view
    },
  }),
  operation('Administration', {
    id: 'streamAdminVideoEvents',
    at: ['get', '/unified/v1/admin/videos/{id}/events'],
    summary: 'Follow a video of any client',
    description: 'Works like streamVideoEvents, for a video of any client. It counts towards your own limits.',
    scope: 'admin',
    requestHeaders: ['Last-Event-ID'],
    answers: VIDEO_EVENTS,
    problems: ['video_not_found'],
    accepts: acceptsEvents,
    handle: async (ports, { req, res, client, id }) =>
      followed(ports, req, res, { client, video: await anyVideo(ports, id) }),
  }),
  operation('Administration', {
    id: 'cancelAdminVideo',
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
    handle: async (ports, { res, id }) => {
      const video = await anyVideo(ports, id)
      const audit = auditOf(ports, res, {
        action: 'video.cancel',
        subject: video.id,
        detail: { client: video.client },
      })
      return shown(ports, await ports.videos.cancel(video, audit))
    },
  }),
  operation('Administration', {
    id: 'deleteClientData',
    at: ['delete', '/unified/v1/admin/clients/{id}/data'],
    summary: 'Delete what the ended videos of a client were made from',
    description: `Works like deleteVideo, for all videos of a client, newest first. One call looks at up to ${DELETED_AT_ONCE} videos. Repeat it with \`next_cursor\` until \`has_more\` is false. The client may be deleted already. The audit log records each call that deletes something.`,
    scope: 'admin',
    query: PlaceQuery,
    answers: {
      200: json('What was deleted.', 'Deletion', {
        object: 'deletion',
        deleted: 98,
        not_deletable: 2,
        has_more: false,
        next_cursor: null,
      }),
    },
    problems: ['client_not_found', 'invalid_cursor'],
    handle: async (ports, { res, id: client, query: { cursor } }) => {
      const { videos, store, cursors, clients } = ports
      const scope = JSON.stringify(['delete data', client])
      const before = placeOf(openCursor(cursors, scope, cursor))
      const all = { status: null, backends: null, createdAfterMs: null, createdBeforeMs: null }
      const found = await store.list(client, { ...all, limit: DELETED_AT_ONCE + 1, before })
      const isKnown = found.length > 0 || cursor !== undefined || clients.isConfigured(client)
      if (!isKnown && (await store.clientOf(client)) === null) throw unknownClient()
      const audit = auditOf(ports, res, { action: 'client.erase', subject: client, detail: {} })
      const { deleted, notDeletable } = await videos.eraseAll(found.slice(0, DELETED_AT_ONCE), audit)
      const next = found.length > DELETED_AT_ONCE ? found[DELETED_AT_ONCE - 1] : undefined
      return {
        object: 'deletion',
        deleted,
        not_deletable: notDeletable,
        has_more: next !== undefined,
        next_cursor: next ? cursors.seal(scope, `${next.createdAtMs} ${next.id}`) : null,
      }
    },
  }),
  operation('Administration', {
    id: 'resolveVideo',
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
    // An operator's word on a create whose outcome nothing else can tell: it made that job, or none.
    handle: async (ports, { res, id, body }) => {
      const video = await anyVideo(ports, id)
      const detail = { ...body, client: video.client }
      const audit = auditOf(ports, res, { action: 'video.resolve', subject: video.id, detail })
      const [jobId, attempt] = 'job_id' in body ? [body.job_id, video.attempt] : [null, body.attempt]
      return shown(ports, await ports.videos.resolve(video, jobId, attempt, audit))
    },
  }),
]
