import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { TOKEN } from '../../core/api/signed.ts'
import { VERSION } from '../../core/vocabulary.ts'

/** What of a client's request goes up. All else stays here: its key, its cookies, and what proxies said on the way. */
const UP = [
  'accept',
  'accept-language',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
] as const
/** Only without the backend's key: the gateway covers the key in whole and plain answers alone. */
const UP_WITHOUT_KEY = ['accept-encoding', 'range', 'if-range'] as const
const UP_WITH_BODY = ['content-type', 'content-encoding', 'content-language'] as const

/** What of a backend's answer comes down, under its own name. */
const DOWN = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'cache-control',
  'expires',
  'vary',
  'retry-after',
  'x-service-next-poll-at',
  'x-service-credits-required',
  'x-service-credits-remaining',
] as const

/** What the window and the health are read from. */
const READ = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'date',
  'content-type',
  'retry-after',
  'x-service-next-poll-at',
] as const

const PLAIN_CONNECTIONS: readonly (string | undefined)[] = [undefined, 'keep-alive', 'close']

/** Whether the sender meant this header for its next neighbor alone (RFC 9110, 7.6.1). */
const namedBy = (connection: string | undefined): ((name: string) => boolean) => {
  if (PLAIN_CONNECTIONS.includes(connection)) return () => false
  const named = new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return (name) => named.has(name)
}

const copy = (
  names: readonly string[],
  from: IncomingHttpHeaders,
  into: Record<string, string>,
  isLeftOut: (name: string) => boolean,
): void => {
  for (const name of names) {
    const value = from[name]
    if (typeof value === 'string' && !isLeftOut(name)) into[name] = value
  }
}

const USER_AGENT = `talkbridge/${VERSION}`

export interface Upward {
  host: string
  /** Null: nobody's credentials go up. */
  authorization: string | null
  hasBody: boolean
  /** The connection is used for nothing else. */
  isFresh: boolean
  /** What says which trace it is part of: the gateway's own, in place of the client's. */
  trace: Readonly<Record<string, string>>
}

/** The headers of the request to the backend. Pure. */
export const upward = (
  asked: IncomingHttpHeaders,
  { host, authorization, hasBody, isFresh, trace }: Upward,
): Record<string, string> => {
  const sent: Record<string, string> = { host, 'user-agent': USER_AGENT, ...trace }
  const isLeftOut = namedBy(asked.connection)
  if (authorization === null) copy(UP_WITHOUT_KEY, asked, sent, isLeftOut)
  else Object.assign(sent, { authorization, 'accept-encoding': 'identity' })
  if (isFresh) sent['connection'] = 'close'
  copy(UP, asked, sent, isLeftOut)
  if (!hasBody) return sent
  copy(UP_WITH_BODY, asked, sent, isLeftOut)
  // A body of unknown length goes up in chunks, as node sends what has no length.
  if (asked['transfer-encoding'] === undefined) sent['content-length'] = asked['content-length'] ?? '0'
  return sent
}

/** What an adapter reads of an answer's head. Pure. */
export const readable = (answered: IncomingHttpHeaders): Record<string, string> => {
  const read: Record<string, string> = {}
  copy(READ, answered, read, () => false)
  return read
}

/** Whether a header may come down: it has neither the backend's key nor a callback token. */
const isPublic = (value: string, secret: string): boolean => !value.includes(secret) && !TOKEN.test(value)

const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The backend's own id of the request, for its support. */
const backendRequestId = (answered: IncomingHttpHeaders): string | null => {
  const id = answered['x-request-id'] ?? answered['request-id']
  return typeof id === 'string' && SANE_ID.test(id) ? id : null
}

const isJson = (type: string | undefined): boolean => /^application\/([\w.-]+\+)?json\b/i.test(type ?? '')

/** A page of the backend's must not act as one of the gateway's. */
const INERT = "default-src 'none'; sandbox"

/** Tells the backend's request id, whoever words the answer. `secret` is told nobody. */
export const setBackendRequestId = (res: ServerResponse, answered: IncomingHttpHeaders, secret: string): void => {
  const id = backendRequestId(answered)
  if (id !== null && isPublic(id, secret)) res.setHeader('x-backend-request-id', id)
}

/** Sets what of an answer comes down. What the gateway said itself already stays; `secret` is in none of it. */
export const setDownward = (
  res: ServerResponse,
  status: number,
  answered: IncomingHttpHeaders,
  secret: string,
): void => {
  const isLeftOut = namedBy(answered.connection)
  for (const name of DOWN) {
    const value = answered[name]
    if (typeof value !== 'string' || isLeftOut(name) || !isPublic(value, secret)) continue
    // Of both that vary it, either is right.
    if (name === 'vary' && res.hasHeader(name)) res.appendHeader(name, value)
    if (res.hasHeader(name)) continue
    // RFC 9110, 8.6: a 204 has none.
    if (name === 'content-length' && status === 204) continue
    res.setHeader(name, value)
  }
  if (!isJson(answered['content-type'])) res.setHeader('content-security-policy', INERT)
}
