import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buildApp } from './app.ts'
import { sleepUntil } from './core/clock.ts'
import { buildDeps, type Deps, type DepsOptions } from './deps.ts'

type Config = Deps['config']

export interface GatewayOptions extends DepsOptions {
  /** The backends run on this machine and can call the listener back without a `public_url`: the sandbox's do. */
  backendsAreLocal?: boolean
  /** How long a caller may take over its headers. Default 10 s. */
  headersTimeoutMs?: number
}

export interface Gateway {
  /** Where it listens. */
  url: string
  /** Under the configuration in force. */
  readonly deps: Deps
  /**
   * Puts another configuration in force: requests that come from then on are answered by it, those under way by the one
   * before; its engine ends what it has under way, and the new one goes on. Rejects, with nothing changed, when open
   * videos would be orphans. `server.host`, `server.port`, `store` and `log` must be those of the start.
   */
  reload(config: Config): Promise<void>
  /** Resolves, with the reason, when it cannot go on: close it, and start another. */
  readonly lost: Promise<Error>
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

/** One configuration at work: it answers the requests that came while it was in force, and runs the engine. */
const createServing = (deps: Deps) => {
  const app = buildApp(deps)
  const { config, videos, sender, maintainer, own, ending } = deps
  let requests = 0
  let answered = (): void => {}
  return {
    deps,
    handle(req: IncomingMessage, res: ServerResponse): void {
      requests += 1
      res.once('close', () => {
        requests -= 1
        if (requests === 0) answered()
      })
      app(req, res)
    },
    /** Fits what is open to this configuration; before `start`. */
    adjust: () => videos.adjust(new Set(config.clients.map(({ id }) => id))),
    start(): void {
      videos.start()
      sender.start()
      maintainer.start()
    },
    /** Nothing new is paid for from here on; requests that came are still answered, and streams end. */
    halt(): void {
      videos.halt()
      ending.abort()
    },
    /** Ends what runs by itself; creates of requests that are being answered, too, as far as they have come. */
    stop: () => Promise.all([videos.stop(), sender.stop(), maintainer.stop()]),
    /** Resolves when the last of its requests is answered, and nothing of it is left. Call when it gets no more. */
    async retire(): Promise<void> {
      if (requests > 0) await new Promise<void>((resolve) => (answered = resolve))
      await videos.stop()
      await own.close()
    },
  }
}
type Serving = ReturnType<typeof createServing>

/** What answers now, and how another configuration takes over. */
const createServings = (first: Deps, placed: (deps: Deps) => Deps) => {
  const { log, stopping } = first
  let serving = createServing(first)
  let reloading: Promise<unknown> = Promise.resolve()
  const retiring = new Set<Promise<void>>()

  const takeOver = async (next: Serving): Promise<void> => {
    const before = serving
    serving = next
    before.halt()
    await before.stop()
    const retired: Promise<void> = before.retire().finally(() => retiring.delete(retired))
    retiring.add(retired)
    if (stopping.signal.aborted) return
    // Whatever the store says at this moment: nobody else works now.
    await next.adjust().catch((err: unknown) => log.error({ err }, 'open videos were not fitted to the configuration'))
    next.start()
    log.info({ backends: Object.keys(next.deps.config.backends) }, 'another configuration is in force')
    // None can have come between; one that did all the same must be seen.
    await next.deps.videos.refuseOrphans().catch((err: unknown) => log.error({ err }, 'open videos are left alone'))
  }

  const reload = async (config: Config): Promise<void> => {
    if (stopping.signal.aborted) throw new Error('the gateway is stopping')
    const deps = placed(serving.deps.rewire(config))
    const { videos } = serving.deps
    try {
      // Its requests go on for as long as they take: what they make on an account that goes would be an orphan.
      await videos.keepOnly(deps.videos.accounts)
      await deps.videos.refuseOrphans()
    } catch (error) {
      await videos.keepOnly(null)
      await deps.own.close()
      throw error
    }
    await takeOver(createServing(deps))
  }

  return {
    now: () => serving,
    /** One after the other. */
    reload(config: Config): Promise<void> {
      const done = reloading.then(() => reload(config))
      reloading = done.catch(() => undefined)
      return done
    },
    /** Ends what runs by itself, of all of them. Call when no more requests come. */
    async stop(): Promise<void> {
      await reloading
      await serving.stop()
      await Promise.all(retiring)
    },
  }
}

/** Builds, listens, then starts the engine and the sender: links in events need the listener's origin. Rejects cleanly. */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const first = await buildDeps(options)
  const { config, clock, catchUp, lifecycle, stopping, log } = first
  let url = ''
  const placed = (deps: Deps): Deps => {
    deps.origin.url = deps.config.server.public_url ?? url
    if (options.backendsAreLocal) deps.origin.callbacks ??= url
    return deps
  }
  const servings = createServings(first, placed)
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    (req, res) => servings.now().handle(req, res),
  )
  endConnections(server, stopping.signal)
  const stop = async (): Promise<boolean> => {
    stopping.abort()
    servings.now().halt()
    const { sender, maintainer } = servings.now().deps
    const quiet = Promise.all([sender.stop(), maintainer.stop(), catchUp.stop()])
    const graceful = closed(server)
      .then(() => Promise.all([servings.stop(), quiet]))
      .then(() => true)
      .catch((err: unknown) => {
        log.error({ err }, 'not everything that was under way could be ended')
        return false
      })
    const late = new AbortController()
    const grace = servings.now().deps.config.server.shutdown_grace
    const inTime = await Promise.race([graceful, sleepUntil(clock, clock.now() + grace, late.signal).then(() => false)])
    late.abort()
    server.closeAllConnections()
    await lifecycle.close()
    return inTime
  }
  try {
    await first.videos.refuseOrphans()
    url = urlOf(await listen(server, config.server.port, config.server.host))
    const serving = servings.now()
    placed(first)
    await serving.adjust()
    serving.start()
    catchUp.start()
    log.info({ url, backends: Object.keys(config.backends) }, 'talkbridge serves')
    let stopped: Promise<boolean> | null = null
    return {
      url,
      get deps() {
        return servings.now().deps
      },
      reload: servings.reload,
      lost: first.lost,
      close: () => (stopped ??= stop()),
    }
  } catch (error) {
    server.close()
    await lifecycle.close()
    throw error
  }
}
