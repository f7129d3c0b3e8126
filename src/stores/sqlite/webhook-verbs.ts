import { MAX_ENDPOINTS, MAX_REPLAYED, MAX_SECRETS, RELEASE_GAP_MS, type EndpointRecord } from '../../core/endpoints.ts'
import type { EndpointPatch, NewEndpoint, Replay, ReplayTaken, SecretKeeper } from '../../core/webhook-store.ts'
import { int, text, type Db, type Row } from './db.ts'
import { disable, owe, subscribers, tellAgain } from './outbox.ts'
import { endpointFrom, eventFrom, targetFrom, targetKey } from './rows.ts'

const HELD_OF = `(SELECT count(*) FROM deliveries d
  WHERE d.target = p.id AND d.target_kind = 'endpoint' AND d.status <> 'delivered' AND d.status = 'held') AS held`
export const ENDPOINT = `SELECT p.*, ${HELD_OF} FROM endpoints p`

export const findEndpoint = (db: Db, client: string, id: string): EndpointRecord | null => {
  const row = db.get(`${ENDPOINT} WHERE p.id = ? AND p.client = ?`, id, client)
  return row ? endpointFrom(row) : null
}

const keeperKey = ({ kind, id }: SecretKeeper): string => `${kind}:${id}`

const putSecret = (db: Db, keeper: SecretKeeper, value: string): void =>
  void db.run('INSERT INTO webhook_secrets (keeper, value) VALUES (?, ?)', keeperKey(keeper), value)

export const liveSecrets = (db: Db, keeper: SecretKeeper, nowMs: number): string[] =>
  db
    .all(
      `SELECT value FROM webhook_secrets WHERE keeper = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY n DESC LIMIT ${MAX_SECRETS}`,
      keeperKey(keeper),
      nowMs,
    )
    .map((row) => text(row, 'value'))

/** A secret of an endpoint that was deleted meanwhile would be kept for ever. */
const isKept = (db: Db, { kind, id }: SecretKeeper): boolean =>
  kind === 'client' || db.get('SELECT 1 FROM endpoints WHERE id = ?', id) !== undefined

export const secrets = (
  db: Db,
  { keeper, candidate, nowMs }: { keeper: SecretKeeper; candidate: string; nowMs: number },
): string[] => {
  const live = liveSecrets(db, keeper, nowMs)
  if (live.length > 0 || !isKept(db, keeper)) return live
  putSecret(db, keeper, candidate)
  return [candidate]
}

export const rotateSecret = (
  db: Db,
  { keeper, secret, oldUntilMs }: { keeper: SecretKeeper; secret: string; oldUntilMs: number },
): boolean => {
  if (!isKept(db, keeper)) return false
  db.run(
    'UPDATE webhook_secrets SET expires_at = min(coalesce(expires_at, ?2), ?2) WHERE keeper = ?1',
    keeperKey(keeper),
    oldUntilMs,
  )
  putSecret(db, keeper, secret)
  return true
}

export const createEndpoint = (
  db: Db,
  { endpoint, nowMs }: { endpoint: NewEndpoint; nowMs: number },
): EndpointRecord | null => {
  const { id, client, url, events, description, enabled, secret } = endpoint
  const own = int(db.get('SELECT count(*) AS n FROM endpoints WHERE client = ?', client) ?? {}, 'n')
  if (own >= MAX_ENDPOINTS) return null
  db.run(
    `INSERT INTO endpoints (id, client, url, events, description, disabled_reason, disabled_at, failures, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
    id,
    client,
    url,
    JSON.stringify(events),
    description,
    enabled ? null : 'client',
    enabled ? null : nowMs,
    nowMs,
    nowMs,
  )
  putSecret(db, { kind: 'endpoint', id }, secret)
  return findEndpoint(db, client, id)
}

/**
 * Held events go one after the other: a receiver that just came back is not met by all of them at once. They go later
 * than they happened, but no attempt of before is void.
 */
const RELEASE = `
  UPDATE deliveries SET status = 'pending', tried = 0, next_attempt_at = ?2 + r.rank * ${RELEASE_GAP_MS},
    asked_at = coalesce(asked_at, 0)
  FROM (SELECT n, row_number() OVER (ORDER BY n) - 1 AS rank FROM deliveries
        WHERE target = ?1 AND target_kind = 'endpoint' AND status <> 'delivered' AND status = 'held') AS r
  WHERE r.n = deliveries.n`

/**
 * At another URL is another receiver: the failures were not its own, and what is under way to the old one is due to it at
 * once, unless it is taken there.
 */
const move = (db: Db, id: string): void => {
  db.run('UPDATE endpoints SET failures = 0, failing_since = NULL WHERE id = ?', id)
  db.run(
    `UPDATE deliveries SET lease_token = NULL, lease_until = NULL
     WHERE target = ? AND target_kind = 'endpoint' AND status <> 'delivered' AND status = 'pending' AND lease_token IS NOT NULL`,
    id,
  )
}

interface ChangeArgs {
  client: string
  id: string
  patch: EndpointPatch
  nowMs: number
}

export const changeEndpoint = (db: Db, { client, id, patch, nowMs }: ChangeArgs): EndpointRecord | null => {
  const before = findEndpoint(db, client, id)
  if (!before) return null
  const { url = before.url, events = before.events, description = before.description } = patch
  db.run(
    'UPDATE endpoints SET url = ?, events = ?, description = ?, updated_at = ? WHERE id = ?',
    url,
    JSON.stringify(events),
    description,
    nowMs,
    id,
  )
  if (url !== before.url) move(db, id)
  if (patch.enabled === false) disable(db, id, 'client', nowMs)
  if (patch.enabled === true && before.disabled) {
    db.run(
      'UPDATE endpoints SET disabled_reason = NULL, disabled_at = NULL, failures = 0, failing_since = NULL WHERE id = ?',
      id,
    )
    db.run(RELEASE, id, nowMs)
  }
  return findEndpoint(db, client, id)
}

export const deleteEndpoint = (db: Db, { client, id }: { client: string; id: string }): boolean => {
  if (db.run('DELETE FROM endpoints WHERE id = ? AND client = ?', id, client) === 0) return false
  db.run('DELETE FROM webhook_secrets WHERE keeper = ?', keeperKey({ kind: 'endpoint', id }))
  for (const status of ['pending', 'held']) {
    db.run(
      `UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, lease_token = NULL, lease_until = NULL
       WHERE target = ? AND target_kind = 'endpoint' AND status <> 'delivered' AND status = ?`,
      id,
      status,
    )
  }
  return true
}

const COLUMNS = 'e.id AS event_id, e.type, e.client, e.video_id, e.sequence, e.at, e.body'

export const redeliver = (
  db: Db,
  { client, eventId, nowMs }: { client: string; eventId: string; nowMs: number },
): string[] | null => {
  const row = db.get(`SELECT ${COLUMNS} FROM events e WHERE e.id = ? AND e.client = ?`, eventId, client)
  if (!row) return null
  const event = eventFrom(row)
  const owed = db
    .all(
      `SELECT d.target_kind, d.target, coalesce(p.url, d.url) AS url FROM deliveries d
       LEFT JOIN endpoints p ON d.target_kind = 'endpoint' AND p.id = d.target
       WHERE d.event_id = ? AND (d.target_kind = 'video' OR (p.id IS NOT NULL AND p.disabled_at IS NULL)) ORDER BY d.n`,
      eventId,
    )
    .map(targetFrom)
  const known = new Set(owed.map(targetKey))
  const wanting =
    event.type === 'endpoint.disabled'
      ? []
      : subscribers(db, client, event.type).filter(({ id, isEnabled }) => isEnabled && !known.has(id))
  tellAgain(db, event)
  const targets = [...owed, ...wanting.map(({ id, url }) => ({ kind: 'endpoint', id, url }) as const)]
  return targets.map((target) => owe(db, event, target, 'pending', nowMs))
}

/** Both walk on from a place that only rises, so that no event is met twice in one replay. */
const OF_TYPES = `FROM events e WHERE e.client = ?1 AND e.type IN (SELECT value FROM json_each(?2)) AND e.at >= ?3
  AND e.at < ?4 AND e.place > ?5 ORDER BY e.place LIMIT ?6`
const OF_FAILED = `FROM deliveries d CROSS JOIN events e ON e.id = d.event_id
  WHERE d.target = ?1 AND d.target_kind = 'endpoint' AND d.status <> 'delivered' AND d.status = 'failed' AND d.n > ?4
    AND e.at >= ?2 AND e.at < ?3 ORDER BY d.n LIMIT ?5`

interface Walk extends Replay {
  types: string
  done: number
}

const valuesOf = ({ client, endpointId, sinceMs, untilMs, onlyFailed, types, done }: Walk): (string | number)[] =>
  onlyFailed ? [endpointId, sinceMs, untilMs, done] : [client, types, sinceMs, untilMs, done]

const walk = (db: Db, walked: Walk, limit: number): Row[] =>
  db.all(
    walked.onlyFailed ? `SELECT d.n AS place, ${COLUMNS} ${OF_FAILED}` : `SELECT e.place, ${COLUMNS} ${OF_TYPES}`,
    ...valuesOf(walked),
    limit,
  )

/** How many it will meet, `limit` at most, without their bodies: ten thousand are up to two hundred megabytes. */
const reach = (db: Db, walked: Walk, limit: number): number =>
  int(
    db.get(
      `SELECT count(*) AS n FROM (SELECT 1 ${walked.onlyFailed ? OF_FAILED : OF_TYPES})`,
      ...valuesOf(walked),
      limit,
    ) ?? {},
    'n',
  )

export const replay = (db: Db, { replay: asked }: { replay: Replay }): ReplayTaken => {
  const { client, endpointId, sinceMs, untilMs, onlyFailed } = asked
  const endpoint = findEndpoint(db, client, endpointId)
  if (!endpoint) return { kind: 'unknown' }
  if (endpoint.disabled) return { kind: 'disabled' }
  const types = JSON.stringify(endpoint.events)
  const events = reach(db, { ...asked, types, done: 0 }, MAX_REPLAYED + 1)
  if (events > MAX_REPLAYED) return { kind: 'many' }
  if (events > 0) {
    db.run(
      'INSERT INTO replays (client, endpoint, types, since, until, only_failed, done) VALUES (?, ?, ?, ?, ?, ?, 0)',
      client,
      endpointId,
      types,
      sinceMs,
      untilMs,
      onlyFailed ? 1 : 0,
    )
  }
  return { kind: 'taken', events }
}

/** The oldest of the client that has the fewest: one that asks for a thousand holds up nobody else. */
const NEXT_REPLAY = `
  SELECT * FROM replays WHERE n = (
    SELECT min(n) FROM replays WHERE n > 0 GROUP BY client ORDER BY count(*), min(n) LIMIT 1)`

export const replayStep = (db: Db, { limit, nowMs }: { limit: number; nowMs: number }): string[] | null => {
  const row = db.get(NEXT_REPLAY)
  if (!row) return null
  const [n, client, endpointId] = [int(row, 'n'), text(row, 'client'), text(row, 'endpoint')]
  const endpoint = findEndpoint(db, client, endpointId)
  // Disabled meanwhile, or gone: there is nobody to send to.
  const found =
    !endpoint || endpoint.disabled
      ? []
      : walk(
          db,
          {
            client,
            endpointId,
            sinceMs: int(row, 'since'),
            untilMs: int(row, 'until'),
            onlyFailed: int(row, 'only_failed') === 1,
            types: text(row, 'types'),
            done: int(row, 'done'),
          },
          limit,
        )
  const last = found.length === limit ? found.at(-1) : undefined
  if (last) db.run('UPDATE replays SET done = ? WHERE n = ?', int(last, 'place'), n)
  else db.run('DELETE FROM replays WHERE n = ?', n)
  if (!endpoint) return []
  const target = { kind: 'endpoint', id: endpointId, url: endpoint.url } as const
  return found.map((one) => owe(db, eventFrom(one), target, 'pending', nowMs))
}

export const purgeWebhooks = (
  db: Db,
  { beforeMs, limit, nowMs }: { beforeMs: number; limit: number; nowMs: number },
): number =>
  db.run(
    `DELETE FROM webhook_secrets WHERE n IN (
       SELECT n FROM webhook_secrets WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ?)`,
    nowMs,
    limit,
  ) +
  db.run(
    `DELETE FROM events WHERE id IN (
       SELECT e.id FROM events e WHERE e.video_id IS NULL AND e.at < ?
       AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id AND d.status IN ('pending', 'held'))
       AND NOT EXISTS (SELECT 1 FROM replays r WHERE r.client = e.client) LIMIT ?)`,
    beforeMs,
    limit,
  )
