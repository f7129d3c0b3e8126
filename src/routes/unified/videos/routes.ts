import type { RequestHandler, Response } from 'express'
import type { z } from 'zod'
import type { ListedJob } from '../../../core/adapter.ts'
import type { BackendVideoView, List, VideoView } from '../../../core/api/videos.ts'
import { fieldProblem, Problem } from '../../../core/errors.ts'
import type { ListQuery } from '../../../core/store/videos.ts'
import { isoOrNull } from '../../../core/time/clock.ts'
import type { VideoRecord } from '../../../core/video.ts'
import { isTerminal } from '../../../core/vocabulary.ts'
import { knownBackend, namesUnder, noSingle, type Backend } from '../../../engine/index.ts'
import { creatorOf, demand, type Client } from '../../clients.ts'
import { callerOf, mount } from '../../middleware/request.ts'
import { CHECK, COMPLETED, listOfOne, QUEUED } from '../../openapi/examples.ts'
import { BACKEND_PROBLEMS, BODY_PROBLEMS, IDEMPOTENCY_PROBLEMS, json, type Example } from '../../openapi/operation.ts'
import { noBody, parseQuery, unknownBackend } from '../../parse.ts'
import { acceptsEvents } from '../../sse.ts'
import {
  across,
  ContentQuery,
  createRequest,
  GetVideoQuery,
  ListVideosQuery,
  metadataFaults,
  StreamVideoQuery,
  withMetadata,
  type AdminVideosQuery,
} from '../input.ts'
import {
  type Ports,
  type Whose,
  cutNote,
  listPage,
  listScope,
  openCursor,
  openPlace,
  operation,
  staleCursor,
  warn,
} from '../operation.ts'
import { followed } from '../streams.ts'
import { ownVideo, pace, paceOf, showVideo, unknownVideo, videoOr404, waited } from './read.ts'

/** So many videos are looked at in one call of cancelVideos. */
const CANCELED_AT_ONCE = 100

/** What a cursor says; one of an older version says no time. */
export const placeOf = (opened: string | null): ListQuery['before'] => {
  if (opened === null) return null
  const [createdAt = '', id] = opened.split(' ')
  if (id === undefined) throw staleCursor()
  return { createdAtMs: Number(createdAt), id }
}

/** A page of a client's videos, or of all. Throws `invalid_cursor`. */
export const pageOfVideos = async <V>(
  { videos, store, cursors, backends }: Ports,
  of: Whose,
  asked: Omit<z.output<typeof AdminVideosQuery>, 'client'>,
  [name, view]: [name: string, view: (video: VideoRecord, view: VideoView) => V],
): Promise<List<V>> => {
  const { limit, cursor, metadata, doubt } = asked
  const scope = listScope(name, of, asked)
  const query: ListQuery = {
    limit: limit + 1,
    before: placeOf(openCursor(cursors, scope, cursor)),
    status: asked.status ?? null,
    backends: asked.backend === undefined ? null : namesUnder(asked.backend, backends),
    createdAfterMs: asked.created_after ?? null,
    createdBeforeMs: asked.created_before ?? null,
  }
  const read = async () => {
    if (metadata) return store.withMetadata({ ...query, limit, client: of === 'all' ? null : of.client, metadata })
    const found = await (doubt
      ? store.doubts({ limit: query.limit, before: query.before, doubt })
      : of === 'all'
        ? store.listOfAll(query)
        : store.list(of.client, query))
    return { videos: found.slice(0, limit), next: found.length > limit ? (found[limit - 1] ?? null) : null }
  }
  const { videos: page, next } = await read()
  const views = await videos.renderAll(page)
  return {
    object: 'list',
    data: page.flatMap((video, n) => (views[n] ? [view(video, views[n])] : [])),
    has_more: next !== null,
    next_cursor: next && cursors.seal(scope, `${next.createdAtMs} ${next.id}`),
  }
}

type Query = z.output<typeof ListVideosQuery>

const fits =
  ({ status, created_after: after, created_before: before }: Query) =>
  ({ status: word, createdAtMs }: ListedJob): boolean =>
    (status === undefined || word === status) &&
    (after === undefined || (createdAtMs !== null && createdAtMs > after)) &&
    (before === undefined || (createdAtMs !== null && createdAtMs < before))

const viewOf = ({ name }: Backend, job: ListedJob, videoId: string | undefined): BackendVideoView => ({
  object: 'backend_video',
  backend: name,
  backend_job_id: job.jobId,
  status: job.status,
  puppet_id: job.puppetId === null ? null : `${name}:${job.puppetId}`,
  created_at: isoOrNull(job.createdAtMs),
  video_id: videoId ?? null,
})

const backendOr400 = ({ visible }: Client, name: string | undefined): Backend => {
  const backend = visible.get(name ?? '')
  if (backend) return backend
  const missing = 'origin=backend needs a backend: give the parameter backend'
  throw fieldProblem('invalid_request', 'backend', name === undefined ? missing : noSingle(name, visible))
}

/** `GET /videos?origin=backend`: what the backend itself knows, other people's videos on the account too. */
const pageOfJobs = async ({ videos, cursors }: Ports, res: Response, client: Client, query: Query) => {
  const { limit, cursor, ...filters } = query
  if (filters.metadata) {
    const message = 'metadata cannot be combined with origin=backend: backends have no metadata'
    throw new Problem('invalid_request', message, { param: 'metadata' })
  }
  const backend = backendOr400(client, query.backend)
  const scope = JSON.stringify(['backend videos', client.id, filters])
  const place = openPlace(cursors, scope, cursor)
  const { jobs, isCut, state } = await videos.jobsOf(backend, { goesOn: place !== null })
  const page = listPage(jobs.filter(fits(query)), place, { cursors, scope, limit, keyOf: ({ jobId }) => jobId })
  const jobIds = page.data.map(({ jobId }) => jobId)
  const own = await videos.videosOf(client.id, backend, jobIds)
  warn(res, isCut ? cutNote(backend.name) : null)
  res.set('x-cache', state)
  return { ...page, data: page.data.map((job) => viewOf(backend, job, own.get(job.jobId))) }
}

/**
 * The link to keep: with its own `sig` it needs no bearer. A wrong one is the same 404 as an unknown video, and so is
 * that of a client which is disabled or gone.
 */
export const contentRoutes = (
  { config, videos, clients, linkSignatures }: Ports,
  authenticate: RequestHandler,
): RequestHandler => {
  const bearerUnlessSigned: RequestHandler = (req, res, next) =>
    req.query['sig'] === undefined ? authenticate(req, res, next) : next()

  /** Throws `backend_error` for a link that a browser is not sent to on a backend's word only. */
  const safeLink = (link: string, { id, backend }: VideoRecord): string => {
    const { protocol, origin, username, password } = new URL(link)
    const own = config.backends[backend]
    const isSafe = protocol === 'https:' || (own !== undefined && origin === new URL(own.base_url).origin)
    if (isSafe && username === '' && password === '') return link
    const message =
      'the gateway does not redirect to the link of the backend: it is not https, or has a user name in it'
    throw new Problem('backend_error', message, { retryable: false, backend, videoId: id })
  }

  const content: RequestHandler = async (req, res) => {
    const id = String(req.params['id'])
    const { sig } = parseQuery(ContentQuery, req)
    if (sig === undefined) demand(callerOf(res), 'videos:read')
    else if (!linkSignatures.content.verify(id, sig)) throw unknownVideo(id)
    const found = sig === undefined ? await videos.find(callerOf(res), id) : await videos.byId(id)
    const video = videoOr404(id, found)
    if (clients.byId(video.client) === null) throw unknownVideo(id)
    const { url } = await videos.download(video)
    res.redirect(302, safeLink(url, video))
  }

  return mount([{ method: 'get', path: '/videos/{id}/content' }], '', () => [bearerUnlessSigned, noBody, content])
}

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

const CREATE_BODY = {
  name: 'CreateVideo' as const,
  examples: CREATES,
  across,
  later: ({ visible }: Client) => unknownBackend(visible),
}

/** Of the stream of one video, the one that reads it. */
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

export const VIDEO_OPERATIONS = [
  operation('Videos', {
    id: 'createVideo',
    at: ['post', '/unified/v1/videos'],
    summary: 'Make a video',
    description:
      'Give exactly one portrait: `image_url` or `puppet_id`. Give exactly one source: `text` (or its alias `script`), `audio_url` or `upload_id`. The backend is the one in `backend`, or the one that your ids belong to. Otherwise routing rules or the default decide.',
    scope: 'videos:create',
    requestHeaders: ['Idempotency-Key', 'Prefer'],
    body: CREATE_BODY,
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
    handle: async (ports, { req, res, client, key, body }) => {
      const { videos, clock } = ports
      const created = await videos.create(creatorOf(client), createRequest(body), key)
      const video = await waited(ports, req, res, created.video)
      if (created.replayed) res.set('idempotency-replayed', 'true')
      const view = await videos.render(video)
      pace(res, paceOf(view), clock.wall())
      res.status(isTerminal(view.status) ? 200 : 202).location(`/unified/v1/videos/${view.id}`)
      return view
    },
  }),
  operation('Videos', {
    id: 'checkVideo',
    at: ['post', '/unified/v1/videos/check'],
    summary: 'Check a request without making a video',
    description:
      'Send the same body as to createVideo. The gateway sends nothing to a backend, and you pay nothing. For each of your backends the answer shows whether it can make the video, what would be lost, and the exact request, with secrets masked. The gateway looks up voices and portraits in the catalogue that it read last.',
    scope: 'videos:create',
    body: CREATE_BODY,
    answers: { 200: json('What each backend would do with the request.', 'Check', CHECK) },
    problems: [...BODY_PROBLEMS, 'upload_not_found', 'webhook_url_not_allowed'],
    handle: ({ videos }, { client, body }) => videos.check(creatorOf(client), createRequest(body)),
  }),
  operation('Videos', {
    id: 'importVideo',
    at: ['post', '/unified/v1/videos/import'],
    summary: 'Import a job that was made without the gateway',
    description:
      'The job must belong to the same account of the backend. The gateway then polls and lists it, and sends its events, like any other video. If you import the same job again, you get the same video. The gateway refuses a job that may belong to a create in doubt.',
    scope: 'backends:import',
    body: {
      name: 'ImportVideo',
      across: metadataFaults,
      later: ({ visible }) => unknownBackend(visible),
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
    handle: async ({ videos, clock }, { res, client, body }) => {
      const request = {
        backend: body.backend,
        jobId: body.backend_job_id,
        webhookUrl: body.webhook_url ?? null,
        metadata: body.metadata ?? {},
      }
      const { video, isNew } = await videos.import(creatorOf(client), request)
      const view = await videos.render(video)
      pace(res, paceOf(view), clock.wall())
      res.status(isNew ? 201 : 200).location(`/unified/v1/videos/${view.id}`)
      return view
    },
  }),
  operation('Videos', {
    id: 'listVideos',
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
    rawQuery: withMetadata,
    // An account may hold other people's videos.
    scopeOf: (req) => (req.query['origin'] === 'backend' ? 'backends:read_all' : 'videos:read'),
    handle: (ports, { res, client, query: { origin, ...query } }) => {
      if (origin === 'backend') return pageOfJobs(ports, res, client, query)
      if (query.backend !== undefined) knownBackend(query.backend, client.visible)
      return pageOfVideos(ports, { client: client.id }, query, ['videos', (_, view) => view])
    },
  }),
  operation('Videos', {
    id: 'getVideo',
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
    handle: showVideo,
  }),
  operation('Videos', {
    id: 'streamVideoEvents',
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
    accepts: acceptsEvents,
    handle: async (ports, { req, res, client, id }) =>
      followed(ports, req, res, { client, video: await ownVideo(ports, client, id) }),
  }),
  operation('Videos', {
    id: 'cancelVideo',
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
    handle: async (ports, { client, id }) =>
      ports.videos.render(await ports.videos.cancel(await ownVideo(ports, client, id))),
  }),
  operation('Videos', {
    id: 'cancelVideos',
    at: ['post', '/unified/v1/videos/cancel'],
    summary: 'Cancel waiting videos by their metadata',
    description: `Cancels those of your videos that have this pair in their metadata and still wait in the gateway, newest first. One call looks at up to ${CANCELED_AT_ONCE} queued videos. Repeat it with \`next_cursor\` until \`has_more\` is false; it may cancel none and still have more.`,
    scope: 'videos:create',
    body: {
      name: 'CancelVideos',
      across: metadataFaults,
      examples: { batch: { summary: 'What waits of a batch', value: { metadata: { batch: 'june' } } } },
    },
    answers: {
      200: json('What was canceled.', 'Cancellation', {
        object: 'cancellation',
        canceled: 12,
        not_cancelable: 2,
        has_more: false,
        next_cursor: null,
      }),
    },
    problems: [...BODY_PROBLEMS, 'invalid_cursor'],
    handle: async ({ videos, store, cursors }, { client: { id: client }, body: { metadata, cursor } }) => {
      const [[key, value] = ['', '']] = Object.entries(metadata)
      const scope = JSON.stringify(['cancel videos', client, key, value])
      const before = placeOf(openCursor(cursors, scope, cursor ?? undefined))
      const all = { backends: null, createdAfterMs: null, createdBeforeMs: null }
      const query = { ...all, status: 'queued', limit: CANCELED_AT_ONCE, before, client } as const
      const { videos: queued, next } = await store.withMetadata({ ...query, metadata: { key, value } })
      const { canceled, notCancelable } = await videos.cancelAll(queued)
      return {
        object: 'cancellation',
        canceled,
        not_cancelable: notCancelable,
        has_more: next !== null,
        next_cursor: next && cursors.seal(scope, `${next.createdAtMs} ${next.id}`),
      }
    },
  }),
  operation('Videos', {
    id: 'deleteVideo',
    at: ['delete', '/unified/v1/videos/{id}'],
    summary: 'Delete what an ended video was made from',
    description:
      'You cannot undo this. Input, links, metadata, timeline, events and their deliveries are removed. What is left is the id, the client, the times and the credits, so that usage stays right and a repeated `Idempotency-Key` makes no second video. The file at the backend stays there.',
    scope: 'videos:create',
    answers: { 204: { description: 'It is deleted.' } },
    problems: ['video_not_found', 'video_not_deletable'],
    handle: async (ports, { client, id }) => ports.videos.erase(await ownVideo(ports, client, id)),
  }),
  operation('Videos', {
    id: 'getVideoDownload',
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
    handle: async (ports, { client, id }) => {
      const { url, expiresAtMs } = await ports.videos.download(await ownVideo(ports, client, id))
      return { download_url: url, expires_at: isoOrNull(expiresAtMs) }
    },
  }),
  operation('Videos', {
    id: 'getVideoContent',
    at: ['get', '/unified/v1/videos/{id}/content'],
    summary: 'Redirect to the video file',
    description: 'This is the link to keep (`content_url`). Its `sig` stands in for the key.',
    scope: 'videos:read',
    signed: true,
    query: ContentQuery,
    answers: { 302: { description: 'A redirect to a link that works now.', headers: { Location: 'always' } } },
    problems: [...BACKEND_PROBLEMS, 'video_not_found', 'video_not_completed'],
  }),
]
