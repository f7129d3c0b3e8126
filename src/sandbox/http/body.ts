import type { IncomingMessage } from 'node:http'
import { Refusal, invalid } from './answer.ts'

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
