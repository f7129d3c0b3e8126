import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'
const NEW_SECRET_BYTES = 32

/** Standard Webhooks 1.0.0, "Signature scheme": 192 to 512 bits. */
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64

/** Random bytes that are fit for keys: `crypto.randomBytes`, or a seeded source in tests. */
export type RandomBytes = (sizeBytes: number) => Buffer

/** `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = (randomBytes: RandomBytes): string =>
  PREFIX + randomBytes(NEW_SECRET_BYTES).toString('base64')

/**
 * The key inside a secret: `whsec_` + padded base64 of 24 to 64 bytes. Throws an Error that does not show the secret,
 * since it may come from a configuration file.
 */
export const parseWebhookSecret = (secret: string): Buffer => {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const key = Buffer.from(encoded, 'base64')
  // Node skips characters that are not base64. Only a text that decodes without loss is the same for every receiver.
  if (key.toString('base64') !== encoded || key.length < MIN_SECRET_BYTES || key.length > MAX_SECRET_BYTES)
    throw new Error(
      `a webhook secret is "${PREFIX}" followed by the base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`,
    )
  return key
}

export interface Message {
  /** All live secrets, newest first: one signature each, so that a receiver may verify with any of them. */
  secrets: readonly string[]
  /** The event's id: the same for every attempt and replay. */
  id: string
  /** Of the attempt, in seconds since the epoch. */
  timestampS: number
  /** The stored bytes, sent as they are. */
  body: string
}

/** The three headers of Standard Webhooks 1.0.0. Throws on a malformed secret. */
export const sign = ({ secrets, id, timestampS, body }: Message): Record<`webhook-${string}`, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestampS),
  'webhook-signature': secrets
    .map((secret) => createHmac('sha256', parseWebhookSecret(secret)).update(`${id}.${timestampS}.${body}`))
    .map((hmac) => `v1,${hmac.digest('base64')}`)
    .join(' '),
})
