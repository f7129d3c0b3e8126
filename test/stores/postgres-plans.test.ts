import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_ATTEMPTS_KEPT } from '../../src/core/endpoints.ts'
import { connectionOf, createPool, LIMITS_MS } from '../../src/stores/postgres/pool.ts'
import { migrate } from '../../src/stores/postgres/schema.ts'
import type { Db } from '../../src/stores/sql/db.ts'
import { must } from '../fakes/must.ts'
import { ownPostgres } from '../fakes/postgres.ts'
import { T0 } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { explaining, type Explained, type PlanMode } from './explained.ts'
import { fillHistory } from './history.ts'
import { historyReads } from './history-reads.ts'
import { historyWrites, type SomeDeliveries } from './history-writes.ts'

/** A million is tried by `npm run plans`: it is made in some minutes, and the plans are the same. */
const COUNT = Number(process.env['TALKBRIDGE_TEST_VIDEOS'] ?? 50_000)
/** More of them are gigabytes. */
const IN_MEMORY = 100_000
const FILL_LIMIT_MS = 900_000

/** A table of fewer rows may be read as a whole: it is a few pages, however many videos there are. */
const BIG_ROWS = 2_000
/** What a page may cost beside its rows: what is looked up for each of them, what is passed over, and a delivery's attempts. */
const READ_FOR_EACH = 9
const READ_BESIDE = MAX_ATTEMPTS_KEPT + 20
const PAGES_FOR_EACH = 12
/** A row that is written goes into all indexes of its table. */
const PAGES_FOR_EACH_WRITTEN = 45
/** An insert looks at each index, and now and then at where there is room. */
const PAGES_BESIDE = 150
/** What is found by an index in another order, and is less than the planner would go through in the right one. */
const MOST_SORTED = 1_000

const SCHEMA = 'history'
/** The settings of the driver's own connections, but for the time that a statement has: a million rows take minutes. */
const connectionTo = async (url: string): Promise<Client> => {
  const place = { url, schema: SCHEMA }
  const pool = createPool({ ...place, size: 1, onError: () => undefined })
  await migrate(pool, SCHEMA)
  await pool.end()
  const { config, adjust } = connectionOf(place, { ...LIMITS_MS.long, answer: FILL_LIMIT_MS })
  const client = new Client(config)
  await client.connect()
  await adjust(client)
  return client
}

/** `most`: rows that a statement of it may read, whatever it answers. */
type Asked = readonly [name: string, ask: (on: Db) => Promise<unknown>, most?: number | undefined]

interface Sizes {
  isBig(name: string): boolean
}

/** By the names of tables and of their indexes. */
const sizesOf = async (client: Client): Promise<Sizes> => {
  const { rows } = await client.query<{ name: string; rows: number }>(
    `SELECT c.relname AS name, coalesce(t.reltuples, c.reltuples)::float AS rows FROM pg_class c
       LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_class t ON t.oid = i.indrelid
     WHERE c.relnamespace = '${SCHEMA}'::regnamespace`,
  )
  const sizes = new Map(rows.map((row) => [row.name, row.rows]))
  return { isBig: (name) => (sizes.get(name) ?? 0) > BIG_ROWS }
}

/** Some rows of each table, undone: those of a database in use were written to after they were vacuumed. */
const writeAndUndo = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT c.relname AS table, a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = '${SCHEMA}'::regnamespace AND c.relkind = 'r' AND a.attnum = 1`,
  )
  await client.query('BEGIN; SET LOCAL session_replication_role = replica')
  for (const { table, column } of rows) {
    await client.query(`UPDATE ${table} SET ${column} = ${column}
      WHERE ctid IN (SELECT ctid FROM ${table} TABLESAMPLE SYSTEM (1) REPEATABLE (1))`)
  }
  await client.query('ROLLBACK')
}

const shown = ({ sql, steps, answered, pages }: Explained): string =>
  `${answered} rows, ${pages} pages: ${steps.map(({ kind, index, table, rows }) => `${kind} ${index ?? table ?? ''} ${rows}`).join(' > ')} in ${sql.slice(0, 300)}`

/** What is wrong with how it was carried out, `most`: rows that it may read, whatever it answers. */
const faultsOf = (explained: Explained, { isBig }: Sizes, most: number): string[] => {
  const { steps, answered, pages, isCompiled } = explained
  const met = steps.filter(({ kind, table, index }) => kind.includes('Scan') && isBig(index ?? table ?? ''))
  const read = met.reduce((sum, { rows }) => sum + rows, 0)
  const forEach = steps.some(({ kind }) => kind === 'ModifyTable') ? PAGES_FOR_EACH_WRITTEN : PAGES_FOR_EACH
  const faults = [
    met.some(({ kind }) => kind === 'Seq Scan') && 'walks a table',
    steps.some(({ kind, given }) => /Sort/.test(kind) && given > MOST_SORTED) && 'sorts',
    read > Math.max(most, READ_FOR_EACH * answered + READ_BESIDE) && `reads ${read} rows`,
    pages > forEach * Math.max(read, answered) + PAGES_BESIDE && 'looks at many pages',
    isCompiled && 'is compiled',
    steps.some(({ kind }) => /Gather/.test(kind)) && 'is shared among processes',
  ]
  return faults.filter((fault) => fault !== false).map((fault) => `${fault}: ${shown(explained)}`)
}

describe.skipIf(await skippedWithout(['ownPostgres']))(`with a month of ${COUNT} videos`, () => {
  const closers: (() => Promise<unknown>)[] = []
  let sizes: Sizes
  let explain: (mode: PlanMode, work: (db: Db) => Promise<unknown>) => Promise<Explained[]>
  let deliveries: SomeDeliveries
  let client: Client

  beforeAll(async () => {
    const server = await ownPostgres({ isOnDisk: COUNT > IN_MEMORY })
    closers.unshift(server.close)
    client = await connectionTo(server.url)
    closers.unshift(() => client.end())
    await client.query('SET statement_timeout = 0')
    await fillHistory(client, SCHEMA, COUNT)
    await writeAndUndo(client)
    sizes = await sizesOf(client)
    const idOf = async (where: string): Promise<string> =>
      must((await client.query<{ id: string }>(`SELECT id FROM deliveries WHERE ${where} LIMIT 1`)).rows[0]).id
    deliveries = {
      due: await idOf(`status = 'pending' AND attempts = 0 AND next_attempt_at < ${T0} AND target = 'we_0_1'`),
      tried: await idOf('attempts = 100'),
    }
    explain = await explaining(client)
  }, FILL_LIMIT_MS)
  afterAll(async () => {
    for (const close of closers) await close()
  })

  const faults = async (asked: readonly Asked[], mode: PlanMode): Promise<string[]> => {
    const found: string[] = []
    for (const [name, ask, most = 0] of asked) {
      const explained = await explain(mode, ask)
      expect([name, explained.length]).not.toEqual([name, 0])
      found.push(...explained.flatMap((one) => faultsOf(one, sizes, most)).map((fault) => `${name}: ${fault}`))
    }
    return found
  }

  const { pages, walks } = historyReads(COUNT)

  /** Planned for its values, and for any: a connection changes from the one to the other by itself. */
  describe.each<PlanMode>(['custom', 'generic'])('and %s plans', (mode) => {
    test('no read meets many more rows than it answers', async () => {
      expect(await faults(pages, mode)).toEqual([])
    })

    test('what must walk an index walks no more of it than it must', async () => {
      expect(await faults(walks, mode)).toEqual([])
    })

    test('nor does any write, or what its triggers and foreign keys do', async () => {
      const writes = historyWrites(COUNT, deliveries).map(([name, write, most]): Asked => [
        name,
        (on) => write({ ...on, hasRoom: async () => true }),
        most,
      ])
      expect(await faults(writes, mode)).toEqual([])
    })
  })

  test('every foreign key has an index on the side that refers', async () => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.conname AS name FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = '${SCHEMA}'::regnamespace
         AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indpred IS NULL
           AND i.indkey[0] = c.conkey[1] AND cardinality(c.conkey) = 1)`,
    )
    expect(rows).toEqual([])
  })
})
