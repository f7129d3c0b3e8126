import { createHash } from 'node:crypto'
import type { Delivery, DeliveryStatus, RecordedAttempt, Target } from '../../core/store/webhooks.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import { DISABLED_REASONS, type EndpointRecord, type ReplayProgress } from '../../core/endpoints.ts'
import {
  type EventRecord,
  MADE_FROM,
  type Phase,
  PHASES,
  storedVideo,
  type TimelineEntry,
  type VideoRecord,
} from '../../core/video.ts'
import { EVENT_TYPES, type EndpointEventType } from '../../core/vocabulary.ts'

/** What a column holds. Every engine has these three, under names of its own. */
export type Kind = 'text' | 'integer' | 'real'

/** The columns of each table, as an engine has them. */
export type Shape = ReadonlyMap<string, ReadonlyMap<string, Kind>>

/** The versions of the schema before and after a start that changed it. */
export interface Migrated {
  from: number
  to: number
}

/** Groups rows of `table`, `column`, `kind`. */
export const shapeOf = (rows: readonly { table: string; column: string; kind: Kind }[]): Shape => {
  const shape = new Map<string, Map<string, Kind>>()
  for (const { table, column, kind } of rows) {
    const columns = shape.get(table) ?? new Map<string, Kind>()
    columns.set(column, kind)
    shape.set(table, columns)
  }
  return shape
}

/**
 * What the verbs ask of an engine: statements with `?` or `?1` for values. They keep to what SQLite and PostgreSQL both
 * understand. They name their columns: a prepared `SELECT *` fails once a newer process has added one. `INDEXED BY` and
 * a `+` before a column only guide SQLite's planner: PostgreSQL's driver leaves them out. What only guides PostgreSQL's
 * planner stands in a comment, which that driver opens: see `forPostgres`.
 */
export interface Reader {
  /** The first row; undefined: there is none. */
  get(sql: string, ...values: Value[]): Promise<Row | undefined>
  all(sql: string, ...values: Value[]): Promise<Row[]>
}
/** What the rows of each step of `after` are called. */
export const STEPS = ['first', 'second'] as const
export interface Db extends Reader {
  /** Answers how many rows changed. */
  run(sql: string, ...values: Value[]): Promise<number>
  /**
   * Runs them as one, three at most. The rows of each are a table for the next (`STEPS`). Where there are none, the next
   * has nothing to do. Answers the rows of the last.
   */
  after(...steps: readonly List[]): Promise<Row[]>
}
/** Of an engine whose files may fill up. `freeBytes`: of their volume; null: unknown. */
export interface RoomyDb extends Db {
  /** Whether there is room for one more video, beside what is kept back for those that are open. */
  hasRoom(openVideos: () => Promise<number>, freeBytes: number | null): Promise<boolean>
}
export type Value = string | number | null
export type Row = Record<string, unknown>

/** What was read of a row; null if there is none. */
export const orNull = <T>(row: Row | undefined, from: (row: Row) => T): T | null => (row ? from(row) : null)

export const text = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`column ${column} is no text`)
  return value
}
export const textOrNull = (row: Row, column: string): string | null => (row[column] === null ? null : text(row, column))
export const int = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`column ${column} is no number`)
  return value
}
export const intOrNull = (row: Row, column: string): number | null => (row[column] === null ? null : int(row, column))

/** A part of a statement that PostgreSQL only reads. It may change how rows are found, and never which. */
export const forPostgres = (sql: string): string => `/*postgres ${sql} */`

/**
 * PostgreSQL looks for each row by an index, where it would join all rows of both tables: it expects to need few of
 * them.
 */
export const EACH_ALONE = forPostgres('OFFSET 0')

/**
 * A query of one column for `IN`. PostgreSQL takes the limit, which is not known as it plans, for a tenth of the table.
 */
export const few = (sql: string): string => `${forPostgres('SELECT unnest(ARRAY(')}${sql}${forPostgres('))')}`

/**
 * A number that PostgreSQL finds nothing by, unless an index holds this very expression. Those of a client's rows, in
 * the order of their numbers, do: by the bare number it would go through everybody's rows, and pass over those of
 * others.
 */
export const numberOf = (column: string): string => `${column}${forPostgres('+ 0')}`

/** A text that PostgreSQL finds nothing by: what is named by its id is not looked for among all of its state. */
export const textOf = (column: string): string => `${column}${forPostgres(`|| ''`)}`

/**
 * Queries as one, in one order, to be followed by `ORDER BY` and `LIMIT`. SQLite merges them as it reads them.
 * PostgreSQL does where each has that order and an end by itself: `most` rows, as many as are asked from all together.
 */
export const merged = (queries: readonly string[], orderBy: string, most: string): string =>
  queries
    .map((sql) => `${forPostgres('SELECT * FROM (')}${sql}${forPostgres(`ORDER BY ${orderBy} LIMIT ${most}) AS part`)}`)
    .join(' UNION ALL ')

export interface List {
  sql: string
  values: Value[]
}

/** The smallest power of two that is not below `count`: so that lists of any length make few statements. */
export const sizeOf = (count: number): number => {
  let size = 1
  while (size < count) size *= 2
  return size
}

/** As many placeholders as `sizeOf` says. The last value fills the rest. An empty list finds nothing. */
export const listOf = (values: readonly string[]): List => {
  const size = sizeOf(values.length)
  const last = values.at(-1) ?? null
  return {
    sql: Array.from({ length: size }, () => '?').join(', '),
    values: Array.from({ length: size }, (_, n) => values[n] ?? last),
  }
}

/** What is past its time, at most so much of it. */
export interface Old {
  beforeMs: number
  limit: number
}

type Condition = [sql: string, value: Value, ...more: Value[]]

/** Joins the conditions that are given. One whose value is null is not. */
export const where = (conditions: readonly (Condition | null)[]): List => {
  const used = conditions.filter((one) => one !== null && one[1] !== null)
  return {
    sql: used.map((one) => one?.[0]).join(' AND ') || '1 = 1',
    values: used.flatMap((one) => one?.slice(1) ?? []),
  }
}

/** One of these; null: any. */
export const among = (column: string, values: readonly string[] | null): Condition | null => {
  const list = values && listOf(values)
  return list && [`${column} IN (${list.sql})`, list.values[0] ?? null, ...list.values.slice(1)]
}

/** What has an id: of a client only if it is its own, by one read of a row whether it is or not; null: of anybody. */
export const withId = (
  column: string,
  table: 'videos' | 'events',
  id: string | null,
  client: string | null,
): Condition | null =>
  client === null
    ? [`${column} = ?`, id]
    : [`${column} = (SELECT id FROM ${table} WHERE id = ? AND client = ?)`, id, client]

/** One after the other: a connection does one thing at a time. */
export const inTurn = async <A, B>(items: readonly A[], act: (item: A) => Promise<B>): Promise<B[]> => {
  const done: B[] = []
  for (const item of items) done.push(await act(item))
  return done
}

export const oneOf = <T extends string>(known: readonly T[], value: string, column: string): T => {
  const found = known.find((word) => word === value)
  if (found === undefined) throw new Error(`column ${column} holds an unknown word`)
  return found
}

/** `data` was written by `putVideo` only, from a VideoRecord of this version or one before. */
export const videoFrom = (row: Row): VideoRecord => storedVideo(JSON.parse(text(row, 'data')) as VideoRecord)

export const openVideoFrom = (row: Row): OpenVideo => ({
  id: text(row, 'id'),
  client: text(row, 'client'),
  phase: oneOf<Phase>(PHASES, text(row, 'phase'), 'phase'),
  version: int(row, 'version'),
  dueAtMs: intOrNull(row, 'due_at'),
  leaseUntilMs: intOrNull(row, 'lease_until'),
  backend: text(row, 'backend'),
  acceptedAtMs: intOrNull(row, 'accepted_at'),
  lastHintAtMs: intOrNull(row, 'last_hint_at'),
  hasWebhook: int(row, 'has_webhook') === 1,
  linkOwed: int(row, 'link_owed') === 1,
  source: oneOf(MADE_FROM, text(row, 'source'), 'source'),
})

export const timelineFrom = (row: Row): TimelineEntry => ({
  at: int(row, 'at'),
  type: text(row, 'type'),
  detail: textOrNull(row, 'detail'),
})

export const eventFrom = (row: Row): EventRecord => ({
  id: text(row, 'event_id'),
  type: oneOf(EVENT_TYPES, text(row, 'type'), 'type'),
  client: text(row, 'client'),
  videoId: textOrNull(row, 'video_id'),
  sequence: int(row, 'sequence'),
  atMs: int(row, 'at'),
  body: text(row, 'body'),
})

const TARGET_KINDS = ['video', 'endpoint'] as const satisfies readonly Target['kind'][]
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held'] as const satisfies readonly DeliveryStatus[]

/** Of columns `target_kind`, `target` and `url`. */
export const targetFrom = (row: Row): Target => {
  const kind = oneOf(TARGET_KINDS, text(row, 'target_kind'), 'target_kind')
  const url = text(row, 'url')
  return kind === 'endpoint' ? { kind, id: text(row, 'target'), url } : { kind, url }
}

/** What distinguishes one target from another of its kind. */
export const targetKey = (target: Target): string => (target.kind === 'endpoint' ? target.id : target.url)

/** Of a row of `deliveries` joined with its event. */
export const deliveryFrom = (row: Row): Delivery => ({
  id: text(row, 'id'),
  event: eventFrom(row),
  target: targetFrom(row),
  status: oneOf(DELIVERY_STATUSES, text(row, 'delivery_status'), 'status'),
  attempts: int(row, 'attempts'),
  tried: int(row, 'tried'),
  nextAttemptAtMs: intOrNull(row, 'next_attempt_at'),
  isAskedLater: intOrNull(row, 'asked_at') !== null,
  trace: textOrNull(row, 'trace'),
})

export const attemptFrom = (row: Row): RecordedAttempt => ({
  atMs: int(row, 'at'),
  durationMs: int(row, 'duration_ms'),
  status: intOrNull(row, 'status'),
  error: textOrNull(row, 'error'),
  responseBody: textOrNull(row, 'response_body'),
  nextAttemptAtMs: intOrNull(row, 'next_attempt_at'),
})

const disabledFrom = (row: Row): EndpointRecord['disabled'] => {
  const atMs = intOrNull(row, 'disabled_at')
  if (atMs === null) return null
  return { reason: oneOf(DISABLED_REASONS, text(row, 'disabled_reason'), 'disabled_reason'), atMs }
}

/** Only the verbs of endpoints write `events`, from a list of types. */
export const typesFrom = (json: string): EndpointEventType[] => JSON.parse(json) as EndpointEventType[]

/** No secret outlives one that came after it: the last to expire is one of those that still sign. */
export const ENDPOINT = `SELECT id, client, url, events, description, disabled_reason, disabled_at, failures, failing_since,
  created_at, updated_at, held, last_delivered_at, last_failed_at, replay,
  (SELECT max(s.expires_at) FROM webhook_secrets s WHERE s.keeper = 'endpoint:' || endpoints.id) AS old_secret_until
  FROM endpoints`

const replayFrom = (row: Row): ReplayProgress => JSON.parse(text(row, 'replay')) as ReplayProgress

/** Of a row of `ENDPOINT`. */
export const endpointFrom = (row: Row): EndpointRecord => ({
  id: text(row, 'id'),
  client: text(row, 'client'),
  url: text(row, 'url'),
  events: typesFrom(text(row, 'events')),
  description: textOrNull(row, 'description'),
  disabled: disabledFrom(row),
  failures: int(row, 'failures'),
  failingSinceMs: intOrNull(row, 'failing_since'),
  held: int(row, 'held'),
  lastDeliveredAtMs: intOrNull(row, 'last_delivered_at'),
  lastFailedAtMs: intOrNull(row, 'last_failed_at'),
  oldSecretUntilMs: intOrNull(row, 'old_secret_until'),
  replay: orNull(row['replay'] === null ? undefined : row, replayFrom),
  createdAtMs: int(row, 'created_at'),
  updatedAtMs: int(row, 'updated_at'),
})

/** One delivery per event and target: the same two always give the same id. */
export const deliveryId = (eventId: string, target: Target): string =>
  `dlv_${createHash('sha256')
    .update(`${eventId}\0${target.kind}\0${targetKey(target)}`)
    .digest('hex')
    .slice(0, 26)}`
