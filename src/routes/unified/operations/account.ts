import { BACKEND, COMPLETED, DRIFT, listOfOne, QUEUED, USAGE } from '../../openapi/examples.ts'
import { BACKEND_PROBLEMS, BODY_PROBLEMS, type Operation } from '../../openapi/operation.ts'
import { DriftQuery, NoQuery, StreamEventsQuery } from '../queries.ts'

export const BACKEND_OPERATIONS: readonly Operation[] = [
  {
    id: 'listBackends',
    method: 'get',
    path: '/unified/v1/backends',
    tag: 'Backends',
    summary: 'List your backends',
    description: 'Health, capabilities, and what is left of budgets and slots.',
    scope: 'videos:read',
    query: NoQuery,
    answers: { 200: { description: 'All of them.', body: 'BackendList', example: listOfOne(BACKEND) } },
    problems: [],
  },
  {
    id: 'getDrift',
    method: 'get',
    path: '/unified/v1/backends/{name}/drift',
    tag: 'Backends',
    summary: 'What a backend says that its contract does not',
    description: 'Statuses, error codes and fields that the gateway met and does not know.',
    scope: 'videos:read',
    query: DriftQuery,
    answers: { 200: { description: 'A page.', body: 'DriftList', example: listOfOne(DRIFT) } },
    problems: ['backend_not_found', 'invalid_cursor'],
  },
  {
    id: 'getUsage',
    method: 'get',
    path: '/unified/v1/usage',
    tag: 'Backends',
    summary: 'Credits, slots and counts',
    description: 'What each backend has left, and what you did through the gateway this month.',
    scope: 'videos:read',
    query: NoQuery,
    answers: { 200: { description: 'As of now.', body: 'Usage', example: USAGE } },
    problems: [...BACKEND_PROBLEMS],
  },
]

export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  {
    id: 'getWebhookSecret',
    method: 'get',
    path: '/unified/v1/webhook_secret',
    tag: 'Webhooks',
    summary: 'Read your webhook secret',
    description: 'It signs the events that go to the `webhook_url` of a video (Standard Webhooks).',
    scope: 'webhooks:write',
    query: NoQuery,
    answers: {
      200: {
        description: 'The newest one.',
        body: 'WebhookSecret',
        example: { object: 'webhook_secret', secret: 'whsec_ZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXMhISEhISE=' },
      },
    },
    problems: [],
  },
  {
    id: 'streamEvents',
    method: 'get',
    path: '/unified/v1/events/stream',
    tag: 'Webhooks',
    summary: 'Follow all your videos',
    description:
      'Server-sent events: all that happens to your videos, webhook or not, in order; `data:` is the body that a webhook has, and `id:` begins with its `webhook-id` and a dot. From now on, or after `Last-Event-ID`, each event once. A comment every 15 seconds keeps the line open. Where events after that id are kept no more (`retention_days`), the first event is `stream.gap`, without an id, and the oldest that is kept comes next.',
    scope: 'webhooks:read',
    query: StreamEventsQuery,
    requestHeaders: ['Last-Event-ID'],
    answers: {
      200: {
        description: 'Events, until you hang up.',
        raw: {
          mediaType: 'text/event-stream',
          example: `retry: 3000\n\nid: evt_6f2c1d0b9a8e7f6a5b4c3d2e1f.q2h0xGkLrJmZ8w4Tz1VbN5sYc7dx\nevent: video.completed\ndata: {"type":"video.completed","timestamp":"2026-11-20T10:00:00.000Z","data":{"id":"${COMPLETED.id}","object":"video","status":"completed"}}\n\n: heartbeat\n`,
        },
      },
    },
    problems: ['invalid_cursor'],
  },
]

export const ADMIN_OPERATIONS: readonly Operation[] = [
  {
    id: 'resolveVideo',
    method: 'post',
    path: '/unified/v1/admin/videos/{id}/resolve',
    tag: 'Administration',
    summary: 'End a doubt by word of an operator',
    description:
      'A create whose outcome only the backend can tell: either it made that job, or there is none and the create is sent once more.',
    scope: 'admin',
    body: {
      name: 'ResolveVideo',
      examples: {
        job: { summary: 'It made a job', value: { job_id: 'clip_7Hq2' } },
        absent: { summary: 'There is none', value: { absent: true } },
      },
    },
    answers: { 200: { description: 'The video, out of doubt.', body: 'Video', example: QUEUED } },
    problems: [...BODY_PROBLEMS, ...BACKEND_PROBLEMS, 'video_not_found'],
  },
]
