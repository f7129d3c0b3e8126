import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Documents by kind and id: what the sandbox's collections write through to. */
export interface Database {
  /** Oldest first, in the order of their first writing. */
  load(kind: string): { id: string; json: string }[]
  put(kind: string, id: string, json: string): void
  remove(kind: string, id: string): void
  /** All writes of `work`, or none of them. */
  atomically<T>(work: () => T): T
  close(): void
}

const inMemory: Database = {
  load: () => [],
  put: () => {},
  remove: () => {},
  atomically: (work) => work(),
  close: () => {},
}

/** `null`: nothing is kept. A folder: `sandbox.db` in it, so that a restarted sandbox knows its jobs and credits. */
export const openDatabase = (dataDir: string | null): Database => {
  if (dataDir === null) return inMemory
  mkdirSync(dataDir, { recursive: true })
  const db = new DatabaseSync(join(dataDir, 'sandbox.db'))
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS documents (
      place INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (kind, id)
    ) STRICT`)
  const select = db.prepare('SELECT id, json FROM documents WHERE kind = ? ORDER BY place')
  const upsert = db.prepare(
    'INSERT INTO documents (kind, id, json) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET json = excluded.json',
  )
  const remove = db.prepare('DELETE FROM documents WHERE kind = ? AND id = ?')
  return {
    load: (kind) => select.all(kind).map((row) => ({ id: String(row['id']), json: String(row['json']) })),
    put: (kind, id, json) => void upsert.run(kind, id, json),
    remove: (kind, id) => void remove.run(kind, id),
    atomically: (work) => {
      db.exec('BEGIN IMMEDIATE')
      try {
        const done = work()
        db.exec('COMMIT')
        return done
      } catch (cause) {
        db.exec('ROLLBACK')
        throw cause
      }
    },
    close: () => db.close(),
  }
}
