import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { Problem } from '../core/errors.ts'

/** In the order of preference: the smallest first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

interface Form {
  body: Buffer
  etag: string
}

/** One document, in the forms in which it can be sent. Each is made once: every answer sends these very bytes. */
export interface Served {
  type: string
  forms: ReadonlyMap<Encoding, () => Form>
}

/** A connection that was sent more than this ends with the answer. */
const OF_CONNECTION_BYTES = 262_144
/** Nearly as small as at 11, and 20 times as fast: the largest document takes the process some 50 ms, once. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export const formOf = (make: () => Buffer): (() => Form) => {
  let made: Form | null = null
  return () => {
    if (made) return made
    const body = make()
    made = { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` }
    return made
  }
}

/** Read and compressed at the first request that needs it. */
export const servedFrom = (type: string, read: () => Buffer): Served => {
  const plain = formOf(read)
  return {
    type,
    forms: new Map([
      ['identity', plain],
      ['gzip', formOf(() => gzipSync(plain().body))],
      ['br', formOf(() => brotliCompressSync(plain().body, BROTLI))],
    ]),
  }
}

/** The form that the client wants most (RFC 9110, 12.5.3). Without the header: as it is, since `curl` unpacks nothing. */
export const encodingFor = (accepted: string | undefined, offered: readonly Encoding[]): Encoding => {
  const weights = new Map(
    (accepted ?? '').split(',', 64).map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((text) => text.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0
  const [best] = offered.filter((one) => weightOf(one) > 0).toSorted((a, b) => weightOf(b) - weightOf(a))
  return best ?? 'identity'
}

/**
 * The system keeps what a client does not read: without an end, a connection could cost the machine megabytes. node would
 * close at once, and a client that has sent more could lose the answer's end. So the client closes, or the limit for
 * those who read nothing.
 */
const beLast = ({ socket }: Request, res: Response): void => {
  res.set('connection', 'close')
  socket.destroySoon = () => socket.end()
}

export const send = (req: Request, res: Response, { type, forms }: Served): void => {
  const encoding = encodingFor(
    req.get('accept-encoding'),
    ENCODINGS.filter((one) => forms.has(one)),
  )
  const form = forms.get(encoding)?.()
  if (!form) throw new Problem('internal_error', 'a file has no form')
  res.vary('Accept-Encoding').set('etag', form.etag)
  if (req.fresh) return void res.status(304).end()
  const sentBytes = req.socket.bytesWritten + form.body.length
  if (sentBytes > OF_CONNECTION_BYTES && req.method !== 'HEAD') beLast(req, res)
  // Set here: an answer to HEAD has no body that says it.
  res.set({ 'content-type': type, 'content-length': String(form.body.length) })
  if (encoding !== 'identity') res.set('content-encoding', encoding)
  res.end(form.body)
}
