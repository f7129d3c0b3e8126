import { describe, expect, test } from 'vitest'
import { auditEntry } from '../../fakes/access.ts'
import type { DoubtsQuery } from '../../../src/core/store/admin.ts'
import type { RecordedAttempt } from '../../../src/core/store/webhooks.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { must } from '../../fakes/must.ts'
import { accountId, HOUR, pastQuery, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, openOwing, openWaiting, saving } from './helpers.ts'
import type { Rivals } from './races.ts'
import { create, happen } from './webhook-helpers.ts'

const doubtsQuery = (given: Partial<DoubtsQuery> = {}): DoubtsQuery => ({
  doubt: 'open',
  before: null,
  limit: 100,
  ...given,
})
const eventsQuery = { ...pastQuery(), before: null, limit: 100 }
const AUDIT = { actor: null, action: null, subject: null, sinceMs: null, before: null, limit: 100 }

const tryTo = (store: Store, delivery: string, n: number, responseBody: string | null) =>
  store.attempted(
    { id: delivery, token: `t${n}`, untilMs: 0 },
    { atMs: T0 + n, durationMs: 1, status: 500, error: null, responseBody },
    { status: 'failed' },
  )

export const DOUBT_RACES = {
  doubts: async ({ store, other, each }: Rivals) => {
    await each(6, (one, n) => openWaiting(one, { id: numbered(n) }))
    await each(6, (one, n) => one.change(numbered(n), saving({ phase: 'doubtful', dueAtMs: T0 })))
    const found = await store.doubts(doubtsQuery())
    expect(found).toHaveLength(6)
    expect(await other.doubts(doubtsQuery())).toEqual(found)
  },
  event: async ({ store, other, each }: Rivals) => {
    await each(6, async (one, n) => {
      await openWaiting(one, { id: numbered(n) })
      await happen(one, numbered(n))
    })
    const told = await store.pastEventsOfAll(eventsQuery)
    expect(told).toHaveLength(6)
    for (const placed of told)
      for (const one of [store, other]) expect(await one.event(placed.event.id)).toEqual(placed)
  },
  latestAttempts: async ({ store, other, each }: Rivals) => {
    const id = await openOwing(store)
    await each(10, async (one, n) => {
      await tryTo(one, id, n, `answer ${n}`)
      const seen = must((await one.latestAttempts([id])).get(id))
      expect(seen.map(({ atMs }) => atMs)).toContain(T0 + n)
    })
    expect(must((await other.latestAttempts([id])).get(id))).toEqual(await store.attempts(id))
  },
}

const UNKNOWN = { code: 'create_outcome_unknown', message: 'm', retryable: false, backend_error: null } as const
const GIVEN_UP: Partial<VideoRecord> = {
  phase: 'ended',
  status: 'failed',
  endedAtMs: T0,
  dueAtMs: null,
  error: UNKNOWN,
}

/** What an operator looks at: creates whose outcome is not known, and deliveries with what was answered. */
export const doubtContract = (current: Current): void => {
  test('doubts: open ones, and those given up until somebody answers, newest first, page by page', async () => {
    const { store } = current()
    for (let n = 1; n < 10; n += 1) await openWaiting(store, { id: numbered(n), createdAtMs: T0 + Math.floor(n / 2) })
    for (const n of [2, 3, 5]) await store.change(numbered(n), saving({ phase: 'doubtful', doubtSinceMs: T0 }))
    for (const n of [4, 6, 7]) await store.change(numbered(n), saving(GIVEN_UP))
    await store.change(numbered(8), saving({ ...GIVEN_UP, error: { ...UNKNOWN, code: 'backend_failed' } }))
    const ids = async (doubt: DoubtsQuery['doubt']): Promise<string[]> => {
      const found: VideoRecord[] = []
      for (let last = null; ;) {
        const page = await store.doubts(doubtsQuery({ doubt, limit: 2, before: last }))
        found.push(...page)
        last = page.at(-1) ?? null
        if (last === null) return found.map(({ id }) => id)
      }
    }
    expect(await ids('open')).toEqual([5, 3, 2].map(numbered))
    expect(await ids('given_up')).toEqual([7, 6, 4].map(numbered))
    await openWaiting(store, { id: numbered(10), account: accountId('other') })
    await store.change(numbered(10), saving(GIVEN_UP))
    const ofOther = await store.doubts(doubtsQuery({ doubt: 'given_up', account: accountId('other') }))
    expect(ofOther.map(({ id }) => id)).toEqual([numbered(10)])
    await store.change(numbered(10), saving({ absentSinceMs: T0 + HOUR }))
    await store.change(numbered(7), saving({ replacedBy: numbered(9) }))
    await store.change(numbered(6), saving({ absentSinceMs: T0 + HOUR }))
    await store.change(numbered(5), saving({ phase: 'accepted', backendJobId: 'job_5' }))
    expect(await ids('open')).toEqual([3, 2].map(numbered))
    expect(await ids('given_up')).toEqual([numbered(4)])
  })

  describe('attempts of many deliveries', () => {
    const bodies = (attempts: RecordedAttempt[] | undefined) => attempts?.map(({ responseBody }) => responseBody)

    test('are those of each, in order, as a single read tells them', async () => {
      const { store } = current()
      const [one, two] = [await openOwing(store), await openOwing(store, { id: numbered(2) })]
      await tryTo(store, one, 1, 'first')
      await tryTo(store, two, 1, null)
      await tryTo(store, one, 2, 'second')
      const found = await store.latestAttempts([two, one, 'dlv_none'])
      expect(found.get(one)).toEqual(await store.attempts(one))
      expect(found.get(two)).toEqual(await store.attempts(two))
      expect(found.get('dlv_none')).toEqual([])
      expect(await store.latestAttempts([])).toEqual(new Map())
    })

    test('are the latest 20 of each, with the first 1,000 characters of an answer', async () => {
      const { store } = current()
      const id = await openOwing(store)
      for (let n = 0; n < 22; n += 1) await tryTo(store, id, n, `${'é'.repeat(999)}🎬${n}`)
      const found = (await store.latestAttempts([id])).get(id)
      expect(found?.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 20 }, (_, n) => T0 + 2 + n))
      expect(bodies(found)?.slice(-5)).toEqual(Array.from({ length: 5 }, () => `${'é'.repeat(999)}🎬`))
    })
  })

  test('an event that an operator has sent once more is in the log, if it was', async () => {
    const { store } = current()
    await create(store)
    await openWaiting(store, { id: numbered(1) })
    await happen(store, numbered(1))
    const { event } = must((await store.pastEventsOfAll(eventsQuery))[0])
    const audit = auditEntry('aud_again', { action: 'event.redeliver', subject: event.id })
    expect(await store.redeliver('other', event.id, { ...audit, id: 'aud_none' })).toBeNull()
    expect(await store.redeliver('acme', event.id, audit)).toHaveLength(1)
    expect((await store.audit(AUDIT)).map(({ entry }) => entry)).toEqual([audit])
    expect(await store.event('evt_none')).toBeNull()
  })
}
