import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { buildApp } from './app.ts'
import { sleepUntil } from './core/time/clock.ts'
import { buildDeps, type Deps, type DepsOptions } from './deps.ts'
import { createGatewayServer, listen, urlOf, type ServerOptions } from './server.ts'
import { logFailure } from './core/log.ts'

type Config = Deps['config']

export interface GatewayOptions
  extends
    DepsOptions,
    Pick<ServerOptions, 'headersTimeoutMs' | 'requestTimeoutMs' | 'stalledTimeoutMs' | 'silentTimeoutMs'> {
  /** The backends run on this machine and can call the listener back without a `public_url`: the sandbox's do. */
  backendsAreLocal?: boolean
  /** Once it serves, each backend is asked whether it takes its key: one request an account. */
  probesBackends?: boolean
}

export interface Gateway {
  /** Where it listens. */
  url: string
  /** Under the configuration in force. */
  readonly deps: Deps
  /**
   * Puts another configuration in force: requests that come from then on are answered by it, those under way by the one
   * before; its engine ends what it has under way, and the new one continues, beside webhooks that are under way.
   * Rejects, with nothing changed, when open videos would be orphans. What `HELD` in cli/serve.ts names must be as at the
   * start.
   */
  reload(config: Config): Promise<void>
  /** Resolves, with the reason, when it cannot continue: close it, and start another. */
  readonly lost: Promise<Error>
  /**
   * Graceful stop. For `shutdown_delay` it is unready and serves on, so that balancers leave. Then it takes no new
   * connections: requests on those that are open are answered and attempts under way finish within `shutdown_grace`,
   * leases are given back. A create that comes then is stored, and waits for another process or the next start. Answers
   * false when the grace ran out first.
   */
  close(): Promise<boolean>
}

const clientIds = ({ config }: Deps): ReadonlySet<string> => new Set(config.clients.map(({ id }) => id))
/**
 * With those that were made through the API, and those of them that were deleted: what waits for them is still made.
 */
const allClientIds = (deps: Deps): ReadonlySet<string> =>
  new Set([...clientIds(deps), ...deps.access.keyring.clientIds()])

/** One configuration at work: it answers the requests that came while it was in force, and runs the engine. */
const createServing = (deps: Deps, leaving: AbortSignal) => {
  const app = buildApp(deps, leaving)
  const { videos, sender, maintainer, routing, own, ending } = deps
  let requests = 0
  let answered = (): void => {}
  return {
    deps,
    handle(req: IncomingMessage, res: ServerResponse): void {
      requests += 1
      res.on('close', () => {
        requests -= 1
        if (requests === 0) answered()
      })
      app(req, res)
    },
    /** Fits what is open to this configuration; before `start`. */
    adjust: () => videos.adjust(allClientIds(deps)),
    start(): void {
      routing.start()
      videos.start()
      sender.start()
      maintainer.start()
    },
    /** Sends no waiting video and begins no webhook from here on; requests are still answered, and streams end. */
    halt(): void {
      videos.halt()
      void sender.stop()
      ending.abort()
    },
    /**
     * Ends what runs by itself; creates of requests that are being answered, too, as far as they have come. Not the
     * webhooks under way: their receivers may take minutes, and leases keep them apart from those of another sender.
     */
    stop: () => Promise.all([videos.stop(), maintainer.stop(), routing.stop()]),
    /** Resolves when its last request and webhook have ended, and nothing of it is left. Call when it gets no more. */
    async retire(): Promise<void> {
      if (requests > 0) await new Promise<void>((resolve) => (answered = resolve))
      await Promise.all([videos.stop(), sender.stop()])
      await own.close()
    },
  }
}
type Serving = ReturnType<typeof createServing>

/** What answers now, and how another configuration takes over. */
const createServings = (first: Deps, placed: (deps: Deps) => Deps, leaving: AbortSignal) => {
  const { log, stopping } = first
  let serving = createServing(first, leaving)
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
    // Whatever the store says at this moment: nobody else changes videos now.
    await next
      .adjust()
      .catch((err: unknown) => logFailure(log, { err }, 'open videos were not fitted to the configuration'))
    next.start()
    const { config } = next.deps
    const changed = Object.entries(config).flatMap(([section, value]) =>
      isDeepStrictEqual(value, Reflect.get(before.deps.config, section)) ? [] : [section],
    )
    log.info({ changed, backends: Object.keys(config.backends) }, 'another configuration is in force')
    // None can have come between; one that did even so must be seen.
    await next.deps.videos
      .refuseOrphans()
      .catch((err: unknown) => logFailure(log, { err }, 'open videos are left alone'))
  }

  const reload = async (config: Config): Promise<void> => {
    if (leaving.aborted) throw new Error('the gateway is stopping')
    const deps = placed(serving.deps.rewire(config))
    const { videos } = serving.deps
    try {
      // Its requests continue for as long as they take: what they make on an account that goes would be an orphan.
      await videos.keepOnly(deps.videos.accounts)
      await deps.routing.load()
      await deps.videos.serve(clientIds(deps), 'reload')
    } catch (error) {
      await videos.keepOnly(null)
      await deps.own.close()
      throw error
    }
    await takeOver(createServing(deps, leaving))
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
      await Promise.all([serving.stop(), serving.deps.sender.stop(), ...retiring])
    },
  }
}

/**
 * Builds, listens, then starts the engine and the sender: links in events need the listener's origin. Rejects cleanly.
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const first = await buildDeps(options)
  const { config, clock, catchUp, lifecycle, stopping, log } = first
  let url = ''
  const placed = (deps: Deps): Deps => {
    deps.origin.url = deps.config.server.public_url ?? url
    if (options.backendsAreLocal) deps.origin.callbacks ??= url
    return deps
  }
  const leaving = new AbortController()
  const servings = createServings(first, placed, leaving.signal)
  const { server, close } = createGatewayServer({
    ...options,
    ...first,
    handle: (req, res) => servings.now().handle(req, res),
    leaving: leaving.signal,
    stopping: stopping.signal,
    maxConnections: config.server.max_connections,
  })
  const isLost = new AbortController()
  void first.lost.then(() => isLost.abort())
  /**
   * Balancers continue sending requests until they have seen that it is unready. Not without a store: it could serve
   * nothing.
   */
  const leave = (delayMs: number): Promise<void> => sleepUntil(clock, clock.now() + delayMs, isLost.signal)
  const stop = async (): Promise<boolean> => {
    leaving.abort()
    const { shutdown_delay: delayMs } = servings.now().deps.config.server
    if (delayMs > 0) await leave(delayMs)
    stopping.abort()
    servings.now().halt()
    const quiet = Promise.all([servings.now().deps.maintainer.stop(), catchUp.stop()])
    const graceful = close()
      .then(() => Promise.all([servings.stop(), quiet]))
      .then(() => true)
      .catch((err: unknown) => {
        logFailure(log, { err }, 'not everything that was under way could be ended')
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
    await first.routing.load()
    await first.videos.serve(clientIds(first), 'start')
    url = urlOf(await listen(server, config.server.port, config.server.host))
    const serving = servings.now()
    placed(first)
    await serving.adjust()
    serving.start()
    catchUp.start()
    first.access.keyring.start()
    log.info({ url, backends: Object.keys(config.backends) }, 'talkbridge serves')
    first.tally.set('config_reload_ok', 1)
    first.tally.set('config_reload_time_seconds', clock.now() / 1_000)
    if (options.probesBackends) void first.videos.probe()
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
