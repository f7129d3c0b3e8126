import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../core/time/clock.ts'
import type { Store } from '../core/store/index.ts'
import type { SecretKeeper } from '../core/store/webhooks.ts'
import { newWebhookSecret, parseWebhookSecret, type RandomBytes } from './sign.ts'

export const SECRET_KEY_BYTES = 32

/**
 * What TALKBRIDGE_SECRET_KEY is used for. Each purpose has a subkey of its own, which tells nothing about the others.
 */
export type KeyPurpose = 'cursor' | 'content' | 'callback' | 'idempotency' | 'box' | 'console'

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

export interface WebhookSecretsOptions {
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
 * endpoints. Stored ones are read each time, so that a rotation holds for the very next attempt. Throws at once, naming
 * the client, if a configured secret is malformed.
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
