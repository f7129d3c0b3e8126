import { Webhook } from 'standardwebhooks'
import { invalidOption, TalkbridgeError } from './error.ts'
import type { WebhookEvent } from './types.ts'

/** The body as it came. Not the object of a JSON parser: what is signed is how it was written. */
export type RawBody = string | Uint8Array | ArrayBuffer
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>
/** `whsec_…`; several while one of them is rotated. */
export type Secrets = string | readonly string[]

const invalid = (message: string, cause?: unknown): TalkbridgeError =>
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
const checkSecret = (secret: Secrets): void => void keysOf(secret)

/**
 * The event in a webhook, once its signature has been checked (Standard Webhooks 1.0.0): made with one of your secrets,
 * at most five minutes ago. Throws `webhook_invalid`, and `invalid_option` for a secret or a body of another kind.
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

export interface ReceiverOptions {
  /** `whsec_…`; several while one of them is rotated. */
  secret: Secrets
  /**
   * Called with every event that is signed with it. The gateway is answered when it is done: 204, or 500 where it
   * throws, and then the gateway sends the event again. It waits 15 s: keep the event, and work later.
   */
  onEvent: (event: WebhookEvent) => void | Promise<void>
}

/** What is needed of a request of node:http, and so of Express. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined
  headers: Record<string, string | string[] | undefined>
  /** Where a parser came first: `express.raw()` is fine, `express.json()` is not. */
  body?: unknown
}

export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body?: string): unknown
}

/** The gateway's bodies are under 20 kB. */
const MAX_BODY_BYTES = 64 * 1024

/** Null: there are too many. */
const gathered = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> => {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) return null
    kept.push(chunk)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of kept) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

const chunksOf = ({ body, bodyUsed }: Request): AsyncIterable<Uint8Array> => {
  if (bodyUsed) throw invalidOption('request: its body was read before: give the handler a clone')
  return read(body)
}

async function* read(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (!reader) return
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

/** The sender disconnected: no fault of the receiver, which must not end by it. */
const BROKEN = Symbol('broken')

const gatheredWhole = (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | null | typeof BROKEN> =>
  gathered(chunks).catch(() => BROKEN)

interface Answer {
  status: number
  headers?: Record<string, string>
  text?: string
}

interface Incoming {
  method: string
  body: () => Promise<RawBody | null | typeof BROKEN>
  headers: Parameters<typeof verify>[1]
}

/** Throws what `onEvent` throws. */
const receive = async ({ secret, onEvent }: ReceiverOptions, { method, body, headers }: Incoming): Promise<Answer> => {
  if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
  const bytes = await body()
  if (bytes === BROKEN) return { status: 400, headers: { connection: 'close' }, text: 'the body broke off' }
  // The rest of the body is not waited for.
  if (bytes === null) return { status: 413, headers: { connection: 'close' } }
  let event: WebhookEvent
  try {
    event = verify(bytes, headers, secret)
  } catch (error) {
    if (error instanceof TalkbridgeError && error.code === 'webhook_invalid')
      return { status: 400, text: error.message }
    throw error
  }
  await onEvent(event)
  return { status: 204 }
}

const PARSED =
  'the body was parsed before the webhook was verified: put the handler before express.json(), or use express.raw() for it'

const bodyOf = (request: NodeRequest): Promise<Uint8Array | null | typeof BROKEN> => {
  const { body } = request
  if (body instanceof Uint8Array) return Promise.resolve(body)
  if (body === undefined || body === null) return gatheredWhole(request)
  throw invalidOption(PARSED)
}

/**
 * A handler for Express 4 and 5, and for a server of node:http. An error, such as one of your `onEvent`, is given to
 * `next`; where there is none it is answered 500, and thrown: there, catch what the handler rejects with. Throws
 * `invalid_option` immediately for a secret that cannot be one.
 */
export const expressHandler = (options: ReceiverOptions) => {
  checkSecret(options.secret)
  return async (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void): Promise<void> => {
    const { method = '', headers } = request
    const answer = ({ status, headers: others = {}, text }: Answer): void => {
      response.statusCode = status
      for (const [name, value] of Object.entries(others)) response.setHeader(name, value)
      response.end(text)
    }
    try {
      answer(await receive(options, { method, headers, body: async () => bodyOf(request) }))
    } catch (error) {
      if (next) return next(error)
      answer({ status: 500 })
      throw error
    }
  }
}

/**
 * A handler for whatever calls `(request: Request) => Response`: Deno, Bun, workers, Hono, Next.js. Throws what
 * `onEvent` throws; `invalid_option` as the other.
 */
export const fetchHandler = (options: ReceiverOptions) => {
  checkSecret(options.secret)
  return async (request: Request): Promise<Response> => {
    const { method, headers } = request
    const {
      status,
      headers: others = {},
      text,
    } = await receive(options, { method, headers, body: async () => gatheredWhole(chunksOf(request)) })
    return new Response(text ?? null, { status, headers: others })
  }
}
