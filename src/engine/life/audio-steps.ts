import type { BackendProblem } from '../../core/adapter.ts'
import type { VideoError, VideoRecord } from '../../core/video.ts'
import { end, failure, type Step } from './job-steps.ts'

/** How a video moves while its audio is brought to its backend (design 2, "createVideo, audio"): pure steps. */

/** Under a new key once the body changed, and the one before was definitely refused. */
export const idempotencyKeyOf = ({ id, transfer }: VideoRecord): string => `${id}.${transfer?.step === 'done' ? 2 : 1}`

export const needsTransfer = ({ phase, transfer }: VideoRecord): boolean =>
  phase === 'waiting' && transfer?.step === 'needed'

/** The backend does not host its audio: nothing is paid and no slot held while it is brought there. */
export const untransferred = (video: VideoRecord, problem: BackendProblem, nowMs: number): Step => ({
  video: {
    ...video,
    phase: 'waiting',
    lease: null,
    wire: null,
    dueAtMs: null,
    waitReason: 'audio_transfer',
    transfer: { step: 'needed', tries: 0 },
    refusal: failure(problem.code, problem.message, problem),
  },
  notes: [{ at: nowMs, type: 'waiting', detail: 'audio_transfer' }],
})

/** Its client was answered without the transfer's outcome: that can only be told in the video now. */
export const toldOfTransfer = (video: VideoRecord): Step | 'keep' =>
  video.told ? 'keep' : { video: { ...video, told: true }, notes: [] }

/** The backend hosts it now: it goes again when its turn comes. */
export const transferred = (video: VideoRecord, audioUrl: string, what: string, nowMs: number): Step => ({
  video: {
    ...video,
    told: true,
    dueAtMs: nowMs,
    waitReason: 'no_free_slot',
    transfer: { step: 'done', tries: video.transfer?.tries ?? 0 },
    order: { ...video.order, audioUrl },
    refusal: null,
  },
  notes: [{ at: nowMs, type: 'audio_transferred', detail: what }],
})

/** Each try fetches the audio anew. */
const MAX_TRIES = 10

/** Something that passes stood in the way; too often, and it fails. */
export const putOff = (video: VideoRecord, error: VideoError, nowMs: number): Step => {
  const tries = (video.transfer?.tries ?? 0) + 1
  if (tries >= MAX_TRIES) return end(video, { status: 'failed', error }, nowMs)
  return {
    video: { ...video, told: true, transfer: { step: 'needed', tries }, refusal: error },
    notes: [{ at: nowMs, type: 'audio_transfer_delayed', detail: `${error.code}: ${error.message}` }],
  }
}
