import type { Client } from 'pg'
import { DEFAULT_EVENT_TYPES, STATUSES } from '../../src/core/vocabulary.ts'
import { ended, HOUR, SECOND, T0 } from '../fakes/records.ts'
import { SMALL_TABLES } from './history-small.ts'

/** What a gateway has after a month, made by the database itself: statements that fill an empty schema. */

export const CLIENTS = 50
const DAYS = 30
const SAMPLED = 100_000
const SPAN_MS = DAYS * 24 * HOUR

/** A number from 0 to 1 of `n`, spread evenly. Other factors give other ones. */
const spread = (n: string, factor: number): string => `((${n}::bigint * ${factor}) % 1000003 / 1000003.0)`

/** The columns that a record has of its row; the last of two equal keys counts. */
const FROM_ROW = `'"id":"' || id || '","client":"' || client || '","account":"' || account || '","backend":"' || backend
  || '","phase":"' || phase || '","status":"' || status || '","version":' || version || ',"backendJobId":'
  || coalesce('"' || job_id || '"', 'null') || ',"dueAtMs":' || coalesce(due_at::text, 'null') || ',"endedAtMs":'
  || coalesce(ended_at::text, 'null') || ',"lane":' || coalesce('"' || lane || '"', 'null') || ',"createdAtMs":'
  || created_at || ',"sequence":2}'`
const RECORD = JSON.stringify(ended()).slice(0, -1)

/** Most videos are over; the newest are open. Their clients and accounts are of very different sizes. */
const videos = (count: number): string => {
  const open = Math.min(5_000, Math.round(count / 20))
  return `
  INSERT INTO videos (id, client, account, backend, phase, status, version, due_at, lease_until, created_at, ended_at, data,
    lane, job_id, accepted_at, has_webhook, source, link_owed, change, sent_at, second_job_at, rule, charged, warned, late_ms, low_until, input_hash, code)
  SELECT id, client, account, backend, phase, status, version, due_at,
    CASE WHEN phase = 'dispatching' THEN due_at END, created_at, ended_at, '${RECORD},' || ${FROM_ROW},
    lane, job_id, CASE WHEN job_id IS NOT NULL THEN created_at + 6000 END, n % 2, CASE WHEN n % 500 = 0 THEN 'import' ELSE 'text' END,
    CASE WHEN phase = 'accepted' AND n % 40 = 0 THEN 1 ELSE 0 END, n, CASE WHEN phase <> 'waiting' THEN created_at + 5000 END,
    CASE WHEN phase = 'accepted' AND n % 100 = 0 THEN ${T0} - 1000 END, rule, CASE WHEN phase = 'ended' THEN 1 END,
    CASE WHEN n % 300 = 0 THEN 1 ELSE 0 END, CASE WHEN phase = 'ended' THEN n % 5000 END,
    CASE WHEN n % 4 = 0 THEN created_at + 3600000 ELSE 0 END, md5(n::text),
    CASE WHEN status = 'failed' THEN 'code_' || n % 7 END
  FROM (
    SELECT *, CASE phase WHEN 'ended' THEN created_at + 60000 + n % 500 * 1000 END AS ended_at,
      CASE phase WHEN 'ended' THEN NULL WHEN 'waiting' THEN CASE WHEN n % 10 = 0 THEN NULL ELSE created_at END
        ELSE ${T0} + n % 60 * 1000 END AS due_at,
      CASE WHEN phase IN ('ended', 'accepted') THEN 'job_' || lpad(n::text, 22, '0') END AS job_id,
      CASE WHEN backend = 'alt' THEN 'lane_' || n % 997 END AS lane,
      CASE phase WHEN 'accepted' THEN 'processing' WHEN 'ended' THEN
        CASE WHEN by_status < 0.9 THEN 'completed' WHEN by_status < 0.97 THEN 'failed' ELSE 'canceled' END
        ELSE 'queued' END AS status
    FROM (
      SELECT n, 'vid_' || lpad(n::text, 26, '0') AS id, 5 AS version, ${spread('n', 7_368_787)} AS by_status,
        'client_' || lpad(floor(${CLIENTS} * power(${spread('n', 4_256_249)}, 2))::text, 2, '0') AS client,
        'acct_' || CASE WHEN by_account < 0.55 THEN 'main' WHEN by_account < 0.8 THEN 'alt' WHEN by_account < 0.95 THEN 'main2' ELSE 'alt2' END AS account,
        CASE WHEN by_account >= 0.55 AND by_account < 0.8 OR by_account >= 0.95 THEN 'alt' ELSE 'main' END AS backend,
        CASE WHEN n % 10 < 3 THEN 'rule_a' WHEN n % 10 < 4 THEN 'rule_b' END AS rule,
        CASE WHEN n <= ${count - open} THEN 'ended' WHEN n % 20 < 12 THEN 'waiting' WHEN n % 20 < 18 THEN 'accepted'
          WHEN n % 20 < 19 THEN 'doubtful' ELSE 'dispatching' END AS phase,
        ${T0} - (${count} - n) * ${SPAN_MS} / ${count} AS created_at
      FROM (SELECT n, ${spread('n', 5_915_587)} AS by_account FROM generate_series(1::bigint, ${count}) AS n) AS drawn) AS made) AS grown
  ORDER BY n`
}

/** Two of each video, and some of none. */
const events = (count: number): string[] => [
  `INSERT INTO events (line, n, id, video_id, client, place, type, sequence, at, body)
  SELECT account, change, 'evt_' || substr(id, 6) || sequence, id, client, row_number() OVER (PARTITION BY client ORDER BY at, id, sequence),
    type, sequence, at, '{"type":"' || type || '","data":{"id":"' || id || '","status":"' || status || '","client":"' || client || '","text":"${'Hello there, dear all. '.repeat(8)}"}}'
  FROM (
    SELECT id, client, account, change, status, sequence, CASE sequence WHEN 1 THEN 'video.queued' ELSE CASE WHEN phase = 'ended' THEN 'video.' || status ELSE 'video.processing' END END AS type,
      CASE sequence WHEN 1 THEN created_at ELSE coalesce(ended_at, created_at + 6000) END AS at
    FROM videos CROSS JOIN generate_series(1, 2) AS sequence) AS told
  ORDER BY at`,
  `INSERT INTO event_spans (client, last, gone) SELECT client, max(place), 0 FROM events GROUP BY client`,
  `INSERT INTO events (line, n, id, video_id, client, place, type, sequence, at, body)
  SELECT 'events', n, 'evt_none_' || n, NULL, s.client, s.last + (n + ${CLIENTS - 1}) / ${CLIENTS}, 'routing.stopped', 0, ${T0} - n * 60000, '{}'
  FROM (SELECT client, last, row_number() OVER (ORDER BY client) AS rank FROM event_spans) AS s
    JOIN generate_series(1::bigint, ${Math.ceil(count / 500)}) AS n ON n % ${CLIENTS} = s.rank - 1`,
  `UPDATE event_spans s SET last = told.last FROM (SELECT client, max(place) AS last FROM events GROUP BY client) AS told
  WHERE told.client = s.client`,
]

const ENDPOINTS = `
  INSERT INTO endpoints (id, client, url, events, disabled_reason, disabled_at, failures, created_at, updated_at)
  SELECT 'we_' || c || '_' || e, 'client_' || lpad(c::text, 2, '0'), 'https://hooks.example/' || c || '/' || e,
    '${JSON.stringify(DEFAULT_EVENT_TYPES)}', CASE WHEN e = 2 AND c % 5 = 0 THEN 'failing' END,
    CASE WHEN e = 2 AND c % 5 = 0 THEN ${T0} - 86400000 END, 0, ${T0 - SPAN_MS}, ${T0 - SPAN_MS}
  FROM generate_series(0, ${CLIENTS - 1}) AS c CROSS JOIN generate_series(1, 2) AS e`

/** Of the second event of each video, one or two. The newest are due, and some failed or wait for a disabled endpoint. */
const deliveries = (count: number): string[] => {
  const fresh = Math.min(6_000, Math.round(count / 20))
  return [
    `INSERT INTO deliveries (id, event_id, client, video_id, sequence, target_kind, target, url, status, attempts, tried,
      next_attempt_at, lease_token, lease_until, event_at, settled_at, took_ms, answer)
    SELECT 'dlv_' || substr(md5(id || kind), 1, 26), id, client, video_id, sequence, kind, target, url, status,
      CASE WHEN status = 'held' OR (status = 'pending' AND n % 2 = 0) THEN 0 ELSE tries END,
      CASE WHEN status = 'held' OR (status = 'pending' AND n % 2 = 0) THEN 0 ELSE tries END,
      CASE status WHEN 'pending' THEN ${T0} + (n % 200 - 100) * ${10 * SECOND} END,
      CASE WHEN status = 'pending' AND n % 10 = 1 THEN md5(id)::uuid::text END,
      CASE WHEN status = 'pending' AND n % 10 = 1 THEN ${T0 + 20 * SECOND} END, at,
      CASE WHEN status IN ('delivered', 'failed') THEN at + tries * 1000 END, 40 + tries,
      CASE status WHEN 'delivered' THEN 200 WHEN 'failed' THEN 503 END
    FROM (
      SELECT e.id, e.client, e.video_id, e.sequence, e.at, n,
        CASE kind WHEN 1 THEN 'endpoint' ELSE 'video' END AS kind,
        CASE kind WHEN 1 THEN p.id ELSE 'https://hooks.example/own/' || e.client END AS target,
        CASE kind WHEN 1 THEN p.url ELSE 'https://hooks.example/own/' || e.client END AS url,
        CASE WHEN n > ${count - fresh} THEN CASE WHEN kind = 1 AND p.disabled_at IS NOT NULL THEN 'held' ELSE 'pending' END
          WHEN n % 211 = 0 OR p.disabled_at IS NOT NULL AND n % 31 = 0 THEN 'failed' ELSE 'delivered' END AS status,
        CASE WHEN by_tries < 0.45 THEN 2 WHEN by_tries < 0.9 THEN 3 WHEN by_tries < 0.999 THEN 10 ELSE 100 END AS tries
      FROM (SELECT id, client, video_id, sequence, at, substr(video_id, 5)::bigint AS n, ${spread('substr(video_id, 5)', 6_619_111)} AS by_tries FROM events WHERE sequence = 2) AS e
        JOIN endpoints p ON p.id = 'we_' || substr(e.client, 8)::int || '_' || CASE WHEN n % 8 = 0 THEN 2 ELSE 1 END
        JOIN generate_series(1, 2) AS kind ON kind = 1 OR n % 2 = 0) AS owed
    ORDER BY at`,
    `INSERT INTO attempts (delivery, at, duration_ms, status, error, response_body, next_attempt_at, lease)
    SELECT d.n, d.event_at + i * 1000, 40 + i, CASE WHEN i = d.attempts AND d.status = 'delivered' THEN 200 ELSE 503 END, NULL,
      CASE WHEN i > d.attempts - 3 THEN 'ok' END, NULL, lpad(d.n::text, 32, '0') || lpad(i::text, 4, '0')
    FROM deliveries d CROSS JOIN generate_series(1, d.attempts) AS i ORDER BY d.n, i`,
    `UPDATE endpoints p SET held = d.held FROM (
      SELECT target, count(*) AS held FROM deliveries WHERE target_kind = 'endpoint' AND status = 'held' GROUP BY target) AS d
    WHERE d.target = p.id`,
  ]
}

const OF_VIDEOS = [
  `INSERT INTO timeline (video_id, at, type, detail)
  SELECT id, created_at + step * 2000, (ARRAY['queued', 'sent', 'accepted'])[step], CASE step WHEN 3 THEN job_id END
  FROM videos CROSS JOIN generate_series(1, 3) AS step ORDER BY created_at, step`,
  `INSERT INTO idempotency (client, operation, key, fingerprint, video_id)
  SELECT client, 'POST /videos', md5(id)::uuid::text, md5(client || id), id FROM videos WHERE change % 2 = 0`,
  `INSERT INTO months (client, month, status, videos, credits, unpriced)
  SELECT client, to_char(to_timestamp(created_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM'), status, count(*), coalesce(sum(charged), 0),
    count(*) FILTER (WHERE status IN ('queued', 'processing') AND source <> 'import' AND charged IS NULL)
  FROM videos GROUP BY 1, 2, 3`,
  `INSERT INTO backend_months (month, client, backend, queued, processing, completed, failed, canceled, credits)
  SELECT to_char(to_timestamp(created_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM'), client, backend,
    ${STATUSES.map((status) => `count(*) FILTER (WHERE status = '${status}')`).join(', ')}, coalesce(sum(charged), 0)
  FROM videos GROUP BY 1, 2, 3`,
  `INSERT INTO open_videos (account, backend, phase, n)
  SELECT account, backend, phase, count(*) FROM videos WHERE phase <> 'ended' GROUP BY 1, 2, 3`,
  `INSERT INTO turns (account, client, turn, waiting, first)
  SELECT account, client, row_number() OVER (PARTITION BY account ORDER BY client),
    count(*) FILTER (WHERE phase = 'waiting'), min(id) FILTER (WHERE phase = 'waiting') FROM videos GROUP BY 1, 2`,
  `INSERT INTO changes (account, n) SELECT account, max(change) FROM videos GROUP BY account
  UNION ALL SELECT 'events', max(n) FROM events WHERE line = 'events'`,
]

/** Seconds at full size: the indexes are made when the tables are full. */
export const fillHistory = async (client: Client, schema: string, count: number): Promise<void> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = $1
     AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
    [schema],
  )
  const steps = [
    `SET search_path = ${schema}`,
    `SET maintenance_work_mem = '256MB'; SET work_mem = '256MB'`,
    'BEGIN',
    // Neither the triggers that count nor the checks of foreign keys.
    'SET LOCAL session_replication_role = replica',
    ...rows.map(({ name }) => `DROP INDEX ${name}`),
    videos(count),
    ...events(count),
    ENDPOINTS,
    ...deliveries(count),
    ...OF_VIDEOS,
    ...SMALL_TABLES(count),
    ...rows.map(({ definition }) => definition),
    'COMMIT',
    'RESET work_mem; RESET maintenance_work_mem',
    // Of a small history all rows, so that the planner knows the same each time; of a big one a sample, as in life.
    ...(count > SAMPLED ? [] : ['SET default_statistics_target = 1000']),
    'VACUUM (ANALYZE)',
  ]
  for (const sql of steps) await client.query(sql)
}
