import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { Problem } from '../core/errors.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In the order of preference: the smallest first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]

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

const formOf = (make: () => Buffer): (() => Form) => {
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

/**
 * The form that the client wants most (RFC 9110, 12.5.3). Without the header: as it is, since `curl` unpacks nothing.
 */
const encodingFor = (accepted: string | undefined, offered: readonly Encoding[]): Encoding => {
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
 * The system keeps what a client does not read: without an end, a connection could cost the machine megabytes. node
 * would close immediately, and a client that has sent more could lose the answer's end. So the client closes, or the
 * limit for those who read nothing.
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

/** Where a build puts the page: in a checkout `dist/console`, in a package beside the compiled code. */
export const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/console' : '../console', import.meta.url),
)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
const PACKED: readonly (readonly [Encoding, string])[] = [
  ['identity', ''],
  ['gzip', '.gz'],
  ['br', '.br'],
]

/** Read immediately: a build may replace the folder. */
const read = (path: string) => {
  const body = readFileSync(path)
  return formOf(() => body)
}

const servedAt = (path: string): Served => ({
  type: TYPES[extname(path)] ?? 'application/octet-stream',
  forms: new Map(
    PACKED.flatMap(([encoding, ending]) =>
      existsSync(path + ending) ? [[encoding, read(path + ending)] as const] : [],
    ),
  ),
})

const isPacked = (name: string): boolean => PACKED.some(([, ending]) => ending !== '' && name.endsWith(ending))

/** All of the page, by the path below the folder; null: there is none, since nobody built it. */
export const readFolder = (folder: string): ReadonlyMap<string, Served> | null => {
  if (!existsSync(join(folder, 'index.html'))) return null
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.flatMap(({ parentPath, name }) => {
      // A map of the sources is for a person who debugs a build, not for everybody.
      if (isPacked(name) || name.endsWith('.map')) return []
      const path = join(parentPath, name)
      return [[relative(folder, path).split(sep).join(posix.sep), servedAt(path)] as const]
    }),
  )
}
