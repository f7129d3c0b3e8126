import { expect, test } from 'vitest'
import { STATUSES } from '../../src/core/vocabulary.ts'
import type { Reader, Row } from '../../src/stores/sql/db.ts'
import { createOverviewReads } from '../../src/stores/sql/overview.ts'
import { createReads } from '../../src/stores/sql/reads.ts'
import { endedDeliveriesQuery, T0 } from '../fakes/records.ts'

/** Each text is prepared on each connection of PostgreSQL, and stays there: what a client chooses freely is a value. */
test('a page of any size is found by the same statements', async () => {
  const texts = new Set<string>()
  const noted = async (sql: string): Promise<Row[]> => {
    texts.add(sql)
    return []
  }
  const reader: Reader = { all: noted, get: async (sql) => (await noted(sql))[0] }
  const { search } = createReads(reader, () => T0)
  const { endedDeliveries } = createOverviewReads(reader)
  const ask = async (limit: number): Promise<void> => {
    for (const at of ['created_at', 'ended_at'] as const)
      for (const statuses of [STATUSES, STATUSES.slice(1, 3)])
        for (const sinceMs of [null, T0 - limit]) {
          const query = { statuses, sinceMs, untilMs: null, client: 'acme', backends: null }
          const before = { rank: T0 - limit, id: `vid_${limit}` }
          await search(
            { ...query, phases: null, code: null, at, webhook: null },
            { limit, before, longestFirst: false },
          )
          await endedDeliveries(endedDeliveriesQuery({ client: 'acme', sinceMs, limit }))
        }
  }
  await ask(1)
  const few = texts.size
  for (let limit = 2; limit <= 100; limit += 1) await ask(limit)
  expect(few).toBeGreaterThan(8)
  expect(texts.size).toBe(few)
})
