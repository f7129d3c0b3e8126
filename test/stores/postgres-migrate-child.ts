import { createPool } from '../../src/stores/postgres/pool.ts'
import { migrate } from '../../src/stores/postgres/schema.ts'

/** A newer program at the URL of its first argument: brings the schema to its version, by the steps in the second. */
const pool = createPool({ url: process.argv[2] ?? '', schema: 'talkbridge', size: 1, onError: () => undefined })
await migrate(pool, 'talkbridge', JSON.parse(process.argv[3] ?? '[]') as string[])
await pool.end()
