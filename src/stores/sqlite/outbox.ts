import { isHeld, MAX_HELD } from '../../core/endpoints.ts'
import type { DeliveryStatus, Target } from '../../core/store/deliveries.ts'
import type { NewVideo } from '../../core/store/videos.ts'
import type { EventRecord } from '../../core/video.ts'
import { int, text, type Db } from './db.ts'
import { deliveryId, targetKey } from './rows.ts'

/** The next place in the client's history: no other write comes between it and the event's. */
const nextPlace = (db: Db, client: string): number =>
  int(
    db.get(
      'INSERT INTO event_spans (client, last, gone) VALUES (?, 1, 0) ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last',
      client,
    ) ?? {},
    'last',
  )

const putEvent = (db: Db, event: EventRecord): void => {
  db.run(
    'INSERT INTO events (id, video_id, client, place, type, sequence, at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    event.id,
    event.videoId,
    event.client,
    nextPlace(db, event.client),
    event.type,
    event.sequence,
    event.atMs,
    event.body,
  )
}

/** Streams tell it once more. */
export const tellAgain = (db: Db, { id, client }: Pick<EventRecord, 'id' | 'client'>): void =>
  void db.run(
    'INSERT INTO resends (event_id, client, place) VALUES (?, ?, ?) ON CONFLICT (event_id) DO UPDATE SET place = excluded.place',
    id,
    client,
    nextPlace(db, client),
  )

/**
 * One delivery per event and target: one that is there is asked for once more, from the start of its schedule. One that
 * is owed with its event was asked for by nobody.
 */
const OWE = `
  INSERT INTO deliveries (id, event_id, client, video_id, sequence, target_kind, target, url, status, attempts, tried, next_attempt_at,
    asked_at, event_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, ?10, nullif(?10, ?11), ?11)
  ON CONFLICT (id) DO UPDATE SET status = excluded.status, tried = 0, next_attempt_at = excluded.next_attempt_at,
    asked_at = ?10, lease_token = NULL, lease_until = NULL`

export const owe = (
  db: Db,
  event: Omit<EventRecord, 'body'>,
  target: Target,
  status: Exclude<DeliveryStatus, 'delivered'>,
  atMs: number,
): string => {
  const id = deliveryId(event.id, target)
  db.run(
    OWE,
    id,
    event.id,
    event.client,
    event.videoId,
    event.sequence,
    target.kind,
    targetKey(target),
    target.url,
    status,
    status === 'pending' ? atMs : null,
    event.atMs,
  )
  return id
}

/** How many events wait for an endpoint that is disabled. */
export const heldFor = (db: Db, endpointId: string): number =>
  int(db.get('SELECT held FROM endpoints WHERE id = ?', endpointId) ?? {}, 'held')

const DROPPED = 'webhook_events_dropped'
export const countDropped = (db: Db, count: number): void =>
  void db.run(
    'INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + ?2',
    DROPPED,
    count,
  )
export const droppedEvents = (db: Db): number =>
  Number(db.get('SELECT value FROM meta WHERE key = ?', DROPPED)?.['value'] ?? 0)

export interface Subscriber {
  id: string
  url: string
  isEnabled: boolean
}

/** The client's endpoints that want events of a type; all of them want to know that another was disabled. */
export const subscribers = (db: Db, client: string, type: EventRecord['type']): Subscriber[] =>
  db
    .all(
      `SELECT id, url, disabled_at IS NULL AS enabled FROM endpoints
       WHERE client = ?1 AND (?2 = 'endpoint.disabled' OR instr(events, '"' || ?2 || '"') > 0) ORDER BY id`,
      client,
      type,
    )
    .map((row) => ({ id: text(row, 'id'), url: text(row, 'url'), isEnabled: int(row, 'enabled') === 1 }))

/** Keeps an event for an endpoint that is disabled, in turn: behind what is due to it and not held yet. */
const keepFor = (db: Db, event: EventRecord, target: Extract<Target, { kind: 'endpoint' }>): void => {
  const isBehind = db.get('SELECT 1 FROM endpoint_backlogs WHERE endpoint = ?', target.id) !== undefined
  const hasRoom = isBehind || heldFor(db, target.id) < MAX_HELD
  owe(db, event, target, isBehind ? 'pending' : hasRoom ? 'held' : 'failed', event.atMs)
  if (!hasRoom) countDropped(db, 1)
}

/** Writes an event and owes it to `targets` and to the client's endpoints. Answers the deliveries that are due. */
export const putOwed = (db: Db, event: EventRecord, targets: readonly Target[]): string[] => {
  putEvent(db, event)
  const due = targets.map((target) => owe(db, event, target, 'pending', event.atMs))
  for (const { id, url, isEnabled } of subscribers(db, event.client, event.type)) {
    const target = { kind: 'endpoint', id, url } as const
    if (isEnabled) due.push(owe(db, event, target, 'pending', event.atMs))
    else if (isHeld(event.type)) keepFor(db, event, target)
  }
  return due
}

/** What a write tells beside the record of its video. Answers the deliveries that are due. */
export const putOutbox = (db: Db, videoId: string, written: Pick<NewVideo, 'events' | 'notes'>): string[] => {
  for (const note of written.notes) {
    db.run(
      'INSERT INTO timeline (video_id, at, type, detail) VALUES (?, ?, ?, ?)',
      videoId,
      note.at,
      note.type,
      note.detail,
    )
  }
  return written.events.flatMap(({ event, targets }) => putOwed(db, event, targets))
}
