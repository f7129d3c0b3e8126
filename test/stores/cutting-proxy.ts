import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** What is not let through, once: a message of the client that has these words, or the server's answer to it. */
type Cut = 'COMMIT' | 'answer to COMMIT' | 'INSERT INTO videos'

export interface CuttingProxy {
  url: string
  /** Both ends of the connection that meets it next are closed. */
  cut(at: Cut): void
  cuts(): number
  /** Refuses connections and closes those that there are, or no longer. */
  away(isAway: boolean): void
  close(): Promise<void>
}

/** Between a driver and its database: closes connections at a given message. */
export const cuttingProxy = async (to: string): Promise<CuttingProxy> => {
  const target = new URL(to)
  const open = new Set<Socket>()
  let wanted: Cut | null = null
  let isAway = false
  let cuts = 0
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    let answerIsLost = false
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        open.delete(socket)
        end()
      })
    }
    if (isAway) return end()
    client.on('data', (data) => {
      const words = wanted?.replace('answer to ', '')
      if (wanted === null || words === undefined || !data.includes(words)) return void upstream.write(data)
      cuts += 1
      answerIsLost = wanted.startsWith('answer')
      wanted = null
      if (answerIsLost) upstream.write(data)
      else end()
    })
    upstream.on('data', (data) => {
      if (answerIsLost) end()
      else client.write(data)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    cut(at) {
      wanted = at
    },
    cuts: () => cuts,
    away(away) {
      isAway = away
      if (away) for (const socket of open) socket.destroy()
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
