import { describe, expect, test } from 'vitest'
import { must } from '../../fakes/must.ts'
import type { Current } from '../store.ts'
import { claimed, numbered, openWaiting } from './helpers.ts'
import { create, fail, happen, succeed } from './webhook-helpers.ts'

const replayOf = (untilMs: number) => ({
  client: 'acme',
  endpointId: 'we_1',
  sinceMs: 0,
  untilMs,
  onlyFailed: false,
})

/** What an endpoint tells of itself. */
export const endpointHealthContract = (current: Current): void => {
  describe('an endpoint', () => {
    test('it tells how far the replay has come that was asked for last', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1) })
      for (const _ of [1, 2, 3, 4, 5]) await happen(store, numbered(1))
      clock.jump(1_000)
      expect(await create(store)).toMatchObject({ replay: null })
      const told = async () => {
        const endpoint = must(await store.endpointOf('acme', 'we_1'))
        return [endpoint.replay?.queued, endpoint.replay?.endedAtMs, await store.pendingFor('acme', 'we_1')]
      }
      const first = replayOf(clock.now())
      const askedAtMs = clock.now()
      await store.replay(first)
      const { client: _client, endpointId: _id, ...asked } = first
      expect((await store.endpointOf('acme', 'we_1'))?.replay).toMatchObject({ ...asked, askedAtMs, events: 5 })
      expect(await told()).toEqual([0, null, 0])
      await store.replayStep(2)
      expect(await told()).toEqual([2, null, 2])
      // Another one: the rest of the first is not counted for it.
      clock.jump(1_000)
      await store.replay(replayOf(clock.now()))
      await store.replayStep(10)
      expect(await told()).toEqual([0, null, 5])
      await store.replayStep(10)
      expect(await told()).toEqual([5, clock.now(), 5])
      expect(await store.pendingFor('other', 'we_1')).toBe(0)
      // Ended by the endpoint: told with fewer than were found.
      await store.replay(replayOf(clock.now()))
      await store.changeEndpoint('acme', 'we_1', { enabled: false })
      await store.replayStep(10)
      expect((await told()).slice(0, 2)).toEqual([0, clock.now()])
      // One that finds nothing is none.
      await store.changeEndpoint('acme', 'we_1', { enabled: true })
      expect(await store.replay({ ...replayOf(1), sinceMs: 0 })).toEqual({ kind: 'taken', events: 0 })
      expect((await store.endpointOf('acme', 'we_1'))?.replay).toMatchObject({ events: 5 })
    })

    test('it tells when it last succeeded and failed: a success after a success once a minute', async () => {
      const { store, clock } = current()
      await create(store)
      await openWaiting(store, { id: numbered(1) })
      const beganMs = clock.now()
      const told = async () => {
        const { lastDeliveredAtMs, lastFailedAtMs } = must(await store.endpointOf('acme', 'we_1'))
        return [lastDeliveredAtMs, lastFailedAtMs].map((atMs) => atMs && atMs - beganMs)
      }
      const again = async (afterMs: number, act: typeof fail | typeof succeed) => {
        clock.jump(afterMs)
        await act(store, await claimed(store, must((await happen(store, numbered(1)))[0])), clock.now())
        return told()
      }
      expect(await told()).toEqual([null, null])
      expect(await again(0, succeed)).toEqual([0, null])
      expect(await again(59_999, succeed)).toEqual([0, null])
      expect(await again(1, succeed)).toEqual([60_000, null])
      expect(await again(1_000, fail)).toEqual([60_000, 61_000])
      expect(await again(1_000, fail)).toEqual([60_000, 62_000])
      // The end of failures is told at once.
      expect(await again(1_000, succeed)).toEqual([63_000, 62_000])
    })
  })
}
