import { setImmediate as turn } from 'node:timers/promises'
import {
  type Server,
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { Server as TcpServer, Socket, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Lines, endStalled, watchLines } from './lines.ts'
import type { Clock } from './core/time/clock.ts'
import { codeOf, Problem } from './core/errors.ts'
import type { NewId } from './core/ids.ts'
import type { Log } from './core/log.ts'
import type { Tally } from './core/tally.ts'
import { errorAnswer, pathIn } from './routes/middleware/problems.ts'
import type { Answering } from './routes/middleware/request.ts'

/** A turn of the event loop that took no longer had hardly anything to do. */
const QUICK_MS = 0.2
/** However many connections come, the listener is closed after so long. */
const PATIENCE_MS = 2_000

/**
 * Takes the connections that the system has made and node has not seen yet: closing the listener resets them. node
 * takes one in each turn of its loop, so a turn without one says that none was left when the turn began. A quick one
 * says that hardly any can have come since.
 */
const takeQueued = async (server: Server): Promise<void> => {
  let taken = 0
  const count = (): void => void (taken += 1)
  server.on('connection', count)
  const startedMs = performance.now()
  // What is left of this turn may not look at the listener again.
  await turn()
  for (let isQuiet = false; !isQuiet && performance.now() - startedMs < PATIENCE_MS;) {
    const before = taken
    const beganMs = performance.now()
    await turn()
    isQuiet = taken === before && performance.now() - beganMs < QUICK_MS
  }
  server.off('connection', count)
}

/** Reads no requests until the answer is called: what they would do takes time, and more connections come meanwhile. */
const holdRequests = (server: Server, lines: Lines): (() => void) => {
  const held: Duplex[] = []
  const hold = (socket: Duplex): void => {
    if (socket.isPaused()) return
    socket.pause()
    held.push(socket)
  }
  lines.forEach((_, socket) => hold(socket))
  server.on('connection', hold)
  return () => {
    server.off('connection', hold)
    for (const socket of held) socket.resume()
  }
}

/**
 * Takes no new connections; resolves when the last one has ended. One that was made before is never reset, and one
 * without a request is left as it is: its request may be on its way.
 */
const closeListener = async (server: Server, lines: Lines, endSilentSoon: () => void): Promise<void> => {
  const release = holdRequests(server, lines)
  await takeQueued(server)
  // http's own `close` ends immediately the connections that have no request.
  const ended = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()))
  release()
  endSilentSoon()
  await ended
  // For its timer, which looks for slow callers.
  server.close()
}

export interface ServerOptions {
  handle: RequestListener
  /** Aborted when the process was asked to stop: from then on every answer ends its connection. Default: `stopping`. */
  leaving?: AbortSignal
  /** Aborted when no more connections are taken, and those without a request end. */
  stopping: AbortSignal
  clock: Clock
  newId: NewId
  log: Log
  tally: Pick<Tally, 'count'>
  /** Further ones are closed as they come. Default: no limit. */
  maxConnections?: number
  /** How long a caller may take over its headers. Default 10 s. */
  headersTimeoutMs?: number
  /** And over all of a request. Default 30 s. */
  requestTimeoutMs?: number
  /** How long it may read nothing of what was sent to it. Default 60 s. */
  stalledTimeoutMs?: number
  /**
   * How long a connection without a request is kept when the gateway stops: a request may be on its way. Default 1 s.
   */
  silentTimeoutMs?: number
}

/** A caller that is slow on purpose holds a connection no longer than this. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const STALLED_TIMEOUT_MS = 60_000
/** node looks for them only every 30 s by itself. */
const TIMEOUT_CHECK_MS = 1_000
/** Request line and headers together. */
const MAX_HEADERS_BYTES = 16_384
/**
 * Longer than the minute after which most proxies let an idle connection go: who closes first must not be the gateway.
 */
const KEEP_ALIVE_MS = 65_000
const SILENT_TIMEOUT_MS = 1_000
/** How long a refused caller has to read why: closed immediately, what it still sends would take the answer from it. */
const LINGER_MS = 1_000

const beLast = (res: ServerResponse): void => void (res.headersSent || res.setHeader('connection', 'close'))
const goOn = (res: ServerResponse): void => void (res.headersSent || res.setHeader('connection', 'keep-alive'))

/**
 * While the gateway leaves, the last answer of each connection ends it: one kept alive would hold the stop up until its
 * caller lets go. Not an earlier one: node drops the answers behind it, of requests that were done.
 */
const endConnections = (
  server: Server,
  lines: Lines,
  { leaving, stopping }: { leaving: AbortSignal; stopping: AbortSignal },
  silentMs: number,
): { endSilentSoon: () => void } => {
  // Before the new answer is among those that are open.
  server.prependListener('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    if (!leaving.aborted) return
    lines.get(socket)?.open.forEach(goOn)
    beLast(res)
  })
  const endAfterLast = (): void => lines.forEach(({ open }) => [...open].slice(-1).forEach(beLast))
  leaving.addEventListener('abort', endAfterLast, { once: true })
  // One that is held may have a request that nobody has read. On a busy machine, connections are held for two seconds.
  const isSilent = (open: ReadonlySet<unknown>, socket: Duplex): boolean => open.size === 0 && !socket.isPaused()
  const endSilent = (): void => lines.forEach(({ open }, socket) => void (isSilent(open, socket) && socket.destroy()))
  // After a turn of the event loop: what came while it was busy is read first.
  const endSilentSoon = (): void => void setTimeout(() => setImmediate(() => setImmediate(endSilent)), silentMs).unref()
  const end = (): void => {
    endAfterLast()
    // Its headers may have said to the caller that the connection stays.
    lines.forEach(({ open }) => open.forEach((res) => res.once('close', endSilentSoon)))
    endSilentSoon()
  }
  stopping.addEventListener('abort', end, { once: true })
  return { endSilentSoon }
}

interface Refusal {
  /** HTTP's own, which says more than that of the code. */
  status: number
  problem: Problem
}

const refusal = (status: number, message: string, retryable = false): Refusal => ({
  status,
  problem: new Problem('invalid_request', message, { retryable }),
})

/** Why a request could not be read, by the code of node's error; null: it is the connection that broke. */
const refusalOf = (code: string): Refusal | null => {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal(408, 'the request did not arrive in time', true)
    case 'HPE_HEADER_OVERFLOW':
      return refusal(431, `the request line and headers are larger than ${MAX_HEADERS_BYTES} bytes`)
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return refusal(400, 'the chunks of the body have too many extensions')
    case 'HPE_INVALID_EOF_STATE':
      return refusal(400, 'the request did not arrive completely')
    case 'HPE_INVALID_METHOD':
      return refusal(400, 'the request does not begin with an HTTP method')
    default:
      return code.startsWith('HPE_') ? refusal(400, 'the request is not valid HTTP/1.1') : null
  }
}

/** The path and query of a request that could not be read, as far as its first line was whole; empty if it was not. */
const urlIn = (error: Error): string => {
  const packet: unknown = 'rawPacket' in error ? error.rawPacket : null
  if (!Buffer.isBuffer(packet)) return ''
  return (
    /^[A-Z]{1,20} ((?:https?:\/\/[^/\s]{1,300})?\/[\x21-\x7e]{0,2000}) HTTP\/1\.[01]\r?\n/.exec(
      packet.toString('latin1', 0, 2_100),
    )?.[1] ?? ''
  )
}

/** As it came: a router shortens `url` while it is at work. */
const wholeUrlOf = (req: IncomingMessage): string =>
  'originalUrl' in req && typeof req.originalUrl === 'string' ? req.originalUrl : (req.url ?? '')

/**
 * Answers what node's parser refuses, as everything else is answered: a problem under a request id, and the connection
 * ends. What came before it on the connection is answered first, and then nothing more; its bytes are logged nowhere.
 */
const answerUnreadable = (server: Server, lines: Lines, { clock, newId, log, tally }: ServerOptions): void => {
  const say = (socket: Duplex, { status, problem }: Refusal, requestId: string, url: string): void => {
    const context = {
      clock,
      requestId,
      method: '',
      path: pathIn(url),
      origin: '',
      interfaceOf: () => null,
      refusalOn: () => null,
    }
    const { type, headers, body: view } = errorAnswer(problem, context)
    const body = JSON.stringify('status' in view ? { ...view, status } : view)
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Date: ${new Date(clock.wall()).toUTCString()}`,
      `Content-Type: ${type}; charset=utf-8`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    const lingering = setTimeout(() => socket.destroy(), LINGER_MS).unref()
    socket.once('close', () => clearTimeout(lingering))
  }
  const refuse = (socket: Duplex, refused: Refusal, reason: string, url: string): void => {
    const requestId = newId('req')
    tally.count('unreadable_request', { status: String(refused.status) })
    // A line for each, as for every other request.
    const address = socket instanceof Socket ? socket.remoteAddress : undefined
    const { status, problem } = refused
    log.info({ request_id: requestId, status, code: problem.code, reason, address }, 'a request that cannot be read')
    say(socket, refused, requestId, url)
  }

  const ended = new WeakSet<Duplex>()
  server.on('clientError', (error, socket) => {
    // The parser fails again on everything that comes after.
    if (ended.has(socket)) return
    ended.add(socket)
    const reason = codeOf(error)
    const refused = refusalOf(reason)
    const { open, last } = lines.get(socket) ?? { open: new Set(), last: null }
    const whole = [...open].findLast(({ req }) => req.complete)
    const broken = [...open].find(({ req }) => !req.complete)
    if (refused === null || !socket.writable) socket.destroy()
    else if (whole) {
      beLast(whole)
      whole.once('close', () => socket.destroy())
    } else if (broken) {
      // Its own line in the log is about it.
      broken.statusCode = refused.status
      const answering: Answering = broken
      ;(answering.locals ??= {}).problem = refused.problem
      if (broken.headersSent) socket.destroy()
      else say(socket, refused, String(broken.getHeader('x-request-id')), wholeUrlOf(broken.req))
    } else if (last?.complete === false) socket.destroy()
    else refuse(socket, refused, reason, urlIn(error))
  })
  server.on('connect', (_req, socket: Duplex) => {
    socket.on('error', () => socket.destroy()).resume()
    refuse(socket, refusal(400, 'the gateway is not a proxy'), 'CONNECT', '')
  })
}

interface GatewayServer {
  server: Server
  /** Takes no new connections; resolves when the last one has ended. */
  close: () => Promise<void>
}

const DROPS_LOGGED_EVERY_MS = 60_000

const limitConnections = (server: Server, { maxConnections, clock, log }: ServerOptions): void => {
  if (maxConnections === undefined) return
  let loggedAtMs = -Infinity
  server.maxConnections = maxConnections
  server.on('drop', () => {
    if (clock.now() - loggedAtMs < DROPS_LOGGED_EVERY_MS) return
    loggedAtMs = clock.now()
    log.warn({ connections: maxConnections }, 'server.max_connections are open: the gateway closes new ones')
  })
}

/** The gateway's HTTP server, with its limits; it does not listen yet. */
export const createGatewayServer = (options: ServerOptions): GatewayServer => {
  const { stopping, headersTimeoutMs = HEADERS_TIMEOUT_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options
  const { stalledTimeoutMs = STALLED_TIMEOUT_MS, silentTimeoutMs = SILENT_TIMEOUT_MS, leaving = stopping } = options
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    maxHeaderSize: MAX_HEADERS_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The app asks for one, and node would answer without a word.
    requireHostHeader: false,
  })
  // Bounded by their bytes: node would drop those beyond a number without a word.
  server.maxHeadersCount = 0
  limitConnections(server, options)
  const lines = watchLines(server)
  endStalled(server, lines, stalledTimeoutMs)
  const { endSilentSoon } = endConnections(server, lines, { leaving, stopping }, silentTimeoutMs)
  answerUnreadable(server, lines, options)
  server.on('request', options.handle)
  // Expectations that nobody knows may be left as it is (RFC 9110, 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  return { server, close: () => closeListener(server, lines, endSilentSoon) }
}

/** Rejects when the address cannot be had. */
export const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the listener has no address'))
      else resolve(address)
    })
  })

const WILDCARDS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
export const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${WILDCARDS[address] ?? (family === 'IPv6' ? `[${address}]` : address)}:${port}`
