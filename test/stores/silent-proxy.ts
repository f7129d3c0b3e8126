import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface SilentProxy {
  url: string
  /** From now on, nothing passes on the connections that there are, in either direction, and nobody hears that. */
  silence(): void
  /** How many connections were made in all. */
  accepted(): number
  /** On how many silent ones a client asked something. */
  asked(): number
  close(): Promise<void>
}

/** A client says goodbye (PostgreSQL, "Message Formats"). */
const TERMINATE = 0x58

/** Between a driver and its server: connections that fall silent, as after a failover; or a slow way, each way. */
export const silentProxy = async (to: string, delayMs = 0): Promise<SilentProxy> => {
  const target = new URL(to)
  const open = new Set<{ isSilent: boolean; isAsked: boolean; sockets: readonly Socket[] }>()
  const all: { isAsked: boolean }[] = []
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    const one = { isSilent: false, isAsked: false, sockets: [client, upstream] }
    open.add(one)
    all.push(one)
    const end = (): void => {
      open.delete(one)
      for (const socket of one.sockets) socket.destroy()
    }
    const later = (work: () => void): void => void (delayMs === 0 ? work() : setTimeout(work, delayMs))
    const pass = (from: Socket, into: Socket): void => {
      from.on('data', (data) => {
        if (from === client && one.isSilent && data[0] !== TERMINATE) one.isAsked = true
        later(() => !one.isSilent && into.write(data))
      })
      from.on('error', end)
      // The end of a silent connection is not heard either.
      from.on('close', () => later(() => !one.isSilent && end()))
    }
    pass(client, upstream)
    pass(upstream, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    silence() {
      for (const one of open) one.isSilent = true
    },
    accepted: () => all.length,
    asked: () => all.filter(({ isAsked }) => isAsked).length,
    async close() {
      server.close()
      for (const { sockets } of open) for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}
