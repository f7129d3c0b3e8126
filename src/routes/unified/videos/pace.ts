import type { Response } from 'express'
import { Problem } from '../../../core/errors.ts'
import type { VideoRecord } from '../../../core/video.ts'
import type { VideoView } from '../../../core/api/videos.ts'
import { isTerminal } from '../../../core/vocabulary.ts'

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
