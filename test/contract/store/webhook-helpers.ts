import type { DeliveryStatus, Lease, NewEndpoint } from '../../../src/core/store/webhooks.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { EventRecord } from '../../../src/core/video.ts'
import { must } from '../../fakes/must.ts'
import { deliveriesQuery, event, newEndpoint } from '../../fakes/records.ts'

const ALL = 100

export const create = async (store: Store, given: Partial<NewEndpoint> = {}) =>
  must(await store.createEndpoint(newEndpoint(given)))

/** One event of a video, owed to no `webhook_url`; answers the deliveries that are due. */
export const happen = async (
  store: Store,
  id: string,
  type: 'video.progress' | 'video.completed' = 'video.completed',
) => {
  const { deliveries } = await store.change(id, (video, nowMs) => {
    const sequence = video.sequence + 1
    return {
      kind: 'save',
      video: { ...video, sequence },
      events: [{ event: event(id, sequence, { atMs: nowMs, type }), targets: [] }],
      notes: [],
    }
  })
  return deliveries
}

/**
 * What one write makes. An engine walks past the rows that its own write replaced (such as a count), so one of ten
 * thousand takes as long as a hundred of five hundred.
 */
const AT_ONCE = 500

/** So many events that end a video, `AT_ONCE` in one write, owed to the client's endpoints. The first's number is `from`. */
export const happenOften = async (
  store: Store,
  id: string,
  count: number,
  given: (n: number) => Partial<EventRecord> = () => ({}),
) => {
  const due: string[] = []
  for (let made = 0; made < count; made += AT_ONCE) {
    const { deliveries } = await store.change(id, (video, nowMs) => {
      const more = Math.min(AT_ONCE, count - made)
      return {
        kind: 'save',
        video: { ...video, sequence: video.sequence + more },
        events: Array.from({ length: more }, (_, n) => ({
          event: event(id, video.sequence + n + 1, {
            atMs: nowMs,
            type: 'video.completed',
            body: '{}',
            ...given(made + n),
          }),
          targets: [],
        })),
        notes: [],
      }
    })
    due.push(...deliveries)
  }
  return due
}

/** Does all that a change of an endpoint left to do now; answers in how many steps. */
export const moveAll = async (store: Store): Promise<number> => {
  let steps = 0
  while (await store.backlogStep()) steps += 1
  return steps
}

export const sentTo = async (store: Store, endpointId: string): Promise<[string, DeliveryStatus][]> =>
  (await store.deliveries('acme', deliveriesQuery({ endpointId, limit: ALL }))).map(({ delivery }) => [
    delivery.event.id,
    delivery.status,
  ])

export const fail = (store: Store, lease: Lease, atMs: number, status: number | null = 500) =>
  store.attempted(
    lease,
    { atMs, durationMs: 1, status, error: 'no', responseBody: null },
    { status: 'pending', nextAttemptAtMs: atMs },
  )
export const succeed = (store: Store, lease: Lease, atMs: number) =>
  store.attempted(lease, { atMs, durationMs: 1, status: 200, error: null, responseBody: '' }, { status: 'delivered' })
