import { setImmediate as turn } from 'node:timers/promises'
import type { Server } from 'node:http'
import { Server as TcpServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Lines } from './lines.ts'

/** A turn of the event loop that took no longer had hardly anything to do. */
const QUICK_MS = 0.2
/** However many connections come, the listener is closed after so long. */
const PATIENCE_MS = 2_000

/**
 * Takes the connections that the system has made and node has not seen yet: closing the listener resets them. node takes
 * one in each turn of its loop, so a turn without one says that none was left when the turn began. A quick one says that
 * hardly any can have come since.
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
 * without a request is left alone: its request may be on its way.
 */
export const closeListener = async (server: Server, lines: Lines): Promise<void> => {
  const release = holdRequests(server, lines)
  await takeQueued(server)
  // http's own `close` ends at once the connections that have no request.
  const ended = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()))
  release()
  await ended
  // For its timer, which looks for slow callers.
  server.close()
}
