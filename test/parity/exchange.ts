import { Agent, request } from 'node:http'

/** A header as it is written and sent. */
export type Header = readonly [name: string, value: string]

/** One request, the same for every lane but for its ids. */
export interface Ask {
  readonly method: string
  /** As it goes on the wire; or a whole URL, of a link that an answer gave. */
  readonly path: string
  /** Beyond Authorization and Content-Length. */
  readonly headers?: readonly Header[]
  readonly body?: string | Uint8Array
  /** In place of the client's `Bearer <key>`; null: none. */
  readonly authorization?: string | null
  /** The body is sent in chunks, without its length. */
  readonly chunked?: boolean
}

export interface Answer {
  readonly status: number
  /** Names in lower case, in the order in which they came. */
  readonly headers: readonly Header[]
  readonly body: Buffer
}

/** Both sides of one request of one lane. */
export interface Exchange {
  readonly ask: Ask
  readonly answer: Answer
}

/** Keeps its connections open; none waits longer than the gateway keeps one. */
export const createAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 4 })

const HANG_MS = 120_000

const pairs = (raw: readonly string[]): Header[] =>
  raw.flatMap((name, at): Header[] => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? '']] : []))

const sentHeaders = ({ headers = [], body, chunked }: Ask, authorization: string | null): Record<string, string> => ({
  ...Object.fromEntries(headers),
  ...(authorization !== null && { Authorization: authorization }),
  ...(body !== undefined && (chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': sizeOf(body) })),
})

const sizeOf = (body: string | Uint8Array): string => String(Buffer.byteLength(body))

const isReset = (cause: Error): boolean => 'code' in cause && ['ECONNRESET', 'EPIPE'].includes(String(cause.code))

/** Sends `ask` to a lane whose paths are under `origin`. Rejects when the connection breaks, or hangs. */
export const exchange = (agent: Agent, origin: string, ask: Ask, key: string | null): Promise<Answer> => {
  const whole = /^https?:\/\//.test(ask.path) ? new URL(ask.path) : null
  const { hostname, port } = whole ?? new URL(origin)
  const path = whole ? `${whole.pathname}${whole.search}` : ask.path
  const authorization = ask.authorization === undefined ? key && `Bearer ${key}` : ask.authorization
  return new Promise((resolve, reject) => {
    const headers = sentHeaders(ask, authorization)
    const sent = request({ agent, hostname, port, path, method: ask.method, headers, timeout: HANG_MS }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('error', reject)
      reply.on('end', () => {
        resolve({ status: reply.statusCode ?? 0, headers: pairs(reply.rawHeaders), body: Buffer.concat(parts) })
      })
    })
    // Closed by the other side while it was idle: nothing was asked yet.
    const again = (): void => void exchange(agent, origin, ask, key).then(resolve, reject)
    sent.on('error', (cause) => (sent.reusedSocket && isReset(cause) ? again() : reject(cause)))
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${ask.method} ${path.slice(0, 200)}`)))
    sent.end(ask.body)
  })
}

/** The last value of a header, by its name in lower case. */
export const headerOf = ({ headers }: Answer, name: string): string | null =>
  headers.findLast(([of]) => of === name)?.[1] ?? null

export const isJson = (answer: Answer): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(headerOf(answer, 'content-type') ?? '')

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body read as JSON; undefined when it is none. */
export const jsonOf = (answer: Answer): unknown => {
  try {
    return JSON.parse(answer.body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The text at `path` of the body; undefined when there is none. */
export const textAt = (answer: Answer | undefined, ...path: readonly string[]): string | undefined => {
  let inner: unknown = answer && jsonOf(answer)
  for (const step of path) {
    inner = Array.isArray(inner) ? inner[Number(step)] : isObject(inner) ? inner[step] : undefined
  }
  return typeof inner === 'string' ? inner : undefined
}
