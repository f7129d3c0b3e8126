import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { PRAGMAS } from '../../src/stores/sqlite/db.ts'

/** The writer thread of the reference: everything that has arrived is one commit, which survives a power cut. */
export interface Write {
  kind: 'insert' | 'update'
  values: (string | number)[]
}

/** The indexes of the lists of videos: of one client or of all, by status, by backend, by both and by neither. */
const LISTS = ['', 'status,', 'backend,', 'backend, status,'].flatMap((by) => [`client, ${by}`, by])

const db = new DatabaseSync(String(workerData))
db.exec(PRAGMAS)
db.exec(`CREATE TABLE videos (
  id TEXT PRIMARY KEY, client TEXT NOT NULL, backend TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL,
  data TEXT NOT NULL) STRICT`)
for (const [n, columns] of LISTS.entries()) db.exec(`CREATE INDEX videos_${n} ON videos (${columns} created_at, id)`)
const statements = {
  insert: db.prepare('INSERT INTO videos (id, client, backend, status, created_at, data) VALUES (?, ?, ?, ?, ?, ?)'),
  update: db.prepare('UPDATE videos SET status = ?, data = ? WHERE id = ?'),
}

let queue: Write[] = []
const commit = (): void => {
  const batch = queue
  queue = []
  db.exec('BEGIN IMMEDIATE')
  for (const { kind, values } of batch) statements[kind].run(...values)
  db.exec('COMMIT')
  parentPort?.postMessage(batch.length)
}
parentPort?.on('message', (batch: Write[]) => {
  if (queue.length === 0) setImmediate(commit)
  queue = queue.concat(batch)
})
