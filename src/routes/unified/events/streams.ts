import type { Request, Response, Router } from 'express'
import { iso, type Clock } from '../../../core/time/clock.ts'
import type { Cursors } from '../../../core/api/signed.ts'
import { Problem } from '../../../core/errors.ts'
import type { PlacedEvent } from '../../../core/store/webhooks.ts'
import type { Videos } from '../../../engine/index.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { acceptsEvents, type Frame, type Streams } from '../../sse.ts'
import { StreamEventsQuery } from '../queries.ts'
import { followed, lastEventId, mapped } from './video-stream.ts'
import { videoOr404 } from '../videos/routes.ts'

interface StreamRoutesDeps {
  videos: Videos
  cursors: Cursors
  clock: Clock
  streams: Streams
}

export async function* joined(first: readonly Frame[], rest: AsyncIterable<Frame>): AsyncGenerator<Frame> {
  yield* first
  yield* rest
}

/** Events behind the reader's id are gone. */
export const gapFrame = (clock: Clock): Frame => ({
  id: null,
  event: 'stream.gap',
  data: JSON.stringify({ type: 'stream.gap', timestamp: iso(clock.now()), data: {} }),
})

/** What a `Last-Event-ID` says: `<event id>.<sealed place>`, or the sealed place alone; null: it is none of these. */
export const placeBehind = (cursors: Cursors, scope: string, id: string): string | null => {
  const dot = id.indexOf('.')
  return dot < 0 ? cursors.open(scope, id) : cursors.open(`${scope}\0${id.slice(0, dot)}`, id.slice(dot + 1))
}

/** Whoever also has the event from a webhook knows it by its `webhook-id`. */
export const idBehind = (cursors: Cursors, scope: string, eventId: string, place: string): string =>
  `${eventId}.${cursors.seal(`${scope}\0${eventId}`, place)}`

/** Changes as they come, as server-sent events. No reader ever causes a request to a backend. */
export const streamRoutes = ({ videos, cursors, clock, streams }: StreamRoutesDeps): Router => {
  const video = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const client = callerOf(res)
    const found = videoOr404(req.params.id, await videos.find(client, req.params.id))
    await followed(req, res, { videos, streams, client, video: found, shown: (view) => view })
  }

  const anyVideo = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const found = videoOr404(req.params.id, await videos.byId(req.params.id))
    await followed(req, res, { videos, streams, client: callerOf(res), video: found, shown: (view) => view })
  }

  const events = async (req: Request, res: Response): Promise<void> => {
    const { types = null } = parseQuery(StreamEventsQuery, req)
    const client = callerOf(res)
    const scope = `events\0${client.id}`
    const { last, gone } = await videos.eventSpan(client.id)
    const id = lastEventId(req)
    // NaN for an id that is none of this client's.
    const place = id === null ? last : Number(placeBehind(cursors, scope, id) ?? Number.NaN)
    if (!(place <= last)) {
      throw new Problem('invalid_cursor', 'this Last-Event-ID does not belong to one of your events', {
        param: 'Last-Event-ID',
      })
    }
    const eventFrame = ({ place: at, event }: PlacedEvent): Frame => ({
      id: idBehind(cursors, scope, event.id, String(at)),
      event: event.type,
      data: event.body,
    })
    // An id at once: who comes back before the first event still misses none.
    const first: Frame[] = place < gone ? [gapFrame(clock)] : [{ id: id ?? cursors.seal(scope, String(place)) }]
    await streams.answer(req, res, client, (signal) =>
      joined(first, mapped(videos.followEvents(client.id, place, types, signal), eventFrame)),
    )
  }

  const router = createRouter()
  router
    .route('/videos/:id/events')
    .get(needs('videos:read'), acceptsEvents, noQuery, video)
    .all(onlyMethods('GET', 'HEAD'))
  router
    .route('/admin/videos/:id/events')
    .get(needs('admin'), acceptsEvents, noQuery, anyVideo)
    .all(onlyMethods('GET', 'HEAD'))
  router.route('/events/stream').get(needs('webhooks:read'), acceptsEvents, events).all(onlyMethods('GET', 'HEAD'))
  return router
}
