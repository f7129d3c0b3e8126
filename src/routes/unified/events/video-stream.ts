import type { Request, RequestHandler, Response, Router } from 'express'
import type { VideoView } from '../../../core/api/videos.ts'
import type { LinkSignatures } from '../../../core/api/signed.ts'
import type { VideoRecord } from '../../../core/video.ts'
import type { VideoNews, Videos } from '../../../engine/index.ts'
import type { Client, Clients } from '../../clients.ts'
import { noBodyOfReads } from '../../middleware/body.ts'
import { admitAs, callerOf } from '../../middleware/locals.ts'
import { parseQuery } from '../../parse.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { createRouter } from '../../router.ts'
import { acceptsEvents, type Frame, type Streams } from '../../sse.ts'
import { StreamVideoQuery } from '../queries.ts'
import { unknownVideo, videoOr404 } from '../videos/routes.ts'

/** What the reader says that it has; a browser says nothing where it has nothing. */
export const lastEventId = (req: Request): string | null => req.get('last-event-id') || null

/** A state says it all again, so an id that is no version is as good as none. */
const knownVersion = (req: Request): number | null => {
  const id = lastEventId(req)
  return id !== null && /^\d{1,9}$/.test(id) ? Number(id) : null
}

const newsFrame =
  (shown: (view: VideoView) => object) =>
  ({ type, version, view }: VideoNews): Frame => ({
    id: String(version),
    event: type,
    data: JSON.stringify(shown(view)),
  })

export async function* mapped<T>(source: AsyncIterable<T>, frameOf: (item: T) => Frame): AsyncGenerator<Frame> {
  for await (const item of source) yield frameOf(item)
}

interface Followed {
  videos: Videos
  streams: Streams
  /** Whose limits count. */
  client: Client
  video: VideoRecord
  shown: (view: VideoView) => object
}

/** The stream of one video. */
export const followed = async (
  req: Request,
  res: Response,
  { videos, streams, client, video, shown }: Followed,
): Promise<void> => {
  const known = knownVersion(req)
  // The end was read, and there is nothing to come: to a browser this says not to come back.
  if (video.phase === 'ended' && known === video.version) return void res.status(204).end()
  await streams.answer(req, res, client, (signal) =>
    mapped(videos.followVideo(video.id, known, signal), newsFrame(shown)),
  )
}

interface LinkedStreamDeps {
  videos: Videos
  streams: Streams
  clients: Pick<Clients, 'byLink'>
  linkSignatures: Pick<LinkSignatures, 'events'>
  /** What comes behind a client that is known: its requests are counted, and are so many a minute. */
  limited: RequestHandler
}

/** What the client said itself is left out: it may hold what is nobody else's, and the link is in a page. */
const forPages = ({ input: _input, metadata: _metadata, webhook_url: _url, ...view }: VideoView): object => view

/**
 * `events_url`: with its own `sig` a stream needs no key, and counts as its owner's. A wrong one is the same 404 as an
 * unknown video. Requests without one go on.
 */
export const linkedStreamRoutes = ({ videos, streams, clients, linkSignatures, limited }: LinkedStreamDeps): Router => {
  const ifSigned: RequestHandler = (req, _res, next) => next(req.query['sig'] === undefined ? 'route' : undefined)

  const byOwner = async (req: Request<{ id: string }>, res: Response, next: () => void): Promise<void> => {
    const { id } = req.params
    const { sig = '' } = parseQuery(StreamVideoQuery, req)
    if (!linkSignatures.events.verify(id, sig)) throw unknownVideo(id)
    const owner = clients.byLink(videoOr404(id, await videos.byId(id)).client)
    if (!owner) throw unknownVideo(id)
    admitAs(res, owner)
    next()
  }

  const follow = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const video = videoOr404(req.params.id, await videos.byId(req.params.id))
    await followed(req, res, { videos, streams, client: callerOf(res), video, shown: forPages })
  }

  const router = createRouter()
  router
    .route('/videos/:id/events')
    // For all methods: express would answer OPTIONS by itself for a route that has some.
    .all(ifSigned)
    .get(byOwner, limited, noBodyOfReads, acceptsEvents, follow)
    .all(onlyMethods('GET', 'HEAD'))
  return router
}
