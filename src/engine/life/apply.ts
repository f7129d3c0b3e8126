import type { Log } from '../../core/log.ts'
import type { Quotas } from '../../core/access.ts'
import type { Store } from '../../core/store/index.ts'
import type { Change, JobTaken } from '../../core/store/videos.ts'
import type { Ports, Wake } from '../../core/ports.ts'
import type { Tally } from '../../core/tally.ts'
import { uncertaintyMs, type TimelineEntry, type VideoRecord } from '../../core/video.ts'
import { isTerminal } from '../../core/vocabulary.ts'
import { traceIdOf } from '../../core/tracing.ts'
import { secondJobAt } from './callback-steps.ts'
import { withEvents, type EventContext } from './events.ts'
import type { Step } from './job-steps.ts'
import { jobTaken } from './create-steps.ts'

/** What to write: a step; nothing (`keep`); or delete the video (`discard`). */
export type Decided = Step | 'keep' | 'discard'

interface ApplyDeps extends Pick<Ports, 'clock' | 'log' | 'tally'> {
  store: Pick<Store, 'change'>
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
        return { kind: 'save', video: saved, events, notes: told, audit, quotas: quotasOf(video.client) }
      },
      guessed,
    )
    const { video, deliveries, jobTaken: taken } = changed
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
