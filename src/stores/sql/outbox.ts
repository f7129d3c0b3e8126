import { putAudit } from './audit.ts'
import { isHeld, MAX_HELD } from '../../core/endpoints.ts'
import type { DeliveryStatus, OwedTarget, Target } from '../../core/store/deliveries.ts'
import type { NewVideo } from '../../core/store/videos.ts'
import type { EventRecord } from '../../core/video.ts'
import { int, inTurn, text, type Db, type Reader } from './db.ts'
import { NO_VIDEO, nextChange } from './put-video.ts'
import { deliveryId, targetKey } from './rows.ts'

const NEXT_PLACE = `INSERT INTO event_spans (client, last, gone) VALUES (?, 1, 0)
  ON CONFLICT (client) DO UPDATE SET last = event_spans.last + 1 RETURNING last`

/** The next place in the client's history. The event is written in the same transaction. */
const nextPlace = async (db: Db, client: string): Promise<number> =>
  int((await db.get(NEXT_PLACE, client)) ?? {}, 'last')

const PUT_EVENT = `INSERT INTO events (id, video_id, client, place, type, sequence, at, body, line, n)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
    coalesce(CAST(?9 AS TEXT), (SELECT account FROM videos WHERE id = ?2)),
    coalesce(CAST(?10 AS BIGINT), (SELECT change FROM videos WHERE id = ?2)))`

/** An event of a video is written behind it in the same transaction, and has its number. */
const lineOf = async (db: Db, { videoId }: EventRecord): Promise<[line: string | null, n: number | null]> =>
  videoId === null ? [NO_VIDEO, await nextChange(db, NO_VIDEO)] : [null, null]

const putEvent = async (db: Db, event: EventRecord): Promise<void> => {
  const { id, videoId, client, type, sequence, atMs, body } = event
  const place = await nextPlace(db, client)
  await db.run(PUT_EVENT, id, videoId, client, place, type, sequence, atMs, body, ...(await lineOf(db, event)))
}

const RESEND = `INSERT INTO resends (event_id, client, place, line, n) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (event_id) DO UPDATE SET place = excluded.place, line = excluded.line, n = excluded.n`

/** Makes streams tell the event once more. */
export const tellAgain = async (db: Db, { id, client }: Pick<EventRecord, 'id' | 'client'>): Promise<void> => {
  await db.run(RESEND, id, client, await nextPlace(db, client), NO_VIDEO, await nextChange(db, NO_VIDEO))
}

/**
 * One delivery per event and target. If it exists, it starts its schedule again, with the body that it had. `asked_at`
 * is null for a delivery that came with its event.
 */
const OWE = `
  INSERT INTO deliveries (id, event_id, client, video_id, sequence, target_kind, target, url, status, attempts, tried, next_attempt_at,
    asked_at, event_at, body)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, CAST(?10 AS BIGINT),
    nullif(CAST(?10 AS BIGINT), CAST(?11 AS BIGINT)), CAST(?11 AS BIGINT), ?12)
  ON CONFLICT (id) DO UPDATE SET status = excluded.status, tried = 0, next_attempt_at = excluded.next_attempt_at,
    asked_at = CAST(?10 AS BIGINT), lease_token = NULL, lease_until = NULL`

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
  await db.run(
    OWE,
    id,
    event.id,
    client,
    videoId,
    sequence,
    kind,
    targetKey(target),
    url,
    status,
    dueAtMs,
    event.atMs,
    body,
  )
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
  await putEvent(db, event)
  const due = await inTurn(targets, (target) => owe(db, event, target, 'pending', event.atMs))
  for (const { id, url, isEnabled } of await subscribers(db, event.client, event.type)) {
    const target = { kind: 'endpoint', id, url } as const
    if (isEnabled) due.push(await owe(db, event, target, 'pending', event.atMs))
    else if (isHeld(event.type)) await keepFor(db, event, target)
  }
  return due
}

const PUT_NOTE = 'INSERT INTO timeline (video_id, at, type, detail) VALUES (?, ?, ?, ?)'

/** Writes the events and notes of a video. Answers the deliveries that are due. */
export const putOutbox = async (
  db: Db,
  videoId: string,
  written: Pick<NewVideo, 'events' | 'notes' | 'audit'>,
): Promise<string[]> => {
  if (written.audit) await putAudit(db, written.audit)
  for (const { at, type, detail } of written.notes) await db.run(PUT_NOTE, videoId, at, type, detail)
  return (await inTurn(written.events, ({ event, targets }) => putOwed(db, event, targets))).flat()
}
