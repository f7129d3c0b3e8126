import type { Order, RoutingNote, VideoInput, VideoRecord } from './video.ts'

/** What every video gets when it begins, and every stored one has. Never add a field here: older records lack it. */
type Given =
  'id' | 'client' | 'account' | 'backend' | 'interface' | 'input' | 'order' | 'routing' | 'version' | 'createdAtMs'

/** Nothing was asked for. */
export const NO_INPUT: VideoInput = {
  image_url: null,
  puppet_id: null,
  text: null,
  audio_url: null,
  upload_id: null,
  voice_id: null,
  language: null,
  expressiveness: null,
  resolution: null,
}

export const NO_ORDER: Order = {
  imageUrl: null,
  puppetId: null,
  text: null,
  audioUrl: null,
  voiceId: null,
  language: null,
  expressiveness: null,
  resolution: null,
}

/** Nothing was decided. */
const NO_ROUTING: RoutingNote = { chosen_by: 'default', rule: null, considered: [] }

/** A video to which nothing has happened yet. Also the value of a field that an older record lacks. */
const INITIAL: Omit<VideoRecord, Given> = {
  surface: 'unified',
  trace: null,
  madeFrom: null,
  phase: 'waiting',
  status: 'queued',
  progress: null,
  backendStatus: null,
  backendJobId: null,
  transfer: null,
  attempt: 0,
  wire: null,
  told: false,
  lease: null,
  dueAtMs: null,
  waitReason: 'no_free_slot',
  refusal: null,
  doubtSinceMs: null,
  restoredAtMs: null,
  resends: 0,
  search: null,
  secondJobAtMs: null,
  lane: null,
  lastPollAtMs: null,
  nextPollAtMs: null,
  hintedPolls: 0,
  lastHintAtMs: null,
  evidence: null,
  linkOwed: false,
  link: null,
  thumbnailUrl: null,
  durationSeconds: null,
  durationEstimateSeconds: null,
  verbatim: null,
  callback: null,
  error: null,
  credits: null,
  warnings: [],
  metadata: {},
  webhookUrl: null,
  webhookEvents: [],
  replaces: null,
  replacedBy: null,
  absentSinceMs: null,
  sequence: 0,
  lastProgressEventAtMs: null,
  dispatchedAtMs: null,
  sentOffsetMs: null,
  acceptedAtMs: null,
  acceptedDateMs: null,
  endedAtMs: null,
}

/** A video that has waited since it was made. */
export const newVideo = (
  given: Pick<VideoRecord, Exclude<Given, 'version'>> & Partial<typeof INITIAL>,
): VideoRecord => ({ ...INITIAL, dueAtMs: given.createdAtMs, ...given, version: 1 })

/** A record as a store kept it, of this version of the gateway or one before. */
export const storedVideo = (stored: VideoRecord): VideoRecord => ({
  ...INITIAL,
  ...stored,
  input: { ...NO_INPUT, ...stored.input },
  order: { ...NO_ORDER, ...stored.order },
  routing: { ...NO_ROUTING, ...stored.routing },
})
