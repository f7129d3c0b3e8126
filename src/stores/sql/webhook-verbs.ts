import {
  afterFailure,
  disabledEvent,
  type DisabledReason,
  type EndpointRecord,
  isHeld,
  MAX_ANSWERS_KEPT,
  MAX_ATTEMPTS_KEPT,
  MAX_ENDPOINTS,
  MAX_HELD,
  MAX_REPLAYED,
  MAX_SECRETS,
  MOVED_AT_ONCE,
  RELEASE_AHEAD_MS,
  RELEASE_GAP_MS,
  type ReplayProgress,
  SUCCESS_NOTED_EVERY_MS,
} from '../../core/endpoints.ts'
import { type EndpointEventType, EVENT_TYPES } from '../../core/vocabulary.ts'
import {
  type Db,
  int,
  intOrNull,
  inTurn,
  merged,
  numberOf,
  orNull,
  type Reader,
  type Row,
  text,
  textOrNull,
  DELIVERY_STATUSES,
  ENDPOINT,
  endpointFrom,
  eventFrom,
  oneOf,
  targetFrom,
  targetKey,
  typesFrom,
} from './db.ts'
import { countDropped, heldFor, owe, putAudit, putOwed, subscribers, tellAgain } from './outbox.ts'
import type {
  EndpointPatch,
  NewEndpoint,
  Replay,
  ReplayTaken,
  SecretKeeper,
  AfterAttempt,
  Attempt,
  Attempted,
  DeliveryStatus,
  Lease,
} from '../../core/store/webhooks.ts'
import { TO_SOMEBODY } from './work-verbs.ts'
import type { AuditEntry } from '../../core/access.ts'

/**
 * Moves the deliveries of an endpoint after a change: disabled, they are held; enabled, released; deleted, given up. It
 * is done part by part, so that other writes do not wait long. Until then nobody may start them (`TO_SOMEBODY`).
 */

interface Endpoint {
  id: string
  client: string
}

/** What one part did. `freeAtMs`: when the next held event may go. */
interface Part {
  isMore: boolean
  freeAtMs: number
}

const OF_ENDPOINT = `client = ?1 AND target = ?2 AND target_kind = 'endpoint'`
const IDLE = 'next_attempt_at = NULL, lease_token = NULL, lease_until = NULL'

const DUE = `SELECT d.n, e.type FROM deliveries d CROSS JOIN events e
  WHERE e.id = d.event_id AND d.client = ?1 AND d.target = ?2 AND d.target_kind = 'endpoint' AND d.status = 'pending' ORDER BY ${numberOf('d.n')} LIMIT ?3`

/** Holds terminal events, in order, up to `MAX_HELD`. The rest fails. */
const hold = async (db: Db, { id, client }: Endpoint, nowMs: number): Promise<boolean> => {
  const due = await db.all(DUE, client, id, MOVED_AT_ONCE)
  const ends = due.filter((row) => isHeld(oneOf(EVENT_TYPES, text(row, 'type'), 'type')))
  const held = new Set(ends.slice(0, Math.max(0, MAX_HELD - (await heldFor(db, id)))))
  if (ends.length > held.size) await countDropped(db, ends.length - held.size)
  for (const row of due) {
    const [status, settledAtMs] = held.has(row) ? ['held', null] : ['failed', nowMs]
    await db.run(
      `UPDATE deliveries SET status = ?, settled_at = ?, ${IDLE} WHERE n = ?`,
      status,
      settledAtMs,
      int(row, 'n'),
    )
  }
  return due.length === MOVED_AT_ONCE
}

const HELD = `SELECT n FROM deliveries WHERE ${OF_ENDPOINT} AND status = 'held' ORDER BY ${numberOf('n')} LIMIT ?3`
const RELEASE = `UPDATE deliveries SET status = 'pending', tried = 0, next_attempt_at = ?,
  asked_at = coalesce(asked_at, 0) WHERE n = ?`

/**
 * Releases held events one after the other, from `fromMs` on, so that a receiver that just came back does not get all
 * immediately. Their earlier attempts stay valid.
 */
const release = async (db: Db, { id, client }: Endpoint, fromMs: number): Promise<number> => {
  const held = await db.all(HELD, client, id, MOVED_AT_ONCE)
  for (const [rank, row] of held.entries()) await db.run(RELEASE, fromMs + rank * RELEASE_GAP_MS, int(row, 'n'))
  return held.length
}

const GIVE_UP = `UPDATE deliveries SET status = 'failed', settled_at = ?5, ${IDLE} WHERE n IN (
  SELECT n FROM deliveries WHERE ${OF_ENDPOINT} AND status = ?3 ORDER BY ${numberOf('n')} LIMIT ?4)`

const giveUp = async (db: Db, { id, client }: Endpoint, nowMs: number): Promise<boolean> => {
  let left = MOVED_AT_ONCE
  for (const status of ['pending', 'held']) left -= await db.run(GIVE_UP, client, id, status, left, nowMs)
  return left === 0
}

const movePart = async (db: Db, endpoint: Endpoint, nowMs: number, freeAtMs: number): Promise<Part> => {
  const row = await db.get('SELECT disabled_at FROM endpoints WHERE id = ?', endpoint.id)
  if (!row) return { isMore: await giveUp(db, endpoint, nowMs), freeAtMs }
  if (intOrNull(row, 'disabled_at') !== null) return { isMore: await hold(db, endpoint, nowMs), freeAtMs }
  const fromMs = Math.max(nowMs, freeAtMs)
  const released = await release(db, endpoint, fromMs)
  return { isMore: released === MOVED_AT_ONCE, freeAtMs: fromMs + released * RELEASE_GAP_MS }
}

const PUT_BACKLOG = `INSERT INTO endpoint_backlogs (endpoint, client, due_at, free_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (endpoint) DO UPDATE SET due_at = excluded.due_at, free_at = excluded.free_at`

/** Does one part after a change of the endpoint, and leaves the rest to `backlogStep`. */
const moveDeliveries = async (db: Db, endpoint: Endpoint, nowMs: number, freeAtMs = 0): Promise<void> => {
  const part = await movePart(db, endpoint, nowMs, freeAtMs)
  const dueAtMs = Math.max(nowMs, part.freeAtMs - RELEASE_AHEAD_MS)
  if (part.isMore) await db.run(PUT_BACKLOG, endpoint.id, endpoint.client, dueAtMs, part.freeAtMs)
  else await db.run('DELETE FROM endpoint_backlogs WHERE endpoint = ?', endpoint.id)
}

const NEXT_BACKLOG = 'SELECT endpoint, client FROM endpoint_backlogs WHERE due_at <= ? ORDER BY due_at LIMIT 1'

/** Whose backlog is next; null: none is due. */
export const nextBacklog = async (db: Reader, nowMs: number): Promise<Endpoint | null> =>
  orNull(await db.get(NEXT_BACKLOG, nowMs), (row) => ({ id: text(row, 'endpoint'), client: text(row, 'client') }))

const BACKLOG = 'SELECT free_at FROM endpoint_backlogs WHERE endpoint = ? AND due_at <= ?'

/** False: another process did it. */
export const backlogStep = async (db: Db, { id, client, nowMs }: Endpoint & { nowMs: number }): Promise<boolean> => {
  const row = await db.get(BACKLOG, id, nowMs)
  if (!row) return false
  await moveDeliveries(db, { id, client }, nowMs, int(row, 'free_at'))
  return true
}

const DISABLE = `UPDATE endpoints SET disabled_reason = ?1, disabled_at = ?2, updated_at = ?2
  WHERE id = ?3 AND (disabled_at IS NULL OR (?1 = 'operator' AND disabled_reason <> 'operator'))
  RETURNING client, description`

/** Disables an enabled endpoint; for an operator, any that no operator disabled. Unless the client did it, the client's other endpoints get an event. */
const disable = async (db: Db, id: string, reason: DisabledReason, atMs: number): Promise<void> => {
  const row = await db.get(DISABLE, reason, atMs, id)
  if (!row) return
  const endpoint = { id, client: text(row, 'client'), description: textOrNull(row, 'description') }
  await moveDeliveries(db, endpoint, atMs)
  if (reason !== 'client') await putOwed(db, disabledEvent(endpoint, reason, atMs), [])
}

export const findEndpoint = async (db: Reader, client: string, id: string): Promise<EndpointRecord | null> =>
  orNull(await db.get(`${ENDPOINT} WHERE id = ? AND client = ?`, id, client), endpointFrom)

const keeperKey = ({ kind, id }: SecretKeeper): string => `${kind}:${id}`

const putSecret = async (db: Db, keeper: SecretKeeper, value: string): Promise<void> => {
  await db.run('INSERT INTO webhook_secrets (keeper, value) VALUES (?, ?)', keeperKey(keeper), value)
}

const LIVE_SECRETS = `SELECT value FROM webhook_secrets
  WHERE keeper = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY n DESC LIMIT ${MAX_SECRETS}`

export const liveSecrets = async (db: Reader, keeper: SecretKeeper, nowMs: number): Promise<string[]> =>
  (await db.all(LIVE_SECRETS, keeperKey(keeper), nowMs)).map((row) => text(row, 'value'))

/** Whether the owner still exists: a secret of a deleted endpoint would be kept for ever. */
const isKept = async (db: Reader, { kind, id }: SecretKeeper): Promise<boolean> =>
  kind === 'client' || (await db.get('SELECT 1 FROM endpoints WHERE id = ?', id)) !== undefined

export const secrets = async (
  db: Db,
  { keeper, candidate, nowMs }: { keeper: SecretKeeper; candidate: string; nowMs: number },
): Promise<string[]> => {
  const live = await liveSecrets(db, keeper, nowMs)
  if (live.length > 0 || !(await isKept(db, keeper))) return live
  await putSecret(db, keeper, candidate)
  return [candidate]
}

const EXPIRE_OLDER = `UPDATE webhook_secrets SET expires_at = ?2
  WHERE keeper = ?1 AND (expires_at IS NULL OR expires_at > ?2)`

export const rotateSecret = async (
  db: Db,
  { keeper, secret, oldUntilMs }: { keeper: SecretKeeper; secret: string; oldUntilMs: number },
): Promise<boolean> => {
  if (!(await isKept(db, keeper))) return false
  await db.run(EXPIRE_OLDER, keeperKey(keeper), oldUntilMs)
  await putSecret(db, keeper, secret)
  return true
}

const PUT_ENDPOINT = `INSERT INTO endpoints
    (id, client, url, events, description, disabled_reason, disabled_at, failures, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`

export const createEndpoint = async (
  db: Db,
  { endpoint, nowMs }: { endpoint: NewEndpoint; nowMs: number },
): Promise<EndpointRecord | null> => {
  const { id, client, url, events, description, enabled, secret } = endpoint
  const own = int((await db.get('SELECT count(*) AS n FROM endpoints WHERE client = ?', client)) ?? {}, 'n')
  if (own >= MAX_ENDPOINTS) return null
  const [reason, disabledAtMs] = enabled ? [null, null] : ['client', nowMs]
  await db.run(PUT_ENDPOINT, id, client, url, JSON.stringify(events), description, reason, disabledAtMs, nowMs, nowMs)
  await putSecret(db, { kind: 'endpoint', id }, secret)
  return await findEndpoint(db, client, id)
}

const FREE_DELIVERIES = `UPDATE deliveries SET lease_token = NULL, lease_until = NULL
  WHERE client = ? AND target = ? AND target_kind = 'endpoint' AND status = 'pending' AND lease_until IS NOT NULL`

const CHANGE_ENDPOINT = 'UPDATE endpoints SET url = ?, events = ?, description = ?, updated_at = ? WHERE id = ?'
const ENABLE =
  'UPDATE endpoints SET disabled_reason = NULL, disabled_at = NULL, failures = 0, failing_since = NULL WHERE id = ?'

export const changeEndpoint = async (
  db: Db,
  {
    client,
    id,
    patch,
    audit,
    nowMs,
  }: { client: string; id: string; patch: EndpointPatch; audit?: AuditEntry | undefined; nowMs: number },
): Promise<EndpointRecord | null> => {
  const before = await findEndpoint(db, client, id)
  if (!before) return null
  // Only operators enable what an operator disabled.
  if (!audit && patch.enabled === true && before.disabled?.reason === 'operator') return before
  if (audit) await putAudit(db, audit)
  if (Object.keys(patch).length === 0) return before
  const { url = before.url, events = before.events, description = before.description } = patch
  await db.run(CHANGE_ENDPOINT, url, JSON.stringify(events), description, nowMs, id)
  if (url !== before.url) {
    // A new URL is a new receiver. It starts without failures, and deliveries under way to the old URL become due to it
    // at once, unless the old one accepts them.
    await db.run('UPDATE endpoints SET failures = 0, failing_since = NULL WHERE id = ?', id)
    await db.run(FREE_DELIVERIES, client, id)
  }
  if (patch.enabled === false) await disable(db, id, audit ? 'operator' : 'client', nowMs)
  if (patch.enabled === true && before.disabled) {
    await db.run(ENABLE, id)
    await moveDeliveries(db, { id, client }, nowMs)
  }
  return await findEndpoint(db, client, id)
}

export const deleteEndpoint = async (
  db: Db,
  { client, id, nowMs }: { client: string; id: string; nowMs: number },
): Promise<boolean> => {
  if ((await db.run('DELETE FROM endpoints WHERE id = ? AND client = ?', id, client)) === 0) return false
  await db.run('DELETE FROM webhook_secrets WHERE keeper = ?', keeperKey({ kind: 'endpoint', id }))
  await moveDeliveries(db, { id, client }, nowMs)
  return true
}

interface AttemptedArgs {
  lease: Lease
  attempt: Attempt
  after: AfterAttempt
  nowMs: number
}

const ENDPOINT_OF = `SELECT p.id, p.failures, p.failing_since, p.disabled_at, p.updated_at, p.last_delivered_at, d.status, e.type
  FROM deliveries d JOIN endpoints p ON p.id = d.target JOIN events e ON e.id = d.event_id
  WHERE d.id = ?`
const SET_STREAK = 'UPDATE endpoints SET failures = ?, failing_since = ?'

/** A success after a success is written once a minute: the row of a busy endpoint is not written at each delivery. */
const isNews = (row: Row, { attempt, after }: AttemptedArgs): boolean =>
  after.status !== 'delivered' ||
  int(row, 'failures') > 0 ||
  attempt.atMs - (intOrNull(row, 'last_delivered_at') ?? 0) >= SUCCESS_NOTED_EVERY_MS

/**
 * Counts an endpoint's failures in a row, and notes when it last failed and succeeded. Answers why it was disabled now,
 * else null.
 */
const countFor = async (db: Db, args: AttemptedArgs): Promise<DisabledReason | null> => {
  const { lease, attempt, after, nowMs } = args
  const { id } = lease
  const row = await db.get(ENDPOINT_OF, id)
  if (!row || intOrNull(row, 'disabled_at') !== null) return null
  const endpoint = text(row, 'id')
  const failed = after.status !== 'delivered'
  const before = { failures: int(row, 'failures'), failingSinceMs: intOrNull(row, 'failing_since') }
  if (!isNews(row, args)) return null
  // It went to the endpoint's old URL, or failed before the endpoint was enabled again.
  if (failed && attempt.atMs < int(row, 'updated_at')) return null
  const { streak, disabled } = failed
    ? afterFailure(before, attempt.atMs, attempt.status)
    : { streak: { failures: 0, failingSinceMs: null }, disabled: null }
  const set = `${SET_STREAK}, ${failed ? 'last_failed_at' : 'last_delivered_at'} = ? WHERE id = ?`
  await db.run(set, streak.failures, streak.failingSinceMs, attempt.atMs, endpoint)
  if (!disabled) return null
  // The delivery that met the 410 is held as well, like the others of the endpoint.
  if (disabled === 'gone' && text(row, 'status') === 'failed' && isHeld(oneOf(EVENT_TYPES, text(row, 'type'), 'type')))
    await db.run(
      `UPDATE deliveries SET status = 'pending', next_attempt_at = ?, settled_at = NULL WHERE id = ?`,
      nowMs,
      id,
    )
  await disable(db, endpoint, disabled, nowMs)
  return disabled
}

const statusOf = async (db: Reader, id: string): Promise<DeliveryStatus | null> =>
  orNull(await db.get('SELECT status FROM deliveries WHERE id = ?', id), (row) =>
    oneOf(DELIVERY_STATUSES, text(row, 'status'), 'status'),
  )

/** All attempts of a delivery except the latest. */
const BUT_THE_LATEST = `delivery = ?1 AND rowid <= (
  SELECT rowid FROM attempts WHERE delivery = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2)`

const FORGET_ANSWERS = `UPDATE attempts SET response_body = NULL WHERE response_body IS NOT NULL AND ${BUT_THE_LATEST}`

/** Removes old attempts and answers: a delivery keeps a bounded number, however often it is sent again. */
const forgetOld = async (db: Db, delivery: number, attempts: number): Promise<void> => {
  if (attempts > MAX_ATTEMPTS_KEPT)
    await db.run(`DELETE FROM attempts WHERE ${BUT_THE_LATEST}`, delivery, MAX_ATTEMPTS_KEPT)
  if (attempts > MAX_ANSWERS_KEPT) await db.run(FORGET_ANSWERS, delivery, MAX_ANSWERS_KEPT)
}

const APPEND = `INSERT INTO attempts (
    delivery, at, duration_ms, status, error, response_body, next_attempt_at, lease)
  SELECT n, ?, ?, ?, ?, ?, ?, ? FROM deliveries WHERE id = ? ON CONFLICT DO NOTHING`

const COUNTED = 'RETURNING n, attempts, target_kind'

export const attempted = async (db: Db, args: AttemptedArgs): Promise<Attempted> => {
  const { lease, attempt, after, nowMs } = args
  const { id, token } = lease
  const { atMs, durationMs, status, error, responseBody } = attempt
  const nextAtMs = after.status === 'pending' ? after.nextAttemptAtMs : null
  // Written twice because the first write's outcome was unknown: it is one attempt.
  const appended = await db.run(APPEND, atMs, durationMs, status, error, responseBody, nextAtMs, token, id)
  if (appended === 0) return { status: await statusOf(db, id), disabled: null }
  // An attempt that began before the delivery was asked for again does not count for the new schedule.
  const isOfNow = 'asked_at IS NULL OR asked_at <= ?'
  // A 2xx wins over anything but an earlier 2xx. Any other outcome counts only under a live lease.
  const count = `UPDATE deliveries SET attempts = attempts + 1, tried = tried + CASE WHEN ${isOfNow} THEN 1 ELSE 0 END`
  const fence =
    after.status === 'delivered'
      ? `AND (${isOfNow})`
      : `AND status = 'pending' AND lease_token = ? AND lease_until > ? AND ${TO_SOMEBODY}`
  const values = after.status === 'delivered' ? [atMs] : [token, nowMs]
  const move = `${count}, status = ?, next_attempt_at = ?, lease_token = NULL, lease_until = NULL,
    settled_at = ?, took_ms = ?, answer = ? WHERE id = ? ${fence} ${COUNTED}`
  const outcome = [after.status === 'pending' ? null : atMs, durationMs, status]
  const moved = await db.get(move, atMs, after.status, nextAtMs, ...outcome, id, ...values)
  const counted = moved ?? (await db.get(`${count} WHERE id = ? ${COUNTED}`, atMs, id))
  if (counted) await forgetOld(db, int(counted, 'n'), int(counted, 'attempts'))
  const disabled = counted?.['target_kind'] === 'endpoint' ? await countFor(db, args) : null
  // Deliveries of an endpoint that was just disabled are held or given up.
  return { status: moved ? (disabled ? await statusOf(db, id) : after.status) : null, disabled }
}

/** Without bodies: those of ten thousand events are 200 MB, and a delivery needs none. */
const COLUMNS = `e.id AS event_id, e.type, e.client, e.video_id, e.sequence, e.at, '' AS body`

export const redeliver = async (
  db: Db,
  { client, eventId, audit, nowMs }: { client: string; eventId: string; audit: AuditEntry | undefined; nowMs: number },
): Promise<string[] | null> => {
  const row = await db.get(`SELECT ${COLUMNS} FROM events e WHERE e.id = ? AND e.client = ?`, eventId, client)
  if (!row) return null
  const event = eventFrom(row)
  const owed = (
    await db.all(
      `SELECT d.target_kind, d.target, coalesce(p.url, d.url) AS url FROM deliveries d
       LEFT JOIN endpoints p ON d.target_kind = 'endpoint' AND p.id = d.target
       WHERE d.event_id = ? AND (d.target_kind = 'video' OR (p.id IS NOT NULL AND p.disabled_at IS NULL)) ORDER BY d.n`,
      eventId,
    )
  ).map(targetFrom)
  const known = new Set(owed.map(targetKey))
  const wanting =
    event.type === 'endpoint.disabled'
      ? []
      : (await subscribers(db, client, event.type)).filter(({ id, isEnabled }) => isEnabled && !known.has(id))
  if (audit) await putAudit(db, audit)
  await tellAgain(db, event)
  const targets = [...owed, ...wanting.map(({ id, url }) => ({ kind: 'endpoint', id, url }) as const)]
  return inTurn(targets, (target) => owe(db, event, target, 'pending', nowMs))
}

/** What is left of a replay: events from `fromMs` on; at that moment, those behind the place or number `done`. */
interface Walk extends Omit<Replay, 'sinceMs'> {
  fromMs: number
  done: number
  types: readonly EndpointEventType[]
}

/**
 * Both kinds of replay continue in the order of time, from a place that only rises, so that no event comes twice. An
 * index leads to the next event: those of another time or type are not read at all.
 */
const ofTypes = (types: readonly EndpointEventType[], columns: string): string[] =>
  types.map(
    (_, n) => `SELECT ${columns} FROM events e INDEXED BY events_by_type
        WHERE e.client = ?1 AND e.type = ?${n + 6} AND e.at < ?2 AND (e.at, e.place) > (?3, ?4)`,
  )
const OF_FAILED = `d.client = ?1 AND d.target = ?6 AND d.target_kind = 'endpoint' AND d.status = 'failed'
  AND d.event_at < ?2 AND (d.event_at, d.n) > (?3, ?4)`

const valuesOf = ({ client, endpointId, untilMs, fromMs, onlyFailed, types, done }: Walk, limit: number) => [
  client,
  untilMs,
  fromMs,
  done,
  limit,
  ...(onlyFailed ? [endpointId] : types),
]

const walk = async (db: Reader, walked: Walk, limit: number): Promise<Row[]> =>
  await db.all(
    walked.onlyFailed
      ? `SELECT d.n AS place, ${COLUMNS} FROM deliveries d CROSS JOIN events e
         WHERE e.id = d.event_id AND ${OF_FAILED} ORDER BY d.event_at, d.n LIMIT ?5`
      : `${merged(ofTypes(walked.types, `e.place AS place, ${COLUMNS}`), 'at, place', '?5')} ORDER BY at, place LIMIT ?5`,
    ...valuesOf(walked, limit),
  )

/** How many events it will send, `limit` at most. */
const reach = async (db: Reader, walked: Walk, limit: number): Promise<number> => {
  const met = walked.onlyFailed
    ? `SELECT 1 FROM deliveries d WHERE ${OF_FAILED}`
    : ofTypes(walked.types, '1').join(' UNION ALL ')
  const sql = `SELECT count(*) AS n FROM (${met} LIMIT ?5) AS met`
  return int((await db.get(sql, ...valuesOf(walked, limit))) ?? {}, 'n')
}

const PUT_REPLAY =
  'INSERT INTO replays (client, endpoint, types, since, until, only_failed, done) VALUES (?, ?, ?, ?, ?, ?, 0) RETURNING n'

const setProgress = async (db: Db, id: string, progress: ReplayProgress): Promise<void> => {
  await db.run('UPDATE endpoints SET replay = ? WHERE id = ?', JSON.stringify(progress), id)
}

/** Of the replay that was asked for last: one that was asked for before it continues without being reported. */
const note = async (db: Db, endpoint: EndpointRecord, n: number, queued: number, endedAtMs: number | null) => {
  const { id, replay: last } = endpoint
  if (last?.n === n) await setProgress(db, id, { ...last, queued: last.queued + queued, endedAtMs })
}

export const replay = async (
  db: Db,
  { replay: asked, audit, nowMs }: { replay: Replay; audit?: AuditEntry | undefined; nowMs: number },
): Promise<ReplayTaken> => {
  const { client, endpointId, sinceMs, untilMs, onlyFailed } = asked
  const endpoint = await findEndpoint(db, client, endpointId)
  if (!endpoint) return { kind: 'unknown' }
  if (endpoint.disabled) return { kind: 'disabled' }
  const events = await reach(db, { ...asked, fromMs: sinceMs, types: endpoint.events, done: 0 }, MAX_REPLAYED + 1)
  if (events > MAX_REPLAYED) return { kind: 'many' }
  if (audit) await putAudit(db, audit)
  if (events > 0) {
    const types = JSON.stringify(endpoint.events)
    const put = await db.get(PUT_REPLAY, client, endpointId, types, sinceMs, untilMs, onlyFailed ? 1 : 0)
    const n = int(put ?? {}, 'n')
    const started = { n, sinceMs, untilMs, onlyFailed, askedAtMs: nowMs, events, queued: 0, endedAtMs: null }
    await setProgress(db, endpointId, started)
  }
  return { kind: 'taken', events }
}

/** The oldest replay of the client with the fewest: a client with a thousand replays holds up nobody else. */
const NEXT_REPLAY = `
  SELECT n, client FROM replays WHERE n = (
    SELECT min(n) FROM replays WHERE n > 0 GROUP BY client ORDER BY count(*), min(n) LIMIT 1)`

/** Which replay is next, and whose. */
export const nextReplay = async (db: Reader): Promise<{ n: number; client: string } | null> =>
  orNull(await db.get(NEXT_REPLAY), (row) => ({ n: int(row, 'n'), client: text(row, 'client') }))

interface ReplayStepArgs {
  n: number
  client: string
  limit: number
  nowMs: number
}

/** Null: another process ended it. */
export const replayStep = async (db: Db, { n, client, limit, nowMs }: ReplayStepArgs): Promise<string[] | null> => {
  const row = await db.get('SELECT endpoint, types, since, until, only_failed, done FROM replays WHERE n = ?', n)
  if (!row) return null
  const endpointId = text(row, 'endpoint')
  const endpoint = await findEndpoint(db, client, endpointId)
  const walked = {
    client,
    endpointId,
    fromMs: int(row, 'since'),
    untilMs: int(row, 'until'),
    onlyFailed: int(row, 'only_failed') === 1,
    types: typesFrom(text(row, 'types')),
    done: int(row, 'done'),
  }
  // The endpoint may have been disabled or deleted meanwhile.
  const found = !endpoint || endpoint.disabled ? [] : await walk(db, walked, limit)
  const last = found.length === limit ? found.at(-1) : undefined
  if (last) await db.run('UPDATE replays SET since = ?, done = ? WHERE n = ?', int(last, 'at'), int(last, 'place'), n)
  else await db.run('DELETE FROM replays WHERE n = ?', n)
  if (!endpoint) return []
  await note(db, endpoint, n, found.length, last ? null : nowMs)
  const target = { kind: 'endpoint', id: endpointId, url: endpoint.url } as const
  return inTurn(found, (one) => owe(db, eventFrom(one), target, 'pending', nowMs))
}
