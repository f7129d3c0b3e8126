import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openFile } from '../../src/stores/sqlite/db.ts'
import { migrate, MIGRATIONS } from '../../src/stores/sqlite/schema.ts'
import { createWebhookReads } from '../../src/stores/sql/webhook-reads.ts'
import { HELD_COUNTED } from '../../src/stores/sqlite/webhook-schema.ts'
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

test('what an older program held is counted by the upgrade', () => {
  const db = new DatabaseSync(':memory:')
  onTestFinished(() => db.close())
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(HELD_COUNTED)))
  db.exec(`
    INSERT INTO events (id, client, place, type, sequence, at, body) VALUES ('evt_1', 'acme', 1, 'video.completed', 1, 0, '{}');
    INSERT INTO endpoints (id, client, url, events, failures, created_at, updated_at) SELECT 'we_' || value, 'acme', 'https://x.example', '[]', 0, 0, 0
      FROM json_each('[1, 2]');
    INSERT INTO deliveries (id, event_id, client, sequence, target_kind, target, url, status, attempts, tried)
      SELECT value ->> 0, 'evt_1', 'acme', 1, value ->> 1, value ->> 2, 'https://x.example', value ->> 3, 0, 0 FROM json_each('[
        ["a", "endpoint", "we_1", "held"], ["b", "endpoint", "we_1", "held"], ["c", "endpoint", "we_1", "failed"],
        ["d", "video", "we_1", "held"], ["e", "endpoint", "we_gone", "held"], ["f", "endpoint", "we_2", "pending"]]');`)
  migrate(db)
  expect(db.prepare('SELECT id, held FROM endpoints ORDER BY id').all()).toMatchObject([
    { id: 'we_1', held: 2 },
    { id: 'we_2', held: 0 },
  ])
})
