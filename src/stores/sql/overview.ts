import { DISABLED_REASONS } from '../../core/endpoints.ts'
import {
  type DisabledEndpoint,
  FAILING_LEAST,
  type FailingEndpoint,
  type GivenUp,
  MOST_DELIVERIES,
  MOST_GIVEN_UP,
  MOST_OUTCOMES,
  MOST_PROCESSING,
  MOST_STATEMENTS,
  type Outcome,
  type OutcomeCount,
  type OutcomesQuery,
  type Overview,
  type OverviewQuery,
  type OverviewStore,
  type Sample,
  type SamplesQuery,
  type SampleSum,
} from '../../core/store/admin.ts'
import { accountIdOf } from '../../core/vocabulary.ts'
import type { VideoRecord } from '../../core/video.ts'
import {
  type Db,
  few,
  forPostgres,
  int,
  intOrNull,
  inTurn,
  listOf,
  numberOf,
  type Old,
  oneOf,
  type Reader,
  text,
  textOrNull,
  videoFrom,
  where,
} from './db.ts'
import { readEndedDeliveries } from './event-reads.ts'

/** A number without most of its digits, within 2 % of it: many rows then have few. Pure. */
const coarse = (ms: string): string => {
  const grid = Array.from({ length: 9 }, (_, n) => `WHEN ${ms} < ${512 * 4 ** n} THEN ${4 * 4 ** n}`).join(' ')
  const width = `CASE ${grid} ELSE ${4 * 4 ** 9} END`
  return `${ms} - ${ms} % ${width} + ${width} / 2`
}

const SCOPES = {
  videos: {
    at: 'ended_at',
    keys: { backend: 'backend', client: 'client', code: `coalesce(code, '')`, endpoint: `''` },
    // Of one whose job was over when it was imported, or that has another's file, nobody waited for it.
    measures: {
      took: 'CASE WHEN late_ms IS NOT NULL THEN ended_at - created_at END',
      late: 'late_ms',
      credits: 'charged',
    },
    index: 'videos_figures',
    also: `phase = 'ended' AND `,
  },
  deliveries: {
    at: 'settled_at',
    keys: {
      backend: `''`,
      client: 'client',
      code: `''`,
      endpoint: `CASE target_kind WHEN 'endpoint' THEN target ELSE '' END`,
    },
    measures: { took: 'took_ms', late: 'took_ms', credits: 'NULL' },
    index: 'deliveries_ended',
    also: 'settled_at IS NOT NULL AND ',
  },
} as const

/**
 * Rows that PostgreSQL expects to be many, whatever it thinks of the times: then it groups them without sorting them.
 * Of so many columns; ?2 is a number.
 */
const many = (sql: string, columns: number): string => {
  const none = Array.from({ length: columns }, () => 'NULL').join(', ')
  return `${forPostgres('(')}${sql}${forPostgres(`) UNION ALL SELECT ${none} FROM generate_series(1, CAST(?2 AS BIGINT) * 0)`)}`
}

const isOfDeliveries = (of: Outcome): boolean => of === 'delivered' || of === 'given_up'

/** The latest between ?3 and ?4, in steps of ?2 that begin at ?1. It reads the index and no rows. */
const outcomesSql = ({ of, client, backend, by, measure }: OutcomesQuery): string => {
  const table = isOfDeliveries(of) ? 'deliveries' : 'videos'
  const { at, keys, measures, index, also } = SCOPES[table]
  const own = client === null ? '' : 'client = ?5 AND '
  const ofBackend = backend === null ? '' : ` AND backend = ?${client === null ? 5 : 6}`
  // What is measured is reckoned once a row: as part of the numbers below it would be 20 times.
  const columns = [
    at,
    ...by.map((key, n) => `${keys[key]} AS key${n}`),
    ...(measure ? [`${measures[measure]} AS measured`] : []),
  ]
  const rows = `SELECT ${columns.join(', ')} FROM ${table} INDEXED BY ${index}${client === null ? '' : '_of_client'}
      WHERE ${also}${own}status = '${of === 'given_up' ? 'failed' : of}' AND ${at} >= ?3 AND ${at} < ?4${ofBackend}
        ${measure === 'late' ? 'AND late_ms IS NOT NULL' : ''}
      ORDER BY ${at} DESC LIMIT ${MOST_OUTCOMES}`
  const isTime = measure !== null && measure !== 'credits'
  const groups = ['step', ...by.map((_, n) => `key${n}`), ...(isTime ? ['of_ms'] : [])].join(', ')
  return `
    SELECT (${at} - CAST(?1 AS BIGINT)) / CAST(?2 AS BIGINT) AS step, ${by.map((_, n) => `key${n}, `).join('')}
      ${isTime ? coarse('measured') : 'NULL'} AS of_ms, ${measure === 'credits' ? 'sum(measured)' : 'NULL'} AS credits,
      count(*) AS n, max(${at}) AS last_at
    FROM (${many(rows, columns.length)}) AS latest GROUP BY ${groups}`
}

/**
 * The newest first. A statement that meets the limit has counted every step completely except the oldest. The next
 * statement starts there. A single step may exceed the limit. Then the result is not whole.
 */
const readOutcomes = async (db: Reader, query: OutcomesQuery): ReturnType<OverviewStore['outcomes']> => {
  const { of, fromMs, untilMs, stepMs, client, by } = query
  const backend = isOfDeliveries(of) ? null : query.backend
  const sql = outcomesSql({ ...query, backend })
  const filters = [client, backend].filter((value) => value !== null)
  const counts: OutcomeCount[] = []
  let isWhole = true
  let endMs = untilMs
  for (let asked = 0; endMs > fromMs; asked += 1) {
    if (asked === MOST_STATEMENTS) return { counts, isWhole: false }
    const rows = await db.all(sql, fromMs, stepMs, fromMs, endMs, ...filters)
    const isCut = rows.reduce((sum, row) => sum + int(row, 'n'), 0) >= MOST_OUTCOMES
    const oldest = isCut ? Math.min(...rows.map((row) => int(row, 'step'))) : -1
    const newer = rows.filter((row) => int(row, 'step') > oldest)
    const isOneStep = newer.length === 0
    isWhole &&= !(isCut && isOneStep)
    for (const row of isOneStep ? rows : newer)
      counts.push({
        step: int(row, 'step'),
        keys: by.map((_, n) => text(row, `key${n}`)),
        ms: intOrNull(row, 'of_ms'),
        credits: intOrNull(row, 'credits'),
        count: int(row, 'n'),
        lastAtMs: int(row, 'last_at'),
      })
    endMs = fromMs + (oldest + (isOneStep ? 0 : 1)) * stepMs
  }
  return { counts, isWhole }
}

const SAMPLE = `INSERT INTO samples (client, at, account, waiting, used, capacity) VALUES ('', ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`
/** So many clients of an account: those that wait most. */
const SAMPLED_CLIENTS = 20
const SAMPLE_CLIENTS = `INSERT INTO samples (client, at, account, waiting, used, capacity)
  SELECT client, CAST(?1 AS BIGINT), account, waiting, 0, 0 FROM turns
  WHERE account = ?2 AND waiting > 0 ORDER BY waiting DESC, client LIMIT ${SAMPLED_CLIENTS}
  ON CONFLICT DO NOTHING`

export const putSample = async (db: Db, sample: Sample): Promise<void> => {
  const { account, atMs, waiting, used, capacity } = sample
  await db.run(SAMPLE, atMs, account, waiting, used, capacity)
  if (waiting > 0) await db.run(SAMPLE_CLIENTS, atMs, account)
}

/** In the order of writing, which is that of their times. */
const PURGE_SAMPLES = `DELETE FROM samples WHERE n IN (${few('SELECT n FROM samples WHERE n > 0 ORDER BY n LIMIT ?')}) AND ${numberOf('at')} < ?`

export const purgeSamples = async (db: Db, { beforeMs, limit }: Old): Promise<number> =>
  await db.run(PURGE_SAMPLES, limit, beforeMs)

/** Of all clients. Of an account or a client there is one for each minute. */
const MOST_SAMPLES = 90_000

const readSamples = async (db: Reader, query: SamplesQuery): ReturnType<OverviewStore['samples']> => {
  const { of, account, fromMs, untilMs, stepMs } = query
  const isOfAll = of === 'clients'
  const [own, latest] = isOfAll ? [`client <> ''`, `ORDER BY at DESC LIMIT ${MOST_SAMPLES}`] : ['client = ?5', '']
  const ofAccount = account === null ? '' : `AND account = ?${isOfAll ? 5 : 6}`
  // Requests are of an account, not of its clients.
  const share = 'CASE capacity WHEN 0 THEN 0.0 ELSE used * 1.0 / capacity END'
  const used = of === 'accounts' ? `capacity, ${share} AS share` : '0 AS capacity, 0.0 AS share'
  const rows = `SELECT client, account, at, waiting, ${used}
      FROM samples ${isOfAll ? 'INDEXED BY samples_of_clients ' : ''}
      WHERE ${own} AND at >= ?3 AND at < ?4 ${ofAccount} ${latest}`
  const sql = `
    SELECT client, account, (at - CAST(?1 AS BIGINT)) / CAST(?2 AS BIGINT) AS step, sum(waiting) AS waiting,
      max(waiting) AS most_waiting, sum(share) AS used, max(share) AS most_used, max(capacity) AS capacity, count(*) AS n
    FROM (${many(rows, 6)}) AS latest GROUP BY client, account, step`
  const client = isOfAll ? [] : [of === 'accounts' ? '' : of.client]
  const found = await db.all(sql, fromMs, stepMs, fromMs, untilMs, ...client, ...(account === null ? [] : [account]))
  const sums = found.map((row): SampleSum => ({
    client: text(row, 'client'),
    account: accountIdOf(text(row, 'account')),
    step: int(row, 'step'),
    waiting: int(row, 'waiting'),
    mostWaiting: int(row, 'most_waiting'),
    used: int(row, 'used'),
    mostUsed: int(row, 'most_used'),
    capacity: int(row, 'capacity'),
  }))
  return { sums, isWhole: !isOfAll || found.reduce((sum, row) => sum + int(row, 'n'), 0) < MOST_SAMPLES }
}

const readOpenOfAll = async (db: Reader, backend: string | null): Promise<Overview['open']> => {
  const counted = where([['backend = ?', backend]])
  const index = backend === null ? 'videos_of_status' : 'videos_of_both'
  const row =
    (await db.get(
      `SELECT coalesce(sum(n), 0) AS total, coalesce(sum(n) FILTER (WHERE phase = 'waiting'), 0) AS waiting,
         coalesce(sum(n) FILTER (WHERE phase = 'doubtful'), 0) AS doubtful,
         (SELECT count(*) FROM (SELECT 1 AS one FROM videos INDEXED BY ${index} WHERE ${counted.sql} AND status = 'processing'
            ORDER BY created_at DESC, id DESC LIMIT ${MOST_PROCESSING}) AS latest) AS processing
       FROM open_videos WHERE ${counted.sql}`,
      ...counted.values,
      ...counted.values,
    )) ?? {}
  const [total, waiting, processing] = [int(row, 'total'), int(row, 'waiting'), int(row, 'processing')]
  return {
    waiting,
    processing,
    queued: Math.max(0, total - waiting - processing),
    doubtful: int(row, 'doubtful'),
    isWhole: processing < MOST_PROCESSING,
  }
}

/** A client has few open videos. */
const readOpenOfOne = async (db: Reader, client: string, backend: string | null): Promise<Overview['open']> => {
  const counted = where([
    ['client = ?', client],
    ['backend = ?', backend],
  ])
  const index = backend === null ? 'videos_by_status' : 'videos_by_both'
  const [queued = {}, processing = {}] = await inTurn(['queued', 'processing'] as const, (status) =>
    db.get(
      `SELECT count(*) AS n, count(*) FILTER (WHERE phase = 'waiting') AS waiting, count(*) FILTER (WHERE phase = 'doubtful') AS doubtful
       FROM (SELECT phase FROM videos INDEXED BY ${index} WHERE ${counted.sql} AND status = '${status}'
         ORDER BY created_at DESC, id DESC LIMIT ${MOST_PROCESSING}) AS latest`,
      ...counted.values,
    ),
  )
  const waiting = int(queued, 'waiting')
  return {
    waiting,
    queued: int(queued, 'n') - waiting,
    processing: int(processing, 'n'),
    doubtful: int(queued, 'doubtful'),
    isWhole: Math.max(int(queued, 'n'), int(processing, 'n')) < MOST_PROCESSING,
  }
}

/** What needs somebody, of one client or of all (null). */
const createNeeds = (db: Reader, { client, backend, sinceMs, limit }: OverviewQuery) => {
  const own = (column: string): string => (client === null ? '' : `${column} = ? AND `)
  const ofOwner = client === null ? [] : [client]

  const owed = async (status: 'pending' | 'held'): Promise<number> => {
    // In the order of an index where there are many; those of one client are in one place of theirs.
    const inOrder = `ORDER BY ${status === 'pending' ? 'd.next_attempt_at, d.n' : numberOf('d.n')} `
    const sql = `SELECT count(*) AS n FROM (
        SELECT 1 AS one FROM deliveries d WHERE ${own('d.client')}d.status = '${status}' ${client === null ? inOrder : ''}LIMIT ?) AS latest`
    return int((await db.get(sql, ...ofOwner, MOST_DELIVERIES)) ?? { n: 0 }, 'n')
  }

  return {
    async deliveries(): Promise<Overview['deliveries']> {
      const [pending, held] = [await owed('pending'), await owed('held')]
      return { pending, held, isWhole: pending < MOST_DELIVERIES && held < MOST_DELIVERIES }
    },

    async givenUp(): Promise<GivenUp[]> {
      const place = 'client, target_kind, endpoint'
      const sql = `
        SELECT id, client, endpoint, settled_at, answer, n FROM (
          SELECT id, client, endpoint, settled_at, answer, count(*) OVER (PARTITION BY ${place}) AS n,
            row_number() OVER (PARTITION BY ${place} ORDER BY settled_at DESC, id) AS back
          FROM (
            SELECT id, client, target_kind, CASE target_kind WHEN 'endpoint' THEN target END AS endpoint, settled_at, answer
            FROM deliveries INDEXED BY deliveries_ended${client === null ? '' : '_of_client'}
            WHERE ${own('client')}status = 'failed' AND settled_at >= ? ORDER BY settled_at DESC LIMIT ${MOST_GIVEN_UP}) AS latest) AS met
        WHERE back = 1 ORDER BY settled_at DESC, id LIMIT ?`
      return (await db.all(sql, ...ofOwner, sinceMs, limit)).map((row) => ({
        client: text(row, 'client'),
        endpointId: textOrNull(row, 'endpoint'),
        deliveries: int(row, 'n'),
        deliveryId: text(row, 'id'),
        atMs: int(row, 'settled_at'),
        status: intOrNull(row, 'answer'),
      }))
    },

    /** A client has few endpoints. */
    async disabledEndpoints(): Promise<DisabledEndpoint[]> {
      const index = client === null ? 'endpoints_disabled' : 'endpoints_by_client'
      const sql = `SELECT id, client, description, disabled_reason, disabled_at, held FROM endpoints INDEXED BY ${index}
        WHERE ${own('client')}disabled_at IS NOT NULL AND disabled_reason <> 'client' ORDER BY disabled_at DESC, id DESC LIMIT ?`
      return (await db.all(sql, ...ofOwner, limit)).map((row) => ({
        id: text(row, 'id'),
        client: text(row, 'client'),
        description: textOrNull(row, 'description'),
        reason: oneOf(DISABLED_REASONS, text(row, 'disabled_reason'), 'disabled_reason'),
        atMs: int(row, 'disabled_at'),
        held: int(row, 'held'),
      }))
    },

    async failingEndpoints(): Promise<FailingEndpoint[]> {
      const index = client === null ? 'endpoints_failing' : 'endpoints_by_client'
      const sql = `SELECT id, client, description, failures, failing_since FROM endpoints INDEXED BY ${index}
        WHERE ${own('client')}failing_since IS NOT NULL AND disabled_at IS NULL AND failures >= ${FAILING_LEAST}
        ORDER BY failing_since DESC, id DESC LIMIT ?`
      return (await db.all(sql, ...ofOwner, limit)).map((row) => ({
        id: text(row, 'id'),
        client: text(row, 'client'),
        description: textOrNull(row, 'description'),
        failures: int(row, 'failures'),
        sinceMs: int(row, 'failing_since'),
      }))
    },

    /** There are few at any time. By the phase, too: a replica of before does not keep `doubt`. */
    async doubtfulVideos(): Promise<VideoRecord[]> {
      const wanted = where([
        ['client = ?', client],
        ['backend = ?', backend],
      ])
      const sql = `SELECT data FROM videos INDEXED BY videos_in_doubt
        WHERE ${wanted.sql} AND doubt = 'open' AND phase = 'doubtful' ORDER BY created_at DESC LIMIT ?`
      return (await db.all(sql, ...wanted.values, limit)).map(videoFrom)
    },
  }
}

const FIRST_CLIENTS = 'SELECT client FROM turns WHERE account = ? AND waiting > 0 ORDER BY turn, first LIMIT ?'
const FIRST_OF_CLIENT = `SELECT id FROM videos INDEXED BY videos_in_turn WHERE account = ? AND client = ? AND phase = 'waiting'
  ORDER BY low_until, id LIMIT ?`

/** How everything goes, and who is next. */
export const createOverviewReads = (db: Reader) =>
  ({
    async overview(query) {
      const { client, backend } = query
      const needs = createNeeds(db, query)
      // One after the other: a page that is read again every second must not take all connections at the same time.
      return {
        open: client === null ? await readOpenOfAll(db, backend) : await readOpenOfOne(db, client, backend),
        deliveries: await needs.deliveries(),
        givenUp: await needs.givenUp(),
        disabledEndpoints: await needs.disabledEndpoints(),
        failingEndpoints: await needs.failingEndpoints(),
        doubtfulVideos: await needs.doubtfulVideos(),
      }
    },
    outcomes: async (query) => await readOutcomes(db, query),
    samples: async (query) => await readSamples(db, query),
    endedDeliveries: async (query) => await readEndedDeliveries(db, query),
    async queueHead(account, client, limit) {
      const rows = client === null ? await db.all(FIRST_CLIENTS, account, limit) : [{ client }]
      const queues = await inTurn(rows, async (row) =>
        (await db.all(FIRST_OF_CLIENT, account, text(row, 'client'), limit)).map((one) => text(one, 'id')),
      )
      // Clients take turns: the first of each, then the second of each.
      const ids = Array.from({ length: limit }, (_, round) => queues.flatMap((queue) => queue[round] ?? []))
        .flat()
        .slice(0, limit)
      const list = listOf(ids)
      const found = await db.all(`SELECT data FROM videos WHERE id IN (${list.sql})`, ...list.values)
      const videos = new Map(found.map(videoFrom).map((video) => [video.id, video]))
      return ids.flatMap((id) => videos.get(id) ?? [])
    },
  }) satisfies Omit<OverviewStore, 'putSample' | 'purgeSamples'>
