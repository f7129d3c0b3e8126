import {
  afterFailure,
  isHeld,
  MAX_ANSWERS_KEPT,
  MAX_ATTEMPTS_KEPT,
  SUCCESS_NOTED_EVERY_MS,
  type DisabledReason,
} from '../../core/endpoints.ts'
import type { AfterAttempt, Attempt, Attempted, DeliveryStatus } from '../../core/store/deliveries.ts'
import type { Lease } from '../../core/store/work.ts'
import { EVENT_TYPES } from '../../core/vocabulary.ts'
import { int, intOrNull, orNull, text, type Db, type Reader, type Row } from './db.ts'
import { disable } from './backlog-verbs.ts'
import { DELIVERY_STATUSES, oneOf } from './rows.ts'
import { TO_SOMEBODY } from './work-verbs.ts'

interface AttemptedArgs {
  lease: Lease
  attempt: Attempt
  after: AfterAttempt
  nowMs: number
}

const ENDPOINT_OF = `SELECT p.id, p.failures, p.failing_since, p.disabled_at, p.updated_at, p.last_delivered_at, d.status, e.type
  FROM deliveries d JOIN endpoints p ON p.id = d.target JOIN events e ON e.id = d.event_id
  WHERE d.id = ?`
const SET_STREAK = 'UPDATE endpoints SET failures = ?, failing_since = ?'

/** A success after a success is written once a minute: the row of a busy endpoint is not written at each delivery. */
const isNews = (row: Row, { attempt, after }: AttemptedArgs): boolean =>
  after.status !== 'delivered' ||
  int(row, 'failures') > 0 ||
  attempt.atMs - (intOrNull(row, 'last_delivered_at') ?? 0) >= SUCCESS_NOTED_EVERY_MS

/** Counts an endpoint's failures in a row, and notes when it last failed and succeeded. Answers why it was disabled now, else null. */
const countFor = async (db: Db, args: AttemptedArgs): Promise<DisabledReason | null> => {
  const {
    lease: { id },
    attempt,
    after,
    nowMs,
  } = args
  const row = await db.get(ENDPOINT_OF, id)
  if (!row || intOrNull(row, 'disabled_at') !== null) return null
  const endpoint = text(row, 'id')
  const failed = after.status !== 'delivered'
  const before = { failures: int(row, 'failures'), failingSinceMs: intOrNull(row, 'failing_since') }
  if (!isNews(row, args)) return null
  // It went to the endpoint's old URL, or failed before the endpoint was enabled again.
  if (failed && attempt.atMs < int(row, 'updated_at')) return null
  const { streak, disabled } = failed
    ? afterFailure(before, attempt.atMs, attempt.status)
    : { streak: { failures: 0, failingSinceMs: null }, disabled: null }
  const noted = failed ? 'last_failed_at' : 'last_delivered_at'
  await db.run(
    `${SET_STREAK}, ${noted} = ? WHERE id = ?`,
    streak.failures,
    streak.failingSinceMs,
    attempt.atMs,
    endpoint,
  )
  if (!disabled) return null
  // The delivery that met the 410 is held as well, like the others of the endpoint.
  if (disabled === 'gone' && text(row, 'status') === 'failed' && isHeld(oneOf(EVENT_TYPES, text(row, 'type'), 'type')))
    await db.run(`UPDATE deliveries SET status = 'pending', next_attempt_at = ? WHERE id = ?`, nowMs, id)
  await disable(db, endpoint, disabled, nowMs)
  return disabled
}

const statusOf = async (db: Reader, id: string): Promise<DeliveryStatus | null> =>
  orNull(await db.get('SELECT status FROM deliveries WHERE id = ?', id), (row) =>
    oneOf(DELIVERY_STATUSES, text(row, 'status'), 'status'),
  )

/** All attempts of a delivery except the latest. */
const BUT_THE_LATEST = `delivery = ?1 AND rowid <= (
  SELECT rowid FROM attempts WHERE delivery = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2)`

const FORGET_ANSWERS = `UPDATE attempts SET response_body = NULL WHERE response_body IS NOT NULL AND ${BUT_THE_LATEST}`

/** Removes old attempts and answers: a delivery keeps a bounded number, however often it is sent again. */
const forgetOld = async (db: Db, delivery: number, attempts: number): Promise<void> => {
  if (attempts > MAX_ATTEMPTS_KEPT)
    await db.run(`DELETE FROM attempts WHERE ${BUT_THE_LATEST}`, delivery, MAX_ATTEMPTS_KEPT)
  if (attempts > MAX_ANSWERS_KEPT) await db.run(FORGET_ANSWERS, delivery, MAX_ANSWERS_KEPT)
}

const APPEND = `INSERT INTO attempts (
    delivery, at, duration_ms, status, error, response_body, next_attempt_at, lease)
  SELECT n, ?, ?, ?, ?, ?, ?, ? FROM deliveries WHERE id = ? ON CONFLICT DO NOTHING`

const COUNTED = 'RETURNING n, attempts, target_kind'

export const attempted = async (db: Db, args: AttemptedArgs): Promise<Attempted> => {
  const { lease, attempt, after, nowMs } = args
  const { id, token } = lease
  const { atMs, durationMs, status, error, responseBody } = attempt
  const nextAtMs = after.status === 'pending' ? after.nextAttemptAtMs : null
  // Written twice because the first write's outcome was unknown: it is one attempt.
  const appended = await db.run(APPEND, atMs, durationMs, status, error, responseBody, nextAtMs, token, id)
  if (appended === 0) return { status: await statusOf(db, id), disabled: null }
  // An attempt that began before the delivery was asked for again does not count for the new schedule.
  const isOfNow = 'asked_at IS NULL OR asked_at <= ?'
  // A 2xx wins over anything but an earlier 2xx. Any other outcome counts only under a live lease.
  const count = `UPDATE deliveries SET attempts = attempts + 1, tried = tried + CASE WHEN ${isOfNow} THEN 1 ELSE 0 END`
  const fence =
    after.status === 'delivered'
      ? `AND (${isOfNow})`
      : `AND status = 'pending' AND lease_token = ? AND lease_until > ? AND ${TO_SOMEBODY}`
  const values = after.status === 'delivered' ? [atMs] : [token, nowMs]
  const move = `${count}, status = ?, next_attempt_at = ?, lease_token = NULL, lease_until = NULL
    WHERE id = ? ${fence} ${COUNTED}`
  const moved = await db.get(move, atMs, after.status, nextAtMs, id, ...values)
  const counted = moved ?? (await db.get(`${count} WHERE id = ? ${COUNTED}`, atMs, id))
  if (counted) await forgetOld(db, int(counted, 'n'), int(counted, 'attempts'))
  const disabled = counted?.['target_kind'] === 'endpoint' ? await countFor(db, args) : null
  // Deliveries of an endpoint that was just disabled are held or given up.
  return { status: moved ? (disabled ? await statusOf(db, id) : after.status) : null, disabled }
}
