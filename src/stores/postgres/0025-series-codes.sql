-- fill
-- NUL and halves of pairs, wherever they are, are no JSON for "->": they are left out. An escaped backslash stays.
WITH part AS (SELECT id FROM videos WHERE id > $1 ORDER BY id LIMIT 1000),
  done AS (
    UPDATE videos v
    SET code = regexp_replace(v.data, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'gi')::json -> 'error' ->> 'code'
    FROM part p
    WHERE v.id = p.id AND v.status = 'failed' AND v.code IS NULL)
SELECT max(id) AS last FROM part
