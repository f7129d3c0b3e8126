-- concurrently
CREATE INDEX CONCURRENTLY videos_outcomes ON videos (status, ended_at, id, created_at, late_ms, backend, client, code)
  WHERE phase = 'ended';
CREATE INDEX CONCURRENTLY videos_outcomes_of_client ON videos (client, status, ended_at, id, created_at, late_ms, backend, code)
  WHERE phase = 'ended';
CREATE INDEX CONCURRENTLY deliveries_settled ON deliveries (status, settled_at, took_ms, client) WHERE settled_at IS NOT NULL;
CREATE INDEX CONCURRENTLY deliveries_settled_of_client
  ON deliveries (client, status, settled_at, took_ms, target_kind, target) WHERE settled_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS videos_ends;
DROP INDEX CONCURRENTLY IF EXISTS videos_ends_of_client;
