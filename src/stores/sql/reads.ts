import { LRUCache } from 'lru-cache'
import {
  type ListQuery,
  MOST_FOUND,
  MOST_LOOKED_AT,
  type PageQuery,
  type SearchPage,
  type SearchQuery,
  type VideoPage,
  type WebhookState,
} from '../../core/store/videos.ts'
import {
  int,
  listOf,
  merged,
  orNull,
  type Reader,
  type Row,
  text,
  textOrNull,
  attemptFrom,
  deliveryFrom,
  openVideoFrom,
  targetFrom,
  timelineFrom,
  videoFrom,
  where,
} from './db.ts'
import { viewBudget } from '../../core/limits/budget.ts'
import type { Store } from '../../core/store/index.ts'
import type { VideoRecord } from '../../core/video.ts'
import { budgetOf, DELIVERY, durationsOf, FREE_TO_START } from './work-verbs.ts'
import {
  countsAsNormal,
  findKey,
  jobOwner,
  nextInPool,
  nextWaiting,
  PLACE_OF_LOW,
  queueOf,
  waitingNow,
} from './video-verbs.ts'

/**
 * Columns that the index has, so that no row is read: of all of a client's videos and the older jobs of accounts, or of
 * those of each status.
 */
const queriesOf = ({ statuses, history }: Listed, ofVideos: string, ofJobs: string): string[] => {
  const each = statuses?.map((_, n) => ` AND status = ?${n + 2}`) ?? ['']
  const [videos, jobs] = statuses === null ? ['client', 'age'] : ['status', 'status']
  const accounts = history.map((_, n) => `?${n + 2 + (statuses?.length ?? 0)}`)
  return [
    ...each.map((and) => `SELECT ${ofVideos} FROM videos INDEXED BY videos_by_${videos} WHERE client = ?1${and}`),
    ...accounts.flatMap((account) =>
      each.map((and) => `SELECT ${ofJobs} FROM history INDEXED BY history_by_${jobs} WHERE account = ${account}${and}`),
    ),
  ]
}
type Listed = Pick<PageQuery, 'statuses' | 'history'>
const OF_VIDEOS = `created_at, id, '' AS account, '' AS job`
const OF_JOBS = 'created_at, place AS id, account, id AS job'

/** From the newest, or from the oldest. */
const orderOf = (way: 'DESC' | 'ASC'): string => `created_at ${way}, id ${way}`

/** How many numbers of videos are remembered, and for how long, in milliseconds. */
const KEPT = { max: 1_000, ms: 1_000 }
const SPAN = 'SELECT last, gone FROM event_spans WHERE client = ?'

/**
 * A list by page numbers. What comes before a page can only be counted off, and so can all of it: both walk an index
 * and no rows. So that a client's thousand pages do not count all of its videos a thousand times, a count holds for a
 * second, unless the client's history has moved: whatever clients are informed of is an event. A page of the older half
 * is counted off from the oldest. The lists of several statuses are merged as they are read.
 */
const createPages = (db: Reader, now: () => number) => {
  const totals = new LRUCache<string, { total: number; span: string; atMs: number }>({ max: KEPT.max })

  const spanOf = async (client: string): Promise<string> =>
    orNull((await db.all(SPAN, client))[0], (row) => `${int(row, 'last')} ${int(row, 'gone')}`) ?? ''

  const totalOf = async (client: string, listed: Listed): Promise<number> => {
    const wanted = [client, ...(listed.statuses ?? []), ...listed.history]
    const name = JSON.stringify([wanted, listed.history.length])
    const nowMs = now()
    // Read first: what happens during the count makes it old.
    const span = await spanOf(client)
    const known = totals.get(name)
    if (known?.span === span && Math.abs(nowMs - known.atMs) < KEPT.ms) return known.total
    const counts = await db.all(queriesOf(listed, 'count(*) AS n', 'count(*) AS n').join(' UNION ALL '), ...wanted)
    const total = counts.reduce((sum, row) => sum + int(row, 'n'), 0)
    totals.set(name, { total, span, atMs: nowMs })
    return total
  }

  return async (client: string, { offset, limit, ...listed }: PageQuery): Promise<VideoPage> => {
    const total = await totalOf(client, listed)
    if (offset >= total) return { videos: [], total }
    const wanted = [client, ...(listed.statuses ?? []), ...listed.history]
    const [most, before] = [`?${wanted.length + 1}`, `?${wanted.length + 2}`]
    const isOld = offset > total / 2
    const count = isOld ? Math.min(limit, total - offset) : limit
    const passed = isOld ? total - offset - count : offset
    const order = orderOf(isOld ? 'ASC' : 'DESC')
    const ids = `${merged(queriesOf(listed, OF_VIDEOS, OF_JOBS), order, `CAST(${most} AS BIGINT) + CAST(${before} AS BIGINT)`)} ORDER BY ${order} LIMIT ${most} OFFSET ${before}`
    const sql = `SELECT coalesce(v.data, h.data) AS data FROM (${ids}) AS p
      LEFT JOIN videos v ON p.account = '' AND v.id = p.id LEFT JOIN history h ON h.account = p.account AND h.id = p.job
      ORDER BY p.created_at DESC, p.id DESC`
    return { videos: (await db.all(sql, ...wanted, count, passed)).map(videoFrom), total }
  }
}

/**
 * The place of each of these waiting videos: one more than the number that is served before it. These are its client's
 * own earlier ones (`ranks`, `placed`), and as many of each other client, one more if that client's turn comes first
 * (`others`; clients with equally many waiting are counted together). It costs by the number of waiting clients, and by
 * the length of the client's queue before the last of these videos: of each only what is between it and the one before.
 * `risen`: the oldest low video of a client, if it counts as normal.
 */
const positionsSql = (ids: string): string => `
  WITH
    asked AS MATERIALIZED (
      SELECT id, account, client, low_until,
        coalesce(lag(low_until) OVER own, 0) AS previous_until, coalesce(lag(id) OVER own, '') AS previous
      FROM videos WHERE id IN (${ids}) AND phase = 'waiting'
      WINDOW own AS (PARTITION BY account, client ORDER BY low_until, id)),
    ranks AS MATERIALIZED (
      SELECT c.id, c.account, c.client, c.low_until,
        sum(c.n) OVER (PARTITION BY c.account, c.client ORDER BY c.low_until, c.id) AS rank
      FROM (
        SELECT a.id, a.account, a.client, a.low_until, (
            SELECT count(*) FROM videos w
            WHERE w.account = a.account AND w.client = a.client AND w.phase = 'waiting'
              AND (w.low_until, w.id) >= (a.previous_until, a.previous) AND (w.low_until, w.id) < (a.low_until, a.id)
          ) AS n
        FROM asked a) AS c),
    mine AS MATERIALIZED (
      SELECT t.account, t.client, t.turn, t.first, t.low_mark FROM (SELECT DISTINCT account, client FROM asked) AS a
      CROSS JOIN turns t WHERE t.account = a.account AND t.client = a.client),
    risen AS MATERIALIZED (
      SELECT l.account, l.client, l.id, ${PLACE_OF_LOW} AS place FROM mine t CROSS JOIN videos l
      WHERE l.id = (SELECT w.id FROM videos w WHERE w.account = t.account AND w.client = t.client AND w.phase = 'waiting'
        AND w.low_until > 0 ORDER BY w.low_until, w.id LIMIT 1) AND ${countsAsNormal('?')}),
    placed AS MATERIALIZED (
      SELECT r.id, r.account, r.client, CASE
        WHEN r.id = l.id THEN (
          SELECT count(*) FROM videos w WHERE w.account = l.account AND w.client = l.client AND w.phase = 'waiting'
            AND w.low_until = 0 AND w.id < l.place)
        WHEN r.low_until = 0 AND r.id > l.place THEN r.rank + 1 ELSE r.rank END AS rank
      FROM ranks r LEFT JOIN risen l ON l.account = r.account AND l.client = r.client),
    others AS MATERIALIZED (
      SELECT m.account, m.client, q.waiting, CASE WHEN (q.turn, q.first) < (m.turn, m.first) THEN 1 ELSE 0 END AS ahead, count(*) AS clients
      FROM mine m CROSS JOIN turns q WHERE q.account = m.account AND q.client <> m.client AND q.waiting > 0
      GROUP BY 1, 2, 3, 4)
  SELECT r.id, 1 + r.rank + (
      SELECT coalesce(sum(o.clients * CASE WHEN o.waiting < r.rank + o.ahead THEN o.waiting ELSE r.rank + o.ahead END), 0) FROM others o
      WHERE o.account = r.account AND o.client = r.client) AS position
  FROM placed r`

const positionsOf = async (db: Reader, ids: readonly string[], nowMs: number): Promise<ReadonlyMap<string, number>> => {
  const list = listOf(ids)
  const rows = await db.all(positionsSql(list.sql), ...list.values, nowMs)
  return new Map(rows.map((row) => [text(row, 'id'), int(row, 'position')]))
}

const DUE_DELIVERIES = `
  SELECT d.id, d.client, d.video_id, d.target_kind, d.target, d.url, d.next_attempt_at, d.n FROM deliveries d
  WHERE ${FREE_TO_START} AND (d.next_attempt_at, d.n) > (?, ?) ORDER BY d.next_attempt_at, d.n LIMIT ?`

/** Those under way are the longest due: as many as run at the same time, or nearly. */
const NEXT_DUE = `SELECT next_attempt_at, coalesce(lease_until, 0) AS lease_until FROM deliveries
  WHERE status = 'pending' ORDER BY next_attempt_at LIMIT ?`
const NEXT_DUE_READ = 128

/** How many rows are read at the same time: a few milliseconds of the main thread. */
const PAGE = 250

const OPEN_VIDEO =
  'id, client, phase, version, due_at, lease_until, backend, accepted_at, last_hint_at, has_webhook, link_owed, source'

/** The first video after `id` that waits for its audio. Pinned: another index goes through all that wait. */
const nextTransfer = (client: string, after: string): string => `(
  SELECT min(id) FROM videos INDEXED BY videos_transfers
  WHERE account = ?1 AND client = ${client} AND phase = 'waiting' AND due_at IS NULL AND id > ${after})`

/**
 * In turn among clients, each one's oldest first: of each its share of the page and some more, however many it has. One
 * step through the index for each.
 */
const TRANSFERS = `
  WITH RECURSIVE
    waiting AS MATERIALIZED (SELECT client FROM turns WHERE account = ?1 AND waiting > 0),
    ranks (client, turn, id) AS (
      SELECT q.client, 1, ${nextTransfer('q.client', `''`)} FROM waiting q
      UNION ALL
      SELECT r.client, r.turn + 1, ${nextTransfer('r.client', 'r.id')} FROM ranks r
      WHERE r.id IS NOT NULL AND r.turn < (SELECT CAST(?2 AS BIGINT) / count(*) + 32 FROM waiting))
  SELECT id, client FROM ranks WHERE id IS NOT NULL ORDER BY turn, id LIMIT ?2`

/**
 * The index that begins with exactly these filters. By itself SQLite may choose another one when a time has two bounds.
 */
const listIndex = (client: string | null, { status, backends }: ListQuery): string => {
  const ofAll = ['videos_of_all', 'videos_of_status', 'videos_recorded', 'videos_of_both']
  const ofOne = ['videos_by_client', 'videos_by_status', 'videos_by_backend', 'videos_by_both']
  return (client === null ? ofAll : ofOne)[Number(status !== null) + 2 * Number(backends !== null)] ?? ''
}

/**
 * A client's videos, or all (null), newest first, in the order of the index: of each backend no more rows are read than
 * are answered.
 */
export const readVideos = async (db: Reader, client: string | null, query: ListQuery): Promise<VideoRecord[]> => {
  const { status, backends, createdAfterMs, createdBeforeMs, before, limit } = query
  const newest = 'ORDER BY created_at DESC, id DESC LIMIT ?'
  const ofOne = (backend: string | null) => {
    const wanted = where([
      ['client = ?', client],
      ['status = ?', status],
      ['backend = ?', backend],
      ['created_at > ?', createdAfterMs],
      // An index uses one of two upper bounds: the cursor, which is lower.
      ['created_at < ?', before ? null : createdBeforeMs],
      before && ['(created_at, id) < (?, ?)', before.createdAtMs, before.id],
    ])
    const sql = `SELECT created_at, id, data FROM videos INDEXED BY ${listIndex(client, query)} WHERE ${wanted.sql} ${newest}`
    return { sql, values: [...wanted.values, limit] }
  }
  const lists = (backends ?? [null]).map(ofOne)
  const [only, ...others] = lists
  if (only && others.length === 0) return (await db.all(only.sql, ...only.values)).map(videoFrom)
  const all = lists.map(({ sql }, n) => `SELECT * FROM (${sql}) AS of_${n}`).join(' UNION ALL ')
  return (await db.all(`${all} ${newest}`, ...lists.flatMap(({ values }) => values), limit)).map(videoFrom)
}

/** Of each status and backend, in the order of an index that holds what is asked for, but for a phase. */
const searchSql = (query: SearchQuery, columns: string, limit: number, before: SearchPage['before'] = null) => {
  const { client, statuses, phases, backends, sinceMs, untilMs, code, at } = query
  const index =
    at === 'ended_at'
      ? `videos_figures${client === null ? '' : '_of_client'}`
      : `videos_${client === null ? 'of' : 'by'}_${backends === null ? 'status' : 'both'}`
  const order = `ORDER BY ${at} DESC, id DESC LIMIT ?`
  const parts = statuses.flatMap((status) =>
    (backends ?? [null]).map((backend) => {
      const wanted = where([
        ['client = ?', client],
        ['status = ?', status],
        ['backend = ?', backend],
        [`${at} >= ?`, sinceMs],
        // An index uses one of two upper bounds: the cursor, which is lower.
        [`${at} < ?`, before ? null : untilMs],
        before && [`(${at}, id) < (?, ?)`, before.rank, before.id],
        ['code = ?', code],
      ])
      const ended = at === 'ended_at' ? `phase = 'ended' AND ` : ''
      const ofPhase = phases === null ? '' : ` AND phase IN (${phases.map((phase) => `'${phase}'`).join(', ')})`
      const sql = `SELECT ${columns} FROM videos INDEXED BY ${index} WHERE ${ended}${wanted.sql}${ofPhase} ${order}`
      return { sql, values: [...wanted.values, limit] }
    }),
  )
  return {
    sql: parts.map(({ sql }) => `SELECT * FROM (${sql}) AS latest`).join(' UNION ALL '),
    values: parts.flatMap(({ values }) => values),
  }
}

interface Ranked {
  id: string
  rank: number
}
const rankedFrom = (row: Row): Ranked => ({ id: text(row, 'id'), rank: int(row, 'rank') })

const byRank = (a: Ranked, b: Ranked): number => b.rank - a.rank || Number(a.id < b.id) - Number(a.id > b.id)

/** Which videos a page has. How long they took is in no index: of the newest, all are compared. */
const searchRanked = async (db: Reader, query: SearchQuery, page: SearchPage): Promise<Ranked[]> => {
  const { limit, before, longestFirst } = page
  const rank = longestFirst ? 'ended_at - created_at AS rank' : `${query.at} AS rank`
  const columns = `id, ${query.at}, ${rank}`
  const { sql, values } = longestFirst
    ? searchSql(query, columns, MOST_FOUND)
    : searchSql(query, columns, limit, before)
  const found = (await db.all(sql, ...values)).map(rankedFrom).toSorted(byRank)
  const behind = before ? found.filter((one) => byRank(before, one) < 0) : found
  return behind.slice(0, limit)
}

const WEBHOOK_STATES = ['delivered', 'pending', 'failed'] as const satisfies readonly WebhookState[]
const webhookStatesSql = (ids: string): string => `
  SELECT video_id, max(CASE status WHEN 'delivered' THEN 0 WHEN 'failed' THEN 2 ELSE 1 END) AS state
  FROM deliveries WHERE video_id IN (${ids}) GROUP BY video_id`

const webhookStates = async (db: Reader, videoIds: readonly string[]): Promise<Map<string, WebhookState>> => {
  const list = listOf(videoIds)
  const rows = await db.all(webhookStatesSql(list.sql), ...list.values)
  return new Map(rows.map((row) => [text(row, 'video_id'), WEBHOOK_STATES[int(row, 'state')] ?? WEBHOOK_STATES[0]]))
}

/** How many videos' deliveries one statement looks at. */
const LOOKED_AT = 250

/** How deliveries are is in no index of videos: they are looked at part by part, until the page is full. */
const searchPage = async (db: Reader, query: SearchQuery, page: SearchPage) => {
  const { webhook } = query
  const { limit } = page
  const ranked: Ranked[] = []
  let before = page.before
  let isEnd = false
  for (let seen = 0; !isEnd && ranked.length <= limit && seen < MOST_LOOKED_AT; seen += LOOKED_AT) {
    const most = webhook === null ? limit + 1 : LOOKED_AT
    const part = await searchRanked(db, query, { ...page, before, limit: most })
    const states =
      webhook === null
        ? null
        : await webhookStates(
            db,
            part.map(({ id }) => id),
          )
    ranked.push(...part.filter(({ id }) => states === null || (states.get(id) ?? 'none') === webhook))
    isEnd = part.length < most
    before = part.at(-1) ?? before
  }
  const shown = ranked.slice(0, limit)
  return { ranked: shown, next: ranked.length > limit ? (shown.at(-1) ?? null) : isEnd ? null : before }
}

const RUNNING = `SELECT ${OPEN_VIDEO} FROM videos
  WHERE account = ? AND phase IN ('dispatching', 'doubtful', 'accepted') AND id > ? ORDER BY id LIMIT ?`
/** The index is pinned: the planner cannot know how few rows these are. */
const UNDECIDED = `SELECT id FROM videos INDEXED BY videos_undecided
  WHERE account = ? AND phase IN ('dispatching', 'doubtful')`
const MOVED = `SELECT ${OPEN_VIDEO}, change FROM videos WHERE account = ? AND change > ? ORDER BY change LIMIT ?`
const WAITING = `SELECT id, client FROM videos
  WHERE account = ? AND phase = 'waiting' AND (client, id) > (?, ?) ORDER BY client, id LIMIT ?`
const SENT_IN_LANE = `SELECT data FROM videos WHERE account = ? AND lane = ? AND lane IS NOT NULL
  AND sent_at IS NOT NULL AND sent_at >= ?`
const ATTEMPTS = `SELECT at, duration_ms, status, error, response_body, next_attempt_at FROM attempts
  WHERE delivery = (SELECT n FROM deliveries WHERE id = ?) ORDER BY rowid`
const reusableSql = (accounts: string): string => `SELECT data FROM videos INDEXED BY videos_reusable
  WHERE input_hash = ? AND status = 'completed' AND ended_at > ? AND account IN (${accounts}) ORDER BY ended_at DESC LIMIT 1`
const OVERDUE = `SELECT id FROM videos WHERE account = ? AND phase = 'waiting' AND created_at < ?
  ORDER BY created_at, id LIMIT ?`
const SECOND_JOBS = `SELECT id FROM videos
  WHERE account = ? AND second_job_at IS NOT NULL AND second_job_at <= ?
  ORDER BY second_job_at LIMIT ?`

const VIDEO_UNLESS =
  'SELECT CASE WHEN version = ? THEN NULL ELSE data END AS data FROM videos WHERE id = ? AND client = ?'

/** Reads by index. They see every commit that was answered. */
export const createReads = (db: Reader, now: () => number) => {
  const idsOf = (rows: readonly Row[]): string[] => rows.map((row) => text(row, 'id'))
  const withClients = (rows: readonly Row[]) =>
    rows.map((row) => ({ id: text(row, 'id'), client: text(row, 'client') }))
  return {
    video: async (id) => orNull(await db.get('SELECT data FROM videos WHERE id = ?', id), videoFrom),
    videoOf: async (client, id) =>
      orNull(await db.get('SELECT data FROM videos WHERE id = ? AND client = ?', id, client), videoFrom),
    videoUnless: async (client, id, version) =>
      orNull(await db.get(VIDEO_UNLESS, version, id, client), (row) =>
        row['data'] === null ? 'same' : videoFrom(row),
      ),
    list: async (client, query) => await readVideos(db, client, query),
    async search(query, page) {
      const { ranked, next } = await searchPage(db, query, page)
      const list = listOf(ranked.map(({ id }) => id))
      const rows = await db.all(`SELECT data FROM videos WHERE id IN (${list.sql})`, ...list.values)
      const videos = new Map(rows.map(videoFrom).map((video) => [video.id, video]))
      const found = ranked.flatMap(({ id, rank }) => {
        const video = videos.get(id)
        return video ? [{ video, rank }] : []
      })
      return { found, next }
    },
    async countFound(query) {
      const { sql, values } = searchSql(query, `id, ${query.at}`, MOST_FOUND + 1)
      const count = int((await db.get(`SELECT count(*) AS n FROM (${sql}) AS met`, ...values)) ?? { n: 0 }, 'n')
      return Math.min(count, MOST_FOUND + 1)
    },
    webhookStates: async (videoIds) => await webhookStates(db, videoIds),
    page: createPages(db, now),
    async reusable(accounts, hash, sinceMs) {
      const list = listOf(accounts)
      return orNull(await db.get(reusableSql(list.sql), hash, sinceMs, ...list.values), videoFrom)
    },
    keyed: async (key) => await findKey(db, key, now()),
    running: async (account, after = '') => (await db.all(RUNNING, account, after, PAGE)).map(openVideoFrom),
    movedSince: async (account, since) => {
      const rows = await db.all(MOVED, account, since, PAGE)
      const last = rows.at(-1)
      return { videos: rows.map(openVideoFrom), upTo: last ? int(last, 'change') : since }
    },
    lastMove: async (account) =>
      int((await db.get('SELECT n FROM changes WHERE account = ?', account)) ?? { n: 0 }, 'n'),
    undecided: async (account) => idsOf(await db.all(UNDECIDED, account)),
    queue: async (account) => await queueOf(db, account),
    nextWaiting: async (account, slots) => await nextWaiting(db, { account, slots, nowMs: now() }),
    nextInPool: async (pool, account, slots, passed = []) =>
      await nextInPool(db, { pool, account, slots, passed, nowMs: now() }),
    room: async (client) => await waitingNow(db, client),
    backendsOf: async (account) =>
      idsOf(await db.all('SELECT DISTINCT backend AS id FROM open_videos WHERE account = ? AND n > 0', account)),
    waitingOf: async (account, after = { client: '', id: '' }) =>
      withClients(await db.all(WAITING, account, after.client, after.id, PAGE)),
    transfersOf: async (account, limit) => withClients(await db.all(TRANSFERS, account, limit)),
    sentInLane: async (account, lane, sinceMs) => (await db.all(SENT_IN_LANE, account, lane, sinceMs)).map(videoFrom),
    owner: async (account, jobId) => await jobOwner(db, account, jobId),
    budget: async (account, demand, fallbackLimit) =>
      viewBudget(await budgetOf(db, account, fallbackLimit), now(), demand),
    durations: async (source) => await durationsOf(db, source),
    overdue: async (account, beforeMs, limit) => idsOf(await db.all(OVERDUE, account, beforeMs, limit)),
    secondJobs: async (account, limit) => idsOf(await db.all(SECOND_JOBS, account, now(), limit)),
    positions: async (ids) => await positionsOf(db, ids, now()),
    timeline: async (id) =>
      (await db.all('SELECT at, type, detail FROM timeline WHERE video_id = ? ORDER BY rowid', id)).map(timelineFrom),
    delivery: async (id) => orNull(await db.get(`${DELIVERY} WHERE d.id = ?`, id), deliveryFrom),
    async deliveriesById(ids) {
      const { sql, values } = listOf(ids)
      const rows = await db.all(`${DELIVERY} WHERE d.id IN (${sql})`, ...values)
      return new Map(rows.map(deliveryFrom).map((delivery) => [delivery.id, delivery]))
    },
    deliveriesOf: async (videoId) =>
      (await db.all(`${DELIVERY} WHERE d.video_id = ? ORDER BY d.sequence`, videoId)).map(deliveryFrom),
    attempts: async (id) => (await db.all(ATTEMPTS, id)).map(attemptFrom),
    async nextDueDelivery() {
      const rows = await db.all(NEXT_DUE, NEXT_DUE_READ)
      const last = rows.at(-1)
      if (!last) return null
      const next = Math.min(...rows.map((row) => Math.max(int(row, 'next_attempt_at'), int(row, 'lease_until'))))
      // Of those that were not read, none is due before the last that was.
      return rows.length < NEXT_DUE_READ ? next : Math.min(next, int(last, 'next_attempt_at'))
    },
    openAccounts: async (limit) =>
      idsOf(await db.all('SELECT DISTINCT account AS id FROM open_videos WHERE n > 0 LIMIT ?', limit)),
    async dueDeliveries(limit, after = { dueAtMs: -1, n: 0 }) {
      const nowMs = now()
      const rows = await db.all(DUE_DELIVERIES, nowMs, nowMs, after.dueAtMs, after.n, limit)
      return rows.map((row) => ({
        id: text(row, 'id'),
        client: text(row, 'client'),
        videoId: textOrNull(row, 'video_id'),
        target: targetFrom(row),
        place: { dueAtMs: int(row, 'next_attempt_at'), n: int(row, 'n') },
      }))
    },
  } satisfies Partial<Store>
}
