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
