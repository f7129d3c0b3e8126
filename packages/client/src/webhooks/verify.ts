import { Webhook } from 'standardwebhooks'
import { invalidOption, TalkbridgeError } from '../error.ts'
import type { WebhookEvent } from '../types.ts'

/** The body as it came. Not the object of a JSON parser: what is signed is how it was written. */
export type RawBody = string | Uint8Array | ArrayBuffer
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>
/** `whsec_…`; several while one of them is rotated. */
export type Secrets = string | readonly string[]

export const invalid = (message: string, cause?: unknown): TalkbridgeError =>
  new TalkbridgeError('webhook_invalid', message, { title: 'Invalid webhook', cause })

/** Strict: bytes that are no UTF-8 must not be read as others. */
const textOf = (body: RawBody): string => {
  if (typeof body === 'string') return body
  const isBytes = body instanceof Uint8Array || body instanceof ArrayBuffer
  if (!isBytes) throw invalidOption('rawBody: give the bytes as they came, not what a JSON parser made of them')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch (cause) {
    throw invalid('the body is not UTF-8', cause)
  }
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

const headerIn = (headers: WebhookHeaders, name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : (found?.join(', ') ?? '')
}

/** No message shows a secret. */
const keysOf = (secrets: Secrets | undefined): Webhook[] => {
  // Plain JavaScript gives what its environment lacks.
  const all = typeof secrets === 'string' ? [secrets] : (secrets ?? [])
  if (all.length === 0) throw invalidOption('secret: give one, at least')
  return all.map((secret) => {
    try {
      return new Webhook(secret)
    } catch {
      throw invalidOption('secret: it is not what the gateway gave you, which begins with whsec_')
    }
  })
}

/** Null: it is signed with this key. */
const faultFor = (key: Webhook, text: string, headers: Record<string, string>): unknown => {
  try {
    key.verify(text, headers, { jsonParse: false })
    return null
  } catch (fault) {
    return fault
  }
}

const isEvent = (value: unknown): value is Omit<WebhookEvent, 'id'> =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'data' in value &&
  typeof value.data === 'object'

const eventIn = (text: string): Omit<WebhookEvent, 'id'> => {
  try {
    const value: unknown = JSON.parse(text)
    if (isEvent(value)) return value
  } catch (cause) {
    throw invalid('the body is not JSON', cause)
  }
  throw invalid('the body is no event')
}

/** Throws `invalid_option` for what `verify` could not use. */
export const checkSecret = (secret: Secrets): void => void keysOf(secret)

/**
 * The event in a webhook, once its signature has been checked (Standard Webhooks 1.0.0): made with one of your secrets, at
 * most five minutes ago. Throws `webhook_invalid`, and `invalid_option` for a secret or a body of another kind.
 */
export const verify = (rawBody: RawBody, headers: WebhookHeaders, secret: Secrets): WebhookEvent => {
  const keys = keysOf(secret)
  const text = textOf(rawBody)
  const signed = Object.fromEntries(NAMES.map((name) => [name, headerIn(headers, name)]))
  const missing = NAMES.filter((name) => signed[name] === '')
  if (missing.length > 0) throw invalid(`the headers lack ${missing.join(', ')}`)
  const faults = keys.map((key) => faultFor(key, text, signed))
  const [fault] = faults
  if (!faults.includes(null)) throw invalid(fault instanceof Error ? fault.message : 'it is not signed by you', fault)
  return { ...eventIn(text), id: signed['webhook-id'] } as WebhookEvent
}
