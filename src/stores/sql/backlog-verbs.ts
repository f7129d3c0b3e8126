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
import { int, intOrNull, numberOf, orNull, text, textOrNull, type Db, type Reader } from './db.ts'
import { countDropped, heldFor, putOwed } from './outbox.ts'
import { oneOf } from './rows.ts'

/**
 * Moves the deliveries of an endpoint after a change: disabled, they are held; enabled, released; deleted, given up. It
 * is done part by part, so that other writes do not wait long. Until then nobody may start them (`TO_SOMEBODY`).
 */

interface Endpoint {
  id: string
  client: string
}

/** What one part did. `freeAtMs`: when the next held event may go. */
interface Part {
  isMore: boolean
  freeAtMs: number
}

const OF_ENDPOINT = `client = ?1 AND target = ?2 AND target_kind = 'endpoint'`
const IDLE = 'next_attempt_at = NULL, lease_token = NULL, lease_until = NULL'

const DUE = `SELECT d.n, e.type FROM deliveries d CROSS JOIN events e
  WHERE e.id = d.event_id AND d.client = ?1 AND d.target = ?2 AND d.target_kind = 'endpoint' AND d.status = 'pending' ORDER BY ${numberOf('d.n')} LIMIT ?3`

/** Holds terminal events, in order, up to `MAX_HELD`. The rest fails. */
const hold = async (db: Db, { id, client }: Endpoint): Promise<boolean> => {
  const due = await db.all(DUE, client, id, MOVED_AT_ONCE)
  const ends = due.filter((row) => isHeld(oneOf(EVENT_TYPES, text(row, 'type'), 'type')))
  const held = new Set(ends.slice(0, Math.max(0, MAX_HELD - (await heldFor(db, id)))))
  if (ends.length > held.size) await countDropped(db, ends.length - held.size)
  for (const row of due)
    await db.run(
      `UPDATE deliveries SET status = ?, ${IDLE} WHERE n = ?`,
      held.has(row) ? 'held' : 'failed',
      int(row, 'n'),
    )
  return due.length === MOVED_AT_ONCE
}

const HELD = `SELECT n FROM deliveries WHERE ${OF_ENDPOINT} AND status = 'held' ORDER BY ${numberOf('n')} LIMIT ?3`
const RELEASE = `UPDATE deliveries SET status = 'pending', tried = 0, next_attempt_at = ?,
  asked_at = coalesce(asked_at, 0) WHERE n = ?`

/**
 * Releases held events one after the other, from `fromMs` on, so that a receiver that just came back does not get all
 * at once. Their earlier attempts stay valid.
 */
const release = async (db: Db, { id, client }: Endpoint, fromMs: number): Promise<number> => {
  const held = await db.all(HELD, client, id, MOVED_AT_ONCE)
  for (const [rank, row] of held.entries()) await db.run(RELEASE, fromMs + rank * RELEASE_GAP_MS, int(row, 'n'))
  return held.length
}

const GIVE_UP = `UPDATE deliveries SET status = 'failed', ${IDLE} WHERE n IN (
  SELECT n FROM deliveries WHERE ${OF_ENDPOINT} AND status = ?3 ORDER BY ${numberOf('n')} LIMIT ?4)`

const giveUp = async (db: Db, { id, client }: Endpoint): Promise<boolean> => {
  let left = MOVED_AT_ONCE
  for (const status of ['pending', 'held']) {
    left -= await db.run(GIVE_UP, client, id, status, left)
  }
  return left === 0
}

const movePart = async (db: Db, endpoint: Endpoint, nowMs: number, freeAtMs: number): Promise<Part> => {
  const row = await db.get('SELECT disabled_at FROM endpoints WHERE id = ?', endpoint.id)
  if (!row) return { isMore: await giveUp(db, endpoint), freeAtMs }
  if (intOrNull(row, 'disabled_at') !== null) return { isMore: await hold(db, endpoint), freeAtMs }
  const fromMs = Math.max(nowMs, freeAtMs)
  const released = await release(db, endpoint, fromMs)
  return { isMore: released === MOVED_AT_ONCE, freeAtMs: fromMs + released * RELEASE_GAP_MS }
}

const PUT_BACKLOG = `INSERT INTO endpoint_backlogs (endpoint, client, due_at, free_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (endpoint) DO UPDATE SET due_at = excluded.due_at, free_at = excluded.free_at`

/** Does one part after a change of the endpoint, and leaves the rest to `backlogStep`. */
export const moveDeliveries = async (db: Db, endpoint: Endpoint, nowMs: number, freeAtMs = 0): Promise<void> => {
  const part = await movePart(db, endpoint, nowMs, freeAtMs)
  if (part.isMore) {
    await db.run(
      PUT_BACKLOG,
      endpoint.id,
      endpoint.client,
      Math.max(nowMs, part.freeAtMs - RELEASE_AHEAD_MS),
      part.freeAtMs,
    )
  } else await db.run('DELETE FROM endpoint_backlogs WHERE endpoint = ?', endpoint.id)
}

const NEXT_BACKLOG = 'SELECT endpoint, client FROM endpoint_backlogs WHERE due_at <= ? ORDER BY due_at LIMIT 1'

/** Whose backlog is next; null: none is due. */
export const nextBacklog = async (db: Reader, nowMs: number): Promise<Endpoint | null> =>
  orNull(await db.get(NEXT_BACKLOG, nowMs), (row) => ({ id: text(row, 'endpoint'), client: text(row, 'client') }))

const BACKLOG = 'SELECT free_at FROM endpoint_backlogs WHERE endpoint = ? AND due_at <= ?'

/** False: another process did it. */
export const backlogStep = async (db: Db, { id, client, nowMs }: Endpoint & { nowMs: number }): Promise<boolean> => {
  const row = await db.get(BACKLOG, id, nowMs)
  if (!row) return false
  await moveDeliveries(db, { id, client }, nowMs, int(row, 'free_at'))
  return true
}

const DISABLE = `UPDATE endpoints SET disabled_reason = ?, disabled_at = ?, updated_at = ?
  WHERE id = ? AND disabled_at IS NULL RETURNING client, description`

/** Disables an enabled endpoint. Unless the client did it, the client's other endpoints get an event. */
export const disable = async (db: Db, id: string, reason: DisabledReason, atMs: number): Promise<void> => {
  const row = await db.get(DISABLE, reason, atMs, atMs, id)
  if (!row) return
  const endpoint = { id, client: text(row, 'client'), description: textOrNull(row, 'description') }
  await moveDeliveries(db, endpoint, atMs)
  if (reason !== 'client') await putOwed(db, disabledEvent(endpoint, reason, atMs), [])
}
