import type { Verbatim, VideoRecord } from '../../../core/video.ts'
import type { OwnBody } from '../../../engine/index.ts'
import { renamed } from '../verbatim.ts'
import { detailBody, saidOf, SHOWN } from './views.ts'

/** "The service sends a POST to it when the video is ready. Payload and signature of that POST: not shown." Pure. */

/** As of every event. */
const MAX_BODY_BYTES = 20_000
/** The longest link of a backend in it. */
const LONGEST_URL = 2_048

/** A name as services write it: it has no room for a message. */
const NAME = /^\w{1,40}$/

/** What the poll confirmed: the values of the detail, under the client's own ids. */
const confirmedOf = (video: VideoRecord) => {
  const texts = new Set<string>()
  const named = new Set<string>()
  const add = (name: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [inner, one] of Object.entries(value)) add(Array.isArray(value) ? name : inner, one)
    } else if (typeof value === 'string') texts.add(value)
    else named.add(`${name} ${String(value)}`)
  }
  const status = SHOWN[video.status]
  add('', [saidOf(video), detailBody(video, video.link?.url ?? null)])
  // How services write which event of which object it is.
  add('', ['video', `video.${status}`, `video_${status}`])

  /** Two answers may sign the link to the same file differently: the poll's is right. */
  const text = (value: string): string | null => {
    if (texts.has(value)) return value
    const url = URL.parse(value)
    const isSameFile = (one: URL | null): boolean => one?.origin === url?.origin && one?.pathname === url?.pathname
    return (url && [...texts].find((one) => isSameFile(URL.parse(one)))) ?? null
  }
  return { text, isStated: (name: string, value: unknown): boolean => named.has(`${name} ${String(value)}`) }
}

/**
 * The callback's names and shape with the values that the poll confirmed; null if it says anything else, or does not name
 * the video. Nobody signed it, and the gateway signs only what it read itself.
 */
const confirmed = (said: Verbatim, video: VideoRecord): Verbatim | null => {
  const { text, isStated } = confirmedOf(video)
  let isSo = true
  const values = (name: string, value: unknown): unknown => {
    if (!isSo) return null
    if (Array.isArray(value)) return value.map((one) => values(name, one))
    if (typeof value === 'object' && value !== null) return layer(value)
    const found = typeof value === 'string' ? text(value) : value
    isSo &&= found !== null && (typeof found === 'string' || isStated(name, found))
    return found
  }
  const layer = (object: object): Verbatim =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => {
        isSo &&= NAME.test(name)
        return [name, values(name, value)]
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
