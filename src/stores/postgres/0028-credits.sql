-- concurrently
-- What videos cost is counted from the indexes that their ends are counted from.
CREATE INDEX CONCURRENTLY videos_figures ON videos (status, ended_at, id, created_at, late_ms, backend, client, code, charged)
  WHERE phase = 'ended';
CREATE INDEX CONCURRENTLY videos_figures_of_client
  ON videos (client, status, ended_at, id, created_at, late_ms, backend, code, charged) WHERE phase = 'ended';
DROP INDEX CONCURRENTLY IF EXISTS videos_outcomes;
DROP INDEX CONCURRENTLY IF EXISTS videos_outcomes_of_client;
