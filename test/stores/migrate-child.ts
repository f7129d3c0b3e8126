import { DatabaseSync } from 'node:sqlite'
import { migrate, PRAGMAS } from '../../src/stores/sqlite/db.ts'

/** A newer program that is killed in the middle of bringing the database at its first argument up to its own version. */
const db = new DatabaseSync(process.argv[2] ?? '')
db.exec(PRAGMAS)
db.function('die', () => Number(process.kill(process.pid, 'SIGKILL')))
migrate(db, [
  `CREATE TABLE half_made (a TEXT); UPDATE videos SET status = 'failed', data = '{}';`,
  `DROP TABLE timeline; UPDATE meta SET value = die();`,
])
