import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Store } from '../core/ports.ts'
import { newWebhookSecret, parseWebhookSecret } from './sign.ts'
import type { RandomBytes } from './sign.ts'

export const SECRET_KEY_BYTES = 32

/** What the one TALKBRIDGE_SECRET_KEY serves. Each purpose has its own subkey: none tells anything of another. */
export type KeyPurpose = 'cursor' | 'content' | 'callback' | 'idempotency' | 'box'

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

/** Whose secret it is: authenticated, so that one row's ciphertext is worthless in another. */
export interface SecretOwner {
  purpose: 'webhook_secret' | 'store_check'
  client: string
}

export interface SecretBox {
  seal(owner: SecretOwner, secret: string): string
  /** Throws an Error that names the owner and the likely cause, never the secret. */
  open(owner: SecretOwner, sealed: string): string
}

const VERSION = 'v1'
const OPENED_AT_MOST = 1_000
const NONCE_BYTES = 12
const TAG_BYTES = 16

const aadOf = ({ purpose, client }: SecretOwner): Buffer => Buffer.from(`talkbridge\0${VERSION}\0${purpose}\0${client}`)

/** Secrets at rest (design 8, "Security"): AES-256-GCM; `v1.` + base64url(nonce ‖ tag ‖ ciphertext). */
const createOpeningBox = (key: Buffer, randomBytes: RandomBytes): SecretBox => ({
  seal(owner, secret) {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(aadOf(owner))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
  },
  open(owner, sealed) {
    const whose = `the ${owner.purpose} of client ${owner.client}`
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

/** What is opened at every attempt is decrypted once: of the same sealed text it is always the same. */
export const createSecretBox = (key: Buffer, randomBytes: RandomBytes): SecretBox => {
  const box = createOpeningBox(key, randomBytes)
  const opened = new LRUCache<string, string>({ max: OPENED_AT_MOST })
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

/** The live secrets of a client, newest first, never empty. Rejects when the store fails or a secret cannot be read. */
export type SecretsOf = (client: string) => Promise<string[]>

export interface ClientSecretsOptions {
  store: Pick<Store, 'secret'>
  box: SecretBox
  /** `clients[].webhook_secret` by client. */
  configured: ReadonlyMap<string, string>
  randomBytes: RandomBytes
}

/**
 * The secret that signs a client's `webhook_url` events: the configured one, else the stored one, made at first use.
 * Nothing is cached: a rotation in another replica must hold for the very next attempt. Throws at once, naming the
 * client, if a configured secret is malformed.
 */
export const createClientSecrets = ({ store, box, configured, randomBytes }: ClientSecretsOptions): SecretsOf => {
  for (const [client, secret] of configured) {
    try {
      parseWebhookSecret(secret)
    } catch (cause) {
      throw new Error(`client ${client}: ${cause instanceof Error ? cause.message : 'bad webhook secret'}`, { cause })
    }
  }
  // One a client, made when first asked for: most are never needed.
  const candidates = new Map<string, string>()
  const candidateOf = (owner: SecretOwner): string => {
    const candidate = candidates.get(owner.client) ?? box.seal(owner, newWebhookSecret(randomBytes))
    candidates.set(owner.client, candidate)
    return candidate
  }
  return async (client) => {
    const fixed = configured.get(client)
    if (fixed !== undefined) return [fixed]
    const owner: SecretOwner = { purpose: 'webhook_secret', client }
    // The store keeps the first candidate of all replicas and answers that one to everybody.
    return [box.open(owner, await store.secret(client, candidateOf(owner)))]
  }
}
