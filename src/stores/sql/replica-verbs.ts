import type { Configured, Served } from '../../core/store/accounts.ts'
import type { Fact, FactKind, FactStore } from '../../core/store/facts.ts'
import type { WorkStore } from '../../core/store/work.ts'
import { accountIdOf, type AccountId } from '../../core/vocabulary.ts'
import { int, text, type Db, type Reader } from './db.ts'

const PUT_FACT = `
  INSERT INTO facts (kind, key, value, at, until) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, at = excluded.at, until = excluded.until
  WHERE facts.at <= excluded.at OR facts.until <= ?`

interface FactArgs {
  kind: FactKind
  facts: readonly Fact[]
  forMs: number
  nowMs: number
}

export const putFacts = async (db: Db, { kind, facts, forMs, nowMs }: FactArgs): Promise<void> => {
  for (const { key, value, atMs } of facts) await db.run(PUT_FACT, kind, key, value, atMs, nowMs + forMs, nowMs)
  await db.run('DELETE FROM facts WHERE kind = ? AND until <= ?', kind, nowMs)
}

const FACTS = 'SELECT key, value, at FROM facts WHERE kind = ? AND until > ? ORDER BY key'
const HOLDERS = 'SELECT id, holder, until FROM leases WHERE kind = ? AND holder IS NOT NULL AND until > ?'

export const createReplicaReads = (db: Reader, now: () => number) =>
  ({
    facts: async (kind) =>
      (await db.all(FACTS, kind, now())).map((row) => ({
        key: text(row, 'key'),
        value: text(row, 'value'),
        atMs: int(row, 'at'),
      })),
    holders: async (kind) =>
      (await db.all(HOLDERS, kind, now())).map((row) => ({
        id: text(row, 'id'),
        holder: text(row, 'holder'),
        untilMs: int(row, 'until'),
      })),
  }) satisfies Partial<FactStore & WorkStore>

/** Whether a newer configuration lacks the account. */
export const isClosed = async (db: Reader, account: AccountId): Promise<boolean> =>
  (await db.get('SELECT 1 AS n FROM served_accounts WHERE account = ? AND is_closed = 1', account)) !== undefined

const PUT_CONFIGURATION = `INSERT INTO configurations (mark, n) VALUES (?, ?)
  ON CONFLICT (mark) DO UPDATE SET n = excluded.n`
const OPEN_ACCOUNT = `INSERT INTO served_accounts (account, is_closed) VALUES (?, 0)
  ON CONFLICT (account) DO UPDATE SET is_closed = 0`

const latest = async (db: Reader): Promise<number> =>
  int((await db.get('SELECT coalesce(max(n), 0) AS n FROM configurations')) ?? { n: 0 }, 'n')

/** Whether it is of a process that was not told of a newer one, or of one that went back to it by a restart. */
const isKnownOfBefore = async (db: Reader, mark: string): Promise<boolean> => {
  const known = await db.get('SELECT n FROM configurations WHERE mark = ?', mark)
  return known !== undefined && int(known, 'n') < (await latest(db))
}

export const serve = async (db: Db, { accounts, mark, why }: Configured): Promise<Served> => {
  const own = new Set<string>(accounts)
  const open = await db.all('SELECT DISTINCT account AS id FROM open_videos WHERE n > 0')
  const orphaned = open.map((row) => text(row, 'id')).filter((id) => !own.has(id))
  const isOfBefore = why === 'start' && (await isKnownOfBefore(db, mark))
  if (orphaned.length > 0) return { orphaned: orphaned.map(accountIdOf), isOfBefore }
  if (!isOfBefore) {
    // All of them, by their key.
    await db.run(`UPDATE served_accounts SET is_closed = 1 WHERE account > ''`)
    await db.run(PUT_CONFIGURATION, mark, (await latest(db)) + 1)
  }
  for (const account of own) await db.run(OPEN_ACCOUNT, account)
  return { orphaned: [], isOfBefore }
}
