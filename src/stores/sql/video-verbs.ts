import { randomUUID } from 'node:crypto'
import type { Budget } from '../../core/limits/budget.ts'
import type {
  Admission,
  Admitted,
  Adopted,
  Change,
  Changed,
  FirstRequest,
  FullScope,
  IdemKey,
  NewVideo,
  NextRequest,
  Opened,
  OpenLimits,
  Queue,
} from '../../core/store/videos.ts'
import type { AccountId, Priority } from '../../core/vocabulary.ts'
import {
  type Db,
  EACH_ALONE,
  int,
  intOrNull,
  listOf,
  orNull,
  type Reader,
  type RoomyDb,
  type Row,
  text,
  videoFrom,
} from './db.ts'
import { iso } from '../../core/time/clock.ts'
import { quotaEvent, type Quotas, roomIn, warningsOf } from '../../core/access.ts'
import { type TimelineEntry, type VideoRecord, withBytes } from '../../core/video.ts'
import { keepGoneAt } from './event-reads.ts'
import { putOutbox, putOwed, putVideo } from './outbox.ts'
import type { Lease } from '../../core/store/webhooks.ts'
import { budgetFrom, CLOSED, isClosed, learn, spendOf } from './work-verbs.ts'

// Reads of what triggers count (the .sql files of each driver): their cost does not depend on how many videos are open.

/** Open videos of all accounts. */
const openInAll = async (db: Reader): Promise<number> =>
  int((await db.get('SELECT coalesce(sum(n), 0) AS n FROM open_videos')) ?? {}, 'n')

/** Waiting videos of all accounts: of all clients together, and of the one that `client` names. */
const room = (client: '?1' | '?2'): string => `
  (SELECT coalesce(sum(n), 0) FROM open_videos WHERE phase = 'waiting') AS queue,
  (SELECT coalesce(sum(waiting), 0) FROM turns WHERE client = ${client} AND waiting > 0) AS client`

const roomFrom = (row: Row): { queue: number; client: number } => ({
  queue: int(row, 'queue'),
  client: int(row, 'client'),
})

export const waitingNow = async (db: Reader, client: string): Promise<{ queue: number; client: number }> =>
  roomFrom((await db.get(`SELECT ${room('?1')}`, client)) ?? {})

/** Whether a normal video waits, for its time or a slot. */
const NORMAL_WAITS = `SELECT 1 FROM turns t WHERE t.account = ?1 AND t.waiting > 0 AND EXISTS (
  SELECT 1 FROM videos w WHERE w.account = t.account AND w.client = t.client AND w.phase = 'waiting' AND w.low_until = 0
    AND w.due_at IS NOT NULL ${EACH_ALONE}) LIMIT 1`

const QUEUE = `
  (SELECT coalesce(sum(n), 0) FROM open_videos WHERE account = ?1 AND phase = 'waiting') AS waiting,
  (SELECT coalesce(sum(n), 0) FROM open_videos WHERE account = ?1 AND phase <> 'waiting') AS held,
  (SELECT min(due_at) FROM videos WHERE account = ?1 AND phase = 'waiting' AND due_at IS NOT NULL) AS next,
  (${NORMAL_WAITS}) AS normal,
  (SELECT 1 FROM videos INDEXED BY videos_transfers WHERE account = ?1 AND phase = 'waiting' AND due_at IS NULL LIMIT 1) AS transfers,
  (SELECT min(second_job_at) FROM videos WHERE account = ?1 AND second_job_at IS NOT NULL) AS second_job,
  (SELECT data FROM budgets WHERE account = ?1) AS budget`

const queueFrom = (row: Row): Queue => ({
  waiting: int(row, 'waiting'),
  held: int(row, 'held'),
  nextDueAtMs: intOrNull(row, 'next'),
  normalWaits: intOrNull(row, 'normal') !== null,
  hasTransfers: intOrNull(row, 'transfers') !== null,
  nextSecondJobAtMs: intOrNull(row, 'second_job'),
  window: row['budget'] === null ? null : budgetFrom({ data: row['budget'] }),
})

export const queueOf = async (db: Reader, account: AccountId): Promise<Queue> =>
  queueFrom((await db.get(`SELECT ${QUEUE}`, account)) ?? {})

/**
 * What a client used in a month, from `months`, which triggers keep. A discarded video is given
 * back in the same write. A video without a known price counts as one credit; an imported one costs nothing here.
 */
const MONTH = `
  SELECT coalesce(sum(videos) FILTER (WHERE status <> 'canceled'), 0) AS videos, coalesce(ceil(sum(credits)), 0) AS credits,
    coalesce(sum(unpriced), 0) AS unpriced
  FROM months WHERE client = ? AND month = ?`

type Of = Pick<VideoRecord, 'client' | 'createdAtMs'>

const monthOf = (ms: number): string => iso(ms).slice(0, 7)

const usedBy = async (db: Reader, { client, createdAtMs }: Of): Promise<{ videos: number; credits: number }> => {
  const row = (await db.get(MONTH, client, monthOf(createdAtMs))) ?? {}
  return { videos: int(row, 'videos'), credits: int(row, 'credits') + int(row, 'unpriced') }
}

/** Which quota of its month a new video would exceed; null: none. */
const quotaReached = async (
  db: Reader,
  of: Of,
  { videosPerMonth, creditsPerMonth }: Quotas,
): Promise<'videos' | 'credits' | null> => {
  if (videosPerMonth === null && creditsPerMonth === null) return null
  const used = await usedBy(db, of)
  if (videosPerMonth !== null && used.videos >= videosPerMonth) return 'videos'
  return creditsPerMonth !== null && used.credits >= creditsPerMonth ? 'credits' : null
}

/** Nothing where this warning was sent for this limit, or of a higher one. */
const MARK = `INSERT INTO quota_warnings (client, month, quota, threshold, quota_limit) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (client, month, quota, threshold) DO UPDATE SET quota_limit = excluded.quota_limit
  WHERE quota_warnings.quota_limit < excluded.quota_limit`

/**
 * Informs the client of the quotas that it has nearly or wholly used in the month of this video, each warning once: the
 * mark, the event and its deliveries are of the write that reached it. Nothing is reported of a month that is over.
 * Answers deliveries that are due.
 */
const warnOfQuotas = async (db: Db, of: Of, quotas: Quotas | null, nowMs: number): Promise<string[]> => {
  if (!quotas || (quotas.videosPerMonth === null && quotas.creditsPerMonth === null)) return []
  const { client } = of
  const month = monthOf(of.createdAtMs)
  if (month !== monthOf(nowMs)) return []
  const due: string[] = []
  for (const warning of warningsOf({ client, month }, await usedBy(db, of), quotas)) {
    const { quota, threshold, limit } = warning
    if ((await db.run(MARK, client, month, quota, threshold, limit)) === 0) continue
    due.push(...(await putOwed(db, quotaEvent(warning, nowMs), [])))
  }
  return due
}

/** How long an idempotency key is remembered after the end of its video. */
const KEY_KEPT_MS = 24 * 3_600_000

/** The video of the account that has the job. */
export const jobOwner = async (db: Reader, account: AccountId, jobId: string): Promise<string | null> =>
  orNull(await db.get('SELECT id FROM videos WHERE account = ? AND job_id = ?', account, jobId), (row) =>
    text(row, 'id'),
  )

const IN_LANE = `SELECT 1 FROM videos WHERE account = ? AND phase IN ('dispatching', 'doubtful') AND lane = ? LIMIT 1`

const laneIsFree = async (db: Reader, { account, lane }: VideoRecord): Promise<boolean> =>
  lane === null || !(await db.get(IN_LANE, account, lane))

interface Taken {
  video: VideoRecord
  lease: Lease
}

const dispatching = (video: VideoRecord, leaseMs: number, nowMs: number): Taken => {
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

/** Takes a request for a video that has its slot. Where that is taken, and its bytes are known, it has them, too. */
const withRequest = async (
  db: Db,
  { video, lease }: Taken,
  first: FirstRequest | null,
  { window, nowMs }: { window: Budget | null; nowMs: number },
): Promise<Admitted & { notes: TimelineEntry[] }> => {
  const { account } = video
  const spent = first && (await spendOf(db, window, { account, budgetClass: 'create', most: 1, nowMs, ...first }))
  const ticket = spent?.ok ? spent.ticket : null
  const sent = ticket && first?.outgoing ? withBytes(video, first.outgoing, nowMs) : { video, notes: [] }
  return { lease, ticket, ...sent }
}

const keyed = (client: string, operation: string, key: string): string => `
  FROM idempotency i JOIN videos v ON v.id = i.video_id
  WHERE i.client = ${client} AND i.operation = ${operation} AND i.key = ${key}`

export const findKey = async (
  db: Reader,
  key: IdemKey,
  nowMs: number,
): Promise<{ video: VideoRecord; fingerprint: string } | null> => {
  const row = await db.get(
    `SELECT i.fingerprint, v.data ${keyed('?1', '?2', '?3')}`,
    key.client,
    key.operation,
    key.key,
  )
  return row ? keyFrom(row, nowMs) : null
}

const keyFrom = (row: Row, nowMs: number): { video: VideoRecord; fingerprint: string } | null => {
  const video = videoFrom(row)
  if (video.endedAtMs !== null && video.endedAtMs + KEY_KEPT_MS <= nowMs) return null
  return { video, fingerprint: text(row, 'fingerprint') }
}

const limitReached = (row: Row, limits: OpenLimits, { lowUntilMs }: VideoRecord): FullScope | null => {
  const { queue, client } = roomFrom(row)
  const isLow = lowUntilMs !== null
  return queue >= roomIn(limits.queue, isLow) ? 'queue' : client >= roomIn(limits.client, isLow) ? 'client' : null
}

interface OpenArgs {
  draft: NewVideo
  key: IdemKey | null
  limits: OpenLimits
  admission: Admission | null
  first?: FirstRequest | null
  /** Of the volume; null: unknown. */
  freeBytes: number | null
  nowMs: number
}

/** Whether there is room for anything new, beside what is kept for open videos. */
export const hasRoomForMore = async (db: RoomyDb, freeBytes: number | null): Promise<boolean> =>
  db.hasRoom(() => openInAll(db), freeBytes)

const PUT_KEY = `INSERT INTO idempotency (client, operation, key, fingerprint, video_id) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (client, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint, video_id = excluded.video_id`

const keyValues = (key: IdemKey | null): (string | null)[] =>
  key ? [key.client, key.operation, key.key] : [null, null, null]

/** What a new video goes by: the video of its key, whether its account is closed, the queues. */
const OPENING = `SELECT (SELECT i.fingerprint ${keyed('?3', '?4', '?5')}) AS fingerprint, (SELECT v.data ${keyed('?3', '?4', '?5')}) AS data,
  ${CLOSED} AS closed, ${QUEUE}, ${room('?2')}`

const STILL_COMPLETED = `SELECT 1 FROM videos WHERE id = ? AND client = ? AND status = 'completed'`

export const open = async (
  db: RoomyDb,
  { draft, key, limits, admission, first = null, freeBytes, nowMs }: OpenArgs,
): Promise<Opened | { kind: 'no_room' }> => {
  const { account, client, id } = draft.video
  const row = (await db.get(OPENING, account, client, ...keyValues(key))) ?? {}
  const found = row['data'] === null ? null : keyFrom(row, nowMs)
  if (key && found) {
    return found.fingerprint === key.fingerprint
      ? { kind: 'replay', video: found.video }
      : { kind: 'conflict', videoId: found.video.id }
  }
  if (!(await hasRoomForMore(db, freeBytes))) return { kind: 'no_room' }
  if (row['closed'] !== null) return { kind: 'closed' }
  const { reused } = draft.video
  if (reused && !(await db.get(STILL_COMPLETED, reused.videoId, client))) return { kind: 'gone' }
  const queue = queueFrom(row)
  const { held, window } = queue
  const isFull = !reused && admission !== null && held >= (admission.slots ?? Infinity)
  const free =
    admission &&
    !reused &&
    !isFull &&
    (await goesFirst(db, draft.video, queue, { slots: admission.slots, nowMs })) &&
    (await laneIsFree(db, draft.video))
      ? dispatching(draft.video, admission.leaseMs, nowMs)
      : null
  const full =
    (await quotaReached(db, draft.video, limits)) ?? (free || reused ? null : limitReached(row, limits, draft.video))
  if (full) {
    // Where the limit was lowered, nobody was warned of it.
    const isQuota = full === 'videos' || full === 'credits'
    const deliveries = isQuota ? await warnOfQuotas(db, draft.video, limits, nowMs) : []
    return { kind: 'full', scope: full, deliveries }
  }
  if (free) await takeTurn(db, draft.video)
  const taken = free && (await withRequest(db, free, first, { window, nowMs }))
  // The client of a waiting video is informed now, so its events are written. Of a dispatched one nobody knows yet.
  const events = taken ? [] : draft.events
  const video = taken?.video ?? { ...draft.video, told: true, sequence: draft.video.sequence + events.length }
  // Its history says why, also when it waits no more.
  const waits = isFull ? [{ at: nowMs, type: 'waiting', detail: 'no_free_slot' }] : []
  await putVideo(db, video, null, [...draft.notes, ...(taken?.notes ?? waits)])
  const deliveries = await putOutbox(db, { events })
  if (!taken) deliveries.push(...(await warnOfQuotas(db, video, limits, nowMs)))
  if (key) await db.run(PUT_KEY, key.client, key.operation, key.key, key.fingerprint, id)
  return { kind: 'opened', video, lease: taken?.lease ?? null, ticket: taken?.ticket ?? null, deliveries }
}

interface AdoptArgs {
  draft: NewVideo & { video: { backendJobId: string } }
  freeBytes: number | null
  nowMs: number
}

export const adopt = async (
  db: RoomyDb,
  { draft, freeBytes, nowMs }: AdoptArgs,
): Promise<Adopted | { kind: 'no_room' }> => {
  const { video } = draft
  const row = await db.get(
    'SELECT data FROM videos WHERE account = ? AND job_id = ?',
    video.account,
    video.backendJobId,
  )
  if (row) return { kind: 'known', video: videoFrom(row) }
  if (await isClosed(db, video.account)) return { kind: 'closed' }
  if (!(await hasRoomForMore(db, freeBytes))) return { kind: 'no_room' }
  await putVideo(db, video, null, draft.notes)
  const deliveries = await putOutbox(db, draft)
  deliveries.push(...(await warnOfQuotas(db, video, draft.quotas ?? null, nowMs)))
  return { kind: 'adopted', video, deliveries }
}

/** A low video that has a slot of its account. */
const HOLDS_LOW = `h.low_until > 0 AND h.phase IN ('dispatching', 'doubtful', 'accepted')`

/**
 * The place of the oldest low video `l` among the normal ones of its client: behind those that are older, and those that
 * waited when a low one left its slot last. `t` is the client's row of `turns`.
 */
export const PLACE_OF_LOW = `CASE WHEN l.id < coalesce(t.low_mark, '') THEN t.low_mark ELSE l.id END || ' '`

/** Whether the oldest low video `l` counts as normal: it has waited for long, and no other one of its client has a slot. */
export const countsAsNormal = (nowMs: string): string => `
  l.low_until <= ${nowMs} AND NOT EXISTS (
    SELECT 1 FROM videos h WHERE h.account = t.account AND h.client = t.client AND ${HOLDS_LOW})`

/**
 * The first video of a client that is due, whose lane is free, and for which callbacks named no job that is still to be
 * read.
 */
const firstOf = (priority: Priority): string => `
  SELECT w.id, w.low_until FROM videos w WHERE w.account = t.account AND w.client = t.client AND w.phase = 'waiting'
    AND w.low_until ${priority === 'low' ? '> 0' : '= 0'} AND w.due_at <= ?2
    AND w.id NOT IN (SELECT s.id FROM videos s WHERE s.account = ?1 AND s.second_job_at IS NOT NULL)
    AND (w.lane IS NULL OR NOT EXISTS (
      SELECT 1 FROM videos d WHERE d.account = ?1 AND d.phase IN ('dispatching', 'doubtful') AND d.lane = w.lane))
  ORDER BY w.low_until, w.id LIMIT 1`

const LOW_ON_ACCOUNT = `(SELECT count(*) FROM videos h WHERE h.account = ?1 AND ${HOLDS_LOW})`

const lowOn = async (db: Reader, account: AccountId): Promise<number> =>
  int((await db.get(`SELECT ${LOW_ON_ACCOUNT} AS n`, account)) ?? {}, 'n')

/**
 * The next video to send: `clients` (`t`) in the order of their turns, and of the first one that has one that may go its
 * `first` normal one, else its first low one. `?3`: so many of the account may be low; null: all.
 */
const nextOf = (clients: string, first: (priority: Priority) => string): string => `
  SELECT v.data FROM videos v WHERE v.id = (
    SELECT next.id FROM (
      SELECT t.turn, t.first, coalesce(
        (SELECT l.id FROM (${first('low')}) AS l WHERE ${countsAsNormal('?2')}
          AND NOT EXISTS (SELECT 1 FROM (${first('normal')}) AS n WHERE n.id < ${PLACE_OF_LOW})),
        (SELECT n.id FROM (${first('normal')}) AS n),
        (SELECT l.id FROM (${first('low')}) AS l
          WHERE CAST(?3 AS BIGINT) IS NULL OR ${LOW_ON_ACCOUNT} < CAST(?3 AS BIGINT))) AS id
      FROM ${clients}) AS next
    WHERE next.id IS NOT NULL ORDER BY next.turn, next.first LIMIT 1)`

const NEXT_WAITING = nextOf('turns t WHERE t.account = ?1 AND t.waiting > 0', firstOf)

/** Of so many slots some may be low. One stays for a normal video, unless it is the only one. */
const mostLow = (slots: number | null): number | null => (slots === null || slots === 1 ? null : slots - 1)

/**
 * Whether a new video goes before all that wait, of a pool also at its other members. One that waits for its audio does
 * not block others.
 */
const goesFirst = async (
  db: Reader,
  { account, client, lowUntilMs, pool }: VideoRecord,
  { nextDueAtMs, normalWaits }: Queue,
  { slots, nowMs }: { slots: number | null; nowMs: number },
): Promise<boolean> => {
  const isLow = lowUntilMs !== null
  const most = mostLow(slots)
  if (isLow ? nextDueAtMs !== null : normalWaits) return false
  if (isLow && most !== null && (await lowOn(db, account)) >= most) return false
  if (pool === null && nextDueAtMs === null) return true
  const args = { account, slots, nowMs }
  const next = await (pool === null ? nextWaiting(db, args) : nextInPool(db, { ...args, pool, passed: [] }))
  return next === null || (!isLow && next.client === client && (next.lowUntilMs ?? 0) > nowMs)
}

const TAKE_TURN = `INSERT INTO turns (account, client, turn)
  VALUES (?1, ?2, (SELECT coalesce(max(turn), 0) + 1 FROM turns WHERE account = ?1))
  ON CONFLICT (account, client) DO UPDATE SET turn = excluded.turn`

const takeTurn = async (db: Db, { account, client }: VideoRecord): Promise<void> => {
  await db.run(TAKE_TURN, account, client)
}

const GIVE_TURN_BACK =
  'UPDATE turns SET turn = (SELECT min(turn) - 1 FROM turns WHERE account = ?1) WHERE account = ?1 AND client = ?2'

/** No request was left for its video, so the client goes next again. */
const giveTurnBack = async (db: Db, { account, client }: VideoRecord): Promise<void> => {
  await db.run(GIVE_TURN_BACK, account, client)
}

/**
 * A low one left its slot. The normal videos of its client that wait now go before its next one. Where it left before
 * anything was sent, nobody waited for it.
 */
const MARK_LOW = `UPDATE turns SET low_mark = (
    SELECT max(w.id) FROM videos w WHERE w.account = ?1 AND w.client = ?2 AND w.phase = 'waiting' AND w.low_until = 0)
  WHERE account = ?1 AND client = ?2`

const hasSlot = ({ phase }: VideoRecord): boolean => phase !== 'waiting' && phase !== 'ended'

interface NextArgs {
  account: AccountId
  slots: number | null
  nowMs: number
}

export const nextWaiting = async (db: Reader, { account, slots, nowMs }: NextArgs): Promise<VideoRecord | null> =>
  orNull(await db.get(NEXT_WAITING, account, nowMs, mostLow(slots)), videoFrom)

const ADMITTING = `SELECT (${NEXT_WAITING}) AS data, ${QUEUE}`

interface AdmitArgs {
  account: AccountId
  admission: Admission
  first?: NextRequest | null
  nowMs: number
}

export const admit = async (
  db: Db,
  { account, admission, first = null, nowMs }: AdmitArgs,
): Promise<Admitted | null> => {
  const row = (await db.get(ADMITTING, account, nowMs, mostLow(admission.slots))) ?? {}
  const { held, window } = queueFrom(row)
  if (held >= (admission.slots ?? Infinity) || row['data'] === null) return null
  const waiting = videoFrom(row)
  const isNext = first?.id === waiting.id && first.version === waiting.version
  // Its client was informed that it waits, so the video stays, whatever happens to it now.
  const free = dispatching({ ...waiting, told: true }, admission.leaseMs, nowMs)
  const request = first && { ...first, outgoing: isNext ? first.outgoing : null }
  const { notes, ...taken } = await withRequest(db, free, request, { window, nowMs })
  if (!(await putVideo(db, taken.video, waiting, notes))) throw new Error(`video ${waiting.id} is not as it was read`)
  await takeTurn(db, taken.video)
  return taken
}

/** What any member of the pool `?4` may take: it waits, and was never sent. */
const FOR_ANY_MEMBER = `w.pool = ?4 AND w.phase = 'waiting' AND w.sent_at IS NULL`

/** Clients of which something waits in the pool, also at the account itself: each is found behind the one before. */
const CLIENTS_IN_POOL = `
  WITH RECURSIVE clients (client) AS (
    SELECT min(w.client) FROM videos w WHERE ${FOR_ANY_MEMBER}
    UNION ALL
    SELECT (SELECT min(w.client) FROM videos w WHERE ${FOR_ANY_MEMBER} AND w.client > c.client)
    FROM clients c WHERE c.client IS NOT NULL)`

/** In their order already, so that no more of them are looked at than must be. Those of one turn are in that of their names. */
const OF_POOL = `(
  SELECT CAST(?1 AS TEXT) AS account, a.client, coalesce(s.turn, 0) AS turn, a.client AS first, s.low_mark
  FROM (SELECT c.client FROM clients c WHERE c.client IS NOT NULL
    UNION SELECT q.client FROM turns q WHERE q.account = ?1 AND q.waiting > 0) AS a
  LEFT JOIN turns s ON s.account = ?1 AND s.client = a.client
  ORDER BY 3, 4) AS t`

/** The first of a client's own queue or of its pool. When what waits elsewhere is due is about the other account. */
const firstOfPool =
  (passed: string) =>
  (priority: Priority): string => `
  SELECT b.id, b.low_until FROM (
    SELECT o.id, o.low_until FROM (${firstOf(priority)}) AS o
    UNION ALL
    SELECT m.id, m.low_until FROM (
      SELECT w.id, w.low_until FROM videos w WHERE ${FOR_ANY_MEMBER} AND w.client = t.client
        AND w.low_until ${priority === 'low' ? '> 0' : '= 0'} AND w.account <> ?1 AND w.second_job_at IS NULL
        AND w.client NOT IN (${passed}) AND w.id NOT IN (${passed})
        AND (w.lane IS NULL OR NOT EXISTS (
          SELECT 1 FROM videos d WHERE d.account = ?1 AND d.phase IN ('dispatching', 'doubtful') AND d.lane = w.lane))
      ORDER BY w.low_until, w.id LIMIT 1) AS m) AS b
  ORDER BY b.low_until, b.id LIMIT 1`

interface NextInPoolArgs extends NextArgs {
  pool: string
  passed: readonly string[]
}

export const nextInPool = async (
  db: Reader,
  { pool, account, slots, passed, nowMs }: NextInPoolArgs,
): Promise<VideoRecord | null> => {
  const { values } = listOf(['', ...passed])
  const sql = `${CLIENTS_IN_POOL} ${nextOf(OF_POOL, firstOfPool(values.map((_, n) => `?${n + 5}`).join(', ')))}`
  return orNull(await db.get(sql, account, nowMs, mostLow(slots), pool, ...values), videoFrom)
}

interface TakeFromPoolArgs {
  /** The account where it waits. */
  from: AccountId
  video: VideoRecord
  admission: Admission
  first?: FirstRequest | null
  nowMs: number
}

export const takeFromPool = async (
  db: Db,
  { from, video, admission, first = null, nowMs }: TakeFromPoolArgs,
): Promise<Admitted | null> => {
  const { held, window } = await queueOf(db, video.account)
  if (held >= (admission.slots ?? Infinity) || (await isClosed(db, video.account))) return null
  const row = await db.get(
    'SELECT data FROM videos WHERE id = ? AND account = ? AND version = ?',
    video.id,
    from,
    video.version,
  )
  const waiting = orNull(row, videoFrom)
  // What was ever sent stays with its account: a doubt never moves.
  if (!waiting || waiting.phase !== 'waiting' || waiting.attempt > 0 || waiting.pool !== video.pool) return null
  // A low one that has waited for long counts as normal.
  const most = (waiting.lowUntilMs ?? 0) > nowMs ? mostLow(admission.slots) : null
  if (most !== null && (await lowOn(db, video.account)) >= most) return null
  if (!(await laneIsFree(db, video))) return null
  const free = dispatching({ ...video, told: true }, admission.leaseMs, nowMs)
  const { notes, ...taken } = await withRequest(db, free, first, { window, nowMs })
  const moved = { at: nowMs, type: 'moved', detail: `from ${waiting.backend} to ${video.backend}` }
  if (!(await putVideo(db, taken.video, waiting, [moved, ...notes])))
    throw new Error(`video ${video.id} is not as it was read`)
  await takeTurn(db, taken.video)
  return taken
}

interface WriteArgs {
  /** What the change was decided on. */
  before: VideoRecord
  change: Exclude<Change, { kind: 'keep' }>
  nowMs: number
}

type Written = Pick<Changed, 'deliveries' | 'jobTaken'>

/** Whether this write makes more of a quota used: the client is informed of the video, or its price. */
const counts = (before: VideoRecord, { told, credits }: VideoRecord): boolean =>
  (!before.told && told) || (before.credits?.charged ?? null) !== (credits?.charged ?? null)

/** What belongs to a video that is deleted, beside its record. Its deliveries go with its events. */
const removeContent = async (db: Db, id: string, deletedAtMs: number): Promise<void> => {
  await keepGoneAt(db, 'video_id', listOf([id]))
  await db.run('DELETE FROM events WHERE video_id = ?', id)
  await db.run('DELETE FROM video_metadata WHERE video_id = ?', id)
  await db.run('DELETE FROM timeline WHERE video_id = ? AND at < ?', id, deletedAtMs)
  await db.run('UPDATE videos SET trace = NULL, input_hash = NULL WHERE id = ?', id)
}

/** Compare-and-set on the version; null when another write came between. */
export const write = async (db: Db, { before, change, nowMs }: WriteArgs): Promise<Written | null> => {
  const { id, version } = before
  if (change.kind === 'discard') {
    const isGone = (await db.run('DELETE FROM videos WHERE id = ? AND version = ?', id, version)) > 0
    return isGone ? { deliveries: [], jobTaken: null } : null
  }
  if (change.lesson) await learn(db, { ...change.lesson, nowMs })
  if (!(await putVideo(db, change.video, before, change.notes))) {
    const { account, backendJobId: jobId } = change.video
    const owner = jobId === null || jobId === before.backendJobId ? null : await jobOwner(db, account, jobId)
    // None, or its own: another write came between.
    return jobId === null || owner === null || owner === id ? null : { deliveries: [], jobTaken: { jobId, owner } }
  }
  const isPutBack = before.phase === 'dispatching' && change.video.phase === 'waiting'
  if (isPutBack && before.wire === null) await giveTurnBack(db, change.video)
  else if (before.lowUntilMs !== null && hasSlot(before) && !hasSlot(change.video)) {
    await db.run(MARK_LOW, before.account, before.client)
  }
  if (change.video.deletedAtMs !== null && before.deletedAtMs === null)
    await removeContent(db, id, change.video.deletedAtMs)
  const deliveries = await putOutbox(db, change)
  if (counts(before, change.video)) deliveries.push(...(await warnOfQuotas(db, before, change.quotas ?? null, nowMs)))
  return { deliveries, jobTaken: null }
}
