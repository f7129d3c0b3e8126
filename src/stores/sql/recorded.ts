import { iso } from '../../core/time/clock.ts'
import {
  VERDICTS,
  type LossKind,
  type RecordedStore,
  type RefusalCount,
  type ShadowRecord,
} from '../../core/store/recorded.ts'
import { forPostgres, int, text, type Db, type Reader, type Row } from './db.ts'
import { oneOf, videoFrom } from './rows.ts'

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

export const purgeRefusals = async (
  db: Db,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> => await db.run(PURGE_REFUSALS, dayOf(beforeMs), limit)

/** The index is pinned: the planner cannot know how many videos are of other backends. */
const OF_BACKEND = `SELECT data FROM videos INDEXED BY videos_recorded
  WHERE backend = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`
const SHADOWS = `SELECT video_id, at, source, target, verdict, kinds FROM shadows WHERE source = ? AND target = ? AND (at, video_id) > (?, ?)
  ORDER BY at, video_id LIMIT ?`
const REFUSALS = `SELECT backend, day, code, field, n FROM refusals
  WHERE backend = ? AND day >= ? ORDER BY day, code, field`

/** Only `putShadows` writes `kinds`. */
const kindsFrom = (json: string): LossKind[] => JSON.parse(json) as LossKind[]

const shadowFrom = (row: Row): ShadowRecord => ({
  videoId: text(row, 'video_id'),
  atMs: int(row, 'at'),
  from: text(row, 'source'),
  to: text(row, 'target'),
  verdict: oneOf(VERDICTS, text(row, 'verdict'), 'verdict'),
  kinds: kindsFrom(text(row, 'kinds')),
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
