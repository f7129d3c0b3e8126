import type { Change, NewVideo, Opened } from '../../../src/core/store/videos.ts'
import type { Lease } from '../../../src/core/store/webhooks.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { accepted, draft, event, INPUT, TARGET } from '../../fakes/records.ts'
import { must } from '../../fakes/must.ts'

export const ROOMY = { queue: 1_000, client: 1_000, videosPerMonth: null, creditsPerMonth: null }
export const LEASE_MS = 45_000

export const numbered = (n: number): string => `vid_${String(n).padStart(4, '0')}`

/** Opens a video that waits: no admission was asked for. */
export const openWaiting = async (store: Store, given: Partial<VideoRecord> = {}): Promise<VideoRecord> => {
  const opened = await store.open(draft(given), null, ROOMY, null)
  return expectOpened(opened).video
}

export const expectOpened = (opened: Opened): Extract<Opened, { kind: 'opened' }> => {
  if (opened.kind !== 'opened') throw new Error(`not opened but ${opened.kind}`)
  return opened
}

/** A job that was made elsewhere, as the engine hands it to `adopt`. */
export const importing = (
  jobId: string,
  given: Partial<VideoRecord> = {},
  more: Partial<Omit<NewVideo, 'video'>> = {},
) => {
  const input = { ...INPUT, image_url: null, text: null, voice_id: null }
  return {
    events: [],
    notes: [],
    ...more,
    video: { ...accepted({ attempt: 0, input, ...given }), backendJobId: jobId },
  }
}

/** A change that saves the record with something changed, and nothing beside it. */
export const saving =
  (given: Partial<VideoRecord>) =>
  (video: VideoRecord): Change => ({ kind: 'save', video: { ...video, ...given }, events: [], notes: [] })

/** Owes the next event of a video to `url`. Answers the id of its delivery. */
export const owe = async (store: Store, id: string, url = TARGET.url): Promise<string> => {
  const { deliveries } = await store.change(id, (video, nowMs) => {
    const sequence = video.sequence + 1
    return {
      kind: 'save',
      video: { ...video, sequence },
      events: [{ event: event(id, sequence, { atMs: nowMs }), targets: [{ kind: 'video', url }] }],
      notes: [],
    }
  })
  return must(deliveries[0])
}

/** A video with one delivery that is due now. */
export const openOwing = async (store: Store, given: Partial<VideoRecord> = {}): Promise<string> => {
  const { id } = await openWaiting(store, given)
  return owe(store, id)
}

export const claimed = async (store: Store, id: string, leaseMs = LEASE_MS): Promise<Lease> =>
  must(await store.claim('deliver', id, leaseMs))

/** The deliveries that may start now. */
export const dueIds = async (store: Store): Promise<string[]> => (await store.dueDeliveries(100)).map(({ id }) => id)

const AT_ONCE = 50
/** Does it with each, some at the same time: a write waits only so long for those before it, also on a slow machine. */
export const withEach = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const all: R[] = []
  for (let at = 0; at < items.length; at += AT_ONCE)
    all.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))))
  return all
}
