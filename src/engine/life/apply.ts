import { createHash } from 'node:crypto'
import type { Quotas } from '../../core/access.ts'
import type { VideoView } from '../../core/api/videos.ts'
import type { Log } from '../../core/log.ts'
import type { Ports, Wake } from '../../core/ports.ts'
import type { Lesson } from '../../core/store/accounts.ts'
import type { Store } from '../../core/store/index.ts'
import type { Change, JobTaken, NewVideo } from '../../core/store/videos.ts'
import type { OwedTarget } from '../../core/store/webhooks.ts'
import type { Tally } from '../../core/tally.ts'
import { iso, isoOrNull } from '../../core/time/clock.ts'
import { traceIdOf } from '../../core/tracing.ts'
import { type TimelineEntry, type VideoRecord, sourceOf, uncertaintyMs } from '../../core/video.ts'
import { type AccountId, type VideoEventType, isTerminal } from '../../core/vocabulary.ts'
import { type Step, secondJobAt } from './job-steps.ts'
import { jobTaken } from './create-steps.ts'

interface RenderContext {
  nowMs: number
  /** The link to keep: absolute, with its own signature. */
  contentUrl: (videoId: string) => string
  /** The stream of this one video: the same. */
  eventsUrl: (videoId: string) => string
  /** Only of a video that waits. */
  position: number | null
  /** An operator paused the creates of its backend. */
  isPaused: boolean
  /** Of an accepted video: when the gateway polls again, as far as this process knows. */
  plannedPollAtMs: number | null
}

/** What of a video's public shape changes while its record, and its place in a queue, stay the same. */
export interface Passing {
  isLinkShown: boolean
  nextPollAtMs: number | null
}

/** What is to be known of a record to say whether its public shape is still the same. */
export type ShownPart = Pick<VideoRecord, 'id' | 'account' | 'version' | 'phase' | 'dueAtMs' | 'link'>

export const passingOf = (
  { phase, link }: Pick<VideoRecord, 'phase' | 'link'>,
  { nowMs, plannedPollAtMs }: Pick<RenderContext, 'nowMs' | 'plannedPollAtMs'>,
): Passing => ({
  isLinkShown: link !== null && (link.expiresAtMs === null || link.expiresAtMs > nowMs),
  nextPollAtMs: phase === 'accepted' && plannedPollAtMs !== null && plannedPollAtMs > nowMs ? plannedPollAtMs : null,
})

/** The public shape of a video (`VideoView`), as it is now. A link that has expired is not shown. */
export const renderVideo = (video: VideoRecord, context: RenderContext): VideoView => {
  const { contentUrl, eventsUrl, position, isPaused } = context
  const reason = isPaused ? 'backend_paused' : (video.waitReason ?? 'no_free_slot')
  const { isLinkShown, nextPollAtMs } = passingOf(video, context)
  const link = isLinkShown ? video.link : null
  return {
    id: video.id,
    object: 'video',
    status: video.status,
    progress: video.progress,
    backend: video.backend,
    interface: video.interface,
    backend_job_id: video.backendJobId,
    source: sourceOf(video),
    input: video.input,
    video_url: link?.url ?? null,
    video_url_expires_at: isoOrNull(link?.expiresAtMs ?? null),
    thumbnail_url: video.thumbnailUrl,
    duration_seconds: video.durationSeconds,
    duration_estimate_seconds: video.durationEstimateSeconds,
    content_url: contentUrl(video.id),
    events_url: eventsUrl(video.id),
    error: video.error,
    credits: video.credits,
    warnings: video.warnings,
    metadata: video.metadata,
    webhook_url: video.webhookUrl,
    backend_status: video.backendStatus,
    routing: video.routing,
    priority: video.lowUntilMs === null ? 'normal' : 'low',
    reused_from: video.reused?.videoId ?? null,
    replaces: video.replaces,
    replaced_by: video.replacedBy,
    queue: position === null ? null : { position, reason },
    created_at: iso(video.createdAtMs),
    dispatched_at: isoOrNull(video.dispatchedAtMs),
    completed_at: isoOrNull(video.endedAtMs),
    deleted_at: isoOrNull(video.deletedAtMs),
    next_poll_at: isoOrNull(nextPollAtMs),
  }
}

type Owed = NewVideo['events'][number]

/**
 * What the `webhook_url` of a video that ended is sent in place of an event's own body: where its client speaks another
 * contract than the events. Null: the event's own. Pure.
 */
export type OwnBody = (
  video: VideoRecord,
  event: { type: VideoEventType; timestamp: string; contentUrl: string },
) => string | null

export interface EventContext {
  nowMs: number
  contentUrl: (videoId: string) => string
  eventsUrl: (videoId: string) => string
  ownBody: OwnBody
}

const PROGRESS_GAP_MS = 5_000
/** The longest link of a backend in an event, so that a body stays under 20 kB. */
const LONGEST_URL = 2_048

/** The same video, type and sequence give the same id after any replay of history. */
const eventId = (videoId: string, type: VideoEventType, sequence: number): string =>
  `evt_${createHash('sha256').update(`${videoId}\0${type}\0${sequence}`).digest('hex').slice(0, 26)}`

/**
 * Which events a step of a video makes; `before` is null when the video is new. There is no event before the client is
 * informed of the video: a first attempt may still be refused, and then there never was a video.
 */
export const eventTypesOf = (before: VideoRecord | null, after: VideoRecord, nowMs: number): VideoEventType[] => {
  const told: VideoEventType[] = before === null || (!before.told && after.told) ? ['video.queued'] : []
  if (!before) return told
  if (before.status !== after.status) return [...told, `video.${after.status}`]
  const lastMs = after.lastProgressEventAtMs
  const moved = after.progress !== before.progress && after.phase !== 'ended'
  return moved && (lastMs === null || nowMs - lastMs >= PROGRESS_GAP_MS) ? [...told, 'video.progress'] : told
}

const timingOf = (video: VideoRecord): Record<string, unknown> => ({
  accepted_at: isoOrNull(video.acceptedAtMs),
  detected_at: iso(video.endedAtMs ?? 0),
  uncertainty_ms: uncertaintyMs(video),
})

/** Its own target, if it wants to be informed. */
const targetsOf = (
  type: VideoEventType,
  video: VideoRecord,
  { nowMs, contentUrl, ownBody }: EventContext,
): OwedTarget[] => {
  const { webhookUrl: url, webhookEvents, status, id } = video
  if (url === null || !webhookEvents.includes(type)) return []
  const body = isTerminal(status) ? ownBody(video, { type, timestamp: iso(nowMs), contentUrl: contentUrl(id) }) : null
  return [{ kind: 'video', url, ...(body !== null && { body }) }]
}

/** The body of an event in Standard Webhooks' envelope: a Video without its input and without links that expire. */
const bodyOf = (type: VideoEventType, after: VideoRecord, { nowMs, contentUrl, eventsUrl }: EventContext): string => {
  // A backend may say `processing` immediately. Then one step has two events: the first still says `queued`.
  const video: VideoRecord = type === 'video.queued' ? { ...after, status: 'queued', progress: null } : after
  const { input: _input, ...view } = renderVideo(video, {
    nowMs,
    contentUrl,
    eventsUrl,
    position: null,
    isPaused: false,
    plannedPollAtMs: video.dueAtMs,
  })
  const data = {
    ...view,
    video_url: null,
    video_url_expires_at: null,
    thumbnail_url: (view.thumbnail_url?.length ?? 0) > LONGEST_URL ? null : view.thumbnail_url,
    sequence: video.sequence,
    ...(isTerminal(video.status) ? { timing: timingOf(video) } : {}),
  }
  return JSON.stringify({ type, timestamp: iso(nowMs), data })
}

/**
 * Adds the events of a step, as bytes. Events that go to no target are kept as well, because a client's history is read
 * and streamed as a whole. Pure.
 */
export const withEvents = (
  before: VideoRecord | null,
  after: VideoRecord,
  context: EventContext,
): { video: VideoRecord; events: Owed[] } => {
  let video = after
  const events = eventTypesOf(before, after, context.nowMs).map((type): Owed => {
    const sequence = video.sequence + 1
    video = {
      ...video,
      sequence,
      lastProgressEventAtMs: type === 'video.progress' ? context.nowMs : video.lastProgressEventAtMs,
    }
    const event = {
      id: eventId(video.id, type, sequence),
      type,
      client: video.client,
      videoId: video.id,
      sequence,
      atMs: context.nowMs,
      body: bodyOf(type, video, context),
    }
    return { event, targets: targetsOf(type, video, context) }
  })
  // It was sent on, or never will be.
  return { video: isTerminal(video.status) && video.callback ? { ...video, callback: null } : video, events }
}

/** What to write: a step; nothing (`keep`); or delete the video (`discard`). */
export type Decided = Step | 'keep' | 'discard'

interface ApplyDeps extends Pick<Ports, 'clock' | 'log' | 'tally'> {
  store: Pick<Store, 'change'>
  /** Called first, with each record that was written or stays the same. */
  wrote: (video: VideoRecord) => void
  /** Takes what answers of the account’s backend are still to be learned: they go with the write. Null: nothing. */
  takeLesson: (account: AccountId) => Lesson | null
  wake: Pick<Wake, 'changed' | 'hint'>
  contentUrl: EventContext['contentUrl']
  eventsUrl: EventContext['eventsUrl']
  ownBody: EventContext['ownBody']
  /** What a client may have in a month, as it is configured now; null: nobody knows. */
  quotasOf: (client: string) => Quotas | null
}

type Decide = (video: VideoRecord, nowMs: number) => Decided
/** What becomes of a video if its new job is already another video's. */
type JobTakenStep = (video: VideoRecord, taken: JobTaken, nowMs: number) => Decided
interface ApplyOptions {
  /** As this process wrote it last: decided on without a read, unless it was written since. */
  known?: VideoRecord | null
  onJobTaken?: JobTakenStep
}
export type Apply = (id: string, decide: Decide, options?: ApplyOptions) => Promise<VideoRecord | null>

/**
 * Writes a pure step: the record, its events and their deliveries in one atomic write. Only then anybody is informed.
 * Every change of a video goes this way, so an end is announced exactly once.
 */
export const createApply = ({
  store,
  wrote,
  takeLesson,
  wake,
  clock,
  log,
  contentUrl,
  eventsUrl,
  ownBody,
  quotasOf,
  tally,
}: ApplyDeps): Apply => {
  const carry = async (
    id: string,
    decide: Decide,
    { known: guessed = null, onJobTaken = jobTaken }: ApplyOptions,
    isTold: boolean,
  ): Promise<VideoRecord | null> => {
    let before: VideoRecord | null = null
    let notes: readonly TimelineEntry[] = []
    const known = (): VideoRecord | null => before
    const changed = await store.change(
      id,
      (video, nowMs): Change => {
        before = video
        notes = []
        const decided = decide(video, nowMs)
        if (decided === 'discard') return { kind: 'discard' }
        if (decided === 'keep' || decided.video === video) return { kind: 'keep' }
        const owed = withEvents(video, decided.video, { nowMs, contentUrl, eventsUrl, ownBody })
        notes = decided.notes
        const saved = { ...owed.video, secondJobAtMs: secondJobAt(owed.video) }
        const { events } = owed
        const { notes: told, audit } = decided
        const lesson = takeLesson(video.account)
        return { kind: 'save', video: saved, events, notes: told, audit, quotas: quotasOf(video.client), lesson }
      },
      guessed,
    )
    const { video, deliveries, jobTaken: taken } = changed
    if (video) wrote(video)
    if (taken) {
      const after = await carry(id, (current, nowMs) => onJobTaken(current, taken, nowMs), { onJobTaken }, true)
      // It cannot be undone, so somebody must see it. The job stays its owner's: no client is shown another's video.
      log.error({ video_id: id, job: taken.jobId, owner: taken.owner }, 'duplicate_job')
      tally.count('duplicate_job', { backend: known()?.backend ?? '' })
      return after
    }
    if (video && before !== null && video !== before) {
      told(log, before, video)
      time(tally, before, video)
    }
    if (video && !isTold) alarm(log, tally, video, notes)
    // A decision to keep it as it is informs nobody, and would have it read again.
    if (video !== known()) announce(wake, known(), video)
    for (const delivery of deliveries) wake.hint('deliver', delivery, clock.now())
    return video
  }
  return (id, decide, options = {}) => carry(id, decide, options, false)
}

/** A second job was paid for. It cannot be undone, so somebody must see it: one log line and one count. */
const alarm = (log: Log, tally: Tally, video: VideoRecord, notes: readonly TimelineEntry[]): void => {
  for (const { type, detail } of notes) {
    if (type !== 'duplicate_job') continue
    tally.count('duplicate_job', { backend: video.backend })
    log.error(
      { video_id: video.id, backend: video.backend, job: detail, known_job: video.backendJobId },
      'duplicate_job',
    )
  }
}

/** `after` is null when the video is gone. */
const announce = (wake: Pick<Wake, 'changed'>, before: VideoRecord | null, after: VideoRecord | null): void => {
  const last = after ?? before
  if (last) wake.changed(last.id, last.version + (after ? 0 : 1), last.client)
}

/**
 * Counts and times what moved. How late the end may have been found is measured only for ends that the backend made:
 * the gateway knows its own immediately.
 */
const time = (tally: Tally, before: VideoRecord, after: VideoRecord): void => {
  const { backend, status, createdAtMs, acceptedAtMs, endedAtMs } = after
  if (before.acceptedAtMs === null && acceptedAtMs !== null)
    tally.observe('dispatch_wait', acceptedAtMs - createdAtMs, { backend })
  if (before.phase !== 'ended' && after.phase === 'ended' && isTerminal(status)) {
    tally.count('video_ended', { backend, status, code: after.error?.code ?? '' })
    if (endedAtMs !== null) tally.observe('video', endedAtMs - createdAtMs, { backend })
  }
  const isOfBackend = after.status === 'completed' || after.error?.code === 'backend_failed'
  if (before.phase === 'ended' || after.phase !== 'ended' || !isOfBackend) return
  const ms = uncertaintyMs(after)
  if (ms !== null) tally.observe('detection_uncertainty', ms, { backend })
}

const told = (log: Log, before: VideoRecord, after: VideoRecord): void => {
  if (before.phase === after.phase && before.status === after.status) return
  const fields = {
    video_id: after.id,
    backend: after.backend,
    client: after.client,
    phase: after.phase,
    status: after.status,
    job: after.backendJobId,
    code: after.error?.code,
    trace_id: traceIdOf(after),
  }
  log.info(fields, 'video moved')
}
