import type { AuditEntry } from '../../core/audit.ts'
import { MAX_REPLAYED, type EndpointRecord, type ReplayProgress } from '../../core/endpoints.ts'
import type { EndpointEventType } from '../../core/vocabulary.ts'
import type { Replay, ReplayTaken } from '../../core/store/webhooks.ts'
import { int, inTurn, merged, orNull, text, type Db, type Reader, type Row } from './db.ts'
import { putAudit } from './audit.ts'
import { owe, subscribers, tellAgain } from './outbox.ts'
import { eventFrom, targetFrom, targetKey, typesFrom } from './rows.ts'
import { findEndpoint } from './webhook-verbs.ts'

/** Without bodies: those of ten thousand events are 200 MB, and a delivery needs none. */
const COLUMNS = `e.id AS event_id, e.type, e.client, e.video_id, e.sequence, e.at, '' AS body`

export const redeliver = async (
  db: Db,
  { client, eventId, audit, nowMs }: { client: string; eventId: string; audit: AuditEntry | undefined; nowMs: number },
): Promise<string[] | null> => {
  const row = await db.get(`SELECT ${COLUMNS} FROM events e WHERE e.id = ? AND e.client = ?`, eventId, client)
  if (!row) return null
  const event = eventFrom(row)
  const owed = (
    await db.all(
      `SELECT d.target_kind, d.target, coalesce(p.url, d.url) AS url FROM deliveries d
       LEFT JOIN endpoints p ON d.target_kind = 'endpoint' AND p.id = d.target
       WHERE d.event_id = ? AND (d.target_kind = 'video' OR (p.id IS NOT NULL AND p.disabled_at IS NULL)) ORDER BY d.n`,
      eventId,
    )
  ).map(targetFrom)
  const known = new Set(owed.map(targetKey))
  const wanting =
    event.type === 'endpoint.disabled'
      ? []
      : (await subscribers(db, client, event.type)).filter(({ id, isEnabled }) => isEnabled && !known.has(id))
  if (audit) await putAudit(db, audit)
  await tellAgain(db, event)
  const targets = [...owed, ...wanting.map(({ id, url }) => ({ kind: 'endpoint', id, url }) as const)]
  return inTurn(targets, (target) => owe(db, event, target, 'pending', nowMs))
}

/** What is left of a replay: events from `fromMs` on; at that moment, those behind the place or number `done`. */
interface Walk extends Omit<Replay, 'sinceMs'> {
  fromMs: number
  done: number
  types: readonly EndpointEventType[]
}

/**
 * Both kinds of replay go on in the order of time, from a place that only rises, so that no event comes twice. An index
 * leads to the next event: those of another time or type are not read at all.
 */
const ofTypes = (types: readonly EndpointEventType[], columns: string): string[] =>
  types.map(
    (_, n) => `SELECT ${columns} FROM events e INDEXED BY events_by_type
        WHERE e.client = ?1 AND e.type = ?${n + 6} AND e.at < ?2 AND (e.at, e.place) > (?3, ?4)`,
  )
const OF_FAILED = `d.client = ?1 AND d.target = ?6 AND d.target_kind = 'endpoint' AND d.status = 'failed'
  AND d.event_at < ?2 AND (d.event_at, d.n) > (?3, ?4)`

const valuesOf = ({ client, endpointId, untilMs, fromMs, onlyFailed, types, done }: Walk, limit: number) => [
  client,
  untilMs,
  fromMs,
  done,
  limit,
  ...(onlyFailed ? [endpointId] : types),
]

const walk = async (db: Reader, walked: Walk, limit: number): Promise<Row[]> =>
  await db.all(
    walked.onlyFailed
      ? `SELECT d.n AS place, ${COLUMNS} FROM deliveries d CROSS JOIN events e
         WHERE e.id = d.event_id AND ${OF_FAILED} ORDER BY d.event_at, d.n LIMIT ?5`
      : `${merged(ofTypes(walked.types, `e.place AS place, ${COLUMNS}`), 'at, place', '?5')} ORDER BY at, place LIMIT ?5`,
    ...valuesOf(walked, limit),
  )

/** How many events it will send, `limit` at most. */
const reach = async (db: Reader, walked: Walk, limit: number): Promise<number> => {
  const met = walked.onlyFailed
    ? `SELECT 1 FROM deliveries d WHERE ${OF_FAILED}`
    : ofTypes(walked.types, '1').join(' UNION ALL ')
  return int(
    (await db.get(`SELECT count(*) AS n FROM (${met} LIMIT ?5) AS met`, ...valuesOf(walked, limit))) ?? {},
    'n',
  )
}

const PUT_REPLAY =
  'INSERT INTO replays (client, endpoint, types, since, until, only_failed, done) VALUES (?, ?, ?, ?, ?, ?, 0) RETURNING n'

const setProgress = async (db: Db, id: string, progress: ReplayProgress): Promise<void> => {
  await db.run('UPDATE endpoints SET replay = ? WHERE id = ?', JSON.stringify(progress), id)
}

/** Of the replay that was asked for last: one that was asked for before it goes on without being told. */
const note = async (db: Db, endpoint: EndpointRecord, n: number, queued: number, endedAtMs: number | null) => {
  const { id, replay: last } = endpoint
  if (last?.n === n) await setProgress(db, id, { ...last, queued: last.queued + queued, endedAtMs })
}

export const replay = async (
  db: Db,
  { replay: asked, nowMs }: { replay: Replay; nowMs: number },
): Promise<ReplayTaken> => {
  const { client, endpointId, sinceMs, untilMs, onlyFailed } = asked
  const endpoint = await findEndpoint(db, client, endpointId)
  if (!endpoint) return { kind: 'unknown' }
  if (endpoint.disabled) return { kind: 'disabled' }
  const events = await reach(db, { ...asked, fromMs: sinceMs, types: endpoint.events, done: 0 }, MAX_REPLAYED + 1)
  if (events > MAX_REPLAYED) return { kind: 'many' }
  if (events > 0) {
    const types = JSON.stringify(endpoint.events)
    const put = await db.get(PUT_REPLAY, client, endpointId, types, sinceMs, untilMs, onlyFailed ? 1 : 0)
    const n = int(put ?? {}, 'n')
    const started = { n, sinceMs, untilMs, onlyFailed, askedAtMs: nowMs, events, queued: 0, endedAtMs: null }
    await setProgress(db, endpointId, started)
  }
  return { kind: 'taken', events }
}

/** The oldest replay of the client with the fewest: a client with a thousand replays holds up nobody else. */
const NEXT_REPLAY = `
  SELECT n, client FROM replays WHERE n = (
    SELECT min(n) FROM replays WHERE n > 0 GROUP BY client ORDER BY count(*), min(n) LIMIT 1)`

/** Which replay is next, and whose. */
export const nextReplay = async (db: Reader): Promise<{ n: number; client: string } | null> =>
  orNull(await db.get(NEXT_REPLAY), (row) => ({ n: int(row, 'n'), client: text(row, 'client') }))

interface ReplayStepArgs {
  n: number
  client: string
  limit: number
  nowMs: number
}

/** Null: another process ended it. */
export const replayStep = async (db: Db, { n, client, limit, nowMs }: ReplayStepArgs): Promise<string[] | null> => {
  const row = await db.get('SELECT endpoint, types, since, until, only_failed, done FROM replays WHERE n = ?', n)
  if (!row) return null
  const endpointId = text(row, 'endpoint')
  const endpoint = await findEndpoint(db, client, endpointId)
  // The endpoint was disabled or deleted meanwhile.
  const found =
    !endpoint || endpoint.disabled
      ? []
      : await walk(
          db,
          {
            client,
            endpointId,
            fromMs: int(row, 'since'),
            untilMs: int(row, 'until'),
            onlyFailed: int(row, 'only_failed') === 1,
            types: typesFrom(text(row, 'types')),
            done: int(row, 'done'),
          },
          limit,
        )
  const last = found.length === limit ? found.at(-1) : undefined
  if (last) await db.run('UPDATE replays SET since = ?, done = ? WHERE n = ?', int(last, 'at'), int(last, 'place'), n)
  else await db.run('DELETE FROM replays WHERE n = ?', n)
  if (!endpoint) return []
  await note(db, endpoint, n, found.length, last ? null : nowMs)
  const target = { kind: 'endpoint', id: endpointId, url: endpoint.url } as const
  return inTurn(found, (one) => owe(db, eventFrom(one), target, 'pending', nowMs))
}
