import { hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { VideoView } from '../../../core/api/videos.ts'
import { Problem } from '../../../core/errors.ts'
import type { Taken } from '../../../core/limits/rates.ts'
import { logFailure } from '../../../core/log.ts'
import type { Store } from '../../../core/store/index.ts'
import { type Soon, andThen, isoOrNull } from '../../../core/time/clock.ts'
import type { VideoRecord } from '../../../core/video.ts'
import { isTerminal } from '../../../core/vocabulary.ts'
import type { Deps } from '../../../deps.ts'
import type { Passing, ShownPart, Videos } from '../../../engine/index.ts'
import { type Client, may } from '../../clients.ts'
import { type Answering, ambiguityOf, differsByOrigin, everyHeader, unifiedHeaders } from '../../middleware/request.ts'

/** A read costs no request upstream, and a callback may end a video long before the gateway's own next poll. */
const AT_MOST_SECONDS = 10

/** When a caller that polls should poll again: with the gateway's own next poll, 1 to 10 seconds. */
export const retryAfterSeconds = (nextPollAtMs: number, nowMs: number): number =>
  Math.min(AT_MOST_SECONDS, Math.max(1, Math.ceil((nextPollAtMs - nowMs) / 1000) || 1))

/** Not a number if none is planned. */
export const nextPollMsOf = (view: VideoView): number => Date.parse(view.next_poll_at ?? '')

export const pace = (res: Response, view: VideoView, nowMs: number): void => {
  if (!isTerminal(view.status)) res.set('retry-after', String(retryAfterSeconds(nextPollMsOf(view), nowMs)))
}

export const unknownVideo = (id: string): Problem =>
  new Problem('video_not_found', `there is no video ${id.slice(0, 64)}`)

export const videoOr404 = (id: string, video: VideoRecord | null): VideoRecord => {
  if (!video) throw unknownVideo(id)
  return video
}

/** A cache of the client's own may keep a video, and asks each time whether it is still the same. */
export const OWN_AND_CHECKED = 'private, no-cache'

export const etagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 27)}"`

/** A video as `getVideo` answers it. */
interface Shown {
  body: string
  bytes: number
  etag: string
  isTerminal: boolean
  /** Not a number if no poll is planned. */
  nextPollAtMs: number
}

interface Kept extends Shown {
  client: string
  of: ShownPart
  passing: Passing
  /** When it was last known to be what the store has: null if others write there, too. */
  writeCount: number | null
}

/** Room for what clients read in turn: 4,000 videos and more. */
const KEPT_BYTES = 8 * 1024 * 1024
/** What is kept beside a body, about. */
const BESIDE_BYTES = 500

const partOf = ({ id, account, version, phase, dueAtMs, link }: VideoRecord): ShownPart => ({
  id,
  account,
  version,
  phase,
  dueAtMs,
  link,
})

const isSame = (a: Passing, b: Passing): boolean => a.isLinkShown === b.isLinkShown && a.nextPollAtMs === b.nextPollAtMs

interface ShownVideosDeps {
  videos: Pick<Videos, 'render' | 'passing'>
  store: Pick<Store, 'videoOf' | 'versionOf' | 'writeCount'>
}

/**
 * Bodies of videos, each made once for a version of its record, and again when a link has expired or another poll is
 * planned. The place of one that waits changes without a write of its own: it is made each time.
 */
export const createShownVideos = ({ videos, store }: ShownVideosDeps) => {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes + BESIDE_BYTES,
  })

  const made = async (video: VideoRecord, writeCount: number | null): Promise<Shown> => {
    const of = partOf(video)
    const passing = videos.passing(of)
    const view = await videos.render(video)
    const body = JSON.stringify(view)
    const shown: Shown = {
      body,
      bytes: Buffer.byteLength(body),
      etag: etagOf(body),
      isTerminal: isTerminal(view.status),
      nextPollAtMs: nextPollMsOf(view),
    }
    const isOfThen =
      passing.isLinkShown === (view.video_url !== null) && isoOrNull(passing.nextPollAtMs) === view.next_poll_at
    if (video.phase !== 'waiting' && isOfThen)
      kept.set(video.id, { ...shown, client: video.client, of, passing, writeCount })
    return shown
  }

  const isStill = (before: Kept): boolean => isSame(before.passing, videos.passing(before.of))

  const read = async (client: string, id: string, before: Kept | undefined): Promise<Shown | null> => {
    const writeCount = store.writeCount()
    if (before && (await store.versionOf(client, id)) === before.of.version && isStill(before)) {
      before.writeCount = writeCount
      return before
    }
    const video = await store.videoOf(client, id)
    return video && made(video, writeCount)
  }

  /**
   * The client's own video of this id, which is one of ours; null for an unknown one, and another client's. Immediately
   * if nothing has to be read.
   */
  return (client: string, id: string): Shown | null | Promise<Shown | null> => {
    const before = kept.get(id)
    const isUnchanged = before && before.writeCount !== null && before.writeCount === store.writeCount()
    if (isUnchanged && before.client === client && isStill(before)) return before
    return read(client, id, before)
  }
}

type ShortReadDeps = Pick<Deps, 'videos' | 'store' | 'clock' | 'log' | 'clients' | 'rates' | 'resources' | 'config'>

const ROUTE = '/unified/v1/videos/{id}'
const PATH = /^\/unified\/v1\/videos\/(vid_[0-9A-HJKMNP-TV-Z]{26})$/

/** By these the routes answer otherwise, or not at all. */
const isUnusual = (headers: IncomingHttpHeaders): boolean =>
  headers.prefer !== undefined ||
  headers.origin !== undefined ||
  headers['content-length'] !== undefined ||
  headers['transfer-encoding'] !== undefined

/** Names JSON or everything, and weighs nothing. */
const TAKES_JSON = /^(?:[^;]*,)?\s*(?:\*\/\*|application\/json)\s*(?:,[^;]*)?$/
/** The pattern's cost grows with the square of the length; what is longer goes the long way. */
const MAX_ACCEPT_LENGTH = 256
const ONE_ETAG = /^(?:W\/)?"[\w-]*"$/

/** What is asked here of an `ETag`, by the rules for which the routes have a library. */
const isConditionPlain = (headers: IncomingHttpHeaders): boolean => {
  const asked = headers['if-none-match']
  return asked === undefined || (ONE_ETAG.test(asked) && headers['cache-control'] === undefined)
}

const isAcceptPlain = ({ accept }: IncomingHttpHeaders): boolean =>
  accept === undefined || (accept.length <= MAX_ACCEPT_LENGTH && TAKES_JSON.test(accept))

/** The id, if this is a read of one video as nearly all are: without a query or a body. */
const plainlyAsked = (req: IncomingMessage): string | null => {
  const { headers, method } = req
  if (method !== 'GET' && method !== 'HEAD') return null
  const id = PATH.exec(req.url ?? '')?.[1]
  return id === undefined || isUnusual(headers) || ambiguityOf(req) !== null ? null : id
}

/**
 * The short way of `getVideo`, which clients repeat: past the routes, with the body of the last read where that is
 * still the same. It answers 200 and 304 only, as the routes would. All else it leaves to them (`instead`), and has
 * taken nothing by then, or says what in `res.locals`.
 */
export const createShortRead = (deps: ShortReadDeps) => {
  const { clock, log, clients, rates, resources, config } = deps
  const shownOf = createShownVideos(deps)
  const vary = differsByOrigin(config.server.cors.origins) ? ['Vary', 'Origin'] : []

  const clientOf = (authorization: string | undefined): Client | null => {
    const caller = clients.known(authorization)
    return caller && may(caller.client, 'videos:read') ? caller.client : null
  }

  const answer = (req: IncomingMessage, res: Answering, requestId: string, taken: Taken, shown: Shown): void => {
    const { body, bytes, etag, isTerminal, nextPollAtMs } = shown
    const head = [...everyHeader(requestId), ...vary, 'cache-control', OWN_AND_CHECKED]
    const limits = unifiedHeaders(taken, clock.now())
    for (const name in limits) head.push(name, limits[name] ?? '')
    if (!isTerminal) head.push('retry-after', String(retryAfterSeconds(nextPollAtMs, clock.wall())))
    head.push('etag', etag)
    const known = req.headers['if-none-match']
    if (known === etag || known === `W/${etag}`) return void res.writeHead(304, head).end()
    head.push('content-type', 'application/json; charset=utf-8', 'content-length', String(bytes))
    // Without a letter beyond ASCII, head and body are one string that is copied as it is.
    res.writeHead(200, head).end(body, bytes === body.length ? 'latin1' : 'utf8')
  }

  /** Whether it was answered: immediately, if the store need not be read and the rate is counted here. */
  const read = (
    req: IncomingMessage,
    res: Answering,
    requestId: string,
    { id, client }: { id: string; client: Client },
  ): Soon<boolean> => {
    const locals = (res.locals ??= {})
    locals.client = client
    locals.route = ROUTE
    return andThen(rates.take(client.id, client.limits.requestsPerMinute), (taken) => {
      // What is refused was not counted.
      if (!taken.ok) return false
      locals.taken = taken
      return andThen(shownOf(client.id, id), (shown) => {
        if (shown === null) return false
        resources.requests.count(client.id)
        answer(req, res, requestId, taken, shown)
        return true
      })
    })
  }

  const readOrNot = async (
    req: IncomingMessage,
    res: Answering,
    requestId: string,
    asked: { id: string; client: Client },
  ): Promise<boolean> => {
    // Whatever came together with the request is read first, as it is where the routes answer.
    await Promise.resolve()
    try {
      const isAnswered = read(req, res, requestId, asked)
      return isAnswered instanceof Promise ? await isAnswered : isAnswered
    } catch (err) {
      // The routes meet it again, and tell it.
      if (!(err instanceof Problem)) logFailure(log, { request_id: requestId, err }, 'the short way of a read failed')
      return false
    }
  }

  return (req: IncomingMessage, res: Answering, requestId: string, instead: () => void): void => {
    const id = plainlyAsked(req)
    const client = id === null ? null : clientOf(req.headers.authorization)
    // The key comes first: strangers choose what is in these headers.
    if (id === null || client === null || !isAcceptPlain(req.headers) || !isConditionPlain(req.headers))
      return instead()
    void readOrNot(req, res, requestId, { id, client }).then(
      (isAnswered) => isAnswered || (res.headersSent ? res.destroy() : instead()),
    )
  }
}
