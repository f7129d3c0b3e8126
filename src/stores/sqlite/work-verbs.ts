import type { WorkKind } from '../../core/store/work.ts'
import { keepWindows } from './budget-verbs.ts'
import { int, text, type Db } from './db.ts'
import { videoFrom } from './rows.ts'
import { putVideo } from './video-verbs.ts'

interface LeaseArgs {
  kind: WorkKind
  id: string
  token: string
  untilMs: number
  nowMs: number
}

/** A delivery may start only if its target is there. Those of a disabled or deleted endpoint wait for `backlogStep`. */
export const TO_SOMEBODY = `
  (target_kind = 'video' OR EXISTS (SELECT 1 FROM endpoints x WHERE x.id = target AND x.disabled_at IS NULL))`

/**
 * Whether delivery `d` may start (the time is given twice): it is due, not leased, and every earlier event of its video
 * to the same target was tried at least once.
 */
export const FREE_TO_START = `
  d.status = 'pending' AND d.next_attempt_at <= ? AND (d.lease_until IS NULL OR d.lease_until <= ?) AND ${TO_SOMEBODY}
    AND NOT EXISTS (
      SELECT 1 FROM deliveries p WHERE p.video_id = d.video_id AND p.target = d.target AND p.sequence < d.sequence
        AND p.target_kind = d.target_kind AND p.status = 'pending' AND p.attempts = 0)`

const CLAIM_DELIVERY = `UPDATE deliveries AS d SET lease_token = ?, lease_until = ? WHERE d.id = ? AND ${FREE_TO_START}`
const CLAIM_OTHER = `
  INSERT INTO leases (kind, id, token, until) VALUES (?, ?, ?, ?)
  ON CONFLICT (kind, id) DO UPDATE SET token = excluded.token, until = excluded.until WHERE leases.until <= ?`

export const claim = (db: Db, { kind, id, token, untilMs, nowMs }: LeaseArgs): boolean =>
  kind === 'deliver'
    ? db.run(CLAIM_DELIVERY, token, untilMs, id, nowMs, nowMs) > 0
    : db.run(CLAIM_OTHER, kind, id, token, untilMs, nowMs) > 0

const EXTEND_DELIVERY = 'UPDATE deliveries SET lease_until = ? WHERE id = ? AND lease_token = ? AND lease_until > ?'
const EXTEND_OTHER = 'UPDATE leases SET until = ? WHERE kind = ? AND id = ? AND token = ? AND until > ?'

export const extend = (db: Db, { kind, id, token, untilMs, nowMs }: LeaseArgs): boolean =>
  kind === 'deliver'
    ? db.run(EXTEND_DELIVERY, untilMs, id, token, nowMs) > 0
    : db.run(EXTEND_OTHER, untilMs, kind, id, token, nowMs) > 0

export const release = (db: Db, { kind, id, token }: Pick<LeaseArgs, 'kind' | 'id' | 'token'>): void => {
  if (kind === 'deliver') {
    db.run('UPDATE deliveries SET lease_token = NULL, lease_until = NULL WHERE id = ? AND lease_token = ?', id, token)
  } else db.run('DELETE FROM leases WHERE kind = ? AND id = ? AND token = ?', kind, id, token)
}

/** The newest time in the store; 0: none. It cannot be earlier now, whatever the clock was set to since. */
const NEWEST = `
  SELECT max(coalesce((SELECT at FROM timeline ORDER BY rowid DESC LIMIT 1), 0),
             coalesce((SELECT at FROM attempts ORDER BY rowid DESC LIMIT 1), 0),
             coalesce((SELECT max(at) FROM budgets), 0)) AS at`

const DISPATCHING = `SELECT data FROM videos WHERE phase IN ('dispatching', 'doubtful') AND phase = 'dispatching'`

/**
 * Voids all leases: the new owner of the file is alone, and leases of a dead process would only delay it. Answers the
 * newest time that the process before wrote.
 */
export const takeOver = (db: Db): number => {
  keepWindows(db)
  db.run('DELETE FROM leases')
  db.run(`UPDATE keyed SET lease_until = 0 WHERE done = 0`)
  db.run(`UPDATE deliveries SET lease_token = NULL, lease_until = NULL WHERE lease_until IS NOT NULL`)
  for (const row of db.all(DISPATCHING)) {
    const video = videoFrom(row)
    putVideo(db, { ...video, version: video.version + 1, dueAtMs: 0, lease: null })
  }
  return int(db.get(NEWEST) ?? {}, 'at')
}

const PURGE = `DELETE FROM videos WHERE id IN (
  SELECT v.id FROM videos v WHERE v.phase = 'ended' AND v.ended_at < ?
  AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.video_id = v.id AND d.status IN ('pending', 'held'))
  AND NOT EXISTS (SELECT 1 FROM replays r WHERE r.client = v.client) LIMIT ?)`

/**
 * Removes up to `limit` videos that ended before `beforeMs`, with all that belongs to them. Keeps those with an open
 * delivery or replay.
 */
export const purge = (db: Db, { beforeMs, limit }: { beforeMs: number; limit: number }): number =>
  db.run(PURGE, beforeMs, limit)

export const meta = (db: Db, { key, candidate }: { key: string; candidate: string }): string => {
  db.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING', key, candidate)
  return text(db.get('SELECT value FROM meta WHERE key = ?', key) ?? {}, 'value')
}

const PUT_DURATIONS = 'INSERT OR REPLACE INTO durations (source, recent) VALUES (?, ?)'

export const keepDurations = (db: Db, { source, recent }: { source: string; recent: readonly number[] }): void => {
  db.run(PUT_DURATIONS, source, JSON.stringify(recent.map(Math.round)))
}
