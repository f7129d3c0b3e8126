import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** What goes on on one connection. */
export interface Line {
  /** Answers that are still to end, in the order of their requests. */
  readonly open: Set<ServerResponse>
  last: IncomingMessage | null
}
export type Lines = ReadonlyMap<Duplex, Line>

/** How many requests of one connection are answered at once: what a caller sends beyond them is left unread. */
export const MAX_UNANSWERED = 8

const END_OF_HEAD = Buffer.from('\r\n\r\n')
/** What an end that is not whole yet may have of itself in the bytes before. */
const MOST_BEFORE = END_OF_HEAD.length - 1
/** `GET /` and the end: two ends that are closer than this are not both of heads. */
const SHORTEST_HEAD = 9

/** Where an end of a head that began in `before` ends in `bytes`; 0: there is none. */
const endAcross = (before: Buffer, bytes: Buffer): number => {
  const at = Buffer.concat([before, bytes.subarray(0, MOST_BEFORE)]).indexOf(END_OF_HEAD)
  return at < 0 ? 0 : at + END_OF_HEAD.length - before.length
}

/**
 * Where the next piece of `bytes` ends: it begins `room` requests at most. Where bodies lie is not known here, so what
 * looks like an end counts as one; but a body of nothing else must not be handed over by the byte.
 */
const endOfPiece = (before: Buffer, bytes: Buffer, room: number): number => {
  let end = endAcross(before, bytes)
  for (let ends = end > 0 ? 1 : 0; ends < room; ends += 1) {
    const from = end > 0 ? end + SHORTEST_HEAD - END_OF_HEAD.length : 0
    const at = bytes.indexOf(END_OF_HEAD, from)
    if (at < 0) return bytes.length
    end = at + END_OF_HEAD.length
  }
  return end
}

/**
 * Hands a connection's bytes to node's parser in pieces that begin no more requests than there is room for. node itself
 * parses all that one read brought, 64 KiB, and begins each of the thousand requests that may be in it. Answers a
 * function to call when the connection may have room again.
 */
const gate = (socket: Socket, room: () => number): (() => void) => {
  const [parse] = socket.listeners('data')
  if (parse === undefined) throw new Error('node does not read its connections as it used to')
  let isHeld = false
  let before: Buffer = Buffer.alloc(0)

  const hold = (): void => {
    isHeld = true
    socket.pause()
  }
  const takeIn = (chunk: Buffer | string): void => {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    isHeld = false
    // The parser pauses the connection, too: it has its own reasons, and goes on by itself.
    while (rest.length > 0 && !socket.isPaused()) {
      const free = room()
      if (free <= 0) {
        hold()
        break
      }
      const end = endOfPiece(before, rest, free)
      const piece = rest.subarray(0, end)
      before = Buffer.concat([before, piece.subarray(-MOST_BEFORE)]).subarray(-MOST_BEFORE)
      rest = rest.subarray(end)
      Reflect.apply(parse, socket, [piece])
      // Nobody reads it any more, or somebody else does (CONNECT).
      if (socket.destroyed || socket.listenerCount('data') === 0) return
    }
    if (rest.length > 0) socket.unshift(rest)
  }
  socket.on('data', takeIn)
  socket.removeListener('data', parse)

  return () => {
    if (isHeld && room() > 0) socket.resume()
  }
}

/** Every connection of the server, and what is open on it. Each has at most `MAX_UNANSWERED` requests under way. */
export const watchLines = (server: Server): Lines => {
  const lines = new Map<Duplex, Line & { goOn: () => void }>()
  server.on('connection', (socket: Socket) => {
    const open = new Set<ServerResponse>()
    // Nor is more read of a caller who does not take in what it was answered.
    const goOn = gate(socket, () => (socket.writableNeedDrain ? 0 : MAX_UNANSWERED - open.size))
    lines.set(socket, { open, last: null, goOn })
    socket.on('drain', goOn)
    socket.once('close', () => lines.delete(socket))
  })
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const line = lines.get(req.socket)
    if (!line) return
    line.last = req
    line.open.add(res)
    res.once('close', () => {
      line.open.delete(res)
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
    if (!isWorking) socket.destroy()
  })
}
