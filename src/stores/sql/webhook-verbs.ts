import { MAX_ENDPOINTS, MAX_SECRETS, type EndpointRecord } from '../../core/endpoints.ts'
import type { EndpointPatch, NewEndpoint, SecretKeeper } from '../../core/store/webhooks.ts'
import { disable, moveDeliveries } from './backlog-verbs.ts'
import { int, orNull, text, type Db, type Reader } from './db.ts'
import { ENDPOINT, endpointFrom } from './rows.ts'

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
  WHERE target = ? AND target_kind = 'endpoint' AND status = 'pending' AND lease_until IS NOT NULL`

/**
 * A new URL is a new receiver. It starts without failures, and deliveries under way to the old URL become due to it at
 * once, unless the old one accepts them.
 */
const move = async (db: Db, id: string): Promise<void> => {
  await db.run('UPDATE endpoints SET failures = 0, failing_since = NULL WHERE id = ?', id)
  await db.run(FREE_DELIVERIES, id)
}

interface ChangeArgs {
  client: string
  id: string
  patch: EndpointPatch
  nowMs: number
}

const CHANGE_ENDPOINT = 'UPDATE endpoints SET url = ?, events = ?, description = ?, updated_at = ? WHERE id = ?'
const ENABLE =
  'UPDATE endpoints SET disabled_reason = NULL, disabled_at = NULL, failures = 0, failing_since = NULL WHERE id = ?'

export const changeEndpoint = async (
  db: Db,
  { client, id, patch, nowMs }: ChangeArgs,
): Promise<EndpointRecord | null> => {
  const before = await findEndpoint(db, client, id)
  if (!before) return null
  const { url = before.url, events = before.events, description = before.description } = patch
  await db.run(CHANGE_ENDPOINT, url, JSON.stringify(events), description, nowMs, id)
  if (url !== before.url) await move(db, id)
  if (patch.enabled === false) await disable(db, id, 'client', nowMs)
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
