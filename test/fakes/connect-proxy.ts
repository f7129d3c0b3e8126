import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

/** An http proxy on the loopback that knows CONNECT alone. */
export interface ConnectProxy {
  /** With the user name and the password that it asks for. */
  readonly url: string
  /** The same, with a wrong password. */
  readonly wrongUrl: string
  /** `host:port` of each connection that it made, in their order. */
  readonly connected: readonly string[]
  /** How many it refused. */
  refused(): number
  close(): Promise<void>
}

const USER = 'gateway'
/** In no log and no answer. */
export const PROXY_PASSWORD = 'canary p@ss/0123456789'
const EXPECTED = `Basic ${Buffer.from(`${USER}:${PROXY_PASSWORD}`).toString('base64')}`

/** Every name leads to this machine. */
export const startConnectProxy = async (): Promise<ConnectProxy> => {
  const connected: string[] = []
  let refused = 0
  const sockets = new Set<Socket>()
  const hold = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
  }
  const server = createServer((_req, res) => void res.writeHead(405).end())
  server.on('connection', hold)
  server.on('connect', (request, client: Socket) => {
    if (request.headers['proxy-authorization'] !== EXPECTED) {
      refused += 1
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
    }
    connected.push(request.url ?? '')
    const upstream = hold(connect(Number(request.url?.split(':').at(-1)), '127.0.0.1'))
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client)
      client.pipe(upstream)
    })
    upstream.once('close', () => client.destroy())
    client.once('close', () => upstream.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const urlWith = (password: string): string => `http://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}`
  return {
    url: urlWith(PROXY_PASSWORD),
    wrongUrl: urlWith(`not-${PROXY_PASSWORD}`),
    connected,
    refused: () => refused,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
