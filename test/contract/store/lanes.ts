import { describe, expect, test } from 'vitest'
import type { Phase } from '../../../src/core/video.ts'
import { must } from '../../fakes/must.ts'
import { ACCOUNT, accountId, draft } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { expectOpened, LEASE_MS, numbered, openWaiting, ROOMY, saving } from './helpers.ts'

const EVERY = { slots: null, leaseMs: LEASE_MS }

export const laneContract = (current: Current): void => {
  describe('lanes', () => {
    const admitted = async (): Promise<string | null> => (await current().store.admit(ACCOUNT, EVERY))?.video.id ?? null
    const move = (id: string, phase: Phase): Promise<unknown> => {
      const endedAtMs = phase === 'ended' ? current().clock.now() : null
      return current().store.change(id, saving({ phase, lease: null, endedAtMs }))
    }

    test('creates of one lane go one at a time', async () => {
      const { store } = current()
      for (const n of [1, 2]) await openWaiting(store, { id: numbered(n), lane: 'anna' })
      expect(await admitted()).toBe(numbered(1))
      expect(await admitted()).toBeNull()
    })

    test.each<[Phase, boolean]>([
      ['dispatching', false],
      ['doubtful', false],
      ['accepted', true],
      ['ended', true],
      ['waiting', true],
    ])('the one before is %s: the next may go: %s', async (phase, free) => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), lane: 'anna', client: 'a' })
      await admitted()
      await move(numbered(1), phase)
      await openWaiting(store, { id: numbered(2), lane: 'anna', client: 'b' })
      const next = await admitted()
      if (free) expect(next).not.toBeNull()
      else expect(next).toBeNull()
    })

    test('other lanes pass, of the same client too, and those without one', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), lane: 'anna' })
      await openWaiting(store, { id: numbered(2), lane: 'anna' })
      await openWaiting(store, { id: numbered(3), lane: 'bert' })
      await openWaiting(store, { id: numbered(4) })
      await openWaiting(store, { id: numbered(5) })
      const order = [await admitted(), await admitted(), await admitted(), await admitted(), await admitted()]
      expect(order).toEqual([numbered(1), numbered(3), numbered(4), numbered(5), null])
    })

    test('a lane of one account says nothing of another', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), lane: 'anna', account: accountId('other') })
      must(await store.admit(accountId('other'), EVERY))
      await openWaiting(store, { id: numbered(2), lane: 'anna' })
      expect(await admitted()).toBe(numbered(2))
    })

    test.each<Phase>(['dispatching', 'doubtful'])(
      'one that opens while the one before is %s waits, though a slot is free',
      async (phase) => {
        const { store } = current()
        const open = async (n: number, lane: string | null) =>
          expectOpened(await store.open(draft({ id: numbered(n), lane }), null, ROOMY, EVERY))
        expect((await open(1, 'anna')).lease).not.toBeNull()
        expect((await open(2, 'bert')).lease).not.toBeNull()
        expect((await open(3, null)).lease).not.toBeNull()
        await move(numbered(1), phase)
        expect(await open(4, 'anna')).toMatchObject({ lease: null, video: { phase: 'waiting', told: true } })
        await move(numbered(1), 'accepted')
        expect(await admitted()).toBe(numbered(4))
      },
    )

    test('50 admissions at once over two handles take one of each lane', async () => {
      const { store, second } = current()
      const handles = [store, await second()]
      for (let n = 0; n < 12; n += 1) {
        await openWaiting(store, { id: numbered(n), lane: `lane_${n % 3}`, client: `c${n % 4}` })
      }
      const taken = await Promise.all(Array.from({ length: 50 }, (_, n) => must(handles[n % 2]).admit(ACCOUNT, EVERY)))
      expect(
        taken.flatMap((one) => (one ? [one.video.lane] : [])).toSorted((a, b) => String(a).localeCompare(String(b))),
      ).toEqual(['lane_0', 'lane_1', 'lane_2'])
    })
  })
}
