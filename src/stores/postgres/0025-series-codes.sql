-- fill
WITH part AS (SELECT id FROM videos WHERE id > $1 ORDER BY id LIMIT 1000),
  done AS (
    UPDATE videos v SET code = v.data::json -> 'error' ->> 'code' FROM part p
    WHERE v.id = p.id AND v.status = 'failed' AND v.code IS NULL)
SELECT max(id) AS last FROM part
