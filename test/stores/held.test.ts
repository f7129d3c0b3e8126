import { expect, onTestFinished, test } from 'vitest'
import { openFile } from '../../src/stores/sqlite/db.ts'
import { createWebhookReads } from '../../src/stores/sql/event-reads.ts'
import { openSqlite } from './sqlite-file.ts'

test('endpoints are read without their deliveries, however many are held for each', async () => {
  const current = await openSqlite()
  onTestFinished(() => current.destroy())
  const db = openFile(current.path, { readOnly: true })
  onTestFinished(() => db.close())
  const steps: string[] = []
  const reads = createWebhookReads({
    get: async (sql, ...values) => db.get(sql, ...values),
    async all(sql, ...values) {
      for (const { detail } of db.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()) steps.push(String(detail))
      return db.all(sql, ...values)
    },
  })
  await reads.endpointsOf('acme')
  expect(steps.filter((step) => /SEARCH|SCAN/.test(step))).toEqual([
    'SEARCH endpoints USING INDEX endpoints_by_client (client=?)',
    'SEARCH s USING INDEX webhook_secrets_by_keeper (keeper=?)',
  ])
})
