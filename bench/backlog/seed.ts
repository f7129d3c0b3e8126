import { join } from 'node:path'
import { accountId } from '../../src/accounts.ts'
import type { Config } from '../../src/config.ts'
import { dbOf, openFile, type SqliteFile, migrate, PRAGMAS } from '../../src/stores/sqlite/db.ts'
import { putVideo } from '../../src/stores/sql/outbox.ts'
import { accepted, HOUR, video } from '../../test/fakes/records.ts'
import { clientOf, idOf, WAITING_FROM, type Backlog } from './protocol.ts'

/** Events with a delivery each that failed once and is tried again later. */
const putRetries = (db: SqliteFile, count: number, nowMs: number): void => {
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO events (id, client, type, sequence, at, body)
     SELECT 'evt_' || i, 'client-0', 'video.completed', 1, ?2, '{"type":"video.completed"}' FROM n WHERE ?1 > 0`,
    count,
    nowMs,
  )
  db.run(
    `INSERT INTO deliveries (id, event_id, client, sequence, target_kind, target, url, status, attempts, tried, next_attempt_at)
     SELECT 'dlv_' || rowid, id, client, 1, 'video', 'https://hooks.example/', 'https://hooks.example/', 'pending', 1, 1,
       ?1 + 1800000 + rowid % 3600000 FROM events`,
    nowMs,
  )
}

/** Makes the store of a gateway that has this backlog: what runs is next looked at in an hour, what waits has its turn now. */
export const seed = async (
  folder: string,
  config: Config,
  { running, waiting, retries }: Backlog,
  nowMs: number,
): Promise<void> => {
  const backend = config.backends['main']
  if (!backend) throw new Error('there is no backend main')
  const account = accountId(backend)
  const db = openFile(join(folder, 'talkbridge.db'), { readOnly: false })
  db.exec(PRAGMAS)
  migrate(db.raw)
  db.exec('BEGIN')
  const common = { account, createdAtMs: nowMs, told: true }
  for (let n = 0; n < running; n += 1)
    await putVideo(
      dbOf(db),
      accepted({ ...common, id: idOf(n), client: clientOf(n), acceptedAtMs: nowMs, dueAtMs: nowMs + HOUR }),
      null,
      [],
    )
  for (let n = 0; n < waiting; n += 1)
    await putVideo(
      dbOf(db),
      video({ ...common, id: idOf(WAITING_FROM + n), client: clientOf(n), dueAtMs: nowMs }),
      null,
      [],
    )
  putRetries(db, retries, nowMs)
  db.exec('COMMIT')
  db.close()
}
