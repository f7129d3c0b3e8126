import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * Where backends call back, whichever process serves at the moment: the address survives a crash, as it does behind a
 * load balancer, and who calls while nobody serves is kept waiting.
 */
export interface Front {
  url: string
  /** Where the gateway listens now; null: nowhere. */
  to(gateway: string | null): void
  close(): Promise<void>
}

export const startFront = async (): Promise<Front> => {
  const waiting = new Set<Socket>()
  const open = new Set<Socket>()
  let port: number | null = null

  const join = (client: Socket, target: number): void => {
    const gateway = connect(target, '127.0.0.1')
    open.add(gateway)
    gateway.once('close', () => open.delete(gateway))
    // It died and nobody noticed yet.
    const refused = (): void => void waiting.add(client)
    gateway.once('error', refused)
    gateway.once('connect', () => {
      gateway.off('error', refused)
      gateway.on('error', () => client.destroy())
      client.once('close', () => gateway.destroy())
      gateway.once('close', () => client.destroy())
      client.pipe(gateway).pipe(client)
    })
  }
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => {
      open.delete(client)
      waiting.delete(client)
    })
    if (port === null) waiting.add(client)
    else join(client, port)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the front has no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    to(gateway) {
      port = gateway === null ? null : Number(new URL(gateway).port)
      if (port === null) return
      for (const client of waiting) join(client, port)
      waiting.clear()
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
