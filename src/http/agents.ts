import { Agent, buildConnector, Client, type Dispatcher } from 'undici'

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

/** `connectTimeoutMs` covers DNS, TCP and TLS. Certificates are always verified, whatever the environment says. */
export const createAgents = ({ connectTimeoutMs = 5_000 }: { connectTimeoutMs?: number } = {}): Agents => {
  const transport = { allowH2: false, timeout: connectTimeoutMs, rejectUnauthorized: true }
  const reads = new Agent({ allowH2: false, connect: transport })
  const connect = buildConnector(transport)
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
        await client.destroy()
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
