import { describe, expect, test } from 'vitest'
import { ACCOUNT, accountId, note } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, openWaiting, saving } from './helpers.ts'

const giving = (jobId: string) => saving({ phase: 'accepted', backendJobId: jobId })

export const jobContract = (current: Current): void => {
  describe('owner', () => {
    test('is who holds the job of that account, also after it ended', async () => {
      const { store, clock } = current()
      await openWaiting(store, { id: numbered(1) })
      await openWaiting(store, { id: numbered(2) })
      expect(await store.owner(ACCOUNT, 'job_1')).toBeNull()
      await store.change(numbered(2), saving({ phase: 'accepted', backendJobId: 'job_1' }))
      expect(await store.owner(ACCOUNT, 'job_1')).toBe(numbered(2))
      expect(await store.owner(ACCOUNT, 'job_2')).toBeNull()
      expect(await store.owner(accountId('other'), 'job_1')).toBeNull()
      await store.change(numbered(2), saving({ phase: 'ended', status: 'completed', endedAtMs: clock.now() }))
      expect(await store.owner(ACCOUNT, 'job_1')).toBe(numbered(2))
    })

    test('is nobody when its video was forgotten', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1) })
      await store.change(numbered(1), saving({ phase: 'accepted', backendJobId: 'job_1' }))
      await store.change(numbered(1), () => ({ kind: 'discard' }))
      expect(await store.owner(ACCOUNT, 'job_1')).toBeNull()
    })

    test('is still known after a restart', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1) })
      await store.change(numbered(1), saving({ phase: 'accepted', backendJobId: 'job_1' }))
      expect(await (await current().reopen()).owner(ACCOUNT, 'job_1')).toBe(numbered(1))
    })
  })

  describe('one job is one video’s', () => {
    test('who has it keeps it, and the other is told whose it is, with nothing written', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1) })
      const second = await openWaiting(store, { id: numbered(2) })
      expect((await store.change(numbered(1), giving('job_1'))).jobTaken).toBeNull()
      const refused = await store.change(numbered(2), (video, nowMs) => ({
        kind: 'save',
        video: { ...video, phase: 'accepted', backendJobId: 'job_1' },
        events: [],
        notes: [note('accepted', nowMs)],
      }))
      const jobTaken = { jobId: 'job_1', owner: numbered(1) }
      expect(refused).toEqual({ video: second, deliveries: [], jobTaken })
      expect(await store.video(numbered(2))).toEqual(second)
      expect(await store.timeline(numbered(2))).toEqual([])
    })

    test('also when its video ended; not when it was forgotten', async () => {
      const { store, clock } = current()
      for (const n of [1, 2]) await openWaiting(store, { id: numbered(n) })
      await store.change(numbered(1), giving('job_1'))
      await store.change(numbered(1), saving({ phase: 'ended', endedAtMs: clock.now() }))
      expect((await store.change(numbered(2), giving('job_1'))).jobTaken).not.toBeNull()
      await store.change(numbered(1), () => ({ kind: 'discard' }))
      expect((await store.change(numbered(2), giving('job_1'))).jobTaken).toBeNull()
      expect(await store.owner(ACCOUNT, 'job_1')).toBe(numbered(2))
    })

    test('its own video may say so again, and another account’s jobs are other jobs', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1) })
      await openWaiting(store, { id: numbered(2), account: accountId('other') })
      await store.change(numbered(1), giving('job_1'))
      expect((await store.change(numbered(1), giving('job_1'))).jobTaken).toBeNull()
      expect((await store.change(numbered(2), giving('job_1'))).jobTaken).toBeNull()
    })
  })
}
