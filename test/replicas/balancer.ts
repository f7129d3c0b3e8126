import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'

/**
 * A stand-in for a load balancer: round robin. A refused connection is tried at the next replica, and so is a read whose
 * connection was reset before any answer, as with nginx (`proxy_next_upstream error`).
 */
export interface Balancer {
  readonly url: string
  /** Whom to ask, by port; others get nothing more. */
  to(ports: readonly number[]): void
  /** How many connections were refused and tried elsewhere. */
  refused(): number
  /**
   * How many reads were reset before any answer. The system does that to a connection that it makes as the listener closes,
   * which no process can see.
   */
  reset(): number
  /** Connections that a replica broke after it had taken them, in words. */
  broken(): readonly string[]
  close(): Promise<void>
}

const isRefusal = (error: Error): boolean => 'code' in error && error.code === 'ECONNREFUSED'
/** By the system: where a process hung up, no system call failed. */
const isResetOf = (error: Error): boolean =>
  'code' in error && error.code === 'ECONNRESET' && 'syscall' in error && error.syscall === 'read'

/** The body whole: it is sent again where a connection was refused. */
const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const startBalancer = async (): Promise<Balancer> => {
  let ports: readonly number[] = []
  let turn = 0
  let refused = 0
  let reset = 0
  const broken: string[] = []
  // A connection a request, as balancers do unless told otherwise: an idle one may be closed at the moment of its use.
  const agent = new Agent({ keepAlive: false })

  /** Rejects when the connection was refused; whatever else happens is the client's. */
  const pass = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const { method, url: path, headers } = incoming
      const passed = request({ agent, host: '127.0.0.1', port, method, path, headers })
      const cut = (error: Error): void => {
        // A client that left breaks it, too.
        if (!outgoing.destroyed) broken.push(`${method} ${path}: ${error.message}`)
        outgoing.destroy()
        resolve()
      }
      passed.once('error', (error) => {
        const isReset = method === 'GET' && !outgoing.headersSent && isResetOf(error)
        if (isReset) reset += 1
        else if (isRefusal(error)) refused += 1
        else return cut(error)
        reject(error)
      })
      passed.once('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.once('error', cut)
        outgoing.once('finish', () => resolve())
        answer.pipe(outgoing)
      })
      outgoing.once('close', () => {
        passed.destroy()
        resolve()
      })
      passed.end(body)
    })

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming)
    turn += 1
    const first = turn % Math.max(1, ports.length)
    // Each of them once, whatever other requests do meanwhile.
    for (const port of [...ports.slice(first), ...ports.slice(0, first)]) {
      try {
        return await pass(incoming, body, outgoing, port)
      } catch {
        // The next one, then.
      }
    }
    outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('no replica takes connections')
  }

  // It never closes an idle connection, as a client may use it at that moment: clients close theirs.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the balancer has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    to: (next) => void (ports = next),
    refused: () => refused,
    reset: () => reset,
    broken: () => broken,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      agent.destroy()
    },
  }
}
