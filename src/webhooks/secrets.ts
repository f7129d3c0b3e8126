import { codeOf } from '../core/errors.ts'
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../core/time/clock.ts'
import type { Store } from '../core/store/index.ts'
import type { SecretKeeper } from '../core/store/webhooks.ts'
import { newWebhookSecret, parseWebhookSecret, type RandomBytes } from './sign.ts'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import { existsSync } from 'node:fs'

const SECRET_KEY_BYTES = 32

/**
 * What TALKBRIDGE_SECRET_KEY is used for. Each purpose has a subkey of its own, which reveals nothing about the others.
 */
type KeyPurpose = 'cursor' | 'content' | 'callback' | 'idempotency' | 'box' | 'console'

/** TALKBRIDGE_SECRET_KEY: 32 bytes in padded base64, space around it ignored. Throws an Error that does not show it. */
export const parseSecretKey = (base64: string): Buffer => {
  const text = base64.trim()
  const key = Buffer.from(text, 'base64')
  if (key.length !== SECRET_KEY_BYTES || key.toString('base64') !== text)
    throw new Error('the secret key must be 32 bytes in base64 (make one with: openssl rand -base64 32)')
  return key
}

/** HKDF-SHA-256 (RFC 5869) of the secret key, 32 bytes. */
export const deriveKey = (secretKey: Buffer, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `talkbridge/v1/${purpose}`, SECRET_KEY_BYTES))

/** Whose secret it is. Authenticated, so that one row's ciphertext is useless in another. */
export interface SecretOwner {
  purpose: 'webhook_secret' | 'endpoint_secret' | 'store_check'
  /** The id of the client or the endpoint. */
  client: string
}

export interface SecretBox {
  seal(owner: SecretOwner, secret: string): string
  /** Throws an Error that names the owner and the likely cause, never the secret. */
  open(owner: SecretOwner, sealed: string): string
}

const VERSION = 'v1'
const KEPT_AT_MOST = 1_000
const NONCE_BYTES = 12
const TAG_BYTES = 16

const aadOf = ({ purpose, client }: SecretOwner): Buffer => Buffer.from(`talkbridge\0${VERSION}\0${purpose}\0${client}`)

/** Secrets at rest: AES-256-GCM, written as `v1.` + base64url(nonce ‖ tag ‖ ciphertext). */
const createOpeningBox = (key: Buffer, randomBytes: RandomBytes): SecretBox => ({
  seal(owner, secret) {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(aadOf(owner))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
  },
  open(owner, sealed) {
    const whose = `the ${owner.purpose} of ${owner.client}`
    const [version, payload = '', rest] = sealed.split('.')
    const bytes = Buffer.from(payload, 'base64url')
    if (version !== VERSION || rest !== undefined || bytes.length < NONCE_BYTES + TAG_BYTES)
      throw new Error(`${whose} is stored in a form that this version does not know`)
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(aadOf(owner)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
    } catch (cause) {
      throw new Error(`cannot decrypt ${whose}: is TALKBRIDGE_SECRET_KEY the key that it was stored with?`, { cause })
    }
  },
})

/** Remembers what it decrypted: a secret is opened at every attempt, and a sealed text never changes. */
export const createSecretBox = (key: Buffer, randomBytes: RandomBytes): SecretBox => {
  const box = createOpeningBox(key, randomBytes)
  const opened = new LRUCache<string, string>({ max: KEPT_AT_MOST })
  return {
    seal: box.seal,
    open(owner, sealed) {
      const name = `${owner.purpose}\0${owner.client}\0${sealed}`
      const secret = opened.get(name) ?? box.open(owner, sealed)
      opened.set(name, secret)
      return secret
    },
  }
}

/**
 * The live secrets of a client or an endpoint, newest first; none for a deleted endpoint. Rejects if the store fails or
 * one cannot be read.
 */
export type SecretsOf = (keeper: SecretKeeper) => Promise<string[]>

export interface WebhookSecrets {
  live: SecretsOf
  /**
   * Adds a new secret; earlier ones live for `expireOldMs` more. Null: the configuration sets it, or the endpoint is
   * deleted.
   */
  rotate(keeper: SecretKeeper, expireOldMs: number): Promise<string | null>
  /** A new secret that is not stored yet, and its sealed form. */
  make(keeper: SecretKeeper): { secret: string; sealed: string }
}

interface WebhookSecretsOptions {
  store: Pick<Store, 'secrets' | 'rotateSecret'>
  box: SecretBox
  /** `clients[].webhook_secret` by client. */
  configured: ReadonlyMap<string, string>
  clock: Pick<Clock, 'now'>
  randomBytes: RandomBytes
}

const ownerOf = ({ kind, id }: SecretKeeper): SecretOwner => ({
  purpose: kind === 'client' ? 'webhook_secret' : 'endpoint_secret',
  client: id,
})

/**
 * The secrets for a client's `webhook_url` events (the configured one, else stored ones, made at first use) and for its
 * endpoints. Stored ones are read each time, so that a rotation holds for the very next attempt. Throws immediately,
 * naming the client, if a configured secret is malformed.
 */
export const createWebhookSecrets = (options: WebhookSecretsOptions): WebhookSecrets => {
  const { store, box, configured, clock, randomBytes } = options
  for (const [client, secret] of configured) {
    try {
      parseWebhookSecret(secret)
    } catch (cause) {
      throw new Error(`client ${client}: ${cause instanceof Error ? cause.message : 'bad webhook secret'}`, { cause })
    }
  }
  const fixedFor = ({ kind, id }: SecretKeeper): string | null =>
    kind === 'client' ? (configured.get(id) ?? null) : null
  const make: WebhookSecrets['make'] = (keeper) => {
    const secret = newWebhookSecret(randomBytes)
    return { secret, sealed: box.seal(ownerOf(keeper), secret) }
  }
  // A candidate is asked for at every attempt, but needed once for each client.
  const candidates = new LRUCache<string, string>({ max: KEPT_AT_MOST })
  const candidateOf = (keeper: SecretKeeper): string => {
    const name = `${keeper.kind}\0${keeper.id}`
    const candidate = candidates.get(name) ?? make(keeper).sealed
    candidates.set(name, candidate)
    return candidate
  }
  return {
    make,
    async live(keeper) {
      const fixed = fixedFor(keeper)
      if (fixed !== null) return [fixed]
      // The store keeps the first candidate and answers that one from then on.
      const kept = await store.secrets(keeper, candidateOf(keeper))
      return kept.map((sealed) => box.open(ownerOf(keeper), sealed))
    },
    async rotate(keeper, expireOldMs) {
      if (fixedFor(keeper) !== null) return null
      const { secret, sealed } = make(keeper)
      return (await store.rotateSecret(keeper, sealed, clock.now() + expireOldMs)) ? secret : null
    },
  }
}

export const KEY_FILE = 'secret.key'

const read = async (path: string): Promise<Buffer | null> => {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  try {
    return parseSecretKey(text)
  } catch (cause) {
    // Never replaced: what was encrypted with the lost key would be lost with it.
    throw new Error(`${path} is damaged: restore it from a backup`, { cause })
  }
}

/** Makes the directory's entries durable; Windows has no such call and needs none. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates the file by a link: the first process wins, and the file is whole and durable at every moment. */
const create = async (path: string, randomBytes: RandomBytes): Promise<void> => {
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(SECRET_KEY_BYTES).toString('base64')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}

/**
 * The secret key where `TALKBRIDGE_SECRET_KEY` gives none: `secret.key` beside the store, mode 0600, made at the first
 * start. Processes that race, and a crash at any point, end with one key. Rejects on I/O errors and on a file that
 * holds no key.
 */
export const loadOrCreateSecretKey = async (folder: string, randomBytes: RandomBytes): Promise<Buffer> => {
  const path = join(folder, KEY_FILE)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await read(path)) === null) await create(path, randomBytes)
  const key = await read(path)
  if (key === null) throw new Error(`${path} vanished while it was being made`)
  // Also for an existing file: its maker may have died before it was durable.
  await syncFolder(folder)
  return key
}

export const VARIABLE = 'TALKBRIDGE_SECRET_KEY'

/** Throws, naming the variable, unless it is a key. */
const secretKeyOf = (secretKey: string): Buffer => {
  try {
    return parseSecretKey(secretKey)
  } catch (cause) {
    throw new Error(`${VARIABLE}: ${cause instanceof Error ? cause.message : 'not a key'}`, { cause })
  }
}

const neededBecause =
  'is required with store.driver: postgres, the same for all replicas: each would make a key of its own. ' +
  'Make one with: openssl rand -base64 32 (for a store that was copied, take the content of its secret.key)'

/**
 * The key for all secrets in the store, and where it is from: the variable, else a file beside the store. Where other
 * processes use the store too, only the variable can give all of them the same key; throws without it. `hasKey`:
 * whether the store was written with a key. Then a missing file is a lost one, and no other is made in its place.
 */
export const masterKey = async (
  secretKey: string | null,
  store: { readonly driver: string; readonly path: string },
  hasKey: () => boolean,
  randomBytes: RandomBytes,
): Promise<{ key: Buffer; whence: string }> => {
  if (secretKey !== null) return { key: secretKeyOf(secretKey), whence: VARIABLE }
  if (store.driver === 'postgres') throw new Error(`${VARIABLE} ${neededBecause}`)
  const folder = dirname(store.path)
  const file = join(folder, KEY_FILE)
  if (!existsSync(file) && hasKey())
    throw new Error(
      `key_lost: there is no ${file}, and the store needs it: restore it from the backup, or set the key as ${VARIABLE}`,
    )
  return { key: await loadOrCreateSecretKey(folder, randomBytes), whence: file }
}

const CHECKED = { purpose: 'store_check', client: '' } as const

/** Whether this is the key that a store was written with, by what the store keeps as `secret_check`. */
export const fitsStore = (key: Buffer, kept: string): boolean => {
  const box = createSecretBox(deriveKey(key, 'box'), () => Buffer.alloc(0))
  try {
    box.open(CHECKED, kept)
    return true
  } catch {
    return false
  }
}

/** Throws if the store's secrets were encrypted with another key. */
export const verifySecretKey = async (store: Store, box: SecretBox, whence: string): Promise<void> => {
  const kept = await store.meta('secret_check', box.seal(CHECKED, 'talkbridge'))
  try {
    box.open(CHECKED, kept)
  } catch (cause) {
    throw new Error(`${whence} is not the key of this store: set the right key as ${VARIABLE}`, {
      cause,
    })
  }
}
