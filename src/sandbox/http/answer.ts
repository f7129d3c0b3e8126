import type { Response } from 'express'
import type { Interface } from '../state.ts'
import type { Window } from '../rates.ts'

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
export type Reason =
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
