import { afterFailure, isHeld, MAX_ANSWERS_KEPT, MAX_ATTEMPTS_KEPT, type DisabledReason } from '../../core/endpoints.ts'
import type { AfterAttempt, Attempt, DeliveryStatus } from '../../core/store/deliveries.ts'
import { EVENT_TYPES } from '../../core/vocabulary.ts'
import type { Attempted } from '../../core/store/deliveries.ts'
import { int, intOrNull, text, type Db } from './db.ts'
import { disable } from './backlog-verbs.ts'
import { DELIVERY_STATUSES, oneOf } from './rows.ts'
import { TO_SOMEBODY } from './work-verbs.ts'

interface AttemptedArgs {
  id: string
  token: string
  attempt: Attempt
  after: AfterAttempt
  nowMs: number
}

/** Counts an endpoint's failures in a row. Answers why it was disabled now, else null. */
const countFor = (db: Db, { id, attempt, after, nowMs }: AttemptedArgs): DisabledReason | null => {
  const row = db.get(
    `SELECT p.id, p.failures, p.failing_since, p.disabled_at, p.updated_at, d.status, e.type
     FROM deliveries d JOIN endpoints p ON p.id = d.target JOIN events e ON e.id = d.event_id
     WHERE d.id = ?`,
    id,
  )
  if (!row || intOrNull(row, 'disabled_at') !== null) return null
  const endpoint = text(row, 'id')
  const failed = after.status !== 'delivered'
  const before = { failures: int(row, 'failures'), failingSinceMs: intOrNull(row, 'failing_since') }
  if (!failed && before.failures === 0) return null
  // It went to where the endpoint was before, or failed before it was enabled.
  if (failed && attempt.atMs < int(row, 'updated_at')) return null
  const { streak, disabled } = failed
    ? afterFailure(before, attempt.atMs, attempt.status)
    : { streak: { failures: 0, failingSinceMs: null }, disabled: null }
  db.run(
    'UPDATE endpoints SET failures = ?, failing_since = ? WHERE id = ?',
    streak.failures,
    streak.failingSinceMs,
    endpoint,
  )
  if (!disabled) return null
  // What met the 410 is as undelivered as the rest: it waits for the endpoint with them.
  if (disabled === 'gone' && text(row, 'status') === 'failed' && isHeld(oneOf(EVENT_TYPES, text(row, 'type'), 'type')))
    db.run(`UPDATE deliveries SET status = 'pending', next_attempt_at = ? WHERE id = ?`, nowMs, id)
  disable(db, endpoint, disabled, nowMs)
  return disabled
}

const statusOf = (db: Db, id: string): DeliveryStatus | null => {
  const row = db.get('SELECT status FROM deliveries WHERE id = ?', id)
  return row ? oneOf(DELIVERY_STATUSES, text(row, 'status'), 'status') : null
}

/** The attempts of a delivery but the latest so many. */
const BUT_THE_LATEST = `delivery = ?1 AND rowid <= (
  SELECT rowid FROM attempts WHERE delivery = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2)`

/** However often it is asked for once more, a delivery keeps so much and no more. */
const forgetOld = (db: Db, delivery: number, attempts: number): void => {
  if (attempts > MAX_ATTEMPTS_KEPT) db.run(`DELETE FROM attempts WHERE ${BUT_THE_LATEST}`, delivery, MAX_ATTEMPTS_KEPT)
  if (attempts > MAX_ANSWERS_KEPT)
    db.run(
      `UPDATE attempts SET response_body = NULL WHERE response_body IS NOT NULL AND ${BUT_THE_LATEST}`,
      delivery,
      MAX_ANSWERS_KEPT,
    )
}

export const attempted = (db: Db, args: AttemptedArgs): Attempted => {
  const { id, token, attempt, after, nowMs } = args
  const nextAtMs = after.status === 'pending' ? after.nextAttemptAtMs : null
  // Told twice, when the first telling's outcome was not known: it was one attempt.
  const appended = db.run(
    `INSERT OR IGNORE INTO attempts (delivery, at, duration_ms, status, error, response_body, next_attempt_at, lease)
     SELECT n, ?, ?, ?, ?, ?, ?, ? FROM deliveries WHERE id = ?`,
    attempt.atMs,
    attempt.durationMs,
    attempt.status,
    attempt.error,
    attempt.responseBody,
    nextAtMs,
    token,
    id,
  )
  if (appended === 0) return { status: statusOf(db, id), disabled: null }
  // One that began before it was asked for again is none of the new ones.
  const isOfNow = 'asked_at IS NULL OR asked_at <= ?'
  // A 2xx wins over anything but an earlier 2xx; the rest speaks only for the holder of a live lease.
  const count = `UPDATE deliveries SET attempts = attempts + 1, tried = tried + (${isOfNow})`
  const fence =
    after.status === 'delivered'
      ? `AND (${isOfNow})`
      : `AND status = 'pending' AND lease_token = ? AND lease_until > ? AND ${TO_SOMEBODY}`
  const values = after.status === 'delivered' ? [attempt.atMs] : [token, nowMs]
  const moved = db.get(
    `${count}, status = ?, next_attempt_at = ?, lease_token = NULL, lease_until = NULL WHERE id = ? ${fence} RETURNING n, attempts, target_kind`,
    attempt.atMs,
    after.status,
    nextAtMs,
    id,
    ...values,
  )
  const counted = moved ?? db.get(`${count} WHERE id = ? RETURNING n, attempts, target_kind`, attempt.atMs, id)
  if (counted) forgetOld(db, int(counted, 'n'), int(counted, 'attempts'))
  const disabled = counted?.['target_kind'] === 'endpoint' ? countFor(db, args) : null
  // What is due to an endpoint that was disabled is held or given up with it.
  return { status: moved ? (disabled ? statusOf(db, id) : after.status) : null, disabled }
}
