import type { Request, Response, Router } from 'express'
import { iso, type Clock } from '../../../core/time/clock.ts'
import type { Cursors } from '../../../core/api/cursor.ts'
import { Problem } from '../../../core/errors.ts'
import type { PlacedEvent } from '../../../core/store/events.ts'
import type { VideoNews, Videos } from '../../../engine/index.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { noQuery, parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { acceptsEvents, type Frame, type Streams } from '../../sse.ts'
import { StreamEventsQuery } from '../queries.ts'
import { videoOr404 } from '../videos/routes.ts'

interface StreamRoutesDeps {
  videos: Videos
  cursors: Cursors
  clock: Clock
  streams: Streams
}

/** What the reader says that it has; a browser says nothing where it has nothing. */
const lastEventId = (req: Request): string | null => req.get('last-event-id') || null

/** A state says it all again, so an id that is no version is as good as none. */
const knownVersion = (req: Request): number | null => {
  const id = lastEventId(req)
  return id !== null && /^\d{1,9}$/.test(id) ? Number(id) : null
}

const newsFrame = ({ type, version, view }: VideoNews): Frame => ({
  id: String(version),
  event: type,
  data: JSON.stringify(view),
})

async function* mapped<T>(source: AsyncIterable<T>, frameOf: (item: T) => Frame): AsyncGenerator<Frame> {
  for await (const item of source) yield frameOf(item)
}

async function* joined(first: readonly Frame[], rest: AsyncIterable<Frame>): AsyncGenerator<Frame> {
  yield* first
  yield* rest
}

/** Changes as they come, as server-sent events. No reader ever causes a request to a backend. */
export const streamRoutes = ({ videos, cursors, clock, streams }: StreamRoutesDeps): Router => {
  const video = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
    const client = callerOf(res)
    const found = videoOr404(req.params.id, await videos.find(client, req.params.id))
    const known = knownVersion(req)
    // The end was read, and there is nothing to come: to a browser this says not to come back.
    if (found.phase === 'ended' && known === found.version) return void res.status(204).end()
    await streams.answer(req, res, client, (signal) => mapped(videos.followVideo(found.id, known, signal), newsFrame))
  }

  /** NaN for an id that is none of this client's: `<event id>.<sealed place>`, or the sealed place alone. */
  const placeOf = (scope: string, id: string): number => {
    const dot = id.indexOf('.')
    const sealed = dot < 0 ? cursors.open(scope, id) : cursors.open(`${scope}\0${id.slice(0, dot)}`, id.slice(dot + 1))
    return Number(sealed ?? Number.NaN)
  }

  const events = async (req: Request, res: Response): Promise<void> => {
    const { types = null } = parseQuery(StreamEventsQuery, req)
    const client = callerOf(res)
    const scope = `events\0${client.id}`
    const { last, gone } = await videos.eventSpan(client.id)
    const id = lastEventId(req)
    const place = id === null ? last : placeOf(scope, id)
    if (!(place <= last)) {
      throw new Problem('invalid_cursor', 'this Last-Event-ID is not of one of your events', { param: 'Last-Event-ID' })
    }
    const eventFrame = ({ place: at, event }: PlacedEvent): Frame => ({
      // Whoever also has it from a webhook knows it by its `webhook-id`.
      id: `${event.id}.${cursors.seal(`${scope}\0${event.id}`, String(at))}`,
      event: event.type,
      data: event.body,
    })
    const gap: Frame = {
      id: null,
      event: 'stream.gap',
      data: JSON.stringify({ type: 'stream.gap', timestamp: iso(clock.now()), data: {} }),
    }
    // An id at once: who comes back before the first event still misses none.
    const first: Frame[] = place < gone ? [gap] : [{ id: id ?? cursors.seal(scope, String(place)) }]
    await streams.answer(req, res, client, (signal) =>
      joined(first, mapped(videos.followEvents(client.id, place, types, signal), eventFrame)),
    )
  }

  const router = createRouter()
  router
    .route('/videos/:id/events')
    .get(needs('videos:read'), acceptsEvents, noQuery, video)
    .all(onlyMethods('GET', 'HEAD'))
  router.route('/events/stream').get(needs('webhooks:read'), acceptsEvents, events).all(onlyMethods('GET', 'HEAD'))
  return router
}
