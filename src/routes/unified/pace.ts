import type { Response } from 'express'
import type { VideoView } from '../../core/public.ts'
import { isTerminal } from '../../core/vocabulary.ts'

/** When a caller that polls should look again: with the gateway's own next look, 1 to 60 seconds. */
const retryAfterSeconds = (view: VideoView, nowMs: number): number =>
  Math.min(60, Math.max(1, Math.ceil((Date.parse(view.next_poll_at ?? '') - nowMs) / 1000) || 1))

export const pace = (res: Response, view: VideoView, nowMs: number): void => {
  if (!isTerminal(view.status)) res.set('retry-after', String(retryAfterSeconds(view, nowMs)))
}
