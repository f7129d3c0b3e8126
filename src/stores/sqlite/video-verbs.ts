import { randomUUID } from 'node:crypto'
import type {
  Admission,
  Adopted,
  Change,
  Changed,
  FullScope,
  IdemKey,
  NewVideo,
  Opened,
  OpenLimits,
} from '../../core/store/videos.ts'
import type { Lease } from '../../core/store/work.ts'
import { sourceOf, type VideoRecord } from '../../core/video.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { int, orNull, text, textOrNull, type Db } from './db.ts'
import { openInAll, openOf, queueOf, waitingNow } from './counts.ts'
import { quotaReached } from './quota.ts'
import { hasRoom, roomOf } from './room.ts'
import { putOutbox } from './outbox.ts'
import { videoFrom } from './rows.ts'

/** How long an idempotency key is remembered after the end of its video. */
const KEY_KEPT_MS = 24 * 3_600_000

/**
 * The number of the next write to one of the account's videos. Numbers rise in the order in which readers see the
 * writes.
 */
const nextChange = (db: Db, account: AccountId): number =>
  int(
    db.get('INSERT INTO changes (account, n) VALUES (?, 1) ON CONFLICT DO UPDATE SET n = n + 1 RETURNING n', account) ??
      {},
    'n',
  )

export const putVideo = (db: Db, video: VideoRecord): void => {
  db.run(
    `INSERT INTO videos (id, client, account, backend, phase, status, version, due_at, lease_until, created_at, ended_at, lane, job_id,
       accepted_at, last_hint_at, has_webhook, link_owed, source, change, data)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, status = excluded.status, version = excluded.version,
       due_at = excluded.due_at, lease_until = excluded.lease_until, ended_at = excluded.ended_at, lane = excluded.lane,
       job_id = CASE WHEN excluded.data ->> 'backendJobId' IS data ->> 'backendJobId' THEN job_id ELSE excluded.job_id END,
       accepted_at = excluded.accepted_at, last_hint_at = excluded.last_hint_at, link_owed = excluded.link_owed,
       change = excluded.change, data = excluded.data`,
    video.id,
    video.client,
    video.account,
    video.backend,
    video.phase,
    video.status,
    video.version,
    video.dueAtMs,
    video.lease?.untilMs ?? null,
    video.createdAtMs,
    video.endedAtMs,
    video.lane,
    video.backendJobId,
    video.acceptedAtMs,
    video.lastHintAtMs,
    video.webhookUrl === null ? 0 : 1,
    video.linkOwed ? 1 : 0,
    sourceOf(video),
    nextChange(db, video.account),
    JSON.stringify(video),
  )
}

/** The video of the account that has the job. */
export const jobOwner = (db: Db, account: AccountId, jobId: string): string | null =>
  orNull(db.get('SELECT id FROM videos WHERE account = ? AND job_id = ?', account, jobId), (row) => text(row, 'id'))

const IN_LANE = `SELECT 1 FROM videos WHERE account = ? AND phase IN ('dispatching', 'doubtful') AND lane = ? LIMIT 1`

const laneIsFree = (db: Db, { account, lane }: VideoRecord): boolean => lane === null || !db.get(IN_LANE, account, lane)

const slotIsFree = (db: Db, account: AccountId, slots: number | null): boolean =>
  slots === null || openOf(db, account).held < slots

const dispatching = (video: VideoRecord, leaseMs: number, nowMs: number): { video: VideoRecord; lease: Lease } => {
  const lease = { token: randomUUID(), untilMs: nowMs + leaseMs }
  const taken: VideoRecord = {
    ...video,
    phase: 'dispatching',
    version: video.version + 1,
    lease,
    dueAtMs: lease.untilMs,
    waitReason: null,
    wire: null,
  }
  return { video: taken, lease: { id: video.id, ...lease } }
}

const FIND_KEY = `SELECT i.fingerprint, v.data FROM idempotency i JOIN videos v ON v.id = i.video_id
  WHERE i.client = ? AND i.operation = ? AND i.key = ?`

export const findKey = (db: Db, key: IdemKey, nowMs: number): { video: VideoRecord; fingerprint: string } | null => {
  const row = db.get(FIND_KEY, key.client, key.operation, key.key)
  if (!row) return null
  const video = videoFrom(row)
  if (video.endedAtMs !== null && video.endedAtMs + KEY_KEPT_MS <= nowMs) return null
  return { video, fingerprint: text(row, 'fingerprint') }
}

const limitReached = (db: Db, name: string, limits: OpenLimits): FullScope | null => {
  const { queue, client } = waitingNow(db, name)
  return queue >= limits.queue ? 'queue' : client >= limits.client ? 'client' : null
}

interface OpenArgs {
  draft: NewVideo
  key: IdemKey | null
  limits: OpenLimits
  admission: Admission | null
  /** Of the volume; null: unknown. */
  freeBytes: number | null
  nowMs: number
}

/** Whether there is room for anything new, beside what is kept for open videos. */
export const hasRoomForMore = (db: Db, freeBytes: number | null): boolean =>
  hasRoom(roomOf(db), freeBytes, openInAll(db))

/** A video that waits for its audio does not block others. */
const IN_QUEUE = `SELECT 1 FROM videos WHERE account = ? AND phase = 'waiting' AND due_at IS NOT NULL LIMIT 1`
const PUT_KEY =
  'INSERT OR REPLACE INTO idempotency (client, operation, key, fingerprint, video_id) VALUES (?, ?, ?, ?, ?)'

export const open = (
  db: Db,
  { draft, key, limits, admission, freeBytes, nowMs }: OpenArgs,
): Opened | { kind: 'no_room' } => {
  const found = key && findKey(db, key, nowMs)
  if (found) {
    return found.fingerprint === key.fingerprint
      ? { kind: 'replay', video: found.video }
      : { kind: 'conflict', videoId: found.video.id }
  }
  if (!hasRoomForMore(db, freeBytes)) return { kind: 'no_room' }
  const { account, client, id } = draft.video
  const taken =
    admission && !db.get(IN_QUEUE, account) && slotIsFree(db, account, admission.slots) && laneIsFree(db, draft.video)
      ? dispatching(draft.video, admission.leaseMs, nowMs)
      : null
  const full = quotaReached(db, draft.video, limits) ?? (taken ? null : limitReached(db, client, limits))
  if (full) return { kind: 'full', scope: full }
  if (taken) takeTurn(db, draft.video)
  // The client of a waiting video is told now, so its events are written. Of a dispatched one nobody knows yet.
  const events = taken ? [] : draft.events
  const video = taken?.video ?? { ...draft.video, told: true, sequence: draft.video.sequence + events.length }
  putVideo(db, video)
  const deliveries = putOutbox(db, id, { notes: draft.notes, events })
  if (key) db.run(PUT_KEY, key.client, key.operation, key.key, key.fingerprint, id)
  return { kind: 'opened', video, lease: taken?.lease ?? null, deliveries }
}

export const adopt = (
  db: Db,
  { draft, freeBytes }: { draft: NewVideo & { video: { backendJobId: string } }; freeBytes: number | null },
): Adopted | { kind: 'no_room' } => {
  const { video } = draft
  const row = db.get('SELECT data FROM videos WHERE account = ? AND job_id = ?', video.account, video.backendJobId)
  if (row) return { kind: 'known', video: videoFrom(row) }
  if (!hasRoomForMore(db, freeBytes)) return { kind: 'no_room' }
  putVideo(db, video)
  return { kind: 'adopted', video, deliveries: putOutbox(db, video.id, draft) }
}

/**
 * The next video to send: clients in the order of their turns (as in `positions.ts`), and of the first client that has
 * one the first video that is due, whose lane is free, and for which callbacks named no job that is still to be read.
 */
const NEXT_WAITING = `
  SELECT v.data FROM videos v WHERE v.id = (
    SELECT next.id FROM (
      SELECT t.turn, t.first, (
        SELECT w.id FROM videos w WHERE w.account = t.account AND w.client = t.client AND w.phase = 'waiting' AND w.due_at <= ?2
          AND w.id NOT IN (SELECT s.id FROM videos s WHERE s.account = ?1 AND s.data ->> 'secondJobAtMs' IS NOT NULL)
          AND (w.lane IS NULL OR NOT EXISTS (
            SELECT 1 FROM videos d WHERE d.account = ?1 AND d.phase IN ('dispatching', 'doubtful') AND d.lane = w.lane))
        ORDER BY w.id LIMIT 1) AS id
      FROM turns t WHERE t.account = ?1 AND t.waiting > 0) AS next
    WHERE next.id IS NOT NULL ORDER BY next.turn, next.first LIMIT 1)`

const TAKE_TURN = `INSERT INTO turns (account, client, turn)
  VALUES (?1, ?2, (SELECT coalesce(max(turn), 0) + 1 FROM turns WHERE account = ?1))
  ON CONFLICT (account, client) DO UPDATE SET turn = excluded.turn`

const takeTurn = (db: Db, { account, client }: VideoRecord): void => void db.run(TAKE_TURN, account, client)

const GIVE_TURN_BACK =
  'UPDATE turns SET turn = (SELECT min(turn) - 1 FROM turns WHERE account = ?1) WHERE account = ?1 AND client = ?2'

/** No request was left for its video, so the client goes next again. */
const giveTurnBack = (db: Db, { account, client }: VideoRecord): void => void db.run(GIVE_TURN_BACK, account, client)

export const admit = (
  db: Db,
  { account, admission, nowMs }: { account: AccountId; admission: Admission; nowMs: number },
): { video: VideoRecord; lease: Lease } | null => {
  if (!slotIsFree(db, account, admission.slots) || (queueOf(db, account).nextDueAtMs ?? Infinity) > nowMs) return null
  const row = db.get(NEXT_WAITING, account, nowMs)
  if (!row) return null
  // Its client was told that it waits, so the video stays, whatever happens to it now.
  const taken = dispatching({ ...videoFrom(row), told: true }, admission.leaseMs, nowMs)
  putVideo(db, taken.video)
  takeTurn(db, taken.video)
  return taken
}

interface WriteArgs {
  id: string
  /** The version that the change was decided on. */
  version: number
  change: Exclude<Change, { kind: 'keep' }>
}

const STATE = `SELECT version, phase, data ->> 'backendJobId' AS job, data ->> 'wire' IS NULL AS unsent
  FROM videos WHERE id = ?`

type Written = Pick<Changed, 'deliveries' | 'jobTaken'>

/** Compare-and-set on the version; null when another write came between. */
export const write = (db: Db, { id, version, change }: WriteArgs): Written | null => {
  const row = db.get(STATE, id)
  if (!row || int(row, 'version') !== version) return null
  if (change.kind === 'discard') {
    db.run('DELETE FROM videos WHERE id = ?', id)
    return { deliveries: [], jobTaken: null }
  }
  const { account, backendJobId: jobId } = change.video
  // Checked only for a new job: an older database may hold several videos of one job.
  if (jobId !== null && jobId !== textOrNull(row, 'job')) {
    const owner = jobOwner(db, account, jobId)
    if (owner !== null) return { deliveries: [], jobTaken: { jobId, owner } }
  }
  putVideo(db, change.video)
  const isPutBack = text(row, 'phase') === 'dispatching' && change.video.phase === 'waiting'
  if (isPutBack && int(row, 'unsent') === 1) giveTurnBack(db, change.video)
  return { deliveries: putOutbox(db, id, change), jobTaken: null }
}
