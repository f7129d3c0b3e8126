import type { Request, RequestHandler, Response } from 'express'
import type { z } from 'zod'
import type { Cursors } from '../../core/api/signed.ts'
import type { VideoView } from '../../core/api/videos.ts'
import { Problem } from '../../core/errors.ts'
import type { AllEventsPage, LinePlaces, PlacedEvent } from '../../core/store/webhooks.ts'
import { iso, type Clock } from '../../core/time/clock.ts'
import type { EventRecord, VideoRecord } from '../../core/video.ts'
import type { VideoNews } from '../../engine/index.ts'
import type { Client } from '../clients.ts'
import { admitAs, callerOf, mount } from '../middleware/request.ts'
import { noBody, parseQuery } from '../parse.ts'
import { acceptsEvents, type Frame } from '../sse.ts'
import { StreamVideoQuery, type StreamEventsQuery } from './input.ts'
import type { Ports } from './operation.ts'
import { unknownVideo, videoOr404 } from './videos/read.ts'

/** What the reader says that it has; a browser says nothing where it has nothing. */
const lastEventId = (req: Request): string | null => req.get('last-event-id') || null

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

async function* mapped<T>(source: AsyncIterable<T>, frameOf: (item: T) => Frame): AsyncGenerator<Frame> {
  for await (const item of source) yield frameOf(item)
}

interface Followed {
  /** Whose limits count. */
  client: Client
  video: VideoRecord
  shown?: (view: VideoView) => object
}

/** The stream of one video. */
export const followed = async (
  { videos, streams }: Ports,
  req: Request,
  res: Response,
  { client, video, shown = (view) => view }: Followed,
): Promise<void> => {
  const known = knownVersion(req)
  // The end was read, and there is nothing to come: to a browser this says not to come back.
  if (video.phase === 'ended' && known === video.version) return void res.status(204).end()
  await streams.answer(req, res, client, (signal) =>
    mapped(videos.followVideo(video.id, known, signal), newsFrame(shown)),
  )
}

/** What the client said itself is left out: it may hold what is nobody else's, and the link is in a page. */
const forPages = ({ input: _input, metadata: _metadata, webhook_url: _url, ...view }: VideoView): object => view

/**
 * `events_url`: with its own `sig` a stream needs no key, and counts as its owner's. A wrong one is the same 404 as an
 * unknown video. Requests without one continue.
 */
export const linkedStreamRoutes = (ports: Ports, limited: RequestHandler): RequestHandler => {
  const { videos, clients, linkSignatures } = ports

  const byOwner: RequestHandler = async (req, res, next) => {
    const id = String(req.params['id'])
    const { sig = '' } = parseQuery(StreamVideoQuery, req)
    if (!linkSignatures.events.verify(id, sig)) throw unknownVideo(id)
    const owner = clients.byLink(videoOr404(id, await videos.byId(id)).client)
    if (!owner) throw unknownVideo(id)
    admitAs(res, owner)
    next()
  }

  const follow: RequestHandler = async (req, res) => {
    const id = String(req.params['id'])
    const video = videoOr404(id, await videos.byId(id))
    await followed(ports, req, res, { client: callerOf(res), video, shown: forPages })
  }

  return mount(
    [{ method: 'get', path: '/videos/{id}/events' }],
    '',
    () => [byOwner, limited, noBody, acceptsEvents, follow],
    (req) => req.query['sig'] !== undefined,
  )
}

async function* joined(first: readonly Frame[], rest: AsyncIterable<Frame>): AsyncGenerator<Frame> {
  yield* first
  yield* rest
}

/** Events behind the reader's id are gone. */
const gapFrame = (clock: Clock): Frame => ({
  id: null,
  event: 'stream.gap',
  data: JSON.stringify({ type: 'stream.gap', timestamp: iso(clock.now()), data: {} }),
})

/** What a `Last-Event-ID` says: `<event id>.<sealed place>`, or the sealed place only; null: it is none of these. */
const placeBehind = (cursors: Cursors, scope: string, id: string): string | null => {
  const dot = id.indexOf('.')
  return dot < 0 ? cursors.open(scope, id) : cursors.open(`${scope}\0${id.slice(0, dot)}`, id.slice(dot + 1))
}

/** Anyone who also has the event from a webhook knows it by its `webhook-id`. */
const idBehind = (cursors: Cursors, scope: string, eventId: string, place: string): string =>
  `${eventId}.${cursors.seal(`${scope}\0${eventId}`, place)}`

interface Followers {
  req: Request
  res: Response
  client: Client
  query: z.output<typeof StreamEventsQuery>
}

/** Events of a client as they come. No reader ever causes a request to a backend. */
export const streamOfClient = async (
  { videos, cursors, clock, streams }: Ports,
  { req, res, client, query }: Followers,
): Promise<void> => {
  const { types = null } = query
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
  // An id immediately: who comes back before the first event still misses none.
  const first: Frame[] = place < gone ? [gapFrame(clock)] : [{ id: id ?? cursors.seal(scope, String(place)) }]
  await streams.answer(req, res, client, (signal) =>
    joined(first, mapped(videos.followEvents(client.id, place, types, signal), eventFrame)),
  )
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

/** Whether events up to there were reported, or could be: not by a store that was put back from before. */
const isKnown = (places: LinePlaces, last: LinePlaces): boolean =>
  [...places].every(([line, { n, place }]) => {
    const end = last.get(line) ?? { n: 0, place: 0 }
    return n < end.n || (n === end.n && place <= end.place)
  })

/** The bytes that a webhook has, and whose they are. */
const dataOf = ({ client, body }: EventRecord): string => `{"client":${JSON.stringify(client)},${body.slice(1)}`

const placeOf = (cursors: Cursors, id: string, last: LinePlaces): Place => {
  const sealed = placeBehind(cursors, SCOPE, id)
  const place = sealed === null ? null : read(sealed)
  if (place && isKnown(place.places, last)) return place
  throw new Problem('invalid_cursor', 'this Last-Event-ID does not belong to this stream', { param: 'Last-Event-ID' })
}

/** Events of all clients as they come. */
export const streamOfAll = async (
  { videos, cursors, clock, streams }: Ports,
  { req, res, client, query }: Followers,
): Promise<void> => {
  const { types = null } = query
  const { last, goneAtMs } = await videos.eventSpanOfAll()
  const id = lastEventId(req)
  const { atMs, places } = id === null ? { atMs: clock.now(), places: last } : placeOf(cursors, id, last)
  const frameOf = ({ event, upTo }: AllEventsPage['events'][number]): Frame => ({
    id: idBehind(cursors, SCOPE, event.id, written({ atMs: event.atMs, places: upTo })),
    event: event.type,
    data: dataOf(event),
  })
  const isGap = id !== null && atMs < goneAtMs
  const first: Frame[] = isGap ? [gapFrame(clock)] : [{ id: id ?? cursors.seal(SCOPE, written({ atMs, places })) }]
  await streams.answer(req, res, client, (signal) =>
    joined(first, mapped(videos.followAll(places, types, signal), frameOf)),
  )
}
