import { hash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { z } from 'zod'
import { LRUCache } from 'lru-cache'
import type { TimelineEntryView, VideoView } from '../../../core/api/videos.ts'
import { Problem } from '../../../core/errors.ts'
import type { Store } from '../../../core/store/index.ts'
import { type Soon, iso, isoOrNull } from '../../../core/time/clock.ts'
import type { TimelineEntry, VideoRecord } from '../../../core/video.ts'
import { isTerminal } from '../../../core/vocabulary.ts'
import type { Deps } from '../../../deps.ts'
import type { Passing, ShownPart, Videos } from '../../../engine/index.ts'
import type { Client } from '../../clients.ts'
import { keyEnds } from '../../middleware/request.ts'
import { preferredWaitSeconds } from '../../parse.ts'

/** A read costs no request upstream, and a callback may end a video long before the gateway's own next poll. */
const AT_MOST_SECONDS = 10

/** When a caller that polls should poll again: with the gateway's own next poll, 1 to 10 seconds. */
export const retryAfterSeconds = (nextPollAtMs: number, nowMs: number): number =>
  Math.min(AT_MOST_SECONDS, Math.max(1, Math.ceil((nextPollAtMs - nowMs) / 1000) || 1))

/** A video as `getVideo` answers it. */
export interface Shown {
  body: string
  bytes: number
  etag: string
  isTerminal: boolean
  /** Not a number if no poll is planned. */
  nextPollAtMs: number
}

export const pace = (
  res: Response,
  { isTerminal, nextPollAtMs }: Pick<Shown, 'isTerminal' | 'nextPollAtMs'>,
  nowMs: number,
): void => {
  if (!isTerminal) res.setHeader('retry-after', retryAfterSeconds(nextPollAtMs, nowMs))
}

/** Of a view, what `pace` goes by. */
export const paceOf = (view: VideoView): Pick<Shown, 'isTerminal' | 'nextPollAtMs'> => ({
  isTerminal: isTerminal(view.status),
  nextPollAtMs: Date.parse(view.next_poll_at ?? ''),
})

export const unknownVideo = (id: string): Problem =>
  new Problem('video_not_found', `there is no video ${id.slice(0, 64)}`)

export const videoOr404 = (id: string, video: VideoRecord | null): VideoRecord => {
  if (!video) throw unknownVideo(id)
  return video
}

/** A cache of the client's own may keep a video, and asks each time whether it is still the same. */
export const OWN_AND_CHECKED = 'private, no-cache'

const etagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 27)}"`

export const shownFrom = (view: VideoView): Shown => {
  const body = JSON.stringify(view)
  return { body, bytes: Buffer.byteLength(body), etag: etagOf(body), ...paceOf(view) }
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
  videos: Pick<Videos, 'render' | 'passing' | 'find'>
  store: Pick<Store, 'videoUnless' | 'writeCount'>
}

/**
 * Bodies of videos, each made once for a version of its record, and again when a link has expired or another poll is
 * planned. The place of one that waits changes without a write of its own: it is made each time. So is what is asked for
 * by a job's id, which may be another video's later.
 */
export const createShownVideos = ({ videos, store }: ShownVideosDeps) => {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes + BESIDE_BYTES,
  })

  const made = async (id: string, video: VideoRecord, writeCount: number | null): Promise<Shown> => {
    const of = partOf(video)
    const passing = videos.passing(of)
    const view = await videos.render(video)
    const shown = shownFrom(view)
    const isOfThen =
      passing.isLinkShown === (view.video_url !== null) && isoOrNull(passing.nextPollAtMs) === view.next_poll_at
    if (id === video.id && video.phase !== 'waiting' && isOfThen)
      kept.set(id, { ...shown, client: video.client, of, passing, writeCount })
    return shown
  }

  const isStill = (before: Kept): boolean => isSame(before.passing, videos.passing(before.of))

  const read = async (client: Client, id: string, before: Kept | undefined): Promise<Shown> => {
    const writeCount = store.writeCount()
    const found = before && isStill(before) ? await store.videoUnless(client.id, id, before.of.version) : 'same'
    // The read may have taken long.
    if (before && found === 'same' && isStill(before)) {
      before.writeCount = writeCount
      return before
    }
    const video = found === 'same' ? await videos.find(client, id) : found
    return made(id, videoOr404(id, video), writeCount)
  }

  /**
   * The client's own video under any of its names. Immediately if nothing has to be read. Throws `video_not_found` for an
   * unknown one, and another client's.
   */
  return (client: Client, id: string): Soon<Shown> => {
    const found = kept.get(id)
    const before = found?.client === client.id ? found : undefined
    const isUnchanged = before && before.writeCount !== null && before.writeCount === store.writeCount()
    if (isUnchanged && isStill(before)) return before
    return read(client, id, before)
  }
}
export type ShownVideos = ReturnType<typeof createShownVideos>

type ReadPorts = Pick<Deps, 'videos' | 'clock' | 'stopping'> & { shown: ShownVideos }

/** What happened to a video, as `expand=timeline` shows it. */
export const timelineView = (entries: readonly TimelineEntry[]): z.infer<typeof TimelineEntryView>[] =>
  entries.map((entry) => ({ ...entry, at: iso(entry.at) }))

/** Aborts when the caller disconnects, its key ends or the process stops, so that nobody waits for nobody. */
const hangUp = (res: Response, stopping: AbortSignal): AbortSignal => {
  const controller = new AbortController()
  res.once('close', () => controller.abort())
  return AbortSignal.any([controller.signal, stopping, keyEnds(res)])
}

export const waited = async ({ videos, stopping }: ReadPorts, req: Request, res: Response, video: VideoRecord) => {
  const seconds = preferredWaitSeconds(req)
  if (seconds === null) return video
  res.set('preference-applied', `wait=${seconds}`)
  return (await videos.wait(video.id, seconds * 1000, hangUp(res, stopping.signal))) ?? video
}

export const ownVideo = async ({ videos }: ReadPorts, client: Client, id: string): Promise<VideoRecord> =>
  videoOr404(id, await videos.find(client, id))

const waitedFor = async (
  ports: ReadPorts,
  req: Request,
  res: Response,
  { client, id, expand }: { client: Client; id: string; expand?: 'timeline' | undefined },
): Promise<Shown> => {
  const video = await waited(ports, req, res, await ownVideo(ports, client, id))
  const view: VideoView & { timeline?: unknown } = await ports.videos.render(video)
  if (expand) view.timeline = timelineView(await ports.videos.timeline(video.id))
  return shownFrom(view)
}

interface Asked {
  req: Request
  res: Response
  client: Client
  id: string
  query: { expand?: 'timeline' | undefined }
}

/** Answers `getVideo`. */
export const showVideo = async (
  ports: ReadPorts,
  { req, res, client, id, query: { expand } }: Asked,
): Promise<void> => {
  const isPlain = expand === undefined && req.headers.prefer === undefined
  const shown = isPlain ? await ports.shown(client, id) : await waitedFor(ports, req, res, { client, id, expand })
  pace(res, shown, ports.clock.wall())
  res.setHeader('etag', shown.etag)
  res.setHeader('cache-control', OWN_AND_CHECKED)
  if (req.fresh) return void res.status(304).end()
  // The read that clients repeat: one string, so that head and body leave in one write.
  res.setHeader('content-type', 'application/json; charset=utf-8')
  // An answer to HEAD has no body that says it.
  res.setHeader('content-length', shown.bytes)
  res.end(shown.body, shown.bytes === shown.body.length ? 'latin1' : 'utf8')
}
