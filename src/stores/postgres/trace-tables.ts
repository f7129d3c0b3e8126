/**
 * As src/stores/sqlite/trace-schema.ts. Of an older video with a character that PostgreSQL cannot read out of JSON (NUL, half
 * a pair) nothing is read: its webhooks begin a trace of their own.
 */
export const TRACES = `
  ALTER TABLE videos ADD COLUMN trace TEXT COLLATE "C";
  UPDATE videos v SET trace = t.trace
    FROM (SELECT id, CASE WHEN data ~* '\\\\u(0000|d[89a-f])' THEN NULL ELSE data::json ->> 'trace' END AS trace FROM videos) AS t
    WHERE t.id = v.id AND t.trace IS NOT NULL;
`
