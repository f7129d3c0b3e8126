import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/core/access.ts'
import type { EndedVideo, PauseState, SplitChange, SplitState } from '../../../src/core/store/accounts.ts'
import type { Store } from '../../../src/core/store/index.ts'
import type { VideoRecord } from '../../../src/core/video.ts'
import { deliveriesQuery, ended, event, MINUTE, newEndpoint, T0 } from '../../fakes/records.ts'
import type { Current } from '../store.ts'
import { numbered, openWaiting } from './helpers.ts'
import { ACCESS_RACES } from './access.ts'
import { SESSION_RACES } from './sessions.ts'
import type { Rivals } from './races.ts'

const RULE = 'rule_a'
const SIDE = { rule: RULE, backend: 'alt' }

const split = (given: Partial<SplitState> = {}): SplitState => ({
  key: RULE,
  version: 1,
  weight: 5,
  steppedAtMs: T0,
  steppedBy: 'acme',
  resumedAtMs: null,
  stopped: null,
  ...given,
})

const audit = (id: string, given: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  atMs: T0,
  actor: 'acme',
  key: 'key_1',
  address: '203.0.113.7',
  requestId: 'req_1',
  action: 'split.step',
  subject: RULE,
  detail: { from: 1, to: 5 },
  ...given,
})

const changing = (given: Partial<SplitState>, events: SplitChange['events'] = []): SplitChange => {
  const changed = split(given)
  return { split: changed, audit: audit(`aud_${changed.key}_${changed.version}`, { subject: changed.key }), events }
}

const PAUSED = 'pause:main'
const pausing = (given: Partial<PauseState>, reason: string) => {
  const pauses = [{ creates: true, polls: false, sinceMs: T0, untilMs: null, reason, by: 'acme' }]
  const pause: PauseState = { key: PAUSED, version: 1, pauses, ...given }
  const entry = { action: 'backend.pause', subject: 'main', detail: { reason } } as const
  return { pause, audit: audit(`aud_${pause.version}_${reason}`, entry) }
}

const told = (id: string) =>
  event('none', 1, { id, videoId: null, type: 'routing.stopped', body: '{"type":"routing.stopped"}' })

/** A video that the rule sent to a backend, and that ended `minutes` after `T0`. */
export const endedOfRule = (store: Store, n: number, given: Partial<VideoRecord> & { rule?: string | null } = {}) => {
  const { rule = RULE, ...rest } = given
  const record = ended({ id: numbered(n), backend: 'alt', endedAtMs: T0 + n * MINUTE, ...rest })
  return openWaiting(store, { ...record, routing: { chosen_by: 'rule', rule, pool: null, considered: [] } })
}

/** Only the write that knew the last one is taken, whoever else writes: of splits, and of keys and clients. */
export const ROUTING_RACES = {
  ...ACCESS_RACES,
  ...SESSION_RACES,
  changeSplit: async ({ store, each }: Rivals) => {
    for (const version of [1, 2]) {
      const written = await each(20, (one, n) =>
        one.changeSplit({ ...changing({ version, weight: n }), audit: audit(`aud_${version}_${n}`) }),
      )
      expect(written.filter((one) => one !== null)).toHaveLength(1)
      const [now] = (await store.operated([RULE])).splits
      expect(now).toMatchObject({ version, weight: written.findIndex((one) => one !== null) })
      expect(await store.auditOf(RULE, 10)).toHaveLength(version)
    }
  },
  changePause: async ({ store, each }: Rivals) => {
    for (const version of [1, 2]) {
      const written = await each(20, (one, n) => one.changePause(pausing({ version }, `reason ${n}`)))
      expect(written.filter((isWritten) => isWritten)).toHaveLength(1)
      const [now] = (await store.operated([PAUSED])).pauses
      expect(now).toEqual(pausing({ version }, `reason ${written.indexOf(true)}`).pause)
    }
    expect(await store.auditOf('main', 10)).toHaveLength(2)
  },
  operated: async ({ store, other }: Rivals) => {
    await store.changePause(pausing({}, 'why'))
    await store.changeSplit(changing({}))
    const seen = await other.operated([RULE, PAUSED])
    expect([seen.splits.length, seen.pauses.length]).toEqual([1, 1])
    expect(seen).toEqual(await store.operated([RULE, PAUSED]))
  },
  auditOf: async ({ store, other }: Rivals) => {
    await store.changeSplit(changing({}))
    expect(await other.auditOf(RULE, 1)).toHaveLength(1)
  },
  countOf: async ({ store, other }: Rivals) => {
    await Promise.all([1, 2, 3, 4].map((n) => endedOfRule(n % 2 === 0 ? store : other, n)))
    for (const one of [store, other]) expect(await one.countOf(SIDE, 0)).toEqual({ videos: 4, failed: 0 })
  },
  ended: async ({ store, other }: Rivals) => {
    await Promise.all([1, 2, 3, 4].map((n) => endedOfRule(n % 2 === 0 ? store : other, n)))
    const query = { sinceMs: 0, side: null, before: null, limit: 10 }
    for (const one of [store, other]) expect(await one.ended(query)).toHaveLength(4)
  },
  purgeAudit: async ({ store, each }: Rivals) => {
    for (let version = 1; version <= 10; version += 1) await store.changeSplit(changing({ version }))
    const removed = await each(20, (one) => one.purgeAudit(T0 + 1, 3))
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(10)
  },
}

export const routingContract = (current: Current): void => {
  describe('splits', () => {
    test('one is written once a version, and is read as it was written, after a restart, too', async () => {
      const { store, reopen } = current()
      expect(await store.operated([RULE])).toEqual({ splits: [], pauses: [] })
      const stopped = { atMs: T0, sinceMs: T0 - 5, old: { videos: 3, failed: 0 }, new: { videos: 2, failed: 2 } }
      expect(await store.changeSplit(changing({}))).toEqual([])
      expect(await store.changeSplit(changing({ weight: 99 }))).toBeNull()
      expect(await store.changeSplit(changing({ version: 3, weight: 99 }))).toBeNull()
      expect(await store.changeSplit(changing({ version: 2, stopped }))).toEqual([])
      expect(await store.changeSplit(changing({ key: 'rule_b', weight: null }))).toEqual([])
      const again = await reopen()
      const both = [split({ version: 2, stopped }), split({ key: 'rule_b', weight: null })]
      expect(
        (await again.operated(['rule_b', 'rule_none', RULE])).splits.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
      ).toEqual(both)
      expect((await again.operated([])).splits).toEqual([])
    })

    test('the audit entry is of the same write: none for one that was refused', async () => {
      const { store } = current()
      for (const version of [1, 1, 2, 2, 3]) await store.changeSplit(changing({ version }))
      await store.changeSplit(changing({ key: 'rule_b' }))
      const kept = [3, 2, 1].map((version) => audit(`aud_${RULE}_${version}`))
      expect(await store.auditOf(RULE, 10)).toEqual(kept)
      expect(await store.auditOf(RULE, 2)).toEqual(kept.slice(0, 2))
    })

    test('its events go to every endpoint of their client, whatever it subscribes to, and to its history', async () => {
      const { store } = current()
      await store.createEndpoint(newEndpoint({ events: ['video.queued'] }))
      await store.createEndpoint(newEndpoint({ id: 'we_2', client: 'other' }))
      const deliveries = await store.changeSplit(changing({}, [told('evt_1')]))
      expect(deliveries).toHaveLength(1)
      expect(await store.changeSplit(changing({}, [told('evt_2')]))).toBeNull()
      const [only, ...more] = await store.deliveries('acme', deliveriesQuery())
      expect(more).toEqual([])
      expect(only?.delivery).toMatchObject({
        id: deliveries?.[0],
        status: 'pending',
        event: { type: 'routing.stopped', videoId: null },
      })
      const { events } = await store.eventsOf('acme', { after: 0, limit: 10, types: null })
      expect(events.map((one) => one.event)).toEqual([told('evt_1')])
      expect(await store.deliveries('other', deliveriesQuery())).toEqual([])
    })

    test('audit entries go when they are old, some at a time', async () => {
      const { store } = current()
      for (const [n, atMs] of [T0, T0 + 1, T0 + 2].entries())
        await store.changeSplit({ ...changing({ version: n + 1 }), audit: audit(`aud_${n}`, { atMs }) })
      expect(await store.purgeAudit(T0 + 2, 1)).toBe(1)
      expect(await store.purgeAudit(T0 + 2, 5)).toBe(1)
      expect(await store.purgeAudit(T0 + 2, 5)).toBe(0)
      expect((await store.auditOf(RULE, 5)).map(({ id }) => id)).toEqual(['aud_2'])
    })
  })

  test('a pause is written once a version, with its audit entry, and is read after a restart; it is no split', async () => {
    const { store, reopen } = current()
    expect(await store.operated([PAUSED])).toEqual({ splits: [], pauses: [] })
    expect(await store.changePause(pausing({}, 'one'))).toBe(true)
    expect(await store.changePause(pausing({}, 'two'))).toBe(false)
    expect(await store.changePause(pausing({ version: 3 }, 'two'))).toBe(false)
    expect(await store.changePause(pausing({ version: 2, pauses: [] }, 'three'))).toBe(true)
    await store.changeSplit(changing({}))
    const again = await reopen()
    expect(await again.operated([PAUSED, 'pause:alt', RULE])).toEqual({
      splits: [split()],
      pauses: [{ key: PAUSED, version: 2, pauses: [] }],
    })
    expect((await again.auditOf('main', 5)).map(({ detail }) => detail)).toEqual([
      { reason: 'three' },
      { reason: 'one' },
    ])
  })

  describe('how videos ended', () => {
    test('of a side: those that ended after the time and were not canceled', async () => {
      const { store } = current()
      await endedOfRule(store, 1, { status: 'failed' })
      await endedOfRule(store, 2)
      await endedOfRule(store, 3, { status: 'failed' })
      await endedOfRule(store, 4, { status: 'canceled' })
      await endedOfRule(store, 5, { backend: 'main', status: 'failed' })
      await endedOfRule(store, 6, { rule: 'rule_b', status: 'failed' })
      await endedOfRule(store, 7, { rule: null, status: 'failed' })
      await endedOfRule(store, 8, { phase: 'accepted', status: 'processing', endedAtMs: null })
      expect(await store.countOf(SIDE, 0)).toEqual({ videos: 3, failed: 2 })
      // After the time, not at it.
      expect(await store.countOf(SIDE, T0 + MINUTE)).toEqual({ videos: 2, failed: 1 })
      expect(await store.countOf(SIDE, T0 + 9 * MINUTE)).toEqual({ videos: 0, failed: 0 })
      expect(await store.countOf({ ...SIDE, backend: 'main' }, 0)).toEqual({ videos: 1, failed: 1 })
    })

    test('all of them, in pages, newest first; those of one time are all there', async () => {
      const { store } = current()
      for (let n = 1; n <= 7; n += 1)
        await endedOfRule(store, n, { endedAtMs: T0 + Math.ceil(n / 3), rule: n % 2 ? RULE : null })
      await endedOfRule(store, 8, { status: 'processing', phase: 'accepted', endedAtMs: null })
      const pages = async (side: typeof SIDE | null, sinceMs = 0): Promise<string[]> => {
        const seen: EndedVideo[] = []
        for (;;) {
          const page = await store.ended({ sinceMs, side, before: seen.at(-1) ?? null, limit: 2 })
          if (page.length === 0) return seen.map(({ id }) => id)
          seen.push(...page)
        }
      }
      expect(await pages(null)).toEqual([7, 6, 5, 4, 3, 2, 1].map(numbered))
      expect(await pages(null, T0 + 1)).toEqual([7, 6, 5, 4].map(numbered))
      expect(await pages(SIDE)).toEqual([7, 5, 3, 1].map(numbered))
      expect(await pages({ ...SIDE, backend: 'main' })).toEqual([])
    })

    test('each with what is counted of it; an imported one is no outcome', async () => {
      const { store } = current()
      const input = ended().input
      await endedOfRule(store, 1, { input: { ...input, text: null } })
      await endedOfRule(store, 2, {
        status: 'failed',
        credits: { charged: 1.5, remaining: null },
        warnings: [{ code: 'option_ignored', param: 'language', message: 'm' }],
      })
      await endedOfRule(store, 3, { rule: null, backend: 'main' })
      const one = { createdAtMs: T0, credits: null, isWarned: false }
      expect(await store.ended({ sinceMs: 0, side: null, before: null, limit: 10 })).toEqual([
        { ...one, id: numbered(3), backend: 'main', rule: null, status: 'completed', endedAtMs: T0 + 3 * MINUTE },
        {
          ...one,
          id: numbered(2),
          backend: 'alt',
          rule: RULE,
          status: 'failed',
          endedAtMs: T0 + 2 * MINUTE,
          credits: 1.5,
          isWarned: true,
        },
      ])
    })
  })
}
