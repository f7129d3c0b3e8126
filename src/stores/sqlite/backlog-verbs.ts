import {
  disabledEvent,
  isHeld,
  MAX_HELD,
  MOVED_AT_ONCE,
  RELEASE_AHEAD_MS,
  RELEASE_GAP_MS,
  type DisabledReason,
} from '../../core/endpoints.ts'
import { EVENT_TYPES } from '../../core/vocabulary.ts'
import { int, intOrNull, text, textOrNull, type Db } from './db.ts'
import { countDropped, heldFor, putOwed } from './outbox.ts'
import { oneOf } from './rows.ts'

/**
 * What an endpoint's deliveries still owe to a change of it, which is done part by part, so that no other write waits long
 * behind it: those of a disabled one are held, those of an enabled one released, those of a deleted one given up. Until
 * then nobody may start them (`TO_SOMEBODY`).
 */

interface Endpoint {
  id: string
  client: string
}

/** How a part went. `freeAtMs`: when the next held event may go. */
interface Part {
  isMore: boolean
  freeAtMs: number
}

const OF_ENDPOINT = `client = ?1 AND target = ?2 AND target_kind = 'endpoint'`
const IDLE = 'next_attempt_at = NULL, lease_token = NULL, lease_until = NULL'

/** In order: terminal events are held, as many as may be; the rest fails. */
const hold = (db: Db, { id, client }: Endpoint): boolean => {
  const due = db.all(
    `SELECT d.n, e.type FROM deliveries d CROSS JOIN events e ON e.id = d.event_id
     WHERE d.client = ?1 AND d.target = ?2 AND d.target_kind = 'endpoint' AND d.status = 'pending' ORDER BY d.n LIMIT ?3`,
    client,
    id,
    MOVED_AT_ONCE,
  )
  const ends = due.filter((row) => isHeld(oneOf(EVENT_TYPES, text(row, 'type'), 'type')))
  const held = new Set(ends.slice(0, Math.max(0, MAX_HELD - heldFor(db, id))))
  if (ends.length > held.size) countDropped(db, ends.length - held.size)
  for (const row of due)
    db.run(`UPDATE deliveries SET status = ?, ${IDLE} WHERE n = ?`, held.has(row) ? 'held' : 'failed', int(row, 'n'))
  return due.length === MOVED_AT_ONCE
}

/**
 * Held events go one after the other, from `fromMs` on: a receiver that just came back is not met by all of them at once.
 * They go later than they happened, but no attempt of before is void.
 */
const release = (db: Db, { id, client }: Endpoint, fromMs: number): number => {
  const held = db.all(
    `SELECT n FROM deliveries WHERE ${OF_ENDPOINT} AND status = 'held' ORDER BY n LIMIT ?3`,
    client,
    id,
    MOVED_AT_ONCE,
  )
  for (const [rank, row] of held.entries())
    db.run(
      `UPDATE deliveries SET status = 'pending', tried = 0, next_attempt_at = ?, asked_at = coalesce(asked_at, 0) WHERE n = ?`,
      fromMs + rank * RELEASE_GAP_MS,
      int(row, 'n'),
    )
  return held.length
}

const giveUp = (db: Db, { id, client }: Endpoint): boolean => {
  let left = MOVED_AT_ONCE
  for (const status of ['pending', 'held']) {
    left -= db.run(
      `UPDATE deliveries SET status = 'failed', ${IDLE} WHERE n IN (
         SELECT n FROM deliveries WHERE ${OF_ENDPOINT} AND status = ?3 ORDER BY n LIMIT ?4)`,
      client,
      id,
      status,
      left,
    )
  }
  return left === 0
}

const movePart = (db: Db, endpoint: Endpoint, nowMs: number, freeAtMs: number): Part => {
  const row = db.get('SELECT disabled_at FROM endpoints WHERE id = ?', endpoint.id)
  if (!row) return { isMore: giveUp(db, endpoint), freeAtMs }
  if (intOrNull(row, 'disabled_at') !== null) return { isMore: hold(db, endpoint), freeAtMs }
  const fromMs = Math.max(nowMs, freeAtMs)
  const released = release(db, endpoint, fromMs)
  return { isMore: released === MOVED_AT_ONCE, freeAtMs: fromMs + released * RELEASE_GAP_MS }
}

/** Does a part of what a change of the endpoint left to do, and notes the rest for `backlogStep`. */
export const moveDeliveries = (db: Db, endpoint: Endpoint, nowMs: number, freeAtMs = 0): void => {
  const part = movePart(db, endpoint, nowMs, freeAtMs)
  if (part.isMore) {
    db.run(
      `INSERT INTO endpoint_backlogs (endpoint, client, due_at, free_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (endpoint) DO UPDATE SET due_at = excluded.due_at, free_at = excluded.free_at`,
      endpoint.id,
      endpoint.client,
      Math.max(nowMs, part.freeAtMs - RELEASE_AHEAD_MS),
      part.freeAtMs,
    )
  } else db.run('DELETE FROM endpoint_backlogs WHERE endpoint = ?', endpoint.id)
}

export const backlogStep = (db: Db, { nowMs }: { nowMs: number }): boolean => {
  const row = db.get('SELECT * FROM endpoint_backlogs WHERE due_at <= ? ORDER BY due_at LIMIT 1', nowMs)
  if (!row) return false
  moveDeliveries(db, { id: text(row, 'endpoint'), client: text(row, 'client') }, nowMs, int(row, 'free_at'))
  return true
}

/** Disables an enabled endpoint; unless its client did, that is an event for the client's others. */
export const disable = (db: Db, id: string, reason: DisabledReason, atMs: number): void => {
  const row = db.get(
    `UPDATE endpoints SET disabled_reason = ?, disabled_at = ?, updated_at = ? WHERE id = ? AND disabled_at IS NULL
     RETURNING client, description`,
    reason,
    atMs,
    atMs,
    id,
  )
  if (!row) return
  const endpoint = { id, client: text(row, 'client'), description: textOrNull(row, 'description') }
  moveDeliveries(db, endpoint, atMs)
  if (reason !== 'client') putOwed(db, disabledEvent(endpoint, reason, atMs), [])
}
