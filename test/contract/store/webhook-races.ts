import { expect } from 'vitest'
import { MAX_ENDPOINTS, MAX_HELD, MOVED_AT_ONCE } from '../../../src/core/endpoints.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { WebhookStore } from '../../../src/core/store/webhooks.ts'
import { must } from '../../fakes/must.ts'
import { accepted, event, newEndpoint, pastQuery, deliveriesQuery } from '../../fakes/records.ts'
import { claimed, numbered, openWaiting, owe } from './helpers.ts'
import type { Rivals } from './races.ts'
import { happenOften, moveAll } from './webhook-helpers.ts'

type Race = (rivals: Rivals) => Promise<void>

const KEEPER = { kind: 'client', id: 'acme' } as const
const EVENTS = 8
const FAILED = { atMs: 1, durationMs: 1, status: 500, error: null, responseBody: null }

/** An endpoint and a video whose `EVENTS` events are owed to it. */
const stage = async (store: Store) => {
  const endpoint = must(await store.createEndpoint(newEndpoint({ events: ['video.progress', 'video.failed'] })))
  await openWaiting(store, accepted({ id: numbered(1) }))
  for (let n = 0; n < EVENTS; n += 1) await owe(store, numbered(1))
  const owed = await store.deliveries('acme', deliveriesQuery({ endpointId: endpoint.id }))
  return { endpoint, owed: owed.toReversed().map(({ delivery }) => delivery) }
}

const endOf = (sequence: number, atMs: number) => event(numbered(1), sequence, { type: 'video.completed', atMs })

const statuses = async (store: Store, endpointId: string): Promise<string[]> => {
  const found = await store.deliveries('acme', deliveriesQuery({ endpointId, limit: 100 }))
  return [...new Set(found.map(({ delivery }) => delivery.status))]
}

/** Looks, again and again, while another handle makes events: `look` answers how many it sees, and never fewer again. */
const growing = async ({ store, other }: Rivals, look: (reader: Store) => Promise<number>): Promise<void> => {
  const seen: number[] = []
  const state = { isOver: false }
  const written = stage(store).finally(() => {
    state.isOver = true
  })
  while (!state.isOver) {
    seen.push(await look(other))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await written
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(await look(other)).toBeGreaterThan(0)
}

/** Every verb of the port's part about webhooks, from two handles at once. */
export const WEBHOOK_RACES: Record<keyof WebhookStore, Race> = {
  createEndpoint: async ({ store, each }) => {
    const made = await each(MAX_ENDPOINTS + 10, (one, n) => one.createEndpoint(newEndpoint({ id: `we_${n}` })))
    expect(made.filter((one) => one !== null)).toHaveLength(MAX_ENDPOINTS)
    expect(await store.endpointsOf('acme')).toHaveLength(MAX_ENDPOINTS)
  },

  changeEndpoint: async ({ store, other }) => {
    const { endpoint } = await stage(store)
    // What is owed while it is disabled and enabled is due or given up, as it is in the end, and never in between.
    await Promise.all([
      store.changeEndpoint('acme', endpoint.id, { enabled: false }),
      owe(other, numbered(1)),
      store.changeEndpoint('acme', endpoint.id, { description: 'x' }),
      other.changeEndpoint('acme', endpoint.id, { enabled: false }),
    ])
    expect(await statuses(store, endpoint.id)).toEqual(['failed'])
    expect(await other.endpointOf('acme', endpoint.id)).toMatchObject({
      disabled: { reason: 'client' },
      description: 'x',
    })
  },

  deleteEndpoint: async ({ store, other, each }) => {
    const { endpoint } = await stage(store)
    const [gone] = await Promise.all([
      each(10, (one) => one.deleteEndpoint('acme', endpoint.id)),
      owe(other, numbered(1)),
    ])
    expect(gone.filter(Boolean)).toHaveLength(1)
    expect(await statuses(store, endpoint.id)).toEqual(['failed'])
  },

  secrets: async ({ each }) => {
    const heard = await each(20, (one, n) => one.secrets(KEEPER, `candidate ${n}`))
    expect(new Set(heard.map((one) => one.join())).size).toBe(1)
  },

  rotateSecret: async ({ store, each, clock }) => {
    await store.secrets(KEEPER, 'first')
    await each(4, (one, n) => one.rotateSecret(KEEPER, `rotated ${n}`, clock.now() + 1_000))
    const live = await store.secrets(KEEPER, 'x')
    expect(live.toSorted()).toEqual(['first', 'rotated 0', 'rotated 1', 'rotated 2', 'rotated 3'])
    clock.jump(1_000)
    expect(await store.secrets(KEEPER, 'x')).toEqual([live[0]])
  },

  redeliver: async ({ store, other, each }) => {
    const { owed } = await stage(store)
    const first = must(owed[0])
    const lease = await claimed(store, first.id)
    // Asked for again while an attempt fails: whichever is first, it is due again.
    await Promise.all([
      other.attempted(lease, FAILED, { status: 'failed' }),
      each(10, (one) => one.redeliver('acme', first.event.id)),
    ])
    expect(await store.delivery(first.id)).toMatchObject({ status: 'pending' })
    expect(await store.deliveries('acme', deliveriesQuery({ eventId: first.event.id }))).toHaveLength(2)
  },

  replay: async ({ store, each, clock }) => {
    const { endpoint } = await stage(store)
    const asked = { client: 'acme', endpointId: endpoint.id, sinceMs: 0, untilMs: clock.now() + 1, onlyFailed: false }
    const taken = await each(6, (one) => one.replay(asked))
    expect(new Set(taken.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"kind":"taken","events":8}']))
    const steps = await each(6, (one) => one.replayStep(100))
    expect(steps.map((one) => one?.length)).toEqual([8, 8, 8, 8, 8, 8])
    expect(await store.replayStep(100)).toBeNull()
  },

  replayStep: async ({ store, each, clock }) => {
    const { endpoint, owed } = await stage(store)
    await store.replay({
      client: 'acme',
      endpointId: endpoint.id,
      sinceMs: 0,
      untilMs: clock.now() + 1,
      onlyFailed: false,
    })
    const steps = await each(20, (one) => one.replayStep(1))
    // Each event once, whoever does it.
    expect(steps.flatMap((one) => one ?? []).toSorted()).toEqual(owed.map(({ id }) => id).toSorted())
  },

  backlogStep: async ({ store, each }) => {
    const { id } = must(await store.createEndpoint(newEndpoint()))
    await openWaiting(store, accepted({ id: numbered(1) }))
    await happenOften(store, numbered(1), 4 * MOVED_AT_ONCE)
    await store.changeEndpoint('acme', id, { enabled: false })
    // A part has moved by then; the last step finds that nothing is left.
    const steps = await each(10, (one) => one.backlogStep())
    expect(steps.filter(Boolean)).toHaveLength(4)
    expect(await statuses(store, id)).toEqual(['held'])
    expect(await store.endpointOf('acme', id)).toMatchObject({ held: 4 * MOVED_AT_ONCE })
  },

  purgeWebhooks: async ({ store, each, clock }) => {
    await store.secrets(KEEPER, 'first')
    for (let n = 0; n < 3; n += 1) await store.rotateSecret(KEEPER, `rotated ${n}`, clock.now())
    const removed = await each(10, (one) => one.purgeWebhooks(clock.now(), 1))
    expect(removed.reduce((sum, one) => sum + one, 0)).toBe(3)
    expect(await store.secrets(KEEPER, 'x')).toEqual(['rotated 2'])
  },

  clientsTold: async (rivals) =>
    growing(rivals, async (reader) => ((await reader.clientsTold()).includes('acme') ? 1 : 0)),
  droppedEvents: async ({ store, other, each }) => {
    const { id } = must(await store.createEndpoint(newEndpoint()))
    await openWaiting(store, accepted({ id: numbered(1) }))
    // Many that are held later take less time than many of which each is held at once.
    await happenOften(store, numbered(1), MAX_HELD)
    await store.changeEndpoint('acme', id, { enabled: false })
    await moveAll(store)
    await each(10, (one) =>
      one.change(numbered(1), (video, nowMs) => {
        const sequence = video.sequence + 1
        return {
          kind: 'save',
          video: { ...video, sequence },
          events: [{ event: endOf(sequence, nowMs), targets: [] }],
          notes: [],
        }
      }),
    )
    expect(await other.droppedEvents()).toBe(10)
  },
  endpointOf: async (rivals) =>
    growing(rivals, async (reader) => ((await reader.endpointOf('acme', 'we_1')) === null ? 0 : 1)),
  endpointsOf: async (rivals) => growing(rivals, async (reader) => (await reader.endpointsOf('acme')).length),
  eventOf: async (rivals) =>
    growing(rivals, async (reader) => ((await reader.eventOf('acme', `evt_${numbered(1)}_1`)) === null ? 0 : 1)),
  pastEvents: async (rivals) =>
    growing(rivals, async (reader) => (await reader.pastEvents('acme', pastQuery())).length),
  deliveries: async (rivals) =>
    growing(rivals, async (reader) => {
      const found = await reader.deliveries('acme', deliveriesQuery())
      // An event's deliveries to its two targets are one write.
      return found.length % 2 === 0 ? found.length : -1
    }),
  pendingFor: async (rivals) => growing(rivals, (reader) => reader.pendingFor('acme', 'we_1')),
  deliveryOf: async (rivals) =>
    growing(rivals, async (reader) => {
      const found = await reader.deliveries('acme', deliveriesQuery())
      const read = await Promise.all(found.map(({ delivery }) => reader.deliveryOf('acme', delivery.id)))
      return read.includes(null) ? -1 : read.length
    }),
}
