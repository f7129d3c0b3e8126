import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch'
import type { paths } from './schema.d.ts'
import { send, type Connection } from './send.ts'

/** The unified API. The surfaces of the two services are for clients that were written for these. */
type Unified = { [Path in keyof paths as Path extends `/unified/v1/${string}` ? Path : never]: paths[Path] }

type Method = 'get' | 'post' | 'patch' | 'delete'

type PathWith<M extends Method> = {
  [Path in keyof Unified]: Unified[Path] extends Record<M, object> ? Path : never
}[keyof Unified]

/** Of an answer that is no error: those are thrown. */
type Told<Operation, Init> =
  FetchResponse<Operation & Record<string | number, unknown>, Init, `${string}/${string}`> extends infer Answer
    ? Answer extends { error?: never; data: infer Data }
      ? Data
      : never
    : never

type Args<Init> = [undefined] extends [Init] ? [init?: Init] : [init: Init]

/**
 * Calls any operation of the unified API. Throws `TalkbridgeError`. With `If-None-Match` there is no `data` where
 * `response.status` is 304.
 */
export type Call<M extends Method> = <Path extends PathWith<M>, Init extends MaybeOptionalInit<Unified[Path], M>>(
  path: Path,
  ...args: Args<Init>
) => Promise<{ data: Told<Unified[Path][M], Init>; response: Response }>

export interface Raw {
  GET: Call<'get'>
  POST: Call<'post'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
}

/** Creates that take an `Idempotency-Key`. A test compares them with the document. */
export const KEYED: readonly string[] = ['/unified/v1/videos', '/unified/v1/puppets', '/unified/v1/uploads']

/** `crypto.randomUUID` is missing in pages that came without TLS. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const heldMs = (headers: Headers): number =>
  Number(/\bwait=(\d{1,2})\b/.exec(headers.get('prefer') ?? '')?.[1] ?? 0) * 1_000

export const createRaw = (connection: Connection): Raw => {
  const { base } = connection
  const fetchOne = async (request: Request): Promise<Response> => {
    const { url, method, headers, signal } = request
    const isOurs = url.startsWith(`${base}/`)
    const [path = ''] = url.slice(base.length).split('?')
    const isKeyed = isOurs && method === 'POST' && KEYED.includes(path)
    if (isKeyed && !headers.has('idempotency-key')) headers.set('idempotency-key', newIdempotencyKey())
    return send(connection, {
      url,
      method,
      headers,
      signal,
      // In place of the request itself, whose body could be sent once only.
      body: method === 'GET' ? undefined : (await request.text()) || undefined,
      hasKey: isOurs,
      isRepeatable: isKeyed || method === 'GET',
      heldMs: heldMs(headers),
      redirect: 'manual',
    })
  }
  // Answers that are errors are thrown before: what it answers has `data`.
  return createClient<Unified>({ baseUrl: base, fetch: fetchOne }) as unknown as Raw
}
