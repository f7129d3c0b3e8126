import type { Request, Response, Router } from 'express'
import type { Cursors } from '../../../core/api/signed.ts'
import { Problem } from '../../../core/errors.ts'
import type { AllEventsPage, LinePlaces } from '../../../core/store/webhooks.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { EventRecord } from '../../../core/video.ts'
import type { Videos } from '../../../engine/index.ts'
import { callerOf, needs } from '../../middleware/locals.ts'
import { onlyMethods } from '../../middleware/problems.ts'
import { parseQuery } from '../../parse.ts'
import { createRouter } from '../../router.ts'
import { acceptsEvents, type Frame, type Streams } from '../../sse.ts'
import { gapFrame, idBehind, joined, placeBehind } from '../events/streams.ts'
import { lastEventId, mapped } from '../events/video-stream.ts'
import { StreamEventsQuery } from '../queries.ts'

interface AdminStreamDeps {
  videos: Pick<Videos, 'followAll' | 'eventSpanOfAll'>
  cursors: Cursors
  clock: Clock
  streams: Streams
}

/** Where a reader is, and of what time that is. */
interface Place {
  atMs: number
  places: LinePlaces
}

const SCOPE = 'all events'

/** Short: it is in every event. Accounts have no comma in their names. */
const written = ({ atMs, places }: Place): string =>
  [
    atMs.toString(36),
    ...[...places].map(([line, { n, place }]) => `${line}=${n.toString(36)}.${place.toString(36)}`),
  ].join(',')

/** Of what `written` made. */
const read = (text: string): Place => {
  const [at = '', ...lines] = text.split(',')
  const numberOf = (word: string | undefined): number => Number.parseInt(word ?? '0', 36)
  const places = lines.map((one) => {
    const [line = '', place = ''] = one.split('=')
    const [n, within] = place.split('.')
    return [line, { n: numberOf(n), place: numberOf(within) }] as const
  })
  return { atMs: numberOf(at), places: new Map(places) }
}

/** Whether events up to there were told, or could be: not by a store that was put back from before. */
const isKnown = (places: LinePlaces, last: LinePlaces): boolean =>
  [...places].every(([line, { n, place }]) => {
    const end = last.get(line) ?? { n: 0, place: 0 }
    return n < end.n || (n === end.n && place <= end.place)
  })

/** The bytes that a webhook has, and whose they are. */
const dataOf = ({ client, body }: EventRecord): string => `{"client":${JSON.stringify(client)},${body.slice(1)}`

/** What happens to the videos of all clients, as server-sent events. No reader ever causes a request to a backend. */
export const adminStreamRoutes = ({ videos, cursors, clock, streams }: AdminStreamDeps): Router => {
  const placeOf = (id: string, last: LinePlaces): Place => {
    const sealed = placeBehind(cursors, SCOPE, id)
    const place = sealed === null ? null : read(sealed)
    if (place && isKnown(place.places, last)) return place
    throw new Problem('invalid_cursor', 'this Last-Event-ID does not belong to this stream', { param: 'Last-Event-ID' })
  }

  const frameOf = ({ event, upTo }: AllEventsPage['events'][number]): Frame => ({
    id: idBehind(cursors, SCOPE, event.id, written({ atMs: event.atMs, places: upTo })),
    event: event.type,
    data: dataOf(event),
  })

  const follow = async (req: Request, res: Response): Promise<void> => {
    const { types = null } = parseQuery(StreamEventsQuery, req)
    const { last, goneAtMs } = await videos.eventSpanOfAll()
    const id = lastEventId(req)
    const { atMs, places } = id === null ? { atMs: clock.now(), places: last } : placeOf(id, last)
    const isGap = id !== null && atMs < goneAtMs
    const first: Frame[] = isGap ? [gapFrame(clock)] : [{ id: id ?? cursors.seal(SCOPE, written({ atMs, places })) }]
    await streams.answer(req, res, callerOf(res), (signal) =>
      joined(first, mapped(videos.followAll(places, types, signal), frameOf)),
    )
  }

  const router = createRouter()
  router.route('/admin/events/stream').get(needs('admin'), acceptsEvents, follow).all(onlyMethods('GET', 'HEAD'))
  return router
}
