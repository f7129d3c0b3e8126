import { describe, expect, test } from 'vitest'
import type { HistoryJob } from '../../../src/core/store/videos.ts'
import type { Status } from '../../../src/core/vocabulary.ts'
import { ACCOUNT, accountId, draft, ended, HOUR, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { importing, numbered, openWaiting, saving } from './helpers.ts'

const older = (jobId: string, createdAtMs: number, place = '5', status: Status = 'completed'): HistoryJob => ({
  jobId,
  video: { ...draft().video, id: `past/${jobId}`, backendJobId: jobId, createdAtMs, status },
  place,
})

const ALL = { statuses: null, offset: 0, limit: 100 }

export const historyContract = (current: Current): void => {
  describe('jobs of before', () => {
    const ids = async (given: object = {}): Promise<(string | null)[]> => {
      const { videos } = await current().store.page('acme', { ...ALL, history: [ACCOUNT], ...given })
      return videos.map(({ id, backendJobId }) => (id.startsWith('past/') ? backendJobId : id))
    }

    test('stand among the client’s videos by their time and place, as long as their account is named', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), createdAtMs: T0 + 10 })
      await openWaiting(store, { id: numbered(2), createdAtMs: T0 + 30 })
      await openWaiting(store, { id: numbered(3), createdAtMs: T0 + 20, client: 'other' })
      const jobs = [older('b', T0 + 20, '7'), older('a', T0 + 20, '8'), older('c', T0, '1', 'failed')]
      await store.putHistory(ACCOUNT, jobs, null)
      await store.putHistory(accountId('other'), [older('d', T0)], null)
      expect(await ids()).toEqual([numbered(2), 'a', 'b', numbered(1), 'c'])
      expect(await ids({ history: [] })).toEqual([numbered(2), numbered(1)])
      expect(await ids({ history: [ACCOUNT, accountId('other')] })).toHaveLength(6)
      expect(await ids({ statuses: ['failed', 'queued'] })).toEqual([numbered(2), numbered(1), 'c'])
      expect(await ids({ statuses: ['completed'], offset: 1 })).toEqual(['b'])
      for (let offset = 0; offset < 6; offset += 1) {
        const page = { ...ALL, history: [ACCOUNT], offset, limit: 2 }
        expect((await store.page('acme', page)).total).toBe(5)
        expect(await ids(page)).toEqual((await ids()).slice(offset, offset + 2))
      }
    })

    test('are kept once, and move only in their status', async () => {
      const { store } = current()
      await store.putHistory(ACCOUNT, [older('a', T0, '5', 'processing')], null)
      await store.putHistory(ACCOUNT, [older('a', T0 + HOUR, '9', 'completed')], null)
      await store.putHistory(ACCOUNT, [older('b', T0 + 1)], null)
      expect(await ids()).toEqual(['b', 'a'])
      expect(await store.historyJob(ACCOUNT, 'a')).toMatchObject({ status: 'completed' })
      expect(await store.historyJob(accountId('other'), 'a')).toBeNull()
    })

    test('are none that a video has, whichever came first', async () => {
      const { store } = current()
      await store.adopt(importing('a', { id: numbered(1) }))
      await store.putHistory(ACCOUNT, [older('a', T0), older('b', T0)], null)
      await store.adopt(importing('b', { id: numbered(2) }))
      await openWaiting(store, { id: numbered(3), client: 'other' })
      await store.putHistory(ACCOUNT, [older('c', T0)], null)
      await store.change(numbered(3), saving({ phase: 'accepted', backendJobId: 'c' }))
      expect(new Set(await ids())).toEqual(new Set([numbered(1), numbered(2)]))
      expect(await store.historyJob(ACCOUNT, 'c')).toBeNull()
    })

    test('never show a video, whatever they are called', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1), client: 'other' })
      await store.putHistory(ACCOUNT, [older(numbered(1), T0)], null)
      const { videos } = await store.page('acme', { ...ALL, history: [ACCOUNT] })
      expect(videos).toMatchObject([{ id: `past/${numbered(1)}`, client: 'acme' }])
    })

    test('stay when videos are removed, and what was removed is known by its time', async () => {
      const { store, clock } = current()
      await store.putHistory(ACCOUNT, [older('a', T0)], { page: 3, seenMs: T0, thenMs: T0 + 1 })
      const { video, ...rest } = importing('b', { ...ended(), id: numbered(1) })
      await store.adopt({ ...rest, video: { ...video, endedAtMs: clock.now() } })
      clock.jump(HOUR)
      expect(await store.purge(clock.now(), 10)).toBe(1)
      expect(await ids()).toEqual(['a'])
      expect(await store.historyWalk(ACCOUNT)).toEqual({ page: 3, seenMs: T0, thenMs: T0 + 1 })
      expect(await store.historyWalk(accountId('other'))).toBeNull()
    })

    test('are the newest ten thousand of an account', async () => {
      const { store } = current()
      for (let n = 0; n < 10; n += 1) {
        const jobs = Array.from({ length: 1_000 }, (_, m) => older(`job_${n * 1_000 + m}`, T0 + n * 1_000 + m))
        await store.putHistory(ACCOUNT, jobs, null)
      }
      await store.putHistory(ACCOUNT, [older('newer', T0 + HOUR), older('older', T0 - HOUR)], null)
      expect((await store.page('acme', { ...ALL, history: [ACCOUNT], offset: 9_999 })).total).toBe(10_000)
      expect(await ids({ limit: 1 })).toEqual(['newer'])
      expect(await ids({ limit: 1, offset: 9_999 })).toEqual(['job_1'])
    })
  })
}
