import {
  BACKEND_PROBLEMS,
  BODY_PROBLEMS,
  type Example,
  IDEMPOTENCY_PROBLEMS,
  json,
  operations,
} from '../../openapi/operation.ts'
import { CHECK, COMPLETED, listOfOne, QUEUED } from '../../openapi/examples.ts'
import { ContentQuery, GetVideoQuery, ListVideosQuery } from '../queries.ts'

const paced = { 'Retry-After': 'sometimes', 'Preference-Applied': 'sometimes' } as const
const settled = { 'Preference-Applied': 'sometimes', 'Idempotency-Replayed': 'sometimes' } as const
const located = { Location: 'always', 'Retry-After': 'sometimes' } as const
const IMPORTED = { ...QUEUED, source: 'import' }

const CREATES: Readonly<Record<string, Example>> = {
  text: {
    summary: 'A picture that says a text',
    value: {
      image_url: 'https://example.com/anna.png',
      text: 'Hello from Talkbridge.',
      voice_id: 'main:sandbox-en-us-ava',
      webhook_url: 'https://app.example/hooks/videos',
      metadata: { order: '1001' },
    },
  },
  puppet: {
    summary: 'A saved portrait; its id says which backend',
    value: { puppet_id: 'alt:pup_ada', text: 'Hello from the other one.' },
  },
  audio: {
    summary: "A picture that speaks a recording; here one of the sandbox's",
    value: {
      image_url: 'https://example.com/anna.png',
      audio_url: 'http://127.0.0.1:4010/previews/sandbox-en-us-ava.wav',
    },
  },
}

export const VIDEO_OPERATIONS = operations('Videos', {
  createVideo: {
    at: ['post', '/unified/v1/videos'],
    summary: 'Make a video',
    description:
      'Give exactly one portrait (`image_url` or `puppet_id`) and exactly one source (`text`, alias `script`; `audio_url`; or `upload_id`). A backend is pinned by `backend`, else implied by the ids that are used, else the default one.',
    scope: 'videos:create',
    requestHeaders: ['Idempotency-Key', 'Prefer'],
    body: { name: 'CreateVideo', examples: CREATES },
    answers: {
      200: json('It is terminal already: it was waited for, or the key replays a finished one.', 'Video', COMPLETED, {
        Location: 'always',
        ...settled,
      }),
      202: json('It is being made. Also where the outcome at the backend is not known yet.', 'Video', QUEUED, {
        Location: 'always',
        'Retry-After': 'always',
        ...settled,
      }),
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
    summary: 'Try out a create, for free',
    description:
      'Takes the body of createVideo, sends nothing and costs nothing: says for every backend of yours whether it could take the request, what would be lost, and the exact request that would be sent, its secrets masked. Whether a backend still has a voice or portrait is told by its catalogue as it was last read: nobody is asked.',
    scope: 'videos:create',
    body: { name: 'CreateVideo', examples: CREATES },
    answers: { 200: json('What each backend would make of it.', 'Check', CHECK) },
    problems: [...BODY_PROBLEMS, 'upload_not_found', 'webhook_url_not_allowed'],
  },
  importVideo: {
    at: ['post', '/unified/v1/videos/import'],
    summary: 'Adopt a job that was made elsewhere',
    description:
      'Of the same account. From then on it is polled, listed and announced like any other video. The job is the key: asked for again, the same video is answered as it is. A job that may be of a create whose outcome is not known yet is not given away.',
    scope: 'backends:import',
    body: {
      name: 'ImportVideo',
      examples: {
        job: {
          summary: 'A job of main; here the one that the sandbox begins with',
          value: { backend: 'main', backend_job_id: 'api_video_sample' },
        },
      },
    },
    answers: {
      200: json('It was known.', 'Video', IMPORTED, located),
      201: json('It is adopted.', 'Video', IMPORTED, located),
    },
    problems: [...BODY_PROBLEMS, ...BACKEND_PROBLEMS, 'video_not_found', 'import_in_doubt', 'webhook_url_not_allowed'],
  },
  listVideos: {
    at: ['get', '/unified/v1/videos'],
    summary: 'List your videos',
    description:
      "Newest first, from the gateway's own records, yours alone. No video twice and none skipped. With `origin=backend` and a `backend` that has a list of its own: what that one knows, of whomever on the account, each page behind the last job of the one before, the newest 2,000 of it (`Talkbridge-Warning` says when there are more); that needs the scope `backends:read_all` instead, and costs requests of the account: a page that cannot be had yet is 503, and the reading goes on where it stood.",
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
    description: "From the gateway's records: never costs a request to the backend.",
    scope: 'videos:read',
    query: GetVideoQuery,
    requestHeaders: ['Prefer', 'If-None-Match'],
    answers: {
      200: json('As it is now.', 'VideoWithTimeline', COMPLETED, { ETag: 'always', ...paced }),
      304: { description: 'As it was.', headers: { ETag: 'always', ...paced } },
    },
    problems: ['video_not_found'],
  },
  streamVideoEvents: {
    at: ['get', '/unified/v1/videos/{id}/events'],
    summary: 'Follow a video',
    description:
      'Server-sent events: the Video as a read answers it, at once and after every change that can be seen; `event:` is the type that a webhook would have, `id:` the version of the video. With `Last-Event-ID` only what is newer. A comment every 15 seconds keeps the line open; a slow reader gets the latest state only. Ends after the terminal event.',
    scope: 'videos:read',
    requestHeaders: ['Last-Event-ID'],
    answers: {
      200: {
        description: 'Events, until the video is terminal.',
        raw: {
          mediaType: 'text/event-stream',
          example: `retry: 3000\n\nid: 3\nevent: video.progress\ndata: {"id":"${QUEUED.id}","object":"video","status":"processing","progress":0.42}\n\n: heartbeat\n`,
        },
      },
      204: { description: 'You have its end: there is nothing to come back for.' },
    },
    problems: ['video_not_found'],
  },
  cancelVideo: {
    at: ['post', '/unified/v1/videos/{id}/cancel'],
    summary: 'Cancel a video that waits',
    description: 'Only while it waits in the gateway and nothing is paid.',
    scope: 'videos:create',
    answers: {
      200: json('It is canceled.', 'Video', {
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
    summary: 'Get a link to the file',
    description: 'The signed link that is known while it is valid, else a fresh one from the backend.',
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
    summary: 'Go to the file',
    description: 'The link to keep (`content_url`): with its own `sig` it needs no key.',
    scope: 'videos:read',
    signed: true,
    query: ContentQuery,
    answers: { 302: { description: 'To the link that works now.', headers: { Location: 'always' } } },
    problems: [...BACKEND_PROBLEMS, 'video_not_found', 'video_not_completed'],
  },
})
