import { HOUR, T0 } from '../fakes/records.ts'

/** What a month leaves in the tables beside videos, events and deliveries. */
export const SMALL_TABLES = (count: number): string[] => [
  `INSERT INTO shadows (video_id, at, source, target, verdict, kinds)
  SELECT id, created_at, 'main', 'alt', 'untouched', '[]' FROM videos WHERE backend = 'main' AND change % 50 = 0`,
  `INSERT INTO resends (event_id, client, line, n, place)
  SELECT id, client, 'events', (SELECT max(n) FROM events WHERE line = 'events') + row_number() OVER (ORDER BY id), (SELECT last FROM event_spans s WHERE s.client = e.client) + row_number() OVER (PARTITION BY client ORDER BY id)
  FROM events e WHERE type = 'video.failed' AND place % 100 = 0`,
  `UPDATE event_spans s SET last = greatest(last, (SELECT coalesce(max(place), 0) FROM resends r WHERE r.client = s.client))`,
  // An order of its own, a place that one in eight has, and one value of all.
  `INSERT INTO video_metadata (video_id, key, value, client, created_at)
  SELECT id, key, CASE key WHEN 'order' THEN 'order-' || change WHEN 'place' THEN 'place-' || change % 8 ELSE 'prod' END, client, created_at
  FROM videos CROSS JOIN unnest(ARRAY['order', 'place', 'env']) AS key`,
  `INSERT INTO replays (client, endpoint, types, since, until, only_failed, done)
  SELECT 'client_07', 'we_7_1', '["video.completed","video.failed"]', ${T0 - 48 * HOUR}, ${T0}, n % 2, 0 FROM generate_series(1, 4) AS n`,
  `INSERT INTO endpoint_backlogs (endpoint, client, due_at, free_at) VALUES ('we_5_2', 'client_05', 0, 0)`,
  `INSERT INTO audit (id, at, actor, action, subject, detail)
  SELECT 'aud_' || n, ${T0} - n * 600000, 'client_00', 'split.step', 'rule_' || n % 20, '{}' FROM generate_series(1::bigint, ${Math.ceil(count / 200)}) AS n ORDER BY n DESC`,
  `INSERT INTO api_keys (id, client, change, ended_at, data)
  SELECT 'key_' || n, 'client_' || n % 100, n, CASE WHEN n % 3 = 0 THEN ${T0} - n * 600000 END, '{"scopes":[]}' FROM generate_series(1::bigint, 10000) AS n`,
  `INSERT INTO api_clients (id, change, data) SELECT 'client_' || n, n, '{}' FROM generate_series(1::bigint, 1000) AS n`,
  `INSERT INTO sessions (id, client, key, created_at, seen_at, ends_at)
  SELECT 'session_' || n, 'client_' || n % 100, 'key_' || n, ${T0} - n * 60000, ${T0} - n * 30000, ${T0} + ${HOUR} - n * 20000 FROM generate_series(1::bigint, 2000) AS n`,
  `INSERT INTO splits (key, version, data) SELECT 'rule_' || n, 1, '{}' FROM generate_series(1, 20) AS n`,
  `INSERT INTO keyed (client, operation, key, fingerprint, account, backend, resource, done, token, lease_until, expires_at)
  SELECT 'client_' || lpad((n % 50)::text, 2, '0'), 'POST /puppets', md5(n::text)::uuid::text, md5(n::text), 'acct_main', 'main', 'pup_' || n,
    CASE WHEN n % 100 = 0 THEN 0 ELSE 1 END, md5(n::text), 0, ${T0} + n * 1000 FROM generate_series(1::bigint, ${Math.ceil(count / 100)}) AS n`,
  `INSERT INTO uploads (id, client, unsigned_url, created_at, data)
  SELECT 'upl_' || n, 'client_' || lpad((n % 50)::text, 2, '0'), 'https://cdn.example/' || n || '.wav', ${T0} - n * 60000, '{}'
  FROM generate_series(1::bigint, ${Math.ceil(count / 50)}) AS n`,
  `INSERT INTO puppets (account, id, data) SELECT 'acct_main', 'pup_' || n, '{}' FROM generate_series(1::bigint, ${Math.ceil(count / 200)}) AS n`,
  `INSERT INTO refusals (backend, day, code, field, n)
  SELECT b, to_char(to_timestamp(${T0} / 1000.0) - d * interval '1 day', 'YYYY-MM-DD'), 'invalid_request', 'field_' || f, 1
  FROM unnest(ARRAY['main', 'alt']) AS b, generate_series(0, 29) AS d, generate_series(1, 20) AS f`,
  `INSERT INTO samples (client, at, account, waiting, used, capacity)
  SELECT c, ${T0} - (20000 - n) * 60000, 'acct_' || a, n % 7, n % 10, 10
  FROM generate_series(1::bigint, 20000) AS n, unnest(ARRAY['main', 'alt']) AS a, unnest(ARRAY['', 'client_00']) AS c
  ORDER BY n`,
  `INSERT INTO requests (client, month, n) SELECT DISTINCT client, month, 1000 FROM months`,
  `INSERT INTO webhook_secrets (keeper, value, expires_at)
  SELECT 'endpoint:' || id, 'sealed', CASE n WHEN 1 THEN ${T0} - 1000 END FROM endpoints, generate_series(1, 2) AS n`,
  `INSERT INTO budgets (account, data) SELECT DISTINCT account, '{}' FROM changes WHERE false`,
  `INSERT INTO leases (kind, id, token, until) SELECT 'account', account, 'token', ${T0} + 45000 FROM changes WHERE account <> 'events'`,
  `INSERT INTO meta (key, value) VALUES ('webhook_events_dropped', '3'), ('events_gone_at', '${T0 - 31 * 24 * HOUR}')`,
  // As many older jobs as an account may have.
  `INSERT INTO history (account, id, created_at, place, status, data)
  SELECT 'acct_alt', 'old_' || n, ${T0} - 60 * ${24 * HOUR}::bigint + n * 60000, '5', CASE WHEN n % 9 = 0 THEN 'failed' ELSE 'completed' END,
    (SELECT data FROM videos LIMIT 1) FROM generate_series(1, 10000) AS n`,
  `INSERT INTO history_walks (account, data) VALUES ('acct_alt', '{"page":1,"seenMs":0,"thenMs":0}')`,
  `INSERT INTO durations (source, recent) VALUES ('main/text', '[1,2,3]')`,
]
