import type { Verbatim, VideoRecord } from '../../../core/video.ts'
import type { OwnBody } from '../../../engine/index.ts'
import { renamed } from '../verbatim.ts'
import { detailBody, saidOf, SHOWN } from './views.ts'

/** "The service sends a POST to it when the video is ready. Payload and signature of that POST: not shown." Pure. */

/** As of every event. */
const MAX_BODY_BYTES = 20_000
/** The longest link of a backend in it. */
const LONGEST_URL = 2_048

/** Names that services give, beside those of a detail: to the event, to the video, to a link, to its end, and to what is around them. */
const OF_EVENT = ['event', 'event_type', 'type', 'object', 'topic']
const OF_VIDEO = ['id', 'video', 'video_id', 'job', 'job_id', 'resource_id', 'self']
const OF_LINK = ['link', 'url', 'video_url', 'download_url']
const OF_END = ['ended_at', 'finished_at', 'timestamp']
const AROUND = ['data', 'payload', 'result', 'video', 'job', 'resource']

/** What the poll confirmed: which values a name may have, under the client's own ids. A name that is not here says nothing. */
const confirmedOf = (video: VideoRecord): ReadonlyMap<string, readonly unknown[]> => {
  const values = new Map<string, unknown[]>()
  const add = (name: string, value: unknown): void => {
    const known = values.get(name) ?? []
    values.set(name, known)
    if (typeof value !== 'object' || value === null) known.push(value)
    else for (const [inner, one] of Object.entries(value)) add(Array.isArray(value) ? name : inner, one)
    // `puppet` is often short for `puppet_id`.
    if (name.endsWith('_id')) add(name.slice(0, -'_id'.length), value)
  }
  const link = video.link?.url ?? null
  for (const body of [saidOf(video), detailBody(video, link)])
    for (const [name, value] of Object.entries(body)) add(name, value)
  const status = SHOWN[video.status]
  for (const name of OF_EVENT) add(name, [status, 'video', `video.${status}`, `video_${status}`])
  for (const name of OF_VIDEO) add(name, [video.id, `/v1/videos/${video.id}`])
  for (const name of OF_LINK) add(name, link)
  for (const name of OF_END) add(name, values.get('completed_at') ?? [])
  for (const name of AROUND) add(name, [])
  return values
}

const isSameFile = (one: unknown, other: unknown): boolean => {
  if (typeof one !== 'string' || typeof other !== 'string') return false
  const [a, b] = [URL.parse(one), URL.parse(other)]
  return a !== null && a.origin === b?.origin && a.pathname === b.pathname
}

/**
 * The callback's names and shape with the values that the poll confirmed; null if it says anything else, or does not name
 * the video. Nobody signed it, and the gateway signs only what it read itself: neither a name nor a value is the caller's.
 */
const confirmed = (said: Verbatim, video: VideoRecord): Verbatim | null => {
  const known = confirmedOf(video)
  let isSo = true
  const read = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => read(name, one))
    if (typeof value === 'object' && value !== null) return layer(value)
    const values = known.get(name) ?? []
    // Two answers may sign the link to the same file differently: the poll's is right.
    const found = values.includes(value) ? value : values.find((one) => isSameFile(one, value))
    isSo &&= found !== undefined
    return found
  }
  const layer = (object: object): Verbatim =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => {
        isSo &&= known.has(name)
        return [name, isSo ? read(name, value) : null]
      }),
    )
  const body = layer(said)
  return isSo && JSON.stringify(body).includes(`"${video.id}"`) ? body : null
}

/** What its backend called back with about this very job, as far as the backend has confirmed it since. */
const calledBackWith = (video: VideoRecord): Verbatim | null => {
  const { status, error, callback, attempt, backendJobId } = video
  const isConfirmed = status === 'completed' || error?.code === 'backend_failed'
  if (!isConfirmed || callback?.attempt !== attempt) return null
  if (callback.jobId !== null && callback.jobId !== backendJobId) return null
  return confirmed(renamed(callback.body, backendJobId, video), video)
}

/** Without what only its backend's words make long. */
const plain = (video: VideoRecord): VideoRecord => ({
  ...video,
  verbatim: null,
  thumbnailUrl: (video.thumbnailUrl?.length ?? 0) > LONGEST_URL ? null : video.thumbnailUrl,
})

/**
 * The body of the backend's own callback if the poll confirmed all of it; else the detail of the video in the envelope of
 * an event, with the link that stays valid.
 */
export const webhookBody = (video: VideoRecord, { type, timestamp, contentUrl }: Parameters<OwnBody>[1]): string => {
  const enveloped = (one: VideoRecord): string =>
    JSON.stringify({ type, timestamp, data: detailBody(one, one.status === 'completed' ? contentUrl : null) })
  const callback = calledBackWith(video)
  const wanted = [...(callback === null ? [] : [JSON.stringify(callback)]), enveloped(video)]
  return wanted.find((body) => Buffer.byteLength(body) <= MAX_BODY_BYTES) ?? enveloped(plain(video))
}
