-- fill
WITH part AS (SELECT id FROM deliveries WHERE id > $1 ORDER BY id LIMIT 1000),
  done AS (
    UPDATE deliveries d SET settled_at = a.at, took_ms = a.duration_ms, answer = a.status
    FROM part p JOIN deliveries o ON o.id = p.id CROSS JOIN LATERAL (
      SELECT at, duration_ms, status FROM attempts WHERE delivery = o.n ORDER BY rowid DESC LIMIT 1) AS a
    WHERE d.n = o.n AND d.status IN ('delivered', 'failed') AND d.settled_at IS NULL)
SELECT max(id) AS last FROM part
