import { checkedHeader, checkedId, invalidOption } from './error.ts'
import type { paths } from './schema.d.ts'
import { addHeaders, requestIdOf, send, type CallOptions, type Connection } from './send.ts'

/** The unified API. The surfaces of the two services are for clients that were written for these. */
type Unified = { [Path in keyof paths as Path extends `/unified/v1/${string}` ? Path : never]: paths[Path] }

type Method = 'get' | 'post' | 'patch' | 'delete'

type PathWith<M extends Method> = {
  [Path in keyof Unified]: Unified[Path] extends Record<M, object> ? Path : never
}[keyof Unified]

type ParamsOf<Operation> = Operation extends { parameters: infer Params }
  ? Partial<Params> extends Params
    ? { params?: Params }
    : { params: Params }
  : object

type BodyOf<Operation> = Operation extends { requestBody?: never }
  ? { body?: never }
  : Operation extends { requestBody: { content: { 'application/json': infer Body } } }
    ? { body: Body }
    : Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
      ? { body?: Body }
      : never

/** How the body of the answer is read. */
interface Reading {
  text: string
  blob: Blob
  arrayBuffer: ArrayBuffer
  stream: ReadableStream<Uint8Array> | null
}

type ParseAs = 'json' | keyof Reading

/** `parseAs`: how the body of the answer is read; default: as JSON. */
type Init<Operation, As> = ParamsOf<Operation> & BodyOf<Operation> & CallOptions & { parseAs?: As }

type Args<Init> = Partial<Init> extends Init ? [init?: Init] : [init: Init]

type JsonOf<Result> = Result extends { content: infer Content }
  ? Content extends { 'application/json': infer Json }
    ? Json
    : never
  : undefined

/** Of an answer that is no error: those are thrown. */
type DataOf<Operation, As> = As extends keyof Reading
  ? Reading[As]
  : Operation extends { responses: infer Results }
    ? JsonOf<Results[keyof Results & (200 | 201 | 202 | 204)]>
    : never

/** With `If-None-Match` there is no `data` where `response.status` is 304. */
export interface Answer<Data> {
  data: Data
  response: Response
  /** The operator of the gateway finds the request by it. */
  requestId: string | null
}

/** Calls any operation of the unified API. Throws `TalkbridgeError`. */
export type Call<M extends Method> = <Path extends PathWith<M>, As extends ParseAs = 'json'>(
  path: Path,
  ...args: Args<Init<Unified[Path][M], As>>
) => Promise<Answer<DataOf<Unified[Path][M], As>>>

export interface Raw {
  GET: Call<'get'>
  POST: Call<'post'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
}

/** Resolves to the data of an answer; `withResponse()` to the whole answer. */
export interface ApiPromise<Data> extends Promise<Data> {
  withResponse(): Promise<Answer<Data>>
}

export const apiPromise = <Data>(call: () => Promise<Answer<Data>>): ApiPromise<Data> => {
  // What it throws by itself, such as for an id that is none, is a rejection, too.
  const answer = Promise.resolve().then(call)
  const data = answer.then((one) => one.data)
  const withResponse = (): Promise<Answer<Data>> => {
    // Nobody waits for the data, so nobody else would handle its rejection.
    data.catch(() => {})
    return answer
  }
  return Object.assign(data, { withResponse })
}

/** `next_cursor` is null on the last page. */
export interface Page<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
  next_cursor: string | null
}

/** One page, or with `for await` every item of this page and all behind it. */
export interface Listing<Item> extends AsyncIterable<Item> {
  page(): ApiPromise<Page<Item>>
}
/** `load` reads the page that a query describes. */
export const listing = <Item, Query extends { cursor?: string }>(
  query: Query | undefined,
  load: (query: Query | { cursor?: string }) => ApiPromise<Page<Item>>,
): Listing<Item> => ({
  page: () => load(query ?? {}),
  async *[Symbol.asyncIterator]() {
    for (let next: string | null | undefined = query?.cursor; next !== null;) {
      const page = await load({ ...query, ...(next !== undefined && { cursor: next }) })
      yield* page.data
      next = page.next_cursor
    }
  },
})

/** Creates that take an `Idempotency-Key`. A test compares them with the document. */
export const KEYED: readonly string[] = ['/unified/v1/videos', '/unified/v1/puppets', '/unified/v1/uploads']

/** `crypto.randomUUID` is missing in pages that came without TLS. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

export interface KeyedOptions extends CallOptions {
  /** Repeats a create without making a second thing. Default: one that the client makes for the call. */
  idempotencyKey?: string | undefined
}

export const keyed = ({ idempotencyKey: key, ...options }: KeyedOptions = {}) => {
  const header = key === undefined ? {} : { 'Idempotency-Key': checkedHeader('idempotencyKey', key) }
  return { ...options, params: { header } }
}

const heldMs = (headers: Headers): number =>
  Number(/\bwait=(\d{1,2})\b/.exec(headers.get('prefer') ?? '')?.[1] ?? 0) * 1_000

type Values = Readonly<Record<string, string | number | boolean | object | null | undefined>>

/** As the types above allow it, for all operations. */
interface AnyInit extends CallOptions {
  params?: { path?: Values; query?: Values; header?: Readonly<Record<string, string | undefined>> }
  body?: unknown
  parseAs?: ParseAs
}

const pathOf = (path: string, ids: Values = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(checkedId(name, ids[name])))

/** `{ metadata: { order: '1' } }` is `metadata[order]=1`. */
const queryOf = (query: Values = {}): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) search.append(`${name}[${key}]`, String(one))
    else if (value !== undefined && value !== null) search.append(name, String(value))
  }
  const text = search.toString()
  return text && `?${text}`
}

const readAs = async (response: Response, parseAs: ParseAs): Promise<unknown> => {
  if ([204, 304].includes(response.status)) return undefined
  if (parseAs === 'stream') return response.body
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  if (parseAs !== 'json' || isJson) return response[parseAs]()
  await response.body?.cancel()
  throw invalidOption('parseAs: the answer is not JSON: give text, blob, arrayBuffer or stream')
}

export const createRaw = (connection: Connection): Raw => {
  const calling =
    (method: string) =>
    async (path: string, init: AnyInit = {}): Promise<Answer<unknown>> => {
      // Anything else could lead the key to another host.
      if (!path.startsWith('/unified/v1/')) throw invalidOption('path: give one that begins with /unified/v1/')
      const { params = {}, body, parseAs = 'json', ...options } = init
      const headers = addHeaders(addHeaders(new Headers(), params.header), options.headers)
      const isKeyed = method === 'POST' && KEYED.includes(path)
      if (isKeyed && !headers.has('idempotency-key')) headers.set('idempotency-key', newIdempotencyKey())
      if (body !== undefined) headers.set('content-type', 'application/json')
      const response = await send(connection, {
        url: connection.base + pathOf(path, params.path) + queryOf(params.query),
        method,
        headers,
        options,
        body: body === undefined ? undefined : JSON.stringify(body),
        hasKey: true,
        isRepeatable: isKeyed || method === 'GET',
        heldMs: heldMs(headers),
        redirect: 'manual',
      })
      return { data: await readAs(response, parseAs), response, requestId: requestIdOf(response) }
    }
  const [GET, POST, PATCH, DELETE] = ['GET', 'POST', 'PATCH', 'DELETE'].map(calling)
  return { GET, POST, PATCH, DELETE } as Raw
}
