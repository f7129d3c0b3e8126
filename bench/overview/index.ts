import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { connectionOf, createPool, dbOf as postgresOf, LIMITS_MS } from '../../src/stores/postgres/pool.ts'
import * as postgres from '../../src/stores/postgres/schema.ts'
import { type Reader, text } from '../../src/stores/sql/db.ts'
import { dbOf as sqliteOf, migrate, openFile, PRAGMAS } from '../../src/stores/sqlite/db.ts'
import { ownPostgres } from '../../test/fakes/postgres.ts'
import { endedDeliveriesQuery, HOUR, listQuery, T0 } from '../../test/fakes/records.ts'
import { readsOf } from '../../test/stores/every-read.ts'
import { fillHistory } from '../../test/stores/history.ts'
import { middleVerdictOf, shownRow, spreadOf, type Result, type Row } from '../report.ts'

export interface Size {
  videos: number
  rounds: number
}
export const FULL: Size = { videos: 100_000, rounds: 15 }

/** Of a page of the list of videos. */
const MOST_TIMES = 10
const DAY = 24 * HOUR
const SCHEMA = 'history'
const FILL_LIMIT_MS = 900_000
const INDEXES = /^(videos_figures|deliveries_(ended|given_up))/

type Reads = ReturnType<typeof readsOf>
const LIST = (reads: Reads) => reads.listOfAll(listQuery({ limit: 21 }))

const outcomes = (days: number): [string, (reads: Reads) => Promise<unknown>][] => {
  const stepMs = days === 1 ? HOUR : 2 * DAY
  // With the range before.
  const grid = { client: null, backend: null, fromMs: T0 - 2 * days * DAY, untilMs: T0 + HOUR, stepMs }
  return [
    [
      `videos that completed in ${days} d, how long they took`,
      (reads) => reads.outcomes({ of: 'completed', by: [], measure: 'took', ...grid }),
    ],
    [
      `videos that failed in ${days} d, by code`,
      (reads) => reads.outcomes({ of: 'failed', by: ['code', 'backend'], measure: null, ...grid }),
    ],
    [
      `what videos that completed in ${days} d cost, by client`,
      (reads) => reads.outcomes({ of: 'completed', by: ['client'], measure: 'credits', ...grid }),
    ],
    [
      `deliveries that arrived in ${days} d`,
      (reads) => reads.outcomes({ of: 'delivered', by: [], measure: null, ...grid }),
    ],
  ]
}

const READS: [string, (reads: Reads) => Promise<unknown>][] = [
  [
    'what is open and needs somebody',
    (on) => on.overview({ client: null, backend: null, sinceMs: T0 - DAY, limit: 10 }),
  ],
  ...outcomes(1),
  ...outcomes(30),
  [
    'deliveries given up in 1 d, a page',
    (on) => on.endedDeliveries(endedDeliveriesQuery({ statuses: ['failed'], sinceMs: T0 - DAY })),
  ],
  [
    'deliveries given up, answered 5xx, a page',
    (on) => on.endedDeliveries(endedDeliveriesQuery({ answer: { from: 500, to: 599 } })),
  ],
]

const timed = async (read: (reads: Reads) => Promise<unknown>, reads: Reads): Promise<number> => {
  const beganMs = performance.now()
  await read(reads)
  return performance.now() - beganMs
}

const rowsOf = async (name: string, on: Reader, { rounds }: Size): Promise<Row[]> => {
  const reads = readsOf(on)
  const rows: Row[] = []
  for (const [what, read] of READS) {
    const ratios: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const listMs = await timed(LIST, reads)
      ratios.push((await timed(read, reads)) / listMs)
    }
    rows.push({
      what: `${name}: ${what}`,
      goal: `≤ ${MOST_TIMES}× a list`,
      measured: spreadOf(ratios, 1, '×'),
      optimum: null,
      met: middleVerdictOf(ratios, { most: MOST_TIMES }),
      // All that there is, counted anew.
      isOpen: what.includes('30 d'),
    })
  }
  return rows
}

interface Part {
  name: string
  table: string
  bytes: number
}

/** Of each new index, by its table. */
const sizesOf = (database: string, parts: readonly Part[]): Row[] =>
  parts.flatMap(({ name, table, bytes }) => {
    const whole = parts.find((one) => one.name === table)?.bytes ?? 0
    if (!INDEXES.test(name)) return []
    const measured = `${((100 * bytes) / whole).toFixed(1)} % of ${table}`
    return [shownRow(`${database}: index ${name}`, measured)]
  })

const partFrom = (row: Record<string, unknown>): Part => ({
  name: text(row, 'name'),
  table: text(row, 'of'),
  bytes: Number(row['bytes']),
})

const POSTGRES_SIZES = `SELECT c.relname AS name, coalesce(t.relname, c.relname) AS of,
    (pg_relation_size(c.oid) + coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 AS bytes
  FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_class t ON t.oid = i.indrelid
  WHERE c.relnamespace = '${SCHEMA}'::regnamespace AND c.relkind IN ('r', 'i') ORDER BY 1`
const SQLITE_SIZES = `SELECT s.name, m.tbl_name AS of, sum(s.pgsize) AS bytes
  FROM dbstat s JOIN sqlite_schema m ON m.name = s.name GROUP BY s.name ORDER BY s.name`

/** The tables that these reads read. The triggers of the others count as they are written. */
const TABLES = ['endpoints', 'videos', 'events', 'deliveries', 'samples']
const BATCH = 5_000

/** The same history in SQLite. */
const copyInto = async (file: ReturnType<typeof openFile>, client: Client): Promise<void> => {
  file.exec('BEGIN')
  for (const table of TABLES) {
    const columns = file.all(`SELECT name FROM pragma_table_info(?)`, table).map((row) => text(row, 'name'))
    const insert = file.raw.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    await client.query(`BEGIN; DECLARE rows CURSOR FOR SELECT ${columns.join(', ')} FROM ${table}`)
    for (;;) {
      const { rows } = await client.query<(string | number | null)[]>({
        text: `FETCH ${BATCH} FROM rows`,
        rowMode: 'array',
      })
      for (const row of rows) insert.run(...row)
      if (rows.length < BATCH) break
    }
    await client.query('COMMIT')
  }
  file.exec('COMMIT; ANALYZE')
}

const onPostgres = async (size: Size, use: (client: Client) => Promise<Row[]>): Promise<Row[]> => {
  const server = await ownPostgres()
  try {
    const pool = createPool({ url: server.url, schema: SCHEMA, size: 1, onError: () => undefined })
    await postgres.migrate(pool, SCHEMA)
    await pool.end()
    const { config, adjust } = connectionOf(
      { url: server.url, schema: SCHEMA },
      { ...LIMITS_MS.long, answer: FILL_LIMIT_MS },
    )
    const client = new Client(config)
    await client.connect()
    await adjust(client)
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
    try {
      await fillHistory(client, SCHEMA, size.videos)
      return await use(client)
    } finally {
      await client.end()
    }
  } finally {
    await server.close()
  }
}

/** What the reads of the overview cost beside a page of a list, and how large their indexes are. */
export const overview = async (size: Size = FULL): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  const file = openFile(join(folder, 'talkbridge.db'), { readOnly: false })
  file.exec(PRAGMAS)
  migrate(file.raw)
  try {
    const rows = await onPostgres(size, async (client) => {
      const found = await client.query<Record<string, unknown>>(POSTGRES_SIZES)
      await copyInto(file, client)
      return [
        ...(await rowsOf('SQLite', sqliteOf(file), size)),
        ...(await rowsOf('PostgreSQL', postgresOf(client), size)),
        ...sizesOf('SQLite', file.all(SQLITE_SIZES).map(partFrom)),
        ...sizesOf('PostgreSQL', found.rows.map(partFrom)),
      ]
    })
    return {
      name: 'overview',
      notes: [
        `a month of ${size.videos} videos of 50 clients; medians of ${size.rounds} rounds, read by read after a page of 21 videos`,
      ],
      rows,
    }
  } finally {
    file.close()
    await rm(folder, { recursive: true, force: true })
  }
}
