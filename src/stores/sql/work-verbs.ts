import { randomUUID } from 'node:crypto'
import type { Lease, WorkKind } from '../../core/store/work.ts'
import { EACH_ALONE, listOf, numberOf, text, textOf, type Db, type Reader } from './db.ts'

/** A delivery may start only if its target is there. Those of a disabled or deleted endpoint wait for `backlogStep`. */
export const TO_SOMEBODY = `
  (target_kind = 'video' OR EXISTS (SELECT 1 FROM endpoints x WHERE x.id = target AND x.disabled_at IS NULL))`

/**
 * Whether delivery `d` may start (the time is given twice): it is due, not leased, and every earlier event of its video
 * to the same target was tried at least once.
 */
const freeToStart = (status: string, dueAt: string): string => `
  ${status} = 'pending' AND ${dueAt} <= ? AND (d.lease_until IS NULL OR d.lease_until <= ?) AND ${TO_SOMEBODY}
    AND NOT EXISTS (
      SELECT 1 FROM deliveries p WHERE p.video_id = d.video_id AND p.target = d.target AND p.sequence < d.sequence
        AND p.target_kind = d.target_kind AND p.status = 'pending' AND p.attempts = 0 ${EACH_ALONE})`
export const FREE_TO_START = freeToStart('d.status', 'd.next_attempt_at')
/** The same of deliveries that are named by their ids. */
const FREE_BY_ID = freeToStart(textOf('d.status'), numberOf('d.next_attempt_at'))

const CLAIM_DELIVERY = `UPDATE deliveries AS d SET lease_token = ?, lease_until = ? WHERE d.id = ? AND ${FREE_BY_ID}`
const CLAIM_OTHER = `
  INSERT INTO leases (kind, id, token, until, holder) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (kind, id) DO UPDATE SET token = excluded.token, until = excluded.until, holder = excluded.holder
  WHERE leases.until <= ?`

interface ClaimArgs {
  kind: WorkKind
  id: string
  leaseMs: number
  /** Who asks; null: it does not say. */
  holder: string | null
  nowMs: number
}

export const claim = async (db: Db, { kind, id, leaseMs, holder, nowMs }: ClaimArgs): Promise<Lease | null> => {
  const lease = { id, token: randomUUID(), untilMs: nowMs + leaseMs }
  const claimed =
    kind === 'deliver'
      ? await db.run(CLAIM_DELIVERY, lease.token, lease.untilMs, id, nowMs, nowMs)
      : await db.run(CLAIM_OTHER, kind, id, lease.token, lease.untilMs, holder, nowMs)
  return claimed > 0 ? lease : null
}

interface ClaimsArgs {
  ids: readonly string[]
  leaseMs: number
  nowMs: number
}

/** One statement for all: which of them may start depends on nothing that another's lease changes. */
export const claimDeliveries = async (
  db: Db,
  { ids, leaseMs, nowMs }: ClaimsArgs,
): Promise<ReadonlyMap<string, Lease>> => {
  if (ids.length === 0) return new Map()
  const [token, untilMs] = [randomUUID(), nowMs + leaseMs]
  const { sql, values } = listOf(ids)
  const rows = await db.all(
    `UPDATE deliveries AS d SET lease_token = ?, lease_until = ? WHERE d.id IN (${sql}) AND ${FREE_BY_ID} RETURNING id`,
    token,
    untilMs,
    ...values,
    nowMs,
    nowMs,
  )
  return new Map(rows.map((row) => text(row, 'id')).map((id) => [id, { id, token, untilMs }]))
}

interface LeaseArgs {
  kind: WorkKind
  lease: Lease
}

const EXTEND_DELIVERY = 'UPDATE deliveries SET lease_until = ? WHERE id = ? AND lease_token = ? AND lease_until > ?'
const EXTEND_OTHER = 'UPDATE leases SET until = ? WHERE kind = ? AND id = ? AND token = ? AND until > ?'

export const extend = async (
  db: Db,
  { kind, lease: { id, token }, leaseMs, nowMs }: LeaseArgs & { leaseMs: number; nowMs: number },
): Promise<boolean> => {
  const untilMs = nowMs + leaseMs
  const extended =
    kind === 'deliver'
      ? await db.run(EXTEND_DELIVERY, untilMs, id, token, nowMs)
      : await db.run(EXTEND_OTHER, untilMs, kind, id, token, nowMs)
  return extended > 0
}

const RELEASE_DELIVERY = 'UPDATE deliveries SET lease_token = NULL, lease_until = NULL WHERE id = ? AND lease_token = ?'

export const release = async (db: Db, { kind, lease: { id, token } }: LeaseArgs): Promise<void> => {
  if (kind === 'deliver') await db.run(RELEASE_DELIVERY, id, token)
  else await db.run('DELETE FROM leases WHERE kind = ? AND id = ? AND token = ?', kind, id, token)
}

export const meta = async (db: Db, { key, candidate }: { key: string; candidate: string }): Promise<string> => {
  await db.run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING', key, candidate)
  return text((await db.get('SELECT value FROM meta WHERE key = ?', key)) ?? {}, 'value')
}

const PUT_DURATIONS = `INSERT INTO durations (source, recent) VALUES (?, ?)
  ON CONFLICT (source) DO UPDATE SET recent = excluded.recent`

export const keepDurations = async (
  db: Db,
  { source, recent }: { source: string; recent: readonly number[] },
): Promise<void> => {
  await db.run(PUT_DURATIONS, source, JSON.stringify(recent.map(Math.round)))
}

/** What was learned of a source, oldest first. */
export const durationsOf = async (db: Reader, source: string): Promise<number[]> => {
  const row = await db.get('SELECT recent FROM durations WHERE source = ?', source)
  const recent: unknown = row ? JSON.parse(text(row, 'recent')) : []
  return Array.isArray(recent) ? recent.filter((ms) => typeof ms === 'number') : []
}

export const addDurations = async (
  db: Db,
  { source, measured, most }: { source: string; measured: readonly number[]; most: number },
): Promise<void> =>
  await keepDurations(db, { source, recent: [...(await durationsOf(db, source)), ...measured].slice(-most) })
