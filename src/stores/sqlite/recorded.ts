import { iso } from '../../core/time/clock.ts'
import {
  VERDICTS,
  type LossKind,
  type RecordedStore,
  type RefusalCount,
  type ShadowRecord,
} from '../../core/store/recorded.ts'
import { int, text, type Db, type Row } from './db.ts'
import { oneOf, videoFrom } from './rows.ts'

/**
 * `videos_recorded`: all videos of a backend in the order of their creation, whoever's they are.
 * `shadows`: what creates would have been elsewhere; each goes with its video.
 * `refusals`: creates that left no video, by day. Codes and fields are closed sets, so that a day has few rows.
 */
export const RECORDED = `
  CREATE INDEX videos_recorded ON videos (backend, created_at, id);
  CREATE TABLE shadows (
    video_id TEXT PRIMARY KEY REFERENCES videos (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    verdict TEXT NOT NULL,
    kinds TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX shadows_by_pair ON shadows (source, target, at, video_id);
  CREATE TABLE refusals (
    backend TEXT NOT NULL,
    day TEXT NOT NULL,
    code TEXT NOT NULL,
    field TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (backend, day, code, field)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX refusals_by_day ON refusals (day);
`

const dayOf = (ms: number): string => iso(ms).slice(0, 10)

const PUT_SHADOW = `INSERT INTO shadows (video_id, at, source, target, verdict, kinds)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM videos WHERE id = ?1) ON CONFLICT DO NOTHING`

export const putShadows = (db: Db, { shadows }: { shadows: readonly ShadowRecord[] }): void => {
  for (const { videoId, atMs, from, to, verdict, kinds } of shadows)
    db.run(PUT_SHADOW, videoId, atMs, from, to, verdict, JSON.stringify(kinds))
}

const COUNT_REFUSAL = `INSERT INTO refusals (backend, day, code, field, n) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET n = n + excluded.n`

export const countRefusals = (db: Db, { counts }: { counts: readonly RefusalCount[] }): void => {
  for (const { backend, day, code, field, count } of counts)
    db.run(COUNT_REFUSAL, backend, day, code, field ?? '', count)
}

const PURGE_REFUSALS = `DELETE FROM refusals WHERE (backend, day, code, field) IN (
  SELECT backend, day, code, field FROM refusals WHERE day < ? LIMIT ?)`

export const purgeRefusals = (db: Db, { beforeMs, limit }: { beforeMs: number; limit: number }): number =>
  db.run(PURGE_REFUSALS, dayOf(beforeMs), limit)

/** The index is pinned: the planner cannot know how many videos are of other backends. */
const OF_BACKEND = `SELECT data FROM videos INDEXED BY videos_recorded
  WHERE backend = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`
const SHADOWS = `SELECT * FROM shadows WHERE source = ? AND target = ? AND (at, video_id) > (?, ?)
  ORDER BY at, video_id LIMIT ?`
const REFUSALS = 'SELECT * FROM refusals WHERE backend = ? AND day >= ? ORDER BY day, code, field'

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

export const createRecordedReads = (db: Db) =>
  ({
    recorded: async (backend, sinceMs, after, limit) =>
      db.all(OF_BACKEND, backend, after?.atMs ?? sinceMs, after?.id ?? '', limit).map(videoFrom),
    shadows: async (from, to, sinceMs, after, limit) =>
      db.all(SHADOWS, from, to, after?.atMs ?? sinceMs, after?.id ?? '', limit).map(shadowFrom),
    refusals: async (backend, sinceMs) => db.all(REFUSALS, backend, dayOf(sinceMs)).map(refusalFrom),
  }) satisfies Partial<RecordedStore>
