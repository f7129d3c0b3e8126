import {
  BACKEND_PROBLEMS,
  BODY_PROBLEMS,
  type Example,
  IDEMPOTENCY_PROBLEMS,
  json,
  operations,
} from '../../openapi/operation.ts'
import { CHECK, COMPLETED, listOfOne, QUEUED } from '../../openapi/examples.ts'
import { ContentQuery, GetVideoQuery, ListVideosQuery, StreamVideoQuery } from '../queries.ts'

const paced = { 'Retry-After': 'sometimes', 'Preference-Applied': 'sometimes' } as const
const settled = { 'Preference-Applied': 'sometimes', 'Idempotency-Replayed': 'sometimes' } as const
const located = { Location: 'always', 'Retry-After': 'sometimes' } as const
const IMPORTED = { ...QUEUED, source: 'import' }

const CREATES: Readonly<Record<string, Example>> = {
  text: {
    summary: 'A picture speaks a text',
    value: {
      image_url: 'https://example.com/anna.png',
      text: 'Hello from Talkbridge.',
      voice_id: 'main:sandbox-en-us-ava',
      webhook_url: 'https://app.example/hooks/videos',
      metadata: { order: '1001' },
    },
  },
  puppet: {
    summary: 'A saved portrait speaks; its id names the backend',
    value: { puppet_id: 'alt:pup_ada', text: 'Hello from the other one.' },
  },
  audio: {
    summary: 'A picture speaks an audio file, here one of the sandbox',
    value: {
      image_url: 'https://example.com/anna.png',
      audio_url: 'http://127.0.0.1:4010/previews/sandbox-en-us-ava.wav',
    },
  },
}

/** Of the stream of one video, whoever reads it. */
export const VIDEO_EVENTS = {
  200: {
    description: 'Events, until the video has ended.',
    raw: {
      mediaType: 'text/event-stream',
      example: `retry: 3000\n\nid: 3\nevent: video.progress\ndata: {"id":"${QUEUED.id}","object":"video","status":"processing","progress":0.42}\n\n: heartbeat\n`,
    },
  },
  204: { description: 'You already have the last event. Do not reconnect.' },
} as const

export const VIDEO_OPERATIONS = operations('Videos', {
  createVideo: {
    at: ['post', '/unified/v1/videos'],
    summary: 'Make a video',
    description:
      'Give exactly one portrait: `image_url` or `puppet_id`. Give exactly one source: `text` (or its alias `script`), `audio_url` or `upload_id`. The backend is the one in `backend`, or the one that your ids belong to. Otherwise routing rules or the default decide.',
    scope: 'videos:create',
    requestHeaders: ['Idempotency-Key', 'Prefer'],
    body: { name: 'CreateVideo', examples: CREATES },
    answers: {
      200: json(
        'The video has ended. You waited for it with `Prefer`, or you repeated the `Idempotency-Key` of an ended video.',
        'Video',
        COMPLETED,
        {
          Location: 'always',
          ...settled,
        },
      ),
      202: json(
        'The gateway accepted the video. The answer is also 202 while nobody knows whether the backend received it.',
        'Video',
        QUEUED,
        {
          Location: 'always',
          'Retry-After': 'always',
          ...settled,
        },
      ),
    },
    problems: [
      ...BODY_PROBLEMS,
      ...BACKEND_PROBLEMS,
      ...IDEMPOTENCY_PROBLEMS,
      'invalid_image',
      'upload_not_found',
      'upload_not_finished',
      'voice_not_found',
      'puppet_not_found',
      'file_too_large',
      'capability_not_supported',
      'webhook_url_not_allowed',
      'audio_url_not_allowed',
      'audio_unreachable',
      'upload_check_unavailable',
      'queue_full',
    ],
  },
  checkVideo: {
    at: ['post', '/unified/v1/videos/check'],
    summary: 'Check a request without making a video',
    description:
      'Send the same body as to createVideo. The gateway sends nothing to a backend, and you pay nothing. For each of your backends the answer shows whether it can make the video, what would be lost, and the exact request, with secrets masked. The gateway looks up voices and portraits in the catalogue that it read last.',
    scope: 'videos:create',
    body: { name: 'CreateVideo', examples: CREATES },
    answers: { 200: json('What each backend would do with the request.', 'Check', CHECK) },
    problems: [...BODY_PROBLEMS, 'upload_not_found', 'webhook_url_not_allowed'],
  },
  importVideo: {
    at: ['post', '/unified/v1/videos/import'],
    summary: 'Import a job that was made without the gateway',
    description:
      'The job must belong to the same account of the backend. The gateway then polls and lists it, and sends its events, like any other video. If you import the same job again, you get the same video. The gateway refuses a job that may belong to a create in doubt.',
    scope: 'backends:import',
    body: {
      name: 'ImportVideo',
      examples: {
        job: {
          summary: 'A job of the backend main, here one that the sandbox starts with',
          value: { backend: 'main', backend_job_id: 'api_video_sample' },
        },
      },
    },
    answers: {
      200: json('The job was imported before. This is its video.', 'Video', IMPORTED, located),
      201: json('The job is now a video of yours.', 'Video', IMPORTED, located),
    },
    problems: [...BODY_PROBLEMS, ...BACKEND_PROBLEMS, 'video_not_found', 'import_in_doubt', 'webhook_url_not_allowed'],
  },
  listVideos: {
    at: ['get', '/unified/v1/videos'],
    summary: 'List your videos',
    description:
      "Lists your own videos from the gateway's records, newest first. The pages repeat no video and skip none.\n\nWith `origin=backend` and `backend`, you get the backend's own list instead. It has the jobs of everyone on that account, at most the newest 2,000. `Talkbridge-Warning` says when there are more. This needs the scope `backends:read_all` instead, and costs requests of the account. If the gateway cannot read a page yet, the answer is 503. Retry: the reading continues where it stopped.",
    scope: 'videos:read',
    query: ListVideosQuery,
    answers: {
      200: json('A page.', 'VideoListOfOrigin', listOfOne(COMPLETED), {
        'X-Cache': 'sometimes',
        'Talkbridge-Warning': 'sometimes',
      }),
    },
    problems: [...BACKEND_PROBLEMS, 'invalid_cursor', 'capability_not_supported'],
  },
  getVideo: {
    at: ['get', '/unified/v1/videos/{id}'],
    summary: 'Read a video',
    description: "The answer comes from the gateway's records. It never costs a request to the backend.",
    scope: 'videos:read',
    query: GetVideoQuery,
    requestHeaders: ['Prefer', 'If-None-Match'],
    answers: {
      200: json('As it is now.', 'VideoWithTimeline', COMPLETED, { ETag: 'always', ...paced }),
      304: { description: 'Nothing changed.', headers: { ETag: 'always', ...paced } },
    },
    problems: ['video_not_found'],
  },
  streamVideoEvents: {
    at: ['get', '/unified/v1/videos/{id}/events'],
    summary: 'Follow a video',
    description:
      "A stream of server-sent events. `data:` is the Video as a read answers it: as it is now, then again after every visible change. `event:` is the type of the change, and `id:` is the version of the video. With `Last-Event-ID` you get only what is newer. A comment every 15 seconds keeps the connection open. A slow reader gets only the latest state. The stream ends after the terminal event.\n\nThe `events_url` of the video needs no key, so you can give it to the `EventSource` of a browser. It counts towards the owner's limits, and its `data` lacks `input`, `metadata` and `webhook_url`.",
    scope: 'videos:read',
    signed: true,
    query: StreamVideoQuery,
    requestHeaders: ['Last-Event-ID'],
    answers: VIDEO_EVENTS,
    problems: ['video_not_found'],
  },
  cancelVideo: {
    at: ['post', '/unified/v1/videos/{id}/cancel'],
    summary: 'Cancel a waiting video',
    description: 'You can cancel a video only while it waits in the gateway, before anything is paid.',
    scope: 'videos:create',
    answers: {
      200: json('The video is canceled.', 'Video', {
        ...QUEUED,
        status: 'canceled',
        backend_job_id: null,
        completed_at: QUEUED.created_at,
      }),
    },
    problems: ['video_not_found', 'video_not_cancelable'],
  },
  getVideoDownload: {
    at: ['get', '/unified/v1/videos/{id}/download'],
    summary: 'Get a link to the video file',
    description:
      'Answers the known signed link while it is valid. After that the gateway gets a new one from the backend.',
    scope: 'videos:read',
    answers: {
      200: json('A link that works now.', 'Download', {
        download_url: COMPLETED.video_url,
        expires_at: COMPLETED.video_url_expires_at,
      }),
    },
    problems: [...BACKEND_PROBLEMS, 'video_not_found', 'video_not_completed'],
  },
  getVideoContent: {
    at: ['get', '/unified/v1/videos/{id}/content'],
    summary: 'Redirect to the video file',
    description: 'This is the link to keep (`content_url`). Its `sig` stands in for the key.',
    scope: 'videos:read',
    signed: true,
    query: ContentQuery,
    answers: { 302: { description: 'A redirect to a link that works now.', headers: { Location: 'always' } } },
    problems: [...BACKEND_PROBLEMS, 'video_not_found', 'video_not_completed'],
  },
})
