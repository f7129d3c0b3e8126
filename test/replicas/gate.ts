import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

/** How a network fails: connections end at once, or what is sent goes nowhere. */
export type Cut = 'refuse' | 'swallow'

/** One replica's way to the backends: a proxy that knows CONNECT alone, and can be cut. */
export interface Gate {
  readonly url: string
  /** Null: whole again. */
  cut(how: Cut | null): void
  /** Connections and requests that met a cut. */
  met(): number
  close(): Promise<void>
}

export const startGate = async (): Promise<Gate> => {
  let how: Cut | null = null
  let met = 0
  const sockets = new Set<Socket>()
  const hold = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
  }
  const server = createServer((_req, res) => void res.writeHead(405).end())
  server.on('connection', hold)
  server.on('connect', (request, client: Socket) => {
    if (how !== null) {
      met += 1
      if (how === 'refuse') client.destroy()
      return
    }
    const upstream = hold(connect(Number(request.url?.split(':').at(-1)), '127.0.0.1'))
    upstream.once('connect', () => void client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    client.on('data', (bytes: Buffer) => {
      if (how === null) upstream.write(bytes)
      else met += 1
    })
    upstream.on('data', (bytes: Buffer) => {
      if (how === null) client.write(bytes)
    })
    upstream.once('close', () => client.destroy())
    client.once('close', () => upstream.destroy())
  })
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
