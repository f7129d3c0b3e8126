-- What figures over time are counted from, by indexes that hold all of it.
-- videos "code": of its error. deliveries "settled_at": when it was last tried before it was delivered or given up (or when
-- it was given up untried), "took_ms", "answer": how long its last attempt took, and the HTTP status of the answer.
-- "samples": what leaves no trace: once in a busy minute, of each account ("client" is empty) and of the clients that wait
-- most: how many videos wait, and how much of its window of requests ("capacity") is used.
ALTER TABLE videos ADD COLUMN code TEXT;
UPDATE videos SET code = json_extract(data, '$.error.code') WHERE status = 'failed';
CREATE INDEX videos_outcomes ON videos (status, ended_at, id, created_at, late_ms, backend, client, code) WHERE phase = 'ended';
CREATE INDEX videos_outcomes_of_client ON videos (client, status, ended_at, id, created_at, late_ms, backend, code) WHERE phase = 'ended';
DROP INDEX videos_ends;
DROP INDEX videos_ends_of_client;

ALTER TABLE deliveries ADD COLUMN settled_at INTEGER;
ALTER TABLE deliveries ADD COLUMN took_ms INTEGER;
ALTER TABLE deliveries ADD COLUMN answer INTEGER;
UPDATE deliveries SET (settled_at, took_ms, answer) = (
  SELECT at, duration_ms, status FROM attempts WHERE delivery = deliveries.n ORDER BY rowid DESC LIMIT 1)
WHERE status IN ('delivered', 'failed');
CREATE INDEX deliveries_settled ON deliveries (status, settled_at, took_ms, client) WHERE settled_at IS NOT NULL;
CREATE INDEX deliveries_settled_of_client ON deliveries (client, status, settled_at, took_ms, target_kind, target)
  WHERE settled_at IS NOT NULL;

CREATE TABLE samples (
  n INTEGER PRIMARY KEY,
  client TEXT NOT NULL,
  at INTEGER NOT NULL,
  account TEXT NOT NULL,
  waiting INTEGER NOT NULL,
  used INTEGER NOT NULL,
  capacity INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX samples_of_one ON samples (client, at, account);
CREATE INDEX samples_of_clients ON samples (at, client, account, waiting) WHERE client <> '';
