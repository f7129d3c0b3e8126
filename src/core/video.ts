import { createHash } from 'node:crypto'
import type { BackendError, ProblemCode } from './errors.ts'
import type { AccountId, EventType, Resolution, Status, Surface, VideoEventType, Capabilities } from './vocabulary.ts'

/**
 * Where a video is inside the gateway. `waiting`: nothing paid. `dispatching`: one caller holds it under a lease.
 * `doubtful`: a create began and its outcome is unknown. `accepted`: the backend named a job. `ended`: terminal.
 */
export const PHASES = ['waiting', 'dispatching', 'doubtful', 'accepted', 'ended'] as const
export type Phase = (typeof PHASES)[number]

/** As the client asked, null where it did not. */
export interface VideoInput {
  image_url: string | null
  puppet_id: string | null
  text: string | null
  audio_url: string | null
  upload_id: string | null
  voice_id: string | null
  language: string | null
  expressiveness: number | null
  resolution: Resolution | null
}

/** What the adapter is asked to make: ids are native, portraits resolved. */
export interface Order {
  imageUrl: string | null
  puppetId: string | null
  /** Exactly one of `text` and `audioUrl`. */
  text: string | null
  audioUrl: string | null
  voiceId: string | null
  language: string | null
  expressiveness: number | null
  resolution: Resolution | null
}

/** A request to a backend as it goes out, less the credential: `path` is below the backend's base URL. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers: Record<string, string>
  body: string | null
}

export type VideoFailure =
  | 'backend_failed'
  | 'backend_job_lost'
  | 'backend_job_expired'
  | 'video_url_missing'
  | 'create_outcome_unknown'
  | ProblemCode

export interface VideoError {
  code: VideoFailure
  message: string
  retryable: boolean
  backend_error: BackendError | null
}

export interface Warning {
  code: 'option_ignored'
  param: string
  message: string
}

export interface RoutingNote {
  /** `failover`: it stands in for the one that was chosen, which could not take it. */
  chosen_by: 'request' | 'id' | 'rule' | 'default' | 'failover'
  /** Null unless `chosen_by` is `rule`: names it (engine/routing/rules.ts). */
  rule: string | null
  /** The pool that its backend is a member of; null: none. */
  pool: string | null
  considered: { backend: string; verdict: 'chosen' | 'passed_over'; reason: string | null }[]
}

export const WAIT_REASONS = [
  'no_free_slot',
  'no_budget',
  'backend_rate_limited',
  'backend_unavailable',
  'audio_transfer',
  'backend_paused',
] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

/**
 * Audio from elsewhere, which its backend may want hosted. `possible`: sent as the client gave it.
 * `needed`: the backend does not host it, and it is to be brought there before the create goes again. `done`: it was.
 */
interface AudioTransfer {
  step: 'possible' | 'needed' | 'done'
  /** Times that it was tried and put off. */
  tries: number
}

/** Thin evidence that a paid job ended: a single such answer fails nothing, several over some time do. */
export interface Evidence {
  kind: 'lost' | 'link_missing' | 'error_without_word'
  count: number
  sinceMs: number
}

/** A job that a callback named, or that turned out to be a second one. */
export interface NamedJob {
  jobId: string
  /** When it may be read, within the polls that callbacks are worth. */
  atMs: number
  /** `pending`: to be read. `read`: it was read. `duplicate`: a second job of this video, reported once. */
  state: 'pending' | 'read' | 'duplicate'
}

interface Reading {
  walk: { atMs: number; total: number | null }
  /** The backend's clock less ours at the send, as this walk knows it. */
  sentOffsetMs: number | null
  /** Jobs that the list did not rule out; null: not read yet. */
  candidates: { jobId: string; isOurs: boolean | null }[]
}

export interface Search {
  /** Jobs beside the video's own, in the order in which they were named. */
  named: NamedJob[]
  /** Walks of the backend's list so far: when, and how long the list was (null: the walk proved nothing). */
  walks: { atMs: number; total: number | null }[]
  /** A walk whose candidates are being read one by one, over as many windows as that takes; null: none. */
  reading: Reading | null
  /** It was sent again, or is to be: the attempt before was proven absent, or an operator said so. */
  resent: boolean
}

/**
 * A backend's own JSON object as it sent it, for clients that speak its contract; null where it is too large to keep.
 */
export type Verbatim = Readonly<Record<string, unknown>>

/** The truth about one video. Times are milliseconds since the epoch. */
export interface VideoRecord {
  id: string
  client: string
  account: AccountId
  backend: string
  /** Its key in the table of adapters. */
  interface: string
  /** Where its client created it: whose words its own webhook speaks. */
  surface: Surface
  /** Rises by one with every write. */
  version: number
  phase: Phase
  status: Status
  progress: number | null
  /** The backend's own word, verbatim. */
  backendStatus: string | null
  backendJobId: string | null
  /**
   * Nothing but nulls once it was canceled before it was sent, and so is `order`: nobody paid for what would fill the
   * disk.
   */
  input: VideoInput
  order: Order
  /** What it was to be made from, once its input is gone; null: its input says. */
  madeFrom: MadeFrom | null
  /** `traceparent` of the request that made it, for what is done about it later; null: it was part of no trace. */
  trace: string | null
  /** Null: no audio may have to be brought to its backend. */
  transfer: AudioTransfer | null
  /** How many create attempts were stored. The callback token names this number. */
  attempt: number
  /** The exact bytes of the create that went out, or may have; null while nothing may have been sent. */
  wire: WireRequest | null
  /** Its client has an answer. From then on the record stays, and a refusal fails it. */
  told: boolean
  /** Who dispatches it. Without the lease nobody may write an outcome, except a job id. */
  lease: { token: string; untilMs: number } | null
  /** When the gateway should next act on it; null when ended, and while it waits for its audio. */
  dueAtMs: number | null
  waitReason: WaitReason | null
  /** The last retryable refusal met while it waits. */
  refusal: VideoError | null
  doubtSinceMs: number | null
  /**
   * It waited, was being sent or was in doubt in a copy of the store that was restored then. It may have been sent at
   * any time between `dispatchedAtMs` and this.
   */
  restoredAtMs: number | null
  resends: number
  /** What was gathered about a create in doubt, where no idempotency key can end it. */
  search: Search | null
  /** When to read the next job that a callback named beside the video's own; null: there is none. */
  secondJobAtMs: number | null
  /** Creates of the same lane go one at a time, and none while one is in doubt; null: no lane. */
  lane: string | null
  /** Its priority is low, and from then on it counts as normal; null: it is normal. */
  lowUntilMs: number | null
  /** When the last poll that found it running was sent: it ended after that. */
  lastPollAtMs: number | null
  /** The backend asked not to be polled before. The latest hint may not be written yet. */
  nextPollAtMs: number | null
  /** Polls used for callbacks: of its job, and of other jobs that they named. */
  hintedPolls: number
  lastHintAtMs: number | null
  evidence: Evidence | null
  /** Its job is over, and only the link is still to be asked for. */
  linkOwed: boolean
  link: { url: string; expiresAtMs: number | null; learnedAtMs: number } | null
  thumbnailUrl: string | null
  durationSeconds: number | null
  durationEstimateSeconds: number | null
  /** Its backend's last answer about the job. One of an older version lacks the id, status, progress, link and hints. */
  verbatim: Verbatim | null
  /**
   * What its backend called back with, and about which attempt and job: for a client that speaks the backend's own
   * contract. Null once the video has ended.
   */
  callback: { attempt: number; jobId: string | null; body: Verbatim } | null
  error: VideoError | null
  credits: { charged: number | null; remaining: number | null } | null
  warnings: Warning[]
  metadata: Record<string, string>
  webhookUrl: string | null
  webhookEvents: VideoEventType[]
  routing: RoutingNote
  /** Any member of this pool may make it, as long as it was never sent; null: it stays with its account. */
  pool: string | null
  /** Of its client and what it is made from (`reuse.ts`). Null: its file is not reused. */
  inputHash: string | null
  /** The video whose file this one has, and the job that made it; null: it has a job of its own. */
  reused: { videoId: string; jobId: string } | null
  /** The video that was given up as unknown, and whose job this one adopted. */
  replaces: string | null
  /** It was given up as unknown: the video that adopted its job. */
  replacedBy: string | null
  /** It was given up as unknown, and an operator said since then that there was no job. */
  absentSinceMs: number | null
  /** Its client deleted it: what is left is who made it, when, and what it cost. */
  deletedAtMs: number | null
  /** Events written so far. */
  sequence: number
  lastProgressEventAtMs: number | null
  createdAtMs: number
  dispatchedAtMs: number | null
  /** The backend's clock less ours around the time at which the create went out; null while no answer reported. */
  sentOffsetMs: number | null
  acceptedAtMs: number | null
  /** The `Date` of the answer that accepted it, by the backend's own clock; null where none was reported. */
  acceptedDateMs: number | null
  endedAtMs: number | null
}

/**
 * A create whose outcome is not known. `open`: it is searched for. `given_up`: it failed, and nobody has said more
 * since.
 */
export const DOUBTS = ['open', 'given_up'] as const
export type Doubt = (typeof DOUBTS)[number]

export const isGivenUp = ({ phase, error }: Pick<VideoRecord, 'phase' | 'error'>): boolean =>
  phase === 'ended' && error?.code === 'create_outcome_unknown'

/** Null: its outcome is known, or an operator answered. */
export const openDoubtOf = (video: VideoRecord): Doubt | null => {
  if (video.phase === 'doubtful') return 'open'
  return isGivenUp(video) && video.replacedBy === null && video.absentSinceMs === null ? 'given_up' : null
}

/** What a video is made from. `import`: its job was made elsewhere. */
export const MADE_FROM = ['text', 'audio', 'import'] as const
export type MadeFrom = (typeof MADE_FROM)[number]

export const sourceOf = ({ input, madeFrom }: Pick<VideoRecord, 'input' | 'madeFrom'>): MadeFrom => {
  if (madeFrom !== null) return madeFrom
  if (input.text !== null) return 'text'
  return input.audio_url === null && input.upload_id === null ? 'import' : 'audio'
}

/**
 * The job ended at most this long before we found it: after the last poll that saw it running, or else after its create
 * was sent. Null: unknown, since it was over when it was imported.
 */
export const uncertaintyMs = ({
  acceptedAtMs,
  endedAtMs,
  lastPollAtMs,
  dispatchedAtMs,
}: VideoRecord): number | null => {
  // Without a job the gateway ended the video itself, at that moment.
  if (acceptedAtMs === null) return 0
  const sinceMs = lastPollAtMs ?? dispatchedAtMs
  return sinceMs === null ? null : Math.max(0, (endedAtMs ?? 0) - sinceMs)
}

const PAST = 'past/'
/** Of a job that no video has (`HistoryStore`). Clients know it by the job's own id. */
export const pastId = (account: AccountId, jobId: string): string => `${PAST}${account}/${jobId}`
export const isPast = ({ id }: Pick<VideoRecord, 'id'>): boolean => id.startsWith(PAST)

/** One line of a video's history. */
export interface TimelineEntry {
  at: number
  type: string
  detail: string | null
}

/** What happened, as bytes: stored, signed and sent unchanged. */
export interface EventRecord {
  id: string
  type: EventType
  client: string
  /** Null: it is about no video. */
  videoId: string | null
  sequence: number
  atMs: number
  body: string
}

/** An event about no video. The same `named` is the same event. */
export const eventOfNoVideo = (
  client: string,
  named: string,
  atMs: number,
  body: { type: EventType },
): EventRecord => ({
  id: `evt_${createHash('sha256').update(named).digest('hex').slice(0, 26)}`,
  type: body.type,
  client,
  videoId: null,
  sequence: 1,
  atMs,
  body: JSON.stringify(body),
})

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
const NO_ROUTING: RoutingNote = { chosen_by: 'default', rule: null, pool: null, considered: [] }

/** A video to which nothing has happened yet. Also the value of a field that an older record lacks. */
const INITIAL: Omit<VideoRecord, Given> = {
  surface: 'unified',
  trace: null,
  madeFrom: null,
  pool: null,
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
  lowUntilMs: null,
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
  inputHash: null,
  reused: null,
  replaces: null,
  replacedBy: null,
  absentSinceMs: null,
  deletedAtMs: null,
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

/** A create that is ready to go out. */
export interface Outgoing {
  wire: WireRequest
  /** The backend's clock less ours; null while no answer reported. */
  offsetMs: number | null
}

/** Its bytes are stored before they are sent. From here on the backend may have taken them. */
export const withBytes = (
  video: VideoRecord,
  { wire, offsetMs }: Outgoing,
  nowMs: number,
): { video: VideoRecord; notes: TimelineEntry[] } => {
  const attempt = video.attempt + 1
  return {
    video: { ...video, wire, attempt, dispatchedAtMs: nowMs, sentOffsetMs: offsetMs },
    notes: [{ at: nowMs, type: 'dispatched', detail: `attempt ${attempt}` }],
  }
}

/** What an account offers to end a doubt about a create (docs/engine.md, "How a doubt ends"). */
interface EvidenceSources {
  /** The interface has idempotency keys: the create is sent again, and nothing else is needed. */
  keys: boolean
  /** Its own list shows the job, or proves that there is none. */
  list: boolean
  /** The backend may call back and name the job. */
  callback: boolean
}

/** `exclusive`: nobody else creates on the account. `isReachable`: backends can reach the gateway. */
export const evidenceOf = (
  { native_idempotency: keys, native_list, native_webhook }: Capabilities,
  { exclusive, isReachable }: { exclusive: boolean; isReachable: boolean },
): EvidenceSources => ({
  keys,
  list: !keys && exclusive && native_list,
  callback: !keys && native_webhook && isReachable,
})

/**
 * Whether creates of one puppet go one at a time: where the list is the evidence, it could not tell them apart. A voice
 * or resolution that was not asked for may be any.
 */
export const hasLanes = (can: Capabilities, exclusive: boolean): boolean =>
  evidenceOf(can, { exclusive, isReachable: false }).list

/** What to set where nothing can end a doubt, in words; null where something can. */
export const doubtWarning = (can: Capabilities, given: { exclusive: boolean; isReachable: boolean }): string | null => {
  const { keys, list, callback } = evidenceOf(can, given)
  if (keys || list || callback) return null
  const cost =
    'if an answer to a create is lost, the gateway cannot find its job, and the video fails with create_outcome_unknown'
  const remedies = [
    ...(can.native_webhook ? ['server.public_url'] : []),
    ...(can.native_list ? ['exclusive: true if nobody else creates on this account'] : []),
  ]
  return remedies.length === 0
    ? `${cost}: this interface has no way to find it`
    : `${cost}: set ${remedies.join(', or ')}`
}
