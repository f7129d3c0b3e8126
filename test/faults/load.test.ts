import { expect, test } from 'vitest'
import { HOUR } from '../fakes/records.ts'
import { HANG_MS } from '../fakes/until.ts'
import { CLIENTS, MAIN, virtualStage } from './virtual.ts'

const EACH = 100

test(
  '500 videos at once on one account with two slots: all end, in fair order, and no limit of the backend is met',
  { timeout: 5 * HANG_MS },
  async () => {
    const s = await virtualStage()
    const ids: string[] = []
    // One client's after the other's: who comes late must not wait for all that came before.
    for (const client of CLIENTS) for (let n = 0; n < EACH; n += 1) ids.push(await s.create(MAIN, client))
    let left = [...ids]
    await s.passUntil(24 * HOUR, async () => {
      while (left[0] !== undefined && (await s.record(left[0])).phase === 'ended') left = left.slice(1)
      return left.length === 0
    })

    const { requests, jobs, charges } = s.sandbox.ledger()
    expect(requests.filter(({ status }) => status === 429)).toEqual([])
    expect(jobs).toHaveLength(ids.length)
    expect(charges).toHaveLength(ids.length)
    const records = await Promise.all(ids.map((id) => s.record(id)))
    expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['completed']))

    const spans = jobs.map(({ created_at, ends_at }) => [Date.parse(created_at), Date.parse(ends_at ?? '')] as const)
    const atOnce = spans.map(([fromMs]) => spans.filter(([from, to]) => from <= fromMs && fromMs < to).length)
    expect(Math.max(...atOnce)).toBe(2)

    const dispatched = records.toSorted((a, b) => (a.dispatchedAtMs ?? 0) - (b.dispatchedAtMs ?? 0))
    for (const client of CLIENTS) {
      const own = dispatched.filter((record) => record.client === client).map(({ id }) => id)
      expect(own).toEqual(own.toSorted())
    }
    // The first two went before anybody else had asked; from then on the clients take turns, until one has none left.
    const turns = dispatched.slice(2, 2 + CLIENTS.length * (EACH - 4)).map(({ client }) => client)
    for (let n = 0; n < turns.length; n += CLIENTS.length) {
      expect(new Set(turns.slice(n, n + CLIENTS.length)).size).toBe(CLIENTS.length)
    }
  },
)
