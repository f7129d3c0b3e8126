import { AUDIT_ACTIONS, type AuditEntry } from '../../core/access.ts'
import type { AccessStore, AuditQuery } from '../../core/store/admin.ts'
import {
  type Db,
  few,
  int,
  inTurn,
  type List,
  numberOf,
  type Old,
  type Reader,
  type Row,
  sizeOf,
  text,
  textOrNull,
  type Value,
  deliveryId,
  oneOf,
  targetKey,
  where,
} from './db.ts'
import {
  type EventRecord,
  openDoubtOf,
  sourceOf,
  type TimelineEntry,
  uncertaintyMs,
  type VideoRecord,
} from '../../core/video.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { isHeld, MAX_HELD } from '../../core/endpoints.ts'
import type { DeliveryStatus, OwedTarget, Target } from '../../core/store/webhooks.ts'
import type { NewVideo } from '../../core/store/videos.ts'

const PUT = `INSERT INTO audit (id, at, actor, actor_key, address, request_id, action, subject, detail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Within the write that it is about. */
export const putAudit = async (db: Db, entry: AuditEntry): Promise<void> => {
  const { id, atMs, actor, key, address, requestId, action, subject, detail } = entry
  await db.run(PUT, id, atMs, actor, key, address, requestId, action, subject, JSON.stringify(detail))
}

const PURGE = `DELETE FROM audit WHERE n IN (${few('SELECT n FROM audit WHERE at < ? ORDER BY at LIMIT ?')})`

export const purgeAudit = async (db: Db, { beforeMs, limit }: Old): Promise<number> =>
  await db.run(PURGE, beforeMs, limit)

const auditFrom = (row: Row): AuditEntry => ({
  id: text(row, 'id'),
  atMs: int(row, 'at'),
  actor: text(row, 'actor'),
  key: textOrNull(row, 'actor_key'),
  address: textOrNull(row, 'address'),
  requestId: textOrNull(row, 'request_id'),
  action: oneOf(AUDIT_ACTIONS, text(row, 'action'), 'action'),
  subject: text(row, 'subject'),
  detail: JSON.parse(text(row, 'detail')) as AuditEntry['detail'],
})

const ENTRIES = 'SELECT n, id, at, actor, actor_key, address, request_id, action, subject, detail FROM audit'

/**
 * By the narrowest index: of a subject, else of an actor, else of an action. The other filters pass over what is read.
 */
const auditSql = ({ subject, actor, action, sinceMs, before, limit }: AuditQuery) => {
  const named = Object.entries({ subject, actor, action }).find(([, value]) => value !== null)
  // Without one of them the log itself is in this order.
  const place = named ? numberOf('n') : 'n'
  const wanted = where([
    ['subject = ?', subject],
    ['actor = ?', actor],
    ['action = ?', action],
    [`${place} < ?`, before],
    ['at >= ?', sinceMs],
  ])
  const index = named ? ` INDEXED BY audit_by_${named[0]}` : ''
  return {
    sql: `${ENTRIES}${index} WHERE ${wanted.sql} ORDER BY ${place} DESC LIMIT ?`,
    values: [...wanted.values, limit],
  }
}

/** Reads by index, as those of `reads.ts`. */
export const createAuditReads = (db: Reader) =>
  ({
    async audit(query) {
      const { sql, values } = auditSql(query)
      const rows = await db.all(sql, ...values)
      return rows.map((row) => ({ place: int(row, 'n'), entry: auditFrom(row) }))
    },
    auditOf: async (subject, limit) =>
      (await db.all(`${ENTRIES} WHERE subject = ? ORDER BY ${numberOf('n')} DESC LIMIT ?`, subject, limit)).map(
        auditFrom,
      ),
  }) satisfies Partial<AccessStore>

const NEXT_CHANGE = `INSERT INTO changes (account, n) VALUES (?, 1)
  ON CONFLICT (account) DO UPDATE SET n = changes.n + 1 RETURNING n`

const CHANGE = '(SELECT n FROM first)'

/** The line of events that are of no video. */
export const NO_VIDEO = 'events'

/**
 * The number of the next write to one of the account's videos. Numbers rise in the order in which readers see the
 * writes.
 */
const nextChange = (line: AccountId | typeof NO_VIDEO): List => ({ sql: NEXT_CHANGE, values: [line] })

/**
 * What it is found by beside its columns. It never changes. A database cannot tell some keys apart (half a pair, and
 * PostgreSQL a NUL): the first of them is found.
 */
const putMetadata = async (db: Db, { id, client, createdAtMs, metadata }: VideoRecord): Promise<void> => {
  const pairs = Object.entries(metadata)
  if (pairs.length === 0) return
  await db.run(
    `INSERT INTO video_metadata (video_id, key, value, client, created_at) VALUES ${pairs.map(() => '(?, ?, ?, ?, ?)').join(', ')}
     ON CONFLICT (video_id, key) DO NOTHING`,
    ...pairs.flatMap(([key, value]) => [id, key, value, client, createdAtMs]),
  )
}

/** What never changes. */
const fixed = (video: VideoRecord) => ({
  id: video.id,
  client: video.client,
  created_at: video.createdAtMs,
  has_webhook: video.webhookUrl === null ? 0 : 1,
  source: sourceOf(video),
  // A split is judged by what its sides made.
  rule: video.reused === null ? video.routing.rule : null,
  input_hash: video.inputHash,
  low_until: video.lowUntilMs ?? 0,
  trace: video.trace,
  pool: video.pool,
})

/** What statements search by, beside the whole record in `data` and the number of the write. */
const moving = (video: VideoRecord) => ({
  account: video.account,
  backend: video.backend,
  phase: video.phase,
  status: video.status,
  version: video.version,
  due_at: video.dueAtMs,
  lease_until: video.lease?.untilMs ?? null,
  ended_at: video.endedAtMs,
  lane: video.lane,
  accepted_at: video.acceptedAtMs,
  last_hint_at: video.lastHintAtMs,
  link_owed: video.linkOwed ? 1 : 0,
  sent_at: video.dispatchedAtMs,
  second_job_at: video.secondJobAtMs,
  charged: video.credits?.charged ?? null,
  doubt: openDoubtOf(video),
  warned: video.warnings.length > 0 ? 1 : 0,
  code: video.error?.code ?? null,
  // Where there was no job the gateway ended the video itself, and was not late.
  late_ms: video.phase === 'ended' && video.acceptedAtMs !== null ? uncertaintyMs(video) : null,
})

/** Notes of the video that `second` answers, in their order. One without a type only fills the list. */
const notesOf = (notes: readonly TimelineEntry[]): List => {
  const rows = Array.from({ length: sizeOf(notes.length) }, (_, n) => notes[n])
  return {
    sql: `INSERT INTO timeline (video_id, at, type, detail)
      SELECT second.id, note.column1, note.column2, note.column3 FROM second,
        (VALUES ${rows.map(() => '(CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT))').join(', ')}) AS note
      WHERE note.column2 IS NOT NULL RETURNING video_id`,
    values: rows.flatMap((note) => [note?.at ?? null, note?.type ?? null, note?.detail ?? null]),
  }
}

const JOB_IS_FREE = 'AND NOT EXISTS (SELECT 1 FROM videos o WHERE o.account = ? AND o.job_id = ?)'

/**
 * Inserts the video, or writes it over `before`, from which it was made; and what is noted of that. False, and nothing is
 * written: another write came between, or its new job is another video's.
 */
export const putVideo = async (
  db: Db,
  video: VideoRecord,
  before: VideoRecord | null,
  notes: readonly TimelineEntry[],
): Promise<boolean> => {
  const noted = notes.length > 0 ? [notesOf(notes)] : []
  const written = { data: JSON.stringify(video) }
  // Of an older database, several videos may record one job, and only one of them has it in its column.
  const job = before?.backendJobId === video.backendJobId ? {} : { job_id: video.backendJobId }
  if (before) {
    // An index is written again if a statement names its columns, whether they change or not.
    const were: Record<string, Value> = moving(before)
    const moved = Object.entries(moving(video)).filter(([column, value]) => were[column] !== value)
    const set = [...moved, ...Object.entries({ ...written, ...job })]
    const columns = set.map(([column]) => `${column} = ?`)
    const sql = `UPDATE videos SET ${columns.join(', ')}, change = ${CHANGE} WHERE id = ? AND version = ?
      ${'job_id' in job ? JOB_IS_FREE : ''} RETURNING id`
    const taken = 'job_id' in job ? [video.account, video.backendJobId] : []
    const values = [...set.map(([, value]) => value), video.id, before.version, ...taken]
    return (await db.after(nextChange(video.account), { sql, values }, ...noted)).length > 0
  }
  const row = { ...fixed(video), ...moving(video), ...written, ...job }
  const columns = Object.keys(row)
  const values = columns.map(() => '?').join(', ')
  const sql = `INSERT INTO videos (${columns.join(', ')}, change) VALUES (${values}, ${CHANGE}) RETURNING id`
  await db.after(nextChange(video.account), { sql, values: Object.values(row) }, ...noted)
  await putMetadata(db, video)
  return true
}

const NEXT_PLACE = `INSERT INTO event_spans (client, last, gone) VALUES (?, 1, 0)
  ON CONFLICT (client) DO UPDATE SET last = event_spans.last + 1 RETURNING last`

/** The next place in the client's history. What has it is written in the same transaction. */
const nextPlace = (client: string): List => ({ sql: NEXT_PLACE, values: [client] })

const PUT_EVENT = `INSERT INTO events (id, video_id, client, place, type, sequence, at, body, line, n)
  VALUES (?, ?, ?, (SELECT last FROM first), ?, ?, ?, ?,
    coalesce(CAST(? AS TEXT), (SELECT account FROM videos WHERE id = ?)),
    coalesce(CAST(? AS BIGINT), (SELECT change FROM videos WHERE id = ?)))
  RETURNING (SELECT count(*) FROM endpoints e WHERE e.client = events.client) AS endpoints`

/** The number of what is of no video. */
const nextOfNone = async (db: Db): Promise<number> => {
  const { sql, values } = nextChange(NO_VIDEO)
  return int((await db.get(sql, ...values)) ?? {}, 'n')
}

/** An event of a video is written behind it in the same transaction, and has its number. */
const lineOf = async (db: Db, { videoId }: EventRecord): Promise<[line: string | null, n: number | null]> =>
  videoId === null ? [NO_VIDEO, await nextOfNone(db)] : [null, null]

/** Answers how many endpoints its client has. */
const putEvent = async (db: Db, event: EventRecord): Promise<number> => {
  const { id, videoId, client, type, sequence, atMs, body } = event
  const [line, n] = await lineOf(db, event)
  const values = [id, videoId, client, type, sequence, atMs, body, line, videoId, n, videoId]
  const [row = {}] = await db.after(nextPlace(client), { sql: PUT_EVENT, values })
  return int(row, 'endpoints')
}

const RESEND = `INSERT INTO resends (event_id, client, place, line, n) VALUES (?, ?, (SELECT last FROM first), ?, ?)
  ON CONFLICT (event_id) DO UPDATE SET place = excluded.place, line = excluded.line, n = excluded.n`

/** Makes streams tell the event again. */
export const tellAgain = async (db: Db, { id, client }: Pick<EventRecord, 'id' | 'client'>): Promise<void> => {
  const values = [id, client, NO_VIDEO, await nextOfNone(db)]
  await db.after(nextPlace(client), { sql: RESEND, values })
}

/**
 * One delivery per event and target. If it exists, it starts its schedule again, with the body that it had. `asked_at`
 * is null for a delivery that came with its event.
 */
const OWE = `
  INSERT INTO deliveries (id, event_id, client, video_id, sequence, target_kind, target, url, status, attempts, tried, next_attempt_at,
    asked_at, event_at, body, settled_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, CAST(?10 AS BIGINT),
    nullif(CAST(?10 AS BIGINT), CAST(?11 AS BIGINT)), CAST(?11 AS BIGINT), ?12, ?13)
  ON CONFLICT (id) DO UPDATE SET status = excluded.status, tried = 0, next_attempt_at = excluded.next_attempt_at,
    asked_at = CAST(?10 AS BIGINT), lease_token = NULL, lease_until = NULL, settled_at = excluded.settled_at`

export const owe = async (
  db: Db,
  event: Omit<EventRecord, 'body'>,
  target: Target | OwedTarget,
  status: Exclude<DeliveryStatus, 'delivered'>,
  atMs: number,
): Promise<string> => {
  const { client, videoId, sequence } = event
  const id = deliveryId(event.id, target)
  const dueAtMs = status === 'pending' ? atMs : null
  const { kind, url } = target
  const body = 'body' in target ? (target.body ?? null) : null
  const named = [id, event.id, client, videoId, sequence, kind, targetKey(target)]
  await db.run(OWE, ...named, url, status, dueAtMs, event.atMs, body, status === 'failed' ? atMs : null)
  return id
}

/** How many events wait for an endpoint that is disabled. */
export const heldFor = async (db: Reader, endpointId: string): Promise<number> =>
  int((await db.get('SELECT held FROM endpoints WHERE id = ?', endpointId)) ?? {}, 'held')

const DROPPED = 'webhook_events_dropped'
const COUNT_DROPPED = `INSERT INTO meta (key, value) VALUES (?1, CAST(?2 AS TEXT))
  ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + CAST(?2 AS BIGINT) AS TEXT)`

export const countDropped = async (db: Db, count: number): Promise<void> => {
  await db.run(COUNT_DROPPED, DROPPED, count)
}
export const droppedEvents = async (db: Reader): Promise<number> =>
  Number((await db.get('SELECT value FROM meta WHERE key = ?', DROPPED))?.['value'] ?? 0)

const SUBSCRIBERS = `SELECT id, url, CASE WHEN disabled_at IS NULL THEN 1 ELSE 0 END AS enabled FROM endpoints
  WHERE client = ?1 AND (?2 IN ('endpoint.disabled', 'routing.stopped') OR replace(events, '"' || ?2 || '"', '') <> events) ORDER BY id`

/** The client's endpoints that want events of a type; what is about no video goes to all of them. */
export const subscribers = async (db: Reader, client: string, type: EventRecord['type']) =>
  (await db.all(SUBSCRIBERS, client, type)).map((row) => ({
    id: text(row, 'id'),
    url: text(row, 'url'),
    isEnabled: int(row, 'enabled') === 1,
  }))

/** Holds an event for a disabled endpoint, behind deliveries that are due to it and not held yet. */
const keepFor = async (db: Db, event: EventRecord, target: Extract<Target, { kind: 'endpoint' }>): Promise<void> => {
  const isBehind = (await db.get('SELECT 1 AS n FROM endpoint_backlogs WHERE endpoint = ?', target.id)) !== undefined
  const hasRoom = isBehind || (await heldFor(db, target.id)) < MAX_HELD
  await owe(db, event, target, isBehind ? 'pending' : hasRoom ? 'held' : 'failed', event.atMs)
  if (!hasRoom) await countDropped(db, 1)
}

/** Writes an event, with deliveries to `targets` and to the client's endpoints. Answers those that are due. */
export const putOwed = async (db: Db, event: EventRecord, targets: readonly OwedTarget[]): Promise<string[]> => {
  const endpoints = await putEvent(db, event)
  const due = await inTurn(targets, (target) => owe(db, event, target, 'pending', event.atMs))
  for (const { id, url, isEnabled } of endpoints > 0 ? await subscribers(db, event.client, event.type) : []) {
    const target = { kind: 'endpoint', id, url } as const
    if (isEnabled) due.push(await owe(db, event, target, 'pending', event.atMs))
    else if (isHeld(event.type)) await keepFor(db, event, target)
  }
  return due
}

/** Writes the events of a video, behind it. Answers the deliveries that are due. */
export const putOutbox = async (db: Db, { events, audit }: Pick<NewVideo, 'events' | 'audit'>): Promise<string[]> => {
  if (audit) await putAudit(db, audit)
  return (await inTurn(events, ({ event, targets }) => putOwed(db, event, targets))).flat()
}
