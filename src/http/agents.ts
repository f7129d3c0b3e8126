import { Agent, buildConnector, Client, type Dispatcher } from 'undici'
import { CONNECT_TIMEOUT_MS, NO_PROXY, openTunnel, type ProxyOf } from './tunnel.ts'

/** Connections to configured origins. HTTP/1.1 only: over HTTP/2 undici may send a request again by itself. */
export interface Agents {
  /** Keeps connections alive; for requests that may be repeated. */
  readonly reads: Dispatcher
  /**
   * Runs `use` with a dispatcher that opens one connection to `origin`, for one request that must go out at most once,
   * and closes it afterwards. A kept-alive connection could die under the request; a second connection is refused.
   */
  once<T>(origin: string, use: (dispatcher: Dispatcher) => Promise<T>): Promise<T>
  /** Waits for what is running (every exchange is bounded in time), then closes all connections. */
  close(): Promise<void>
}

/** One for all, because making an error costs more than closing a connection. Nobody sees it: `use` is over. */
const OVER = new Error('the exchange is over')

type Connect = ReturnType<typeof buildConnector>

/** Through the origin's proxy, where it has one: a tunnel, in which `direct` does the rest. */
const throughProxy =
  (direct: Connect, proxyOf: ProxyOf, timeoutMs: number): Connect =>
  (options, callback) => {
    const origin = new URL(`${options.protocol}//${options.host}`)
    const proxy = proxyOf(origin.origin)
    if (proxy === null) return direct(options, callback)
    void openTunnel(proxy, origin, timeoutMs).then(
      (httpSocket) =>
        origin.protocol === 'https:' ? direct({ ...options, httpSocket }, callback) : callback(null, httpSocket),
      (error: Error) => callback(error, null),
    )
  }

interface AgentsOptions {
  /** Covers DNS, TCP and TLS. */
  connectTimeoutMs?: number
  proxyOf?: ProxyOf
  /** PEM of roots to trust instead of Node's. */
  ca?: string
}

/** Certificates are always verified, whatever the environment says. */
export const createAgents = (options: AgentsOptions = {}): Agents => {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, proxyOf = NO_PROXY, ca } = options
  const transport = { allowH2: false, timeout: connectTimeoutMs, rejectUnauthorized: true }
  const direct = buildConnector({ ...transport, ...(ca !== undefined && { ca }) })
  const connect = throughProxy(direct, proxyOf, connectTimeoutMs)
  const reads = new Agent({ allowH2: false, connect })
  const running = new Set<Promise<void>>()
  let closed = false

  /** One connection, then none: undici would otherwise reconnect for whatever is still in its queue. */
  const connectOnce = (): typeof connect => {
    let spent = false
    return (options, callback) => {
      if (spent || closed) return queueMicrotask(() => callback(new Error('one connection per request'), null))
      spent = true
      connect(options, callback)
    }
  }

  return {
    reads,
    async once(origin, use) {
      // Without pipelining undici says `Connection: close` and never reuses the socket.
      const client = new Client(origin, { allowH2: false, pipelining: 0, connect: connectOnce() })
      const done = Promise.withResolvers<void>()
      running.add(done.promise)
      try {
        return await use(client)
      } finally {
        await client.destroy(OVER)
        running.delete(done.promise)
        done.resolve()
      }
    },
    async close() {
      closed = true
      await Promise.allSettled([...running, reads.close()])
    },
  }
}
