import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'

/** How a network fails: connections end at once, or what is sent goes nowhere. */
export type Cut = 'refuse' | 'swallow'

/** One replica's way to the backends, a proxy that knows CONNECT alone; or a way of all to one backend. It can be cut. */
export interface Gate {
  readonly url: string
  /** Null: whole again. */
  cut(how: Cut | null): void
  /** Connections and requests that met a cut. */
  met(): number
  close(): Promise<void>
}

/** `to`: the port of the one backend that it leads to; else it is a proxy. */
export const startGate = async (to?: number): Promise<Gate> => {
  let how: Cut | null = null
  let met = 0
  const sockets = new Set<Socket>()
  const hold = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
  }
  const tunnel = (client: Socket, port: number, greeting = ''): void => {
    if (how !== null) {
      met += 1
      if (how === 'refuse') client.destroy()
      return
    }
    const upstream = hold(connect(port, '127.0.0.1'))
    upstream.once('connect', () => void client.write(greeting))
    client.on('data', (bytes: Buffer) => {
      if (how === null) upstream.write(bytes)
      else met += 1
    })
    upstream.on('data', (bytes: Buffer) => {
      if (how === null) client.write(bytes)
    })
    upstream.once('close', () => client.destroy())
    client.once('close', () => upstream.destroy())
  }
  const proxy = (): Server =>
    createServer((_req, res) => void res.writeHead(405).end())
      .on('connection', hold)
      .on('connect', (request, client: Socket) =>
        tunnel(client, Number(request.url?.split(':').at(-1)), 'HTTP/1.1 200 Connection established\r\n\r\n'),
      )
  const server = to === undefined ? proxy() : createTcpServer((client) => tunnel(hold(client), to))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(next) {
      // What was swallowed is never answered, and what is refused ends.
      if (next !== 'swallow') for (const socket of sockets) socket.destroy()
      how = next
    },
    met: () => met,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
