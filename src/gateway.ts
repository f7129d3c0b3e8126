import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buildApp } from './app.ts'
import { sleepUntil } from './core/clock.ts'
import { buildDeps, type Deps, type DepsOptions } from './deps.ts'

export interface GatewayOptions extends DepsOptions {
  /** The backends run on this machine and can call the listener back without a `public_url`: the sandbox's do. */
  backendsAreLocal?: boolean
  /** How long a caller may take over its headers. Default 10 s. */
  headersTimeoutMs?: number
}

export interface Gateway {
  /** Where it listens. */
  url: string
  deps: Deps
  /**
   * Graceful stop: unready, no new connections, requests and attempts under way finish within `shutdown_grace`, leases
   * are given back. Answers false when the grace ran out first.
   */
  close(): Promise<boolean>
}

/** Slow clients (design 8, "Security"). */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** How long after a stop began a connection may be without a whole request. */
const SILENT_MS = 1_000
/** node looks for them only every 30 s by itself. */
const TIMEOUT_CHECK_MS = 1_000

const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the listener has no address'))
      else resolve(address)
    })
  })

const WILDCARDS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${WILDCARDS[address] ?? (family === 'IPv6' ? `[${address}]` : address)}:${port}`

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })

/** From the abort on, every answer ends its connection: one kept alive would hold the stop up until its caller lets go. */
const endConnections = (server: Server, stopping: AbortSignal): void => {
  const open = new Set<ServerResponse>()
  const busy = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    busy.set(socket, 0)
    socket.once('close', () => busy.delete(socket))
  })
  // The server's own limits on slow callers end with it: who has not sent a request by then will not be served.
  const endSilent = (): void => busy.forEach((requests, socket) => void (requests === 0 && socket.destroy()))
  const beLast = (res: ServerResponse): void => void (res.headersSent || res.setHeader('connection', 'close'))
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const { socket } = req
    busy.set(socket, (busy.get(socket) ?? 0) + 1)
    res.once('close', () => void (busy.has(socket) && busy.set(socket, (busy.get(socket) ?? 1) - 1)))
    if (stopping.aborted) return beLast(res)
    open.add(res)
    res.once('close', () => open.delete(res))
  })
  stopping.addEventListener(
    'abort',
    () => {
      open.forEach(beLast)
      setTimeout(endSilent, SILENT_MS).unref()
    },
    { once: true },
  )
}

/** Builds, listens, then starts the engine and the sender: links in events need the listener's origin. Rejects cleanly. */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const deps = await buildDeps(options)
  const { config, clock, videos, sender, maintainer, catchUp, lifecycle, origin, stopping, log } = deps
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    buildApp(deps),
  )
  endConnections(server, stopping.signal)
  try {
    await videos.reconcile(new Set(config.clients.map(({ id }) => id)))
    const url = urlOf(await listen(server, config.server.port, config.server.host))
    origin.url = config.server.public_url ?? url
    if (options.backendsAreLocal) origin.callbacks ??= url
    videos.start()
    sender.start()
    maintainer.start()
    catchUp.start()
    log.info({ url, backends: Object.keys(config.backends) }, 'talkbridge serves')
    const stop = async (): Promise<boolean> => {
      stopping.abort()
      // Nothing new is paid for from here on; requests that came are still answered.
      videos.halt()
      const quiet = Promise.all([sender.stop(), maintainer.stop(), catchUp.stop()])
      const graceful = closed(server)
        .then(() => Promise.all([videos.stop(), quiet]))
        .then(() => true)
      const late = new AbortController()
      const inTime = await Promise.race([
        graceful,
        sleepUntil(clock, clock.now() + config.server.shutdown_grace, late.signal).then(() => false),
      ])
      late.abort()
      server.closeAllConnections()
      await lifecycle.close()
      return inTime
    }
    let stopped: Promise<boolean> | null = null
    return { url, deps, close: () => (stopped ??= stop()) }
  } catch (error) {
    server.close()
    await lifecycle.close()
    throw error
  }
}
