import type { BackendProblem } from '../../core/adapter.ts'
import type { VideoError, VideoRecord } from '../../core/video.ts'
import { end, failureOf, type Step } from './job-steps.ts'

/** How a video moves while its audio is brought to its backend (docs/engine.md, "Videos from audio"). Pure steps. */

/** The key that goes to the backend. It changes once the body did, after a definite refusal of the first one. */
export const idempotencyKeyOf = ({ id, transfer }: VideoRecord): string => `${id}.${transfer?.step === 'done' ? 2 : 1}`

export const needsTransfer = ({ phase, transfer }: VideoRecord): boolean =>
  phase === 'waiting' && transfer?.step === 'needed'

/** The backend does not host the audio. While it is brought there, nothing is paid and no slot is held. */
export const untransferred = (video: VideoRecord, problem: BackendProblem, nowMs: number): Step => ({
  video: {
    ...video,
    phase: 'waiting',
    lease: null,
    wire: null,
    dueAtMs: null,
    waitReason: 'audio_transfer',
    transfer: { step: 'needed', tries: 0 },
    refusal: failureOf(problem),
  },
  notes: [{ at: nowMs, type: 'waiting', detail: 'audio_transfer' }],
})

/** Its client was answered before the transfer ended: a failure can only be told in the video now. */
export const toldOfTransfer = (video: VideoRecord): Step | 'keep' =>
  video.told ? 'keep' : { video: { ...video, told: true }, notes: [] }

/** The backend hosts the audio now: the create is sent again when its turn comes. */
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

/** A fault that may pass: tried again later. After too many tries the video fails. */
export const putOff = (video: VideoRecord, error: VideoError, nowMs: number): Step => {
  const tries = (video.transfer?.tries ?? 0) + 1
  if (tries >= MAX_TRIES) return end(video, { status: 'failed', error }, nowMs)
  return {
    video: { ...video, told: true, transfer: { step: 'needed', tries }, refusal: error },
    notes: [{ at: nowMs, type: 'audio_transfer_delayed', detail: `${error.code}: ${error.message}` }],
  }
}
