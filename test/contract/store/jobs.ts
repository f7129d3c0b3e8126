import { describe, expect, test } from 'vitest'
import { ACCOUNT, accountId, draft as draftOf, event, note, TARGET } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { importing, LEASE_MS, numbered, openWaiting, ROOMY, saving } from './helpers.ts'

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

  describe('adopt', () => {
    test('inserts the video with what is owed and noted, running and counted', async () => {
      const { store } = current()
      const owed = { event: event(numbered(1), 1), targets: [TARGET] }
      const draft = importing('job_1', { id: numbered(1), sequence: 1 }, { events: [owed], notes: [note('imported')] })
      const adopted = await store.adopt(draft)
      expect(adopted).toMatchObject({ kind: 'adopted', video: draft.video })
      expect(await store.video(numbered(1))).toEqual(draft.video)
      expect(await store.owner(ACCOUNT, 'job_1')).toBe(numbered(1))
      expect(await store.timeline(numbered(1))).toEqual([note('imported')])
      expect((await store.deliveriesOf(numbered(1))).map(({ id }) => id)).toEqual(
        adopted.kind === 'adopted' ? adopted.deliveries : [],
      )
      expect(await store.running(ACCOUNT)).toMatchObject([{ id: numbered(1), source: 'import' }])
      expect(await store.queue(ACCOUNT)).toMatchObject({ waiting: 0, held: 1 })
      const next = await store.open(draftOf({ id: numbered(2) }), null, ROOMY, { slots: 1, leaseMs: LEASE_MS })
      expect(next).toMatchObject({ kind: 'opened', lease: null })
    })

    test('writes nothing where the job has its video, also one that ended, and answers that one', async () => {
      const { store, clock } = current()
      const mine = await openWaiting(store, { id: numbered(1), client: 'other' })
      await store.change(mine.id, saving({ phase: 'ended', backendJobId: 'job_1', endedAtMs: clock.now() }))
      const again = await store.adopt(importing('job_1', { id: numbered(2) }, { notes: [note('imported')] }))
      expect(again).toEqual({ kind: 'known', video: await store.video(numbered(1)) })
      expect(await store.video(numbered(2))).toBeNull()
      expect(await store.timeline(numbered(2))).toEqual([])
    })

    test('another account’s job of that name is another job; a restart forgets neither', async () => {
      const { store } = current()
      expect((await store.adopt(importing('job_1', { id: numbered(1) }))).kind).toBe('adopted')
      const other = importing('job_1', { id: numbered(2), account: accountId('other') })
      expect((await store.adopt(other)).kind).toBe('adopted')
      const reopened = await current().reopen()
      expect(await reopened.adopt(importing('job_1', { id: numbered(3) }))).toMatchObject({
        video: { id: numbered(1) },
      })
    })

    test('a video that its create gives this job afterwards does not get it', async () => {
      const { store } = current()
      await openWaiting(store, { id: numbered(1) })
      await store.adopt(importing('job_1', { id: numbered(2) }))
      const { jobTaken } = await store.change(numbered(1), giving('job_1'))
      expect(jobTaken).toEqual({ jobId: 'job_1', owner: numbered(2) })
    })
  })

  test('room: what waits, of all and of one', async () => {
    const { store } = current()
    expect(await store.room('acme')).toEqual({ queue: 0, client: 0 })
    for (const n of [1, 2, 3]) await openWaiting(store, { id: numbered(n), client: n === 1 ? 'other' : 'acme' })
    await store.adopt(importing('job_1', { id: numbered(4) }))
    expect(await store.room('acme')).toEqual({ queue: 3, client: 2 })
    expect(await store.room('nobody')).toEqual({ queue: 3, client: 0 })
  })
}
