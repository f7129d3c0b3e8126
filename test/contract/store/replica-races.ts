import { expect } from 'vitest'
import type { Store } from '../../../src/core/store/index.ts'
import { must } from '../../fakes/must.ts'
import { ACCOUNT, accountId, draft, HOUR } from '../../fakes/records.ts'
import { claimed, LEASE_MS, numbered, openOwing, ROOMY } from './helpers.ts'
import type { Rivals } from './races.ts'

/** Of what processes that share a store write for each other. */
export const REPLICA_RACES = {
  claimDeliveries: async ({ store, clock, each }) => {
    const ids = [await openOwing(store, { id: numbered(1) }), await openOwing(store, { id: numbered(2) })]
    const stale = await claimed(store, must(ids[0]))
    clock.jump(LEASE_MS)
    const batches = await each(30, (one) => one.claimDeliveries(ids, LEASE_MS))
    for (const id of ids) {
      const won = batches.flatMap((leased) => leased.get(id) ?? [])
      expect(won).toHaveLength(1)
      expect(won[0]?.lease.token).not.toBe(stale.token)
    }
  },

  addDurations: async ({ store, each }) => {
    await each(20, (one, n) => one.addDurations('main/text', [100 + n, 200 + n], 30))
    const kept = await store.durations('main/text')
    expect(kept).toHaveLength(30)
    // What one measured stays together, and none of the latest is lost.
    expect(kept.every((ms, n) => n % 2 === 0 || ms === (kept[n - 1] ?? 0) + 100)).toBe(true)
    expect(new Set(kept).size).toBe(30)
  },

  putFacts: async ({ store, other, clock, each }) => {
    const told = (n: number) => [{ key: 'one', value: String(n), atMs: clock.now() + n }]
    await each(20, (one, n) => one.putFacts('account', told(n), HOUR))
    for (const handle of [store, other]) expect(await handle.facts('account')).toEqual(told(19))
  },

  serve: async ({ store, each }) => {
    await store.serve({ accounts: [ACCOUNT], mark: 'a', why: 'start' })
    // It is either put out of force before a video opens, or not at all.
    const answers = await each(20, (one, n) =>
      n % 4 < 2
        ? one.open(draft({ id: numbered(n) }), null, ROOMY, null).then(({ kind }) => kind)
        : one
            .serve({ accounts: [accountId('other')], mark: 'b', why: 'reload' })
            .then(({ orphaned }) => (orphaned.length > 0 ? 'refused' : 'served')),
    )
    const opened = answers.filter((one) => one === 'opened').length
    expect(answers.filter((one) => one === 'served')).toHaveLength(opened > 0 ? 0 : 10)
    expect(answers.filter((one) => one === 'closed')).toHaveLength(10 - opened)
  },
} satisfies Partial<Record<keyof Store, (rivals: Rivals) => Promise<void>>>
