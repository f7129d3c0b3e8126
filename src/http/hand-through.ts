import {
  type Agent,
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type Socket, isIP } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as secureConnect } from 'node:tls'
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware'
import type { HeadReply } from '../core/adapter.ts'
import { TOKEN } from '../core/api/signed.ts'
import { Problem, bodyTooLarge, codeOf } from '../core/errors.ts'
import { CONNECT_TIMEOUT_MS, NO_PROXY, type ProxyOf, openTunnel } from './exchange.ts'

const MASK = '*'.charCodeAt(0)

/** Shorter secrets would be found in innocent bytes. */
const MIN_MASKED_LENGTH = 8

/** How many last bytes of `chunk` may be the first ones of `needle`. */
const overhang = (chunk: Buffer, needle: Buffer): number => {
  const first = needle[0] ?? 0
  const from = Math.max(0, chunk.length - needle.length + 1)
  for (let at = chunk.indexOf(first, from); at !== -1; at = chunk.indexOf(first, at + 1)) {
    if (chunk.compare(needle, 0, chunk.length - at, at) === 0) return chunk.length - at
  }
  return 0
}

const cover = (chunk: Buffer, needle: Buffer): void => {
  for (let at = chunk.indexOf(needle); at !== -1; at = chunk.indexOf(needle, at + needle.length)) {
    chunk.fill(MASK, at, at + needle.length)
  }
}

const FIRST = Buffer.from('vid_')
const MAX_TOKEN_LENGTH = 84

/** Whole, or cut off before something else. At the end of the bytes it may continue. */
const TOKENS = new RegExp(String.raw`${TOKEN.source}(?:[\w-]{43}|[\w-]{0,42}(?![\w-]|$))`, 'g')
/** What may be the beginning of a token. */
const BEGUN =
  /v(?:i(?:d(?:_(?:[0-9A-HJKMNP-TV-Z]{0,25}|[0-9A-HJKMNP-TV-Z]{26}(?:\.\d{0,9}|\.\d{1,9}\.[\w-]{0,42})?))?)?)?$/

const coverTokens = (chunk: Buffer): void => {
  if (!chunk.includes(FIRST)) return
  for (const { index, 0: token } of chunk.toString('latin1').matchAll(TOKENS))
    chunk.fill(MASK, index, index + token.length)
}

/** How many last bytes of `chunk` may be the first ones of a token. */
const tokenOverhang = (chunk: Buffer): number =>
  BEGUN.exec(chunk.toString('latin1', Math.max(0, chunk.length - MAX_TOKEN_LENGTH)))?.[0].length ?? 0

/**
 * Covers callback tokens and the backend's key in bytes that stream by, with as many stars: lengths stay true. The key
 * is covered in JSON that escapes slashes, too. What may be the beginning of either is held until the next chunk shows
 * it; `rest` answers what is still held.
 */
interface Mask {
  next(chunk: Buffer): Buffer
  rest(): Buffer | null
}

/** A secret that is too short to be distinguished from other text is not covered. */
export const createMasks = (secret: string): (() => Mask) => {
  const spelled = new Set([secret, secret.replaceAll('/', String.raw`\/`)])
  const needles = secret.length < MIN_MASKED_LENGTH ? [] : [...spelled].map((text) => Buffer.from(text))
  return () => {
    let held: Buffer | null = null
    return {
      next(chunk) {
        const bytes = held === null ? chunk : Buffer.concat([held, chunk])
        for (const needle of needles) cover(bytes, needle)
        coverTokens(bytes)
        const kept = Math.max(tokenOverhang(bytes), ...needles.map((needle) => overhang(bytes, needle)))
        held = kept === 0 ? null : bytes.subarray(bytes.length - kept)
        return kept === 0 ? bytes : bytes.subarray(0, bytes.length - kept)
      },
      rest() {
        const at = held?.toString('latin1').search(TOKEN) ?? -1
        return at === -1 ? held : (held?.fill(MASK, at) ?? null)
      },
    }
  }
}

/** What requests that are handed through under one configuration share. */
interface Lines {
  /** `isFresh`: nothing goes over the connection before or after. */
  agent(origin: URL, isFresh: boolean): HttpAgent
  /** Its agent hands over no connection before it is whole: what has one has begun. */
  isTunnelled(origin: URL): boolean
  /**
   * For one answer, so that the secret is not in it; null: the secret is too short to be distinguished from other text.
   */
  mask(secret: string): Mask
  close(): void
}

/** Connections to one backend, in use and idle. */
const BOUNDS = { maxSockets: 256, maxFreeSockets: 64 }

/** Certificates are always verified. HTTP/1.1 only: over HTTP/2 a request might be sent again. */
const VERIFIED = { rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] }
type Roots = { ca?: string }

/** TLS within a tunnel. */
const secured = (socket: Socket, { hostname }: URL, ca: Roots): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const servername = isIP(host) ? '' : host
    const within = secureConnect({ ...VERIFIED, ...ca, host, servername, socket })
    const timer = setTimeout(() => within.destroy(new Error('no handshake in time')), CONNECT_TIMEOUT_MS)
    within.once('close', () => clearTimeout(timer))
    within.once('error', reject)
    within.once('secureConnect', () => {
      clearTimeout(timer)
      within.removeListener('error', reject)
      resolve(within)
    })
  })

/** Every connection of the agent goes to `origin`, through the proxy. */
const tunnelling = (agent: HttpAgent, proxy: string, origin: URL, ca: Roots): HttpAgent => {
  const open = async (): Promise<Socket> => {
    const socket = await openTunnel(proxy, origin, CONNECT_TIMEOUT_MS)
    return origin.protocol === 'https:' ? secured(socket, origin, ca) : socket
  }
  agent.createConnection = (_options, callback) => {
    open().then(
      (socket) => callback?.(null, socket),
      // Its types ask for a stream beside the error, which nobody looks at.
      (error: Error) => callback?.(error, new Duplex()),
    )
    return undefined
  }
  return agent
}

interface LinesOptions extends Partial<typeof BOUNDS> {
  proxyOf?: ProxyOf
  /** PEM of roots to trust instead of Node's. */
  ca?: string
}

export const createLines = ({ proxyOf = NO_PROXY, ca, ...bounds }: LinesOptions = {}): Lines => {
  const options = { ...BOUNDS, ...bounds }
  const roots: Roots = ca === undefined ? {} : { ca }
  const ofProtocol = (keepAlive: boolean) => ({
    http: new HttpAgent({ ...options, keepAlive }),
    https: new HttpsAgent({ ...options, ...VERIFIED, ...roots, keepAlive }),
  })
  const kept = ofProtocol(true)
  const fresh = ofProtocol(false)
  const tunnels = new Map<string, HttpAgent>()
  const masks = new Map<string, ReturnType<typeof createMasks>>()

  const tunnelTo = (origin: URL, proxy: string, isFresh: boolean): HttpAgent => {
    const key = `${isFresh} ${origin.origin}`
    const known = tunnels.get(key)
    if (known) return known
    const own = { ...options, keepAlive: !isFresh }
    const agent = origin.protocol === 'https:' ? new HttpsAgent(own) : new HttpAgent(own)
    const made = tunnelling(agent, proxy, origin, roots)
    tunnels.set(key, made)
    return made
  }

  return {
    agent(origin, isFresh) {
      const proxy = proxyOf(origin.origin)
      if (proxy !== null) return tunnelTo(origin, proxy, isFresh)
      const { http, https } = isFresh ? fresh : kept
      return origin.protocol === 'https:' ? https : http
    },
    isTunnelled: (origin) => proxyOf(origin.origin) !== null,
    mask(secret) {
      const known = masks.get(secret) ?? createMasks(secret)
      masks.set(secret, known)
      return known()
    },
    close: () =>
      [kept.http, kept.https, fresh.http, fresh.https, ...tunnels.values()].forEach((agent) => agent.destroy()),
  }
}

/** One request as it goes up. */
interface Errand {
  /** Scheme, host and port. */
  origin: URL
  /** What the request line says, query included. */
  path: string
  /** All of them. */
  headers: Record<string, string>
  /** The backend's key: covered wherever it comes back. */
  secret: string
  /** It must go out at most once: over a connection of its own. */
  isFresh: boolean
  /** From the call, or the body's end, to the answer's head; and how long its body may be silent. */
  timeoutMs: number
  /** 0: it has none. */
  maxBodyBytes: number
  /**
   * Called once, when the answer's head is there. True: `res` has its status and headers, and the body follows. False:
   * `res` was ended with another answer, and this one is dropped.
   */
  onHead: (answer: IncomingMessage) => boolean
}

/** `head`: it came, and `onHead` was called. `gone`: the client disconnected first. */
type HandedThrough = { kind: 'head' } | { kind: 'gone' } | Extract<HeadReply, { kind: 'failed' }>

/**
 * Sends a request up as the errand says, once. Resolves when the answer's head came, or none will; the body streams on.
 * Rejects with `payload_too_large` or `invalid_request` if only what was being sent showed that.
 */
export type HandThrough = (req: IncomingMessage, res: ServerResponse, errand: Errand) => Promise<HandedThrough>

/** A request under way, as the proxy's events find it. */
interface Running {
  origin: URL
  agent: Agent
  onSent: (sent: ClientRequest) => void
  onAnswer: (answer: IncomingMessage) => void
  onError: (error: unknown) => void
}

/** On the response itself: a collector follows each entry of a weak map apart, and there is one for every request. */
const UNDER_WAY = Symbol('handed through')
const isUnderWay = (res: object | undefined): res is { [UNDER_WAY]: Running } => res !== undefined && UNDER_WAY in res

/**
 * Hands requests through to backends and their answers back, streamed both ways. One for the process: the proxy binds
 * itself to every server that it meets. `lines` are those of a configuration.
 */
export const createHandThrough = (): ((lines: Lines) => HandThrough) => {
  const of = (res: object | undefined): Running | null => (isUnderWay(res) ? res[UNDER_WAY] : null)

  const proxy = createProxyMiddleware({
    // Without the other default plugins, which log requests and answer errors themselves.
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      proxyReq: (sent, _req, res) => of(res)?.onSent(sent),
      proxyRes: (answer, _req, res) => of(res)?.onAnswer(answer),
      error: (error, _req, res) => of(res)?.onError(error),
      econnreset: (error, _req, res) => of(res)?.onError(error),
    },
    selfHandleResponse: true,
    router(_req, res, options) {
      const running = of(res)
      if (!running) throw new Error('a request that nobody sent')
      options.agent = running.agent
      return running.origin
    },
  })

  return (lines) => (req, res, errand) =>
    new Promise((resolve, reject) => {
      if (res.destroyed) return resolve({ kind: 'gone' })
      const running = run(req, res, errand, lines, { resolve, reject })
      Object.assign(res, { [UNDER_WAY]: running })
      req.url = errand.path
      req.headers = errand.headers
      proxy(req, res, running.onError).catch(running.onError)
    })
}

/** What node refuses to send before a byte of it goes out. */
const UNSENDABLE: readonly string[] = ['ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS']

/** Whatever throws in a parser's event ends the process. Here it ends this answer instead: both sides break off. */
const guarded = (answer: IncomingMessage, res: ServerResponse, step: () => void): void => {
  try {
    step()
  } catch {
    answer.destroy()
    res.destroy()
  }
}

/** The answer's body to the client, as fast as it reads. Where one breaks off, the proxy breaks off the other. */
const pour = (answer: IncomingMessage, res: ServerResponse, mask: Mask): void => {
  // Throws where the body is shorter or longer than its head said.
  res.strictContentLength = true
  answer.on('data', (chunk: Buffer) =>
    guarded(answer, res, () => {
      if (res.write(mask.next(chunk))) return
      answer.pause()
      res.once('drain', () => answer.resume())
    }),
  )
  answer.on('end', () => guarded(answer, res, () => res.end(mask.rest() ?? undefined)))
}

const onExcess = (req: IncomingMessage, maxBytes: number, tell: () => void): void => {
  let bytes = 0
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) tell()
  })
}

/** Runs out when nothing came for too long: no head, or no more of the body. */
const createPatience = (
  req: IncomingMessage,
  res: ServerResponse,
  timeoutMs: number,
  onLate: () => void,
): { answered: (answer: IncomingMessage) => void; end: () => void } => {
  let answer: IncomingMessage | null = null
  let seenBytes = 0
  const isLate = (): boolean => {
    // A client that is slow with its body, or reads slowly, is no fault of the backend's: the server has a limit for
    // it.
    if (answer === null) return req.complete
    const before = seenBytes
    seenBytes = answer.socket.bytesRead
    return seenBytes === before && !res.writableNeedDrain
  }
  const timer = setTimeout(() => {
    if (!isLate()) timer.refresh()
    else if (answer === null) onLate()
    else answer.destroy()
  }, timeoutMs)
  return {
    answered(arrived) {
      answer = arrived
      // From then on it has no socket, and only the client may be slow.
      arrived.once('end', () => clearTimeout(timer))
      seenBytes = arrived.socket.bytesRead
      timer.refresh()
    },
    end: () => clearTimeout(timer),
  }
}

const run = (
  req: IncomingMessage,
  res: ServerResponse,
  { origin, isFresh, timeoutMs, maxBodyBytes, secret, onHead }: Errand,
  lines: Lines,
  { resolve, reject }: { resolve: (outcome: HandedThrough) => void; reject: (problem: Problem) => void },
): Running => {
  const { url, headers } = req
  let sent: ClientRequest | null = null
  let settled = false
  let began = false
  let answered = false

  /** The request is again as it came, for the one that answers it. */
  const settle = (tell: () => void): void => {
    if (settled) return
    settled = true
    if (url !== undefined) req.url = url
    req.headers = headers
    tell()
  }
  const fail = (fault: 'timeout' | 'connection', message: string): void => {
    settle(() => resolve({ kind: 'failed', began, fault, message }))
    sent?.destroy()
  }
  const refuse = (problem: Problem): void => {
    settle(() => reject(problem))
    sent?.destroy()
  }
  const patience = createPatience(req, res, timeoutMs, () => fail('timeout', ''))
  res.once('close', () => {
    patience.end()
    settle(() => resolve({ kind: 'gone' }))
  })

  return {
    origin,
    agent: lines.agent(origin, isFresh),
    onSent(request) {
      // Given up while it waited for a connection.
      if (settled) return void request.destroy()
      sent = request
      // Also without a word, as after a switch of protocols that nobody asked for.
      request.once('close', () => fail('connection', ''))
      if (request.reusedSocket || lines.isTunnelled(origin)) began = true
      else request.socket?.once(origin.protocol === 'https:' ? 'secureConnect' : 'connect', () => (began = true))
      // The proxy begins to read the body right after this, so that nothing of it is missed.
      const isCounted = maxBodyBytes > 0 && headers['content-length'] === undefined
      if (isCounted) onExcess(req, maxBodyBytes, () => refuse(bodyTooLarge(maxBodyBytes)))
    },
    onAnswer(answer) {
      answer.on('error', () => undefined)
      if (settled) return void answer.destroy()
      patience.answered(answer)
      answered = true
      settle(() => resolve({ kind: 'head' }))
      guarded(answer, res, () => {
        if (onHead(answer)) pour(answer, res, lines.mask(secret))
        else answer.destroy()
      })
    },
    onError(error) {
      // Also what follows a whole answer may be broken, and node drops what was not read of it: half is not all.
      if (answered) return void (res.writableEnded || res.destroy())
      const code = codeOf(error)
      if (began || !UNSENDABLE.includes(code)) return fail('connection', code)
      refuse(
        new Problem('invalid_request', 'the request has characters that the gateway cannot pass on', { cause: error }),
      )
    },
  }
}
