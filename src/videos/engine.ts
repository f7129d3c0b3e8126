import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Change, Store, Wake } from '../core/ports.ts'
import type { VideoRecord } from '../core/video.ts'
import type { EventContext } from './events.ts'
import { withEvents } from './events.ts'
import type { Step } from './settle.ts'

/** What a step wants of the store: a move, nothing, or that the video be forgotten. */
export type Decided = Step | 'keep' | 'discard'

export interface ApplyDeps {
  store: Store
  wake: Wake
  clock: Clock
  log: Log
  contentUrl: EventContext['contentUrl']
}

/**
 * Carries a pure step through the store: the record, its events and their deliveries in one atomic write, and only then
 * anyone is told. Every change of a video goes this way, so it is here that a settled one is announced exactly once.
 */
export const createApply =
  ({ store, wake, clock, log, contentUrl }: ApplyDeps) =>
  async (id: string, decide: (video: VideoRecord, nowMs: number) => Decided): Promise<VideoRecord | null> => {
    let before: VideoRecord | null = null
    const versionBefore = (): number => before?.version ?? 0
    const changed = await store.change(id, (video, nowMs): Change => {
      before = video
      const decided = decide(video, nowMs)
      if (decided === 'discard') return { kind: 'discard' }
      if (decided === 'keep' || decided.video === video) return { kind: 'keep' }
      const owed = withEvents(video, decided.video, { nowMs, contentUrl })
      return { kind: 'save', video: owed.video, events: owed.events, notes: decided.notes }
    })
    const { video, deliveries } = changed
    if (video && before !== null && video !== before) told(log, before, video)
    wake.changed(id, video?.version ?? versionBefore() + 1)
    for (const delivery of deliveries) wake.hint('deliver', delivery, clock.now())
    return video
  }
export type Apply = ReturnType<typeof createApply>

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
