import {
  type EndedVideo,
  type LossKind,
  MAX_COUNTED,
  type PauseState,
  type RecordedStore,
  type RefusalCount,
  type RoutingStore,
  type ShadowRecord,
  type SplitChange,
  type SplitState,
  VERDICTS,
} from '../../core/store/accounts.ts'
import type { AuditEntry } from '../../core/access.ts'
import { TERMINAL } from '../../core/vocabulary.ts'
import {
  type Db,
  forPostgres,
  int,
  intOrNull,
  inTurn,
  listOf,
  type Old,
  type Reader,
  type Row,
  text,
  textOrNull,
  oneOf,
  videoFrom,
} from './db.ts'
import { putAudit, putOwed } from './outbox.ts'
import { iso } from '../../core/time/clock.ts'

/**
 * Splits and pauses are in one table: what operators changed since the configuration was read, under keys that never
 * meet. `data` was written by `changeSplit` or `changePause` only.
 */
const operated = async (db: Reader, keys: readonly string[]): ReturnType<RoutingStore['operated']> => {
  const list = listOf(keys)
  const rows = await db.all(`SELECT data FROM splits WHERE key IN (${list.sql})`, ...list.values)
  const states = rows.map((row) => JSON.parse(text(row, 'data')) as SplitState | PauseState)
  return { splits: states.filter((state) => 'weight' in state), pauses: states.filter((state) => 'pauses' in state) }
}

const endedFrom = (row: Row): EndedVideo => ({
  id: text(row, 'id'),
  backend: text(row, 'backend'),
  rule: textOrNull(row, 'rule'),
  status: oneOf(TERMINAL, text(row, 'status'), 'status'),
  createdAtMs: int(row, 'created_at'),
  endedAtMs: int(row, 'ended_at'),
  credits: intOrNull(row, 'credits'),
  isWarned: int(row, 'warned') === 1,
})

const OF_SIDE = `phase = 'ended' AND rule IS NOT NULL AND rule = ?1 AND backend = ?2`
/** Out of the index only. */
const COUNT = `
  SELECT count(*) AS videos, count(*) FILTER (WHERE status = 'failed') AS failed FROM (
    SELECT status FROM videos INDEXED BY videos_of_rules
    WHERE ${OF_SIDE} AND ended_at > ?3 AND status IN ('completed', 'failed')
    ORDER BY ended_at DESC, id DESC LIMIT ${MAX_COUNTED}) AS latest`

const ENDED = `SELECT id, backend, status, created_at, ended_at, rule, charged AS credits, warned FROM videos`
const PAGE = `AND source <> 'import' ORDER BY ended_at DESC, id DESC`
const ENDED_OF_ALL = `${ENDED} INDEXED BY videos_ended
  WHERE phase = 'ended' AND ended_at > ?1 AND (ended_at, id) < (?2, ?3) ${PAGE} LIMIT ?4`
const ENDED_OF_SIDE = `${ENDED} INDEXED BY videos_of_rules
  WHERE ${OF_SIDE} AND ended_at > ?3 AND (ended_at, id) < (?4, ?5) ${PAGE} LIMIT ?6`

const NEWEST = { endedAtMs: Number.MAX_SAFE_INTEGER, id: '' }

/** Reads by index, as those of `reads.ts`. */
export const createRoutingReads = (db: Reader): Pick<RoutingStore, 'operated' | 'countOf' | 'ended'> => ({
  operated: async (keys) => await operated(db, keys),
  async countOf({ rule, backend }, sinceMs) {
    const row = (await db.get(COUNT, rule, backend, sinceMs)) ?? {}
    return { videos: int(row, 'videos'), failed: int(row, 'failed') }
  },
  async ended({ sinceMs, side, before, limit }) {
    const { endedAtMs, id } = before ?? NEWEST
    const rows = side
      ? await db.all(ENDED_OF_SIDE, side.rule, side.backend, sinceMs, endedAtMs, id, limit)
      : await db.all(ENDED_OF_ALL, sinceMs, endedAtMs, id, limit)
    return rows.map(endedFrom)
  },
})

const NEW_STATE = 'INSERT INTO splits (key, version, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
const STATE = 'UPDATE splits SET version = ?2, data = ?3 WHERE key = ?1 AND version = ?2 - 1'

/** False, and nothing is written: the version before is not the stored one. */
const changeState = async (db: Db, state: SplitState | PauseState, audit: AuditEntry): Promise<boolean> => {
  const put = state.version === 1 ? NEW_STATE : STATE
  if ((await db.run(put, state.key, state.version, JSON.stringify(state))) === 0) return false
  await putAudit(db, audit)
  return true
}

export const changeSplit = async (db: Db, { split, audit, events }: SplitChange): Promise<string[] | null> =>
  (await changeState(db, split, audit)) ? (await inTurn(events, (event) => putOwed(db, event, []))).flat() : null

export const changePause = (db: Db, { pause, audit }: { pause: PauseState; audit: AuditEntry }): Promise<boolean> =>
  changeState(db, pause, audit)

const dayOf = (ms: number): string => iso(ms).slice(0, 10)

const PUT_SHADOW = `INSERT INTO shadows (video_id, at, source, target, verdict, kinds)
  SELECT id, ?2, ?3, ?4, ?5, ?6 FROM videos WHERE id = ?1 ${forPostgres('FOR KEY SHARE')} ON CONFLICT DO NOTHING`

export const putShadows = async (db: Db, { shadows }: { shadows: readonly ShadowRecord[] }): Promise<void> => {
  for (const { videoId, atMs, from, to, verdict, kinds } of shadows)
    await db.run(PUT_SHADOW, videoId, atMs, from, to, verdict, JSON.stringify(kinds))
}

const COUNT_REFUSAL = `INSERT INTO refusals (backend, day, code, field, n) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (backend, day, code, field) DO UPDATE SET n = refusals.n + excluded.n`

export const countRefusals = async (db: Db, { counts }: { counts: readonly RefusalCount[] }): Promise<void> => {
  for (const { backend, day, code, field, count } of counts)
    await db.run(COUNT_REFUSAL, backend, day, code, field ?? '', count)
}

const PURGE_REFUSALS = `DELETE FROM refusals WHERE (backend, day, code, field) IN (
  SELECT backend, day, code, field FROM refusals WHERE day < ? LIMIT ?)`

export const purgeRefusals = async (db: Db, { beforeMs, limit }: Old): Promise<number> =>
  await db.run(PURGE_REFUSALS, dayOf(beforeMs), limit)

/** The index is pinned: the planner cannot know how many videos are of other backends. */
const OF_BACKEND = `SELECT data FROM videos INDEXED BY videos_recorded
  WHERE backend = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`
const SHADOWS = `SELECT video_id, at, source, target, verdict, kinds FROM shadows WHERE source = ? AND target = ? AND (at, video_id) > (?, ?)
  ORDER BY at, video_id LIMIT ?`
const REFUSALS = `SELECT backend, day, code, field, n FROM refusals
  WHERE backend = ? AND day >= ? ORDER BY day, code, field`

const shadowFrom = (row: Row): ShadowRecord => ({
  videoId: text(row, 'video_id'),
  atMs: int(row, 'at'),
  from: text(row, 'source'),
  to: text(row, 'target'),
  verdict: oneOf(VERDICTS, text(row, 'verdict'), 'verdict'),
  // Only `putShadows` writes them.
  kinds: JSON.parse(text(row, 'kinds')) as LossKind[],
})

const refusalFrom = (row: Row): RefusalCount => ({
  day: text(row, 'day'),
  backend: text(row, 'backend'),
  code: text(row, 'code'),
  field: text(row, 'field') || null,
  count: int(row, 'n'),
})

export const createRecordedReads = (db: Reader) =>
  ({
    recorded: async (backend, sinceMs, after, limit) =>
      (await db.all(OF_BACKEND, backend, after?.atMs ?? sinceMs, after?.id ?? '', limit)).map(videoFrom),
    shadows: async (from, to, sinceMs, after, limit) =>
      (await db.all(SHADOWS, from, to, after?.atMs ?? sinceMs, after?.id ?? '', limit)).map(shadowFrom),
    refusals: async (backend, sinceMs) => (await db.all(REFUSALS, backend, dayOf(sinceMs))).map(refusalFrom),
  }) satisfies Partial<RecordedStore>
