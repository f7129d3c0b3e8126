import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware'
import type { HeadReply } from '../core/adapter.ts'
import { codeOf, bodyTooLarge, Problem } from '../core/errors.ts'
import type { Mask } from './masked.ts'
import type { Lines } from './proxy-lines.ts'

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
export type HandedThrough = { kind: 'head' } | { kind: 'gone' } | Extract<HeadReply, { kind: 'failed' }>

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
