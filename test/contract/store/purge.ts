import { describe, expect, test } from 'vitest'
import { iso } from '../../../src/core/time/clock.ts'
import { must } from '../../fakes/must.ts'
import { accepted, draft, ended, event, HOUR, idemKey, note, T0, TARGET } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { claimed, dueIds, expectOpened, numbered, openOwing, openWaiting, ROOMY, saving } from './helpers.ts'
import { create, happen, succeed } from './webhook-helpers.ts'

export const purgeContract = (current: Current): void => {
  describe('purge', () => {
    const endedNow = async (n: number): Promise<void> => {
      const { store, clock } = current()
      await openWaiting(store, ended({ id: numbered(n), endedAtMs: clock.now() }))
    }

    test('removes what ended before, with all that is its own', async () => {
      const { store, clock } = current()
      const events = [{ event: event(numbered(1), 1), targets: [TARGET] }]
      const opened = await store.open(
        draft({ id: numbered(1) }, { events, notes: [note('created')] }),
        idemKey(),
        ROOMY,
        null,
      )
      const delivery = expectOpened(opened).deliveries[0] ?? ''
      const attempt = { atMs: 1, durationMs: 1, status: 200, error: null, responseBody: null }
      await store.attempted(await claimed(store, delivery), attempt, { status: 'delivered' })
      await store.change(numbered(1), saving(ended({ id: numbered(1), endedAtMs: clock.now() })))
      clock.jump(HOUR)
      expect(await store.purge(clock.now(), 10)).toBe(1)
      expect(await store.video(numbered(1))).toBeNull()
      expect(await store.timeline(numbered(1))).toEqual([])
      expect(await store.deliveriesOf(numbered(1))).toEqual([])
      expect(await store.delivery(delivery)).toBeNull()
      expect(await store.attempts(delivery)).toEqual([])
      expect(await store.keyed(idemKey())).toBeNull()
    })

    test('of a deleted video the record stays, and its key; all else goes, also what is owed or held', async () => {
      const { store, clock } = current()
      await create(store, { enabled: false })
      const events = [{ event: event(numbered(1), 1), targets: [TARGET] }]
      const metadata = { order: '1' }
      const opened = await store.open(
        draft({ id: numbered(1), metadata, inputHash: 'hash' }, { events, notes: [note('created')] }),
        idemKey(),
        ROOMY,
        null,
      )
      const delivery = expectOpened(opened).deliveries[0] ?? ''
      await happen(store, numbered(1))
      await store.change(numbered(1), saving(ended({ id: numbered(1), metadata, endedAtMs: clock.now() })))
      expect((await store.endpointOf('acme', 'we_1'))?.held).toBe(1)
      const used = () =>
        store.usage({ client: 'acme', month: iso(T0).slice(0, 7), backends: null, after: null, limit: 10 })
      const usage = await used()
      clock.jump(HOUR)
      const deletedAtMs = clock.now()
      await store.change(numbered(1), (video) => ({
        ...saving({ metadata: {}, deletedAtMs })(video),
        notes: [note('deleted', deletedAtMs)],
      }))
      expect(await store.video(numbered(1))).toMatchObject({ deletedAtMs, status: 'completed' })
      expect((await store.keyed(idemKey()))?.video.id).toBe(numbered(1))
      expect((await store.timeline(numbered(1))).map(({ type }) => type)).toEqual(['deleted'])
      expect(await store.deliveriesOf(numbered(1))).toEqual([])
      expect(await store.delivery(delivery)).toBeNull()
      expect((await store.endpointOf('acme', 'we_1'))?.held).toBe(0)
      const found = await store.withMetadata({
        client: 'acme',
        limit: 10,
        before: null,
        status: null,
        backends: null,
        createdAfterMs: null,
        createdBeforeMs: null,
        metadata: { key: 'order', value: '1' },
      })
      expect(found.videos).toEqual([])
      expect(await used()).toEqual(usage)
    })

    test('leaves what ended since, and what still runs however old', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1) })
      await openWaiting(store, accepted({ id: numbered(2) }))
      clock.jump(HOUR)
      await endedNow(3)
      expect(await store.purge(clock.now(), 10)).toBe(0)
      expect(await store.purge(clock.now() + 1, 10)).toBe(1)
      expect(await store.video(numbered(1))).not.toBeNull()
      expect(await store.video(numbered(2))).not.toBeNull()
    })

    test('an open delivery protects its video; a finished one does not', async () => {
      const { store, clock } = current()
      const delivery = await openOwing(store, { id: numbered(1) })
      await store.change(numbered(1), (seen) =>
        saving({ phase: 'ended', status: 'completed', endedAtMs: clock.now(), dueAtMs: null })(seen),
      )
      clock.jump(HOUR)
      expect(await store.purge(clock.now(), 10)).toBe(0)
      expect(await store.delivery(delivery)).not.toBeNull()
      const attempt = { atMs: 1, durationMs: 1, status: 410, error: null, responseBody: null }
      await store.attempted(await claimed(store, delivery), attempt, { status: 'failed' })
      expect(await store.purge(clock.now(), 10)).toBe(1)
    })

    test('so does one that is held for a disabled endpoint', async () => {
      const { store, clock } = current()
      await create(store, { enabled: false })
      await openWaiting(store, { id: numbered(1) })
      await happen(store, numbered(1))
      await store.change(numbered(1), saving(ended({ id: numbered(1), endedAtMs: clock.now() })))
      expect(await store.purge(clock.now() + HOUR, 10)).toBe(0)
      await store.deleteEndpoint('acme', 'we_1')
      expect(await store.purge(clock.now() + HOUR, 10)).toBe(1)
    })

    test('an event of no video stays as long as it is owed, or its client has a replay under way', async () => {
      const { store, clock } = current()
      await create(store, { id: 'we_1' })
      await create(store, { id: 'we_2', events: ['video.progress'] })
      await openWaiting(store, { id: numbered(1) })
      const gone = { atMs: clock.now(), durationMs: 1, status: 410, error: null, responseBody: null }
      await store.attempted(await claimed(store, must((await happen(store, numbered(1)))[0])), gone, {
        status: 'failed',
      })
      const purged = () => store.purgeWebhooks(clock.now() + HOUR, 10)
      expect(await purged()).toBe(0)
      const [told] = await dueIds(store)
      await succeed(store, await claimed(store, must(told)), clock.now())
      await happen(store, numbered(1), 'video.progress')
      await store.replay({ client: 'acme', endpointId: 'we_2', sinceMs: T0, untilMs: T0 + 1, onlyFailed: false })
      expect(await purged()).toBe(0)
      await store.replayStep(10)
      expect(await purged()).toBe(1)
    })

    test('of one client, or of all but some', async () => {
      const { store, clock } = current()
      await endedNow(1)
      for (const [n, client] of ['berta', 'carla'].entries())
        await openWaiting(store, ended({ id: numbered(n + 2), client, endedAtMs: clock.now() }))
      clock.jump(HOUR)
      expect(await store.purge(clock.now(), 10, { client: 'berta' })).toBe(1)
      expect(await store.video(numbered(2))).toBeNull()
      expect(await store.purge(clock.now(), 10, { except: ['berta', 'carla'] })).toBe(1)
      expect(await store.video(numbered(1))).toBeNull()
      expect(await store.video(numbered(3))).not.toBeNull()
    })

    test('takes small bites', async () => {
      const { store, clock } = current()
      for (let n = 0; n < 5; n += 1) await endedNow(n)
      expect(await store.purge(clock.now() + 1, 2)).toBe(2)
      expect(await store.purge(clock.now() + 1, 10)).toBe(3)
      expect(await store.purge(clock.now() + 1, 10)).toBe(0)
    })
  })
}
