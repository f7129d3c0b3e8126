/**
 * What statements search by is a column of its own, in place of a part of `data`: every engine finds it in the same words.
 */
export const COLUMNS = `
  ALTER TABLE videos ADD COLUMN sent_at INTEGER;
  ALTER TABLE videos ADD COLUMN second_job_at INTEGER;
  ALTER TABLE videos ADD COLUMN rule TEXT;
  ALTER TABLE videos ADD COLUMN charged REAL;
  ALTER TABLE videos ADD COLUMN warned INTEGER NOT NULL DEFAULT 0;
  UPDATE videos SET sent_at = data ->> 'dispatchedAtMs', second_job_at = data ->> 'secondJobAtMs',
    rule = data ->> '$.routing.rule', charged = data ->> '$.credits.charged',
    warned = coalesce(json_array_length(data, '$.warnings'), 0) > 0;
  DROP INDEX IF EXISTS videos_sent;
  DROP INDEX IF EXISTS videos_second_jobs;
  DROP INDEX IF EXISTS videos_of_rules;
  CREATE INDEX videos_sent ON videos (account, lane, sent_at) WHERE lane IS NOT NULL AND sent_at IS NOT NULL;
  CREATE INDEX videos_second_jobs ON videos (account, second_job_at) WHERE second_job_at IS NOT NULL;
  CREATE INDEX videos_of_rules ON videos (rule, backend, ended_at, id, status)
    WHERE phase = 'ended' AND rule IS NOT NULL;
`
