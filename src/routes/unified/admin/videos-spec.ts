import { IN_DOUBT, listOfOne, QUEUED } from '../../openapi/examples.ts'
import { json, operations, BACKEND_PROBLEMS, BODY_PROBLEMS } from '../../openapi/operation.ts'
import { GetVideoQuery } from '../queries.ts'
import { VIDEO_EVENTS } from '../videos/spec.ts'
import { AdminVideosQuery } from './queries.ts'

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
