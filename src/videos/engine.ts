import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Change, JobTaken, Store, Wake } from '../core/ports.ts'
import type { VideoRecord } from '../core/video.ts'
import type { EventContext } from './events.ts'
import { withEvents } from './events.ts'
import type { Step } from './settle.ts'
import { jobTaken } from './steps.ts'

/** What a step wants of the store: a move, nothing, or that the video be forgotten. */
export type Decided = Step | 'keep' | 'discard'

export interface ApplyDeps {
  store: Store
  wake: Wake
  clock: Clock
  log: Log
  contentUrl: EventContext['contentUrl']
}

export type Apply = (
  id: string,
  decide: (video: VideoRecord, nowMs: number) => Decided,
  /** What becomes of it when the job that it was to have is another video's. */
  onJobTaken?: (video: VideoRecord, taken: JobTaken, nowMs: number) => Decided,
) => Promise<VideoRecord | null>

/**
 * Carries a pure step through the store: the record, its events and their deliveries in one atomic write, and only then
 * anyone is told. Every change of a video goes this way, so it is here that a settled one is announced exactly once.
 */
export const createApply = ({ store, wake, clock, log, contentUrl }: ApplyDeps): Apply => {
  const apply: Apply = async (id, decide, onJobTaken = jobTaken) => {
    let before: VideoRecord | null = null
    const changed = await store.change(id, (video, nowMs): Change => {
      before = video
      const decided = decide(video, nowMs)
      if (decided === 'discard') return { kind: 'discard' }
      if (decided === 'keep' || decided.video === video) return { kind: 'keep' }
      const owed = withEvents(video, decided.video, { nowMs, contentUrl })
      return { kind: 'save', video: owed.video, events: owed.events, notes: decided.notes }
    })
    const { video, deliveries, jobTaken: taken } = changed
    if (taken) {
      // It cannot be undone, so it must be seen; and the one's video is never shown for the other's.
      log.error({ video_id: id, job: taken.jobId, owner: taken.owner }, 'duplicate_job')
      return apply(id, (current, nowMs) => onJobTaken(current, taken, nowMs))
    }
    if (video && before !== null && video !== before) told(log, before, video)
    announce(wake, before, video)
    for (const delivery of deliveries) wake.hint('deliver', delivery, clock.now())
    return video
  }
  return apply
}

/** `after` is null when the video is gone. */
const announce = (wake: Wake, before: VideoRecord | null, after: VideoRecord | null): void => {
  const last = after ?? before
  if (last) wake.changed(last.id, last.version + (after ? 0 : 1), last.client)
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
  }
  log.info(fields, 'video moved')
}
