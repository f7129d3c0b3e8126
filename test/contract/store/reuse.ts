import { describe, expect, test } from 'vitest'
import type { VideoRecord } from '../../../src/core/video.ts'
import { ACCOUNT, accountId, draft, ended, event, idemKey, MINUTE, T0, TARGET } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { expectOpened, LEASE_MS, numbered, openWaiting, ROOMY } from './helpers.ts'

const HASH = 'of what it is made from'
/** Completed at the minute of its number. */
const made = (n: number, given: Partial<VideoRecord> = {}) =>
  ended({ id: numbered(n), inputHash: HASH, endedAtMs: T0 + n * MINUTE, ...given })
/** One with the file of another. */
export const copyOf = (n: number, of: number, given: Partial<VideoRecord> = {}) =>
  ended({
    id: numbered(n),
    told: false,
    backendJobId: null,
    acceptedAtMs: null,
    reused: { videoId: numbered(of), jobId: `job_of_${numbered(of)}` },
    credits: { charged: 0, remaining: null },
    ...given,
  })

export const reuseContract = (current: Current): void => {
  describe('reuse', () => {
    test('finds the latest completed video of the hash and the account, if it is young enough', async () => {
      const { store } = current()
      const found = async (sinceMs = 0, hash = HASH, account = ACCOUNT) =>
        (await store.reusable([account], hash, sinceMs))?.id ?? null
      await openWaiting(store, made(1))
      await openWaiting(store, made(3))
      await openWaiting(store, made(2))
      await openWaiting(store, made(4, { status: 'failed' }))
      await openWaiting(store, made(5, { account: accountId('other') }))
      await openWaiting(store, made(6, { inputHash: null }))
      await openWaiting(store, made(7, { inputHash: 'of something else' }))
      await openWaiting(store, { id: numbered(8), inputHash: HASH })
      expect([await found(), await found(T0 + 3 * MINUTE - 1)]).toEqual([numbered(3), numbered(3)])
      expect(await found(T0 + 3 * MINUTE)).toBeNull()
      expect(await found(0, HASH, accountId('other'))).toBe(numbered(5))
      expect(await found(0, 'nothing')).toBeNull()
      expect(await store.reusable([ACCOUNT, accountId('other'), accountId('none')], HASH, 0)).toMatchObject({
        id: numbered(5),
      })
      expect(await store.reusable([], HASH, 0)).toBeNull()
    })

    test('a video with the file of another is over as it opens, with its events, its key and no job', async () => {
      const { store, reopen } = current()
      await openWaiting(store, made(1))
      const given = draft(copyOf(2, 1), {
        events: [1, 2].map((n) => ({ event: event(numbered(2), n), targets: [{ kind: 'video', url: TARGET.url }] })),
      })
      const opened = expectOpened(await store.open(given, idemKey(), ROOMY, { slots: null, leaseMs: LEASE_MS }))
      expect(opened).toMatchObject({ lease: null, ticket: null, video: { phase: 'ended', told: true, sequence: 2 } })
      expect(opened.deliveries).toHaveLength(2)
      expect(await store.open(draft(copyOf(3, 1)), idemKey(), ROOMY, null)).toMatchObject({
        kind: 'replay',
        video: { id: numbered(2) },
      })
      expect(await store.owner(ACCOUNT, `job_of_${numbered(1)}`)).toBe(numbered(1))
      expect(await store.queue(ACCOUNT)).toMatchObject({ waiting: 0, held: 0 })
      expect(await (await reopen()).video(numbered(2))).toEqual(opened.video)
    })

    test('it is a video of the month, of no credits, and no queue is too full for it', async () => {
      const { store } = current()
      await openWaiting(store, made(1, { credits: { charged: 3, remaining: null } }))
      await openWaiting(store, { id: numbered(9) })
      const open = (n: number, limits: object) => store.open(draft(copyOf(n, 1)), null, { ...ROOMY, ...limits }, null)
      expectOpened(await open(2, { queue: 1, client: 1 }))
      expect(await store.monthOf('acme', T0)).toMatchObject({ videos: { completed: 2 }, creditsCharged: 3 })
      expect(await open(3, { videosPerMonth: 3 })).toMatchObject({ kind: 'full', scope: 'videos' })
      expectOpened(await open(4, { videosPerMonth: 4 }))
    })

    test('a split is not judged by it', async () => {
      const { store } = current()
      const routing = { chosen_by: 'rule' as const, rule: 'rule_a', pool: null, considered: [] }
      await openWaiting(store, made(1, { routing }))
      expectOpened(await store.open(draft(copyOf(2, 1, { routing })), null, ROOMY, null))
      expect(await store.countOf({ rule: 'rule_a', backend: 'main' }, 0)).toMatchObject({ videos: 1 })
    })

    test.each([
      ['is no more', {}],
      ['is another client’s', { client: 'other' }],
      ['is not completed', { status: 'failed' as const }],
    ])('nothing is written where the original %s', async (why, given) => {
      const { store } = current()
      if (why !== 'is no more') await openWaiting(store, made(1, given))
      expect(await store.open(draft(copyOf(2, 1)), idemKey(), ROOMY, null)).toEqual({ kind: 'gone' })
      expect([await store.video(numbered(2)), await store.keyed(idemKey())]).toEqual([null, null])
    })

    test('a copy outlives its original', async () => {
      const { store } = current()
      await openWaiting(store, made(1))
      expectOpened(await store.open(draft(copyOf(2, 1, { endedAtMs: T0 + 9 * MINUTE })), null, ROOMY, null))
      expect(await store.purge(T0 + 5 * MINUTE, 10)).toBe(1)
      expect(await store.video(numbered(2))).toMatchObject({ reused: { jobId: `job_of_${numbered(1)}` } })
    })
  })
}
