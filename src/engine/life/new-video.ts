import type { VideoRecord } from '../../core/video.ts'

/** What is known of a video when it begins. */
export type Beginning = Pick<
  VideoRecord,
  | 'id'
  | 'client'
  | 'account'
  | 'backend'
  | 'interface'
  | 'input'
  | 'order'
  | 'transfer'
  | 'lane'
  | 'warnings'
  | 'metadata'
  | 'webhookUrl'
  | 'webhookEvents'
  | 'routing'
  | 'createdAtMs'
>

/** A video that waits since it was made, and of which nothing has happened yet. */
export const newVideo = (beginning: Beginning): VideoRecord => ({
  ...beginning,
  version: 1,
  phase: 'waiting',
  status: 'queued',
  progress: null,
  backendStatus: null,
  backendJobId: null,
  attempt: 0,
  wire: null,
  told: false,
  lease: null,
  dueAtMs: beginning.createdAtMs,
  waitReason: 'no_free_slot',
  refusal: null,
  doubtSinceMs: null,
  resends: 0,
  search: null,
  lastLookAtMs: null,
  nextPollAtMs: null,
  hintedPolls: 0,
  lastHintAtMs: null,
  evidence: null,
  linkOwed: false,
  link: null,
  thumbnailUrl: null,
  durationSeconds: null,
  durationEstimateSeconds: null,
  error: null,
  credits: null,
  replaces: null,
  replacedBy: null,
  sequence: 0,
  lastProgressEventAtMs: null,
  dispatchedAtMs: null,
  acceptedAtMs: null,
  acceptedDateMs: null,
  sentOffsetMs: null,
  endedAtMs: null,
})
