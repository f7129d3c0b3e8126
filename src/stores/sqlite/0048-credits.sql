-- What videos cost is counted from the indexes that their ends are counted from.
CREATE INDEX videos_figures ON videos (status, ended_at, id, created_at, late_ms, backend, client, code, charged)
  WHERE phase = 'ended';
CREATE INDEX videos_figures_of_client ON videos (client, status, ended_at, id, created_at, late_ms, backend, code, charged)
  WHERE phase = 'ended';
DROP INDEX videos_outcomes;
DROP INDEX videos_outcomes_of_client;
