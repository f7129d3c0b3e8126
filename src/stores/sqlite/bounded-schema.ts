const OLD_ATTEMPTS = (kept: number): string => `
  SELECT id FROM (
    SELECT rowid AS id, row_number() OVER (PARTITION BY delivery ORDER BY rowid DESC) AS age FROM attempts
    WHERE delivery IN (SELECT n FROM deliveries WHERE attempts > ${kept})) WHERE age > ${kept}`

/**
 * Keeps the cost of lists, writes and rows independent of how much is stored. Each set of filters of a list has an
 * index in the order of that list: a page reads no more rows than it answers. Indexes of endpoints begin with the
 * client, so that another client's endpoint is found as little as an unknown one. `endpoint_backlogs`: what changes of
 * endpoints left to do (`free_at`: when the next held event may go). A delivery knows when its event happened, so that
 * a replay finds its deliveries by time. Old attempts and answers are removed down to what is kept from now on: 100
 * attempts, 5 answers.
 */
export const BOUNDED = `
  DROP INDEX videos_by_client;
  DROP INDEX videos_by_status;
  CREATE INDEX videos_by_client ON videos (client, created_at, id);
  CREATE INDEX videos_by_status ON videos (client, status, created_at, id);
  CREATE INDEX videos_by_backend ON videos (client, backend, created_at, id);
  CREATE INDEX videos_by_both ON videos (client, backend, status, created_at, id);

  DROP INDEX deliveries_by_status;
  DROP INDEX deliveries_by_endpoint;
  DROP INDEX deliveries_of_endpoint;
  DROP INDEX deliveries_by_video;
  CREATE INDEX deliveries_by_status ON deliveries (client, status, n);
  CREATE INDEX deliveries_by_endpoint ON deliveries (client, target, n) WHERE target_kind = 'endpoint';
  CREATE INDEX deliveries_of_endpoint ON deliveries (client, target, status, n) WHERE target_kind = 'endpoint';
  CREATE INDEX deliveries_by_video ON deliveries (video_id, n);
  CREATE INDEX deliveries_untried ON deliveries (video_id, target, sequence) WHERE status = 'pending' AND attempts = 0;

  CREATE TABLE endpoint_backlogs (
    endpoint TEXT PRIMARY KEY,
    client TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    free_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX endpoint_backlogs_due ON endpoint_backlogs (due_at);
  ALTER TABLE deliveries ADD COLUMN event_at INTEGER NOT NULL DEFAULT 0;
  UPDATE deliveries SET event_at = e.at FROM events e WHERE e.id = deliveries.event_id;
  CREATE INDEX deliveries_failed ON deliveries (client, target, event_at, n) WHERE target_kind = 'endpoint' AND status = 'failed';
  CREATE INDEX deliveries_leased ON deliveries (target) WHERE lease_until IS NOT NULL;
  UPDATE replays SET since = e.at FROM events e
    WHERE only_failed = 0 AND done > 0 AND e.client = replays.client AND e.place = replays.done;
  DELETE FROM attempts WHERE rowid IN (${OLD_ATTEMPTS(100)});
  UPDATE attempts SET response_body = NULL WHERE response_body IS NOT NULL AND rowid IN (${OLD_ATTEMPTS(5)});
`
