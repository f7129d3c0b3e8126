import type { Verbatim, VideoRecord } from '../../../core/video.ts'
import type { OwnBody } from '../../../engine/index.ts'
import { renamed } from '../verbatim.ts'
import { detailBody, SHOWN, type Shown } from './views.ts'

/** "The service sends a POST to it when the video is ready. Payload and signature of that POST: not shown." Pure. */

/** As of every event. */
const MAX_BODY_BYTES = 20_000
/** The longest link of a backend in it. */
const LONGEST_URL = 2_048

const WORDS: ReadonlySet<unknown> = new Set(Object.values(SHOWN))

/** It has a word of the contract for another end than the one that was found. */
const saysOtherwise = (body: Verbatim, status: Shown): boolean =>
  [body, ...Object.values(body)].some((layer) => {
    const { status: word }: { status?: unknown } = Object(layer)
    return WORDS.has(word) && word !== status
  })

/** What its backend called back with about this very job, if the backend has confirmed the end since. */
const calledBackWith = ({ id, status, error, callback, attempt, backendJobId }: VideoRecord): Verbatim | null => {
  const isConfirmed = status === 'completed' || error?.code === 'backend_failed'
  if (!isConfirmed || callback?.attempt !== attempt) return null
  if (callback.jobId !== null && callback.jobId !== backendJobId) return null
  return saysOtherwise(callback.body, SHOWN[status]) ? null : renamed(callback.body, backendJobId, id)
}

/** Without what only its backend's words make long. */
const plain = (video: VideoRecord): VideoRecord => ({
  ...video,
  verbatim: null,
  thumbnailUrl: (video.thumbnailUrl?.length ?? 0) > LONGEST_URL ? null : video.thumbnailUrl,
})

/**
 * The body of the backend's own callback; without one, the detail of the video in the envelope of an event, with the
 * link that stays valid.
 */
export const webhookBody = (video: VideoRecord, { type, timestamp, contentUrl }: Parameters<OwnBody>[1]): string => {
  const enveloped = (one: VideoRecord): string =>
    JSON.stringify({ type, timestamp, data: detailBody(one, one.status === 'completed' ? contentUrl : null) })
  const callback = calledBackWith(video)
  const wanted = [...(callback === null ? [] : [JSON.stringify(callback)]), enveloped(video)]
  return wanted.find((body) => Buffer.byteLength(body) <= MAX_BODY_BYTES) ?? enveloped(plain(video))
}
