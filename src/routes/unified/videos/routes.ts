import type { z } from 'zod'
import type { TimelineEntryView, List, VideoView, BackendVideoView } from '../../../core/api/videos.ts'
import { iso, isoOrNull, type Clock } from '../../../core/time/clock.ts'
import type { TimelineEntry, VideoRecord, Doubt } from '../../../core/video.ts'
import { staleCursor, openCursor, cutNote, warn, listPage, openPlace } from '../paging.ts'
import type { Cursors } from '../../../core/api/signed.ts'
import type { Store } from '../../../core/store/index.ts'
import type { ListQuery } from '../../../core/store/videos.ts'
import { type Status, isTerminal } from '../../../core/vocabulary.ts'
import type { Videos, Backend } from '../../../engine/index.ts'
import {
  type MetadataWish,
  ListVideosQuery,
  readCreateVideo,
  withMetadata,
  GetVideoQuery,
  ContentQuery,
  ImportVideoBody,
  metadataFaults,
  StreamVideoQuery,
} from '../input.ts'
import type { Response, Request, RequestHandler, Router } from 'express'
import type { ListedJob } from '../../../core/adapter.ts'
import { fieldProblem, noBackend, Problem } from '../../../core/errors.ts'
import { callerOf, keyEnds, needs } from '../../middleware/caller.ts'
import {
  jsonBody,
  noBody,
  idempotencyKey,
  NoQuery,
  noQuery,
  parseQuery,
  preferredWaitSeconds,
  parseOr400,
  unknownBackend,
} from '../../parse.ts'
import { onlyMethods, createRouter, postBesideIds } from '../../middleware/problems.ts'
import { pace } from './pace.ts'
import { etagOf, OWN_AND_CHECKED } from './shown.ts'
import { demand, type Clients } from '../../clients.ts'
import {
  BACKEND_PROBLEMS,
  BODY_PROBLEMS,
  type Example,
  IDEMPOTENCY_PROBLEMS,
  json,
  operations,
} from '../../openapi/operation.ts'
import { CHECK, COMPLETED, listOfOne, QUEUED } from '../../openapi/examples.ts'

/** What happened to a video, as `expand=timeline` shows it. */
export const timelineView = (entries: readonly TimelineEntry[]): z.infer<typeof TimelineEntryView>[] =>
  entries.map((entry) => ({ ...entry, at: iso(entry.at) }))

/** What the cursor behind a video says. */
export const placeBehind = ({ createdAtMs, id }: Pick<VideoRecord, 'createdAtMs' | 'id'>): string =>
  `${createdAtMs} ${id}`

/** What a cursor says; one of an older version says no time. */
export const placeOf = (opened: string | null): { createdAtMs: number; id: string } | null => {
  if (opened === null) return null
  const [createdAt = '', id] = opened.split(' ')
  if (id === undefined) throw staleCursor()
  return { createdAtMs: Number(createdAt), id }
}

interface ListedDeps {
  videos: Pick<Videos, 'renderAll'>
  store: Pick<Store, 'list' | 'listOfAll' | 'withMetadata' | 'doubts'>
  cursors: Cursors
}

interface Wanted<V> {
  /** Null: of all. */
  client: string | null
  /** Names the list and its filters. */
  scope: string
  limit: number
  cursor?: string | undefined
  filters: {
    status?: Status | undefined
    backend?: string | undefined
    created_after?: number | undefined
    created_before?: number | undefined
    metadata?: MetadataWish | undefined
    /** Of all clients, without other filters. */
    doubt?: Doubt | undefined
  }
  view: (video: VideoRecord, view: VideoView) => V
}

/** A page of a client's videos, or of all. Throws `invalid_cursor`. */
export const listedVideos = async <V>(
  { videos, store, cursors }: ListedDeps,
  { client, scope, limit, cursor, filters, view }: Wanted<V>,
): Promise<List<V>> => {
  const query: ListQuery = {
    limit,
    before: placeOf(openCursor(cursors, scope, cursor)),
    status: filters.status ?? null,
    backend: filters.backend ?? null,
    createdAfterMs: filters.created_after ?? null,
    createdBeforeMs: filters.created_before ?? null,
  }
  const read = async () => {
    if (filters.metadata) return store.withMetadata({ ...query, client, metadata: filters.metadata })
    const one = { ...query, limit: limit + 1 }
    const found = await (filters.doubt
      ? store.doubts({ limit: one.limit, before: one.before, doubt: filters.doubt })
      : client === null
        ? store.listOfAll(one)
        : store.list(client, one))
    return { videos: found.slice(0, limit), next: found.length > limit ? (found[limit - 1] ?? null) : null }
  }
  const { videos: page, next } = await read()
  const views = await videos.renderAll(page)
  return {
    object: 'list',
    data: page.flatMap((video, n) => (views[n] ? [view(video, views[n])] : [])),
    has_more: next !== null,
    next_cursor: next && cursors.seal(scope, placeBehind(next)),
  }
}

interface BackendVideosDeps {
  videos: Pick<Videos, 'jobsOf' | 'videosOf'>
  cursors: Cursors
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

/** `GET /videos?origin=backend`: what the backend itself knows, other people's videos on the account too. */
const createBackendVideos = ({ videos, cursors }: BackendVideosDeps) => {
  const backendOf = (res: Response, name: string | undefined): Backend => {
    const { visible } = callerOf(res)
    const backend = visible.get(name ?? '')
    if (backend) return backend
    const missing = 'origin=backend needs a backend: give the parameter backend'
    throw fieldProblem('invalid_request', 'backend', name === undefined ? missing : noBackend(name, visible.keys()))
  }

  return async (res: Response, query: Query): Promise<void> => {
    const { limit, cursor, ...filters } = query
    if (filters.metadata)
      throw new Problem(
        'invalid_request',
        'metadata cannot be combined with origin=backend: backends have no metadata',
        { param: 'metadata' },
      )
    const { id: client } = callerOf(res)
    const backend = backendOf(res, query.backend)
    const scope = JSON.stringify(['backend videos', client, filters])
    const place = openPlace(cursors, scope, cursor)
    const { jobs, isCut, state } = await videos.jobsOf(backend, { goesOn: place !== null })
    const page = listPage(jobs.filter(fits(query)), place, { cursors, scope, limit, keyOf: ({ jobId }) => jobId })
    const jobIds = page.data.map(({ jobId }) => jobId)
    const own = await videos.videosOf(client, backend, jobIds)
    warn(res, isCut ? cutNote(backend.name) : null)
    res.set('x-cache', state).json({ ...page, data: page.data.map((job) => viewOf(backend, job, own.get(job.jobId))) })
  }
}

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

interface ContentRoutesDeps {
  config: { backends: Readonly<Record<string, { base_url: string }>> }
  videos: Videos
  clients: Pick<Clients, 'byId'>
  /** Whether `sig` is this video's own. */
  linkSignatures: { content: { verify(videoId: string, sig: string): boolean } }
  authenticate: RequestHandler
}

/**
 * The link to keep: with its own `sig` it needs no bearer. A wrong one is the same 404 as an unknown video, and so is that
 * of a client which is disabled or gone.
 */
export const contentRoutes = ({ config, videos, clients, linkSignatures, authenticate }: ContentRoutesDeps): Router => {
  const bearerUnlessSigned: RequestHandler = (req, res, next) =>
    req.query['sig'] === undefined ? authenticate(req, res, next) : next()

  /** Throws `backend_error` for a link that a browser is not sent to on a backend's word alone. */
  const safeLink = (link: string, { id, backend }: VideoRecord): string => {
    const { protocol, origin, username, password } = new URL(link)
    const own = config.backends[backend]
    const isSafe = protocol === 'https:' || (own !== undefined && origin === new URL(own.base_url).origin)
    if (isSafe && username === '' && password === '') return link
    const message =
      'the gateway does not redirect to the link of the backend: it is not https, or has a user name in it'
    throw new Problem('backend_error', message, { retryable: false, backend, videoId: id })
  }

  const content = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const { id } = req.params
    const { sig } = parseQuery(ContentQuery, req)
    if (sig === undefined) demand(callerOf(res), 'videos:read')
    else if (!linkSignatures.content.verify(id, sig)) throw unknownVideo(id)
    const found = sig === undefined ? await videos.find(callerOf(res), id) : await videos.byId(id)
    const video = videoOr404(id, found)
    if (clients.byId(video.client) === null) throw unknownVideo(id)
    const { url } = await videos.download(video)
    res.redirect(302, safeLink(url, video))
  }

  const router = createRouter()
  router.route('/videos/:id/content').get(bearerUnlessSigned, noBody, content).all(onlyMethods('GET', 'HEAD'))
  return router
}

/** What createVideo would do; sends nothing and costs nothing. */
export const checkRoutes = ({ videos }: { videos: Pick<Videos, 'check'> }): Router => {
  const check = async (req: Request, res: Response): Promise<void> => {
    const { id: client, visible, limits } = callerOf(res)
    res.json(await videos.check({ client, visible, limits }, readCreateVideo(req.body, visible)))
  }

  const router = createRouter()
  router.route('/videos/check').post(needs('videos:create'), jsonBody, noQuery, check).all(postBesideIds)
  return router
}

interface ImportRoutesDeps {
  videos: Pick<Videos, 'import' | 'render'>
  clock: Clock
}

/** Adopts a job that was made elsewhere: its id is the key, so that no other is needed. */
export const importRoutes = ({ videos, clock }: ImportRoutesDeps): Router => {
  const adopt = async (req: Request, res: Response): Promise<void> => {
    const { id: client, visible, limits } = callerOf(res)
    const body = parseOr400(ImportVideoBody, req.body, metadataFaults, unknownBackend(visible))
    const request = {
      backend: body.backend,
      jobId: body.backend_job_id,
      webhookUrl: body.webhook_url ?? null,
      metadata: body.metadata ?? {},
    }
    const { video, isNew } = await videos.import({ client, visible, limits }, request)
    const view = await videos.render(video)
    pace(res, view, clock.wall())
    res
      .status(isNew ? 201 : 200)
      .location(`/unified/v1/videos/${view.id}`)
      .json(view)
  }

  const router = createRouter()
  router.route('/videos/import').post(needs('backends:import'), jsonBody, noQuery, adopt).all(postBesideIds)
  return router
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
