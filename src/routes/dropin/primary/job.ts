import type { VideoView } from '../../../core/api/videos.ts'
import type { Verbatim } from '../../../core/video.ts'
import { isTerminal } from '../../../core/vocabulary.ts'
import { nextPollMsOf, retryAfterSeconds } from '../../unified/videos/pace.ts'
import { laidOver, renamed } from '../verbatim.ts'
import { hintHeaders, jobHeaders, publicIdOf, statusPathOf, type Hint } from './names.ts'

/** A video as a job of the primary contract ("Video job"; "States and transitions"). */

export interface JobContext {
  /** What its backend said, where that speaks this contract; null where it does not. */
  verbatim: Verbatim | null
  /** A link that works now; null before completion. */
  videoUrl: string | null
  origin: string
  nowMs: number
  /** The answer to a create, not to a read. */
  isCreate: boolean
}

export interface JobAnswer {
  status: 200 | 202
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** When a failure may be tried again: the contract shows no number. */
const FAILED_RETRY_S = 30

const hintOf = (view: VideoView, { nowMs, isCreate }: JobContext): Hint | null => {
  const inSeconds = (seconds: number): Hint => ({ seconds, atMs: nowMs + seconds * 1000 })
  if (!isTerminal(view.status)) return inSeconds(retryAfterSeconds(nextPollMsOf(view), nowMs))
  // "Only for retryable failed replays."
  return isCreate && view.status === 'failed' && view.error?.retryable ? inSeconds(FAILED_RETRY_S) : null
}

/** A failure that the backend told in this contract's own words is told in them again. */
const failureOf = (view: VideoView, { verbatim }: JobContext): Record<string, unknown> => {
  const { error } = view
  if (error?.code === 'backend_failed' && verbatim && 'error' in verbatim) {
    return { status: view.backend_status ?? 'failed' }
  }
  return {
    status: 'failed',
    error: error?.code ?? view.status,
    message: error?.message ?? 'the video was canceled',
    retryable: error?.retryable ?? false,
  }
}

const stateOf = (view: VideoView, context: JobContext): Record<string, unknown> => {
  switch (view.status) {
    case 'queued':
      return { status: 'queued' }
    case 'processing':
      // "Progress (number, 0 to 1, during processing)": always, so 0 where the backend behind tells none.
      return { status: 'processing', progress: view.progress ?? 0 }
    case 'completed':
      return { status: 'completed', video_url: context.videoUrl }
    case 'failed':
    case 'canceled':
      return failureOf(view, context)
  }
}

/** Credits that the create cost ("present when create-time debit data is available"). */
const creditHeaders = ({ credits }: VideoView): Record<string, string> => ({
  ...(credits !== null && credits.charged !== null && { 'x-service-credits-required': String(credits.charged) }),
  ...(credits !== null && credits.remaining !== null && { 'x-service-credits-remaining': String(credits.remaining) }),
})

/** 202 for a create that is yet to end, else 200. Pure. */
export const jobAnswer = (view: VideoView, context: JobContext): JobAnswer => {
  const id = publicIdOf(view.id)
  const path = statusPathOf(id)
  const hint = hintOf(view, context)
  const at = hint && new Date(hint.atMs).toISOString()
  const named = { id, webhookUrl: view.webhook_url }
  const said = context.verbatim ? renamed(context.verbatim, view.backend_job_id, named) : {}
  return {
    status: context.isCreate && !isTerminal(view.status) ? 202 : 200,
    headers: { ...jobHeaders(id, context.origin), ...creditHeaders(view), ...(hint && hintHeaders(hint)) },
    body: laidOver(said, {
      id,
      operation_id: id,
      request_id: id,
      status_url: path,
      content_location: path,
      ...stateOf(view, context),
      ...(at && { next_poll_at: at, nextPollAt: at }),
    }),
  }
}
