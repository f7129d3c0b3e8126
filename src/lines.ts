import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** How many of the bytes that come next are of one body; it counts on with every call. 0: it has ended. */
type BodyIn = (bytes: Buffer) => number

const ofLength = (length: number): BodyIn => {
  let left = length
  return (bytes) => {
    const taken = Math.min(left, bytes.length)
    left -= taken
    return taken
  }
}

const LF = 0x0a
/** Of a line that reports a size: what is longer is no size. */
const KEPT_OF_LINE = 32

/** RFC 9112, 7.1: chunks, the last of which is empty, and trailers up to a blank line. */
const ofChunks = (): BodyIn => {
  const now = { line: '', left: 0, isOver: false, isInTrailers: false }

  const endLine = (): void => {
    const size = Number.parseInt(now.line, 16)
    if (now.isInTrailers) now.isOver = now.line.trim() === ''
    else if (size === 0) now.isInTrailers = true
    // What is no size, the parser refuses.
    else now.left = Number.isNaN(size) ? Infinity : size + 2
    now.line = ''
  }
  return (bytes) => {
    let at = 0
    while (at < bytes.length && !now.isOver) {
      if (now.left > 0) {
        const taken = Math.min(now.left, bytes.length - at)
        now.left -= taken
        at += taken
        continue
      }
      const end = bytes.indexOf(LF, at)
      const next = end < 0 ? bytes.length : end + 1
      now.line += bytes.toString('latin1', at, Math.min(next, at + KEPT_OF_LINE - now.line.length))
      at = next
      if (end >= 0) endLine()
    }
    return at
  }
}

/** The body of a request with these headers, which the parser has taken. */
const bodyOf = (headers: IncomingHttpHeaders): BodyIn =>
  headers['transfer-encoding'] === undefined ? ofLength(Number(headers['content-length'] ?? 0)) : ofChunks()

/** What happens on one connection. */
interface Line {
  /** Answers that are still to end, in the order of their requests. */
  readonly open: Set<ServerResponse>
  last: IncomingMessage | null
}
export type Lines = ReadonlyMap<Duplex, Line>

/** How many requests of one connection are answered at the same time: what a caller sends above them is left unread. */
export const MAX_UNANSWERED = 8
/**
 * After a larger answer, and before the first, it is one: eight pages of a list at the same time would be in memory
 * until the caller reads them.
 */
const LARGE_BYTES = 256 * 1024

const END_OF_HEAD = Buffer.from('\r\n\r\n')
/** What is kept of the bytes before: what an end that is not whole yet may have of itself, and the one before it. */
const KEPT_BEFORE = END_OF_HEAD.length

const NOTHING = Buffer.alloc(0)
const ENDS_HEAD = END_OF_HEAD.readUInt32BE()

/**
 * What is kept of `bytes`, which came after `before`. Most requests come by themselves: then it is the end of one, and
 * no copy.
 */
const keptOf = (before: Buffer, bytes: Buffer): Buffer =>
  bytes.length >= KEPT_BEFORE && bytes.readUInt32BE(bytes.length - KEPT_BEFORE) === ENDS_HEAD
    ? END_OF_HEAD
    : Buffer.concat([before, bytes.subarray(-KEPT_BEFORE)]).subarray(-KEPT_BEFORE)

const isOfLineEnd = (byte: number | undefined): boolean => byte === 0x0d || byte === 0x0a

/** Where the first head of `bytes` ends, or their own end. A blank line before a request ends no head. */
const endOfHead = (before: Buffer, bytes: Buffer): number => {
  // After an end, none has begun.
  if (before !== END_OF_HEAD) {
    const across = Buffer.concat([before, bytes.subarray(0, END_OF_HEAD.length - 1)])
    const begun = across.indexOf(END_OF_HEAD)
    if (begun > 0 && !isOfLineEnd(across[begun - 1])) return begun + END_OF_HEAD.length - before.length
  }
  for (let at = bytes.indexOf(END_OF_HEAD); at >= 0;) {
    if (!isOfLineEnd(at > 0 ? bytes[at - 1] : before.at(-1))) return at + END_OF_HEAD.length
    while (isOfLineEnd(bytes[at])) at += 1
    at = bytes.indexOf(END_OF_HEAD, at)
  }
  return bytes.length
}

/**
 * Hands a connection's bytes to node's parser in pieces that begin no more requests than there is room for. node itself
 * parses all that one read brought, 64 KiB, and begins each of the thousand requests that may be in it. The body of a
 * request that has begun is handed over whatever room there is: node's clock for it runs. Answers a function to call
 * when the connection may have room again.
 */
const gate = (socket: Socket, room: () => number, last: () => IncomingMessage | null): (() => void) => {
  const [parse] = socket.listeners('data')
  if (parse === undefined) throw new Error('node does not read its connections as it used to')
  let isHeld = false
  let before: Buffer = NOTHING
  let body: BodyIn | null = null

  const hold = (): void => {
    isHeld = true
    socket.pause()
  }
  const hand = (piece: Buffer): void => {
    const had = last()
    before = keptOf(before, piece)
    Reflect.apply(parse, socket, [piece])
    const now = last()
    if (now === null || now.complete) body = null
    // A piece ends with the head in it.
    else if (now !== had) body = bodyOf(now.headers)
  }
  const takeIn = (chunk: Buffer | string): void => {
    // Everything is answered that ever will be. Read on: what is left unread would reset the connection.
    if (socket.writableEnded) return
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    isHeld = false
    // The parser pauses the connection, too: it has its own reasons, and continues by itself.
    while (rest.length > 0 && !socket.isPaused()) {
      const inBody: number = body?.(rest) ?? 0
      if (inBody === 0 && room() <= 0) {
        hold()
        break
      }
      const end = inBody > 0 ? inBody : endOfHead(before, rest)
      hand(end === rest.length ? rest : rest.subarray(0, end))
      rest = end === rest.length ? NOTHING : rest.subarray(end)
      // Nobody reads it any more, or somebody else does (CONNECT).
      if (socket.destroyed || socket.listenerCount('data') === 0) return
    }
    if (rest.length > 0) socket.unshift(rest)
  }
  socket.on('data', takeIn)
  socket.removeListener('data', parse)

  return () => {
    if (isHeld && (room() > 0 || socket.writableEnded)) socket.resume()
  }
}

/** Whether node closes the connection after the last of these answers, and drops whatever is behind it. */
const isEnding = (open: ReadonlySet<ServerResponse>): boolean => {
  const last = [...open].at(-1)
  return last?.headersSent === true && last.getHeader('connection') === 'close'
}

interface Watched extends Line {
  /** How many requests are answered at the same time, by what the last answer was. */
  atOnce: number
  /** Of the socket, when the last answer ended. */
  writtenBytes: number
  goOn: () => void
}

/** Every connection of the server, and what is open on it. Each has at most `MAX_UNANSWERED` requests under way. */
export const watchLines = (server: Server): Lines => {
  const lines = new Map<Duplex, Watched>()
  server.on('connection', (socket: Socket) => {
    const open = new Set<ServerResponse>()
    // And no more is read of a caller who does not read what it was answered.
    const line: Watched = { open, last: null, atOnce: 1, writtenBytes: 0, goOn: () => undefined }
    line.goOn = gate(
      socket,
      () => (socket.writableNeedDrain || socket.writableEnded || isEnding(open) ? 0 : line.atOnce - open.size),
      () => line.last,
    )
    lines.set(socket, line)
    socket.on('drain', line.goOn)
    socket.once('close', () => lines.delete(socket))
  })
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const line = lines.get(req.socket)
    if (!line) return
    line.last = req
    line.open.add(res)
    res.on('close', () => {
      line.open.delete(res)
      // They end in the order of their requests: what was written since the last one ended is this one's.
      const { bytesWritten } = req.socket
      line.atOnce = bytesWritten - line.writtenBytes > LARGE_BYTES ? 1 : MAX_UNANSWERED
      line.writtenBytes = bytesWritten
      line.goOn()
    })
  })
  server.prependListener('connect', (_req, socket: Duplex) => void socket.removeAllListeners('data'))
  return lines
}

/**
 * Cuts a caller off that has read nothing of what was sent to it for so long; node's timer starts anew with every byte
 * that is taken. One whose answer is not ready yet is not it.
 */
export const endStalled = (server: Server, lines: Lines, stalledMs: number): void => {
  server.setTimeout(stalledMs, (socket) => {
    const isWorking = (lines.get(socket)?.open.size ?? 0) > 0 && socket.writableLength === 0
    if (isWorking) return
    // What it did not read leaves the system's memory only with a reset.
    if (socket.writableLength > 0 || socket.writableEnded) socket.resetAndDestroy()
    else socket.destroy()
  })
}
