import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import type { RequestEntry } from '../faults.ts'
import type { Window } from '../keys.ts'
import type { Interface, Key } from '../state.ts'

/** When to come back. */
export interface Hint {
  readonly seconds: number
  readonly atMs: number
}

/** What a contract operation answers: data, so that a fault can change it and the ledger can record it. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Absent: no body at all (204). */
  readonly body?: Readonly<Record<string, unknown>>
}

/** An answer as text, which a fault may cut. */
export interface Written {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

/** What is put on the wire in the end. */
export type Outcome =
  | Written
  | { readonly kind: 'huge'; readonly bytes: number; readonly headers: Record<string, string> }
  | { readonly kind: 'reset' | 'hang' }

/** A refusal in the vocabulary that both contracts share; each dialect gives it its own words. */
type Reason =
  | 'unauthorized'
  | 'forbidden'
  | 'rate_limited'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'invalid_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'internal'

interface Extras {
  readonly retryable?: boolean
  readonly retryAfter?: Hint | null
  readonly blockCode?: string | undefined
  /** The job that the answer is about. */
  readonly jobId?: string | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export interface Refused extends Extras {
  readonly status: number
  /** A shared reason, put in the dialect's own code, or a code as the contract spells it. */
  readonly reason: Reason | { readonly code: string }
  readonly message: string
}

/** Thrown by anything under an operation; the operation turns it into an answer in its dialect. */
export class Refusal extends Error {
  readonly refused: Refused
  constructor(status: number, reason: Refused['reason'], message: string, extras: Extras = {}) {
    super(message)
    this.name = 'Refusal'
    this.refused = { status, reason, message, ...extras }
  }
}

/** How one contract says what both have in common. */
export interface Dialect {
  readonly interface: Interface
  readonly requestsPerMinute: number
  refuse(refused: Refused, origin: string): Answer
}

export const invalid = (message: string): Refusal => new Refusal(400, 'invalid_request', message)

/** X-RateLimit-* (both contracts): Reset is Unix time in whole seconds. */
export const rateHeaders = (window: Window): Record<string, string> => ({
  'X-RateLimit-Limit': String(window.limit),
  'X-RateLimit-Remaining': String(window.remaining),
  'X-RateLimit-Reset': String(window.resetAtMs / 1000),
})

/** Writes an answer. The body is text already, so that a fault may have cut it. */
export const send = (res: Response, status: number, headers: Readonly<Record<string, string>>, text: string): void => {
  res.status(status).set(headers)
  if (text !== '' && !res.hasHeader('Content-Type')) res.set('Content-Type', 'application/json; charset=utf-8')
  res.set('Content-Length', String(Buffer.byteLength(text))).end(res.req.method === 'HEAD' ? undefined : text)
}

/** One authorized request, as an operation sees it. */
export interface Call {
  readonly req: Request
  readonly key: Key
  /** `http://host:port` as the caller wrote it: absolute links name it. */
  readonly origin: string
  /** The line of the ledger; operations add the job and the idempotency key. */
  readonly entry: RequestEntry
  /** A create awaits this between taking its idempotency key and making its job: where a latency fault can sit. */
  readonly during: () => Promise<void>
}

export interface Operation {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  /** The contract's operationId; faults and the ledger use it. */
  readonly name: string
  readonly scope?: string
  readonly run: (call: Call) => Answer | Promise<Answer>
  /** What the contract wants on an error of this status, when a fault makes it: the job, its hints. */
  readonly faulted?: (req: Request, status: number) => Partial<Refused>
  /** What happens although a fault keeps the request from being heard. */
  readonly unheard?: (call: Omit<Call, 'during' | 'entry'>) => Promise<void>
}

export type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body's bytes, or `null` as soon as they are more than `limitBytes`. Rejects when the caller hangs up. */
const readBytes = async (req: IncomingMessage, limitBytes: number): Promise<Buffer | null> => {
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) return null
  const chunks: Buffer[] = []
  let sizeBytes = 0
  // Not `for await`: leaving that loop early would destroy the socket before the refusal is written.
  return new Promise((resolve, reject) => {
    req.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (sizeBytes > limitBytes) {
        chunks.length = 0
        resolve(null)
      } else chunks.push(chunk)
    })
    req.on('end', () => resolve(Buffer.concat(chunks)))
    req.on('error', reject)
    req.on('close', () => reject(new Error('The caller hung up before its body was complete.')))
  })
}

/** Of the Content-Type, without its parameters. */
export const mediaTypeOf = (req: IncomingMessage): string | undefined =>
  req.headers['content-type']?.split(';')[0]?.trim().toLowerCase()

interface BodyRules {
  readonly limitBytes: number
  /** retry_block_code of the 413 and 415, where the contract shows one. */
  readonly blockCodes?: { readonly 413?: string; readonly 415?: string }
  /** The status of both where the operation lists neither 413 nor 415. */
  readonly refuseWith?: 400
}

const REASONS = { 413: 'payload_too_large', 415: 'unsupported_media_type' } as const

const refused = (status: 413 | 415, message: string, rules: BodyRules, details?: JsonObject): Refusal =>
  rules.refuseWith === 400
    ? new Refusal(400, 'invalid_request', message, { details })
    : new Refusal(status, REASONS[status], message, { details, blockCode: rules.blockCodes?.[status] })

/**
 * Reads a JSON object, counting bytes, not characters (primary, "Limits": 65536 and 8192 bytes).
 * Throws 415 for another content type or an encoded body, 413 with `max_body_bytes`, 400 for what is not an object.
 */
export const readJson = async (req: IncomingMessage, rules: BodyRules): Promise<JsonObject> => {
  if (mediaTypeOf(req) !== 'application/json' || (req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw refused(415, 'Content-Type must be application/json, not encoded.', rules)
  }
  const bytes = await readBytes(req, rules.limitBytes)
  if (bytes === null) {
    const details = { max_body_bytes: rules.limitBytes }
    throw refused(413, `The request body is larger than ${rules.limitBytes} bytes.`, rules, details)
  }
  const value = parsed(bytes)
  if (!isObject(value)) throw invalid('The request body must be a JSON object.')
  return value
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('The request body is not valid JSON.')
  }
}
