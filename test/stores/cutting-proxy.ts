import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * What is not let through, once: a statement of the client, or the server's answer to it. `under way`: the statement
 * arrives, and the connection ends before the server has carried it out.
 */
type Cut = 'COMMIT' | 'answer to COMMIT' | 'COMMIT under way' | 'INSERT INTO videos'

const isAt = (cut: Cut, statement: string): boolean =>
  cut === 'INSERT INTO videos' ? statement.includes(cut) : statement === 'COMMIT'

const QUERY = 0x51
const PARSE = 0x50
const ENDS_AT_NUL = /^[^\0]*/
const textAt = (bytes: Buffer): string => ENDS_AT_NUL.exec(bytes.toString())?.[0] ?? ''

/**
 * Reads the statements in what a client sends (PostgreSQL, "Message Formats"): all that end in a chunk, in order. The
 * first message, which says the version, has no type.
 */
const statementReader = () => {
  let unread = Buffer.alloc(0)
  let typeBytes = 0
  return (chunk: Buffer): string[] => {
    unread = Buffer.concat([unread, chunk])
    const statements: string[] = []
    while (unread.length >= typeBytes + 4) {
      const end = typeBytes + unread.readInt32BE(typeBytes)
      if (unread.length < end) break
      const body = unread.subarray(typeBytes + 4, end)
      if (typeBytes === 1 && unread[0] === QUERY) statements.push(textAt(body))
      // The name of the prepared statement comes first.
      if (typeBytes === 1 && unread[0] === PARSE) statements.push(textAt(body.subarray(body.indexOf(0) + 1)))
      unread = unread.subarray(end)
      typeBytes = 1
    }
    return statements
  }
}

export interface CuttingProxy {
  url: string
  /** Both ends of the connection that meets it next are closed. */
  cut(at: Cut): void
  cuts(): number
  /** Refuses connections and closes those that there are, or no longer. */
  away(isAway: boolean): void
  /** How many connections were refused or closed because it was away. */
  turnedAway(): number
  /** Rejects if a cut was wanted and never made. */
  close(): Promise<void>
}

/** Between a driver and its database: closes connections at a given statement. */
export const cuttingProxy = async (to: string): Promise<CuttingProxy> => {
  const target = new URL(to)
  const open = new Set<Socket>()
  let wanted: Cut | null = null
  let isAway = false
  let cuts = 0
  let turnedAway = 0
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    const statementsIn = statementReader()
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
    if (isAway) {
      turnedAway += 1
      return end()
    }
    client.on('data', (data: Buffer) => {
      const cut = wanted
      const statements = statementsIn(data)
      if (cut === null || !statements.some((statement) => isAt(cut, statement))) return void upstream.write(data)
      cuts += 1
      wanted = null
      answerIsLost = cut === 'answer to COMMIT'
      if (answerIsLost) return void upstream.write(data)
      // The rest goes before the end, which the server meets when it has carried that out.
      if (cut === 'COMMIT under way') upstream.end(data)
      else upstream.destroy()
      client.destroy()
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
      if (!away) return
      // Both ends of each.
      turnedAway += open.size / 2
      for (const socket of open) socket.destroy()
    },
    turnedAway: () => turnedAway,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
      if (wanted !== null) throw new Error(`nothing was cut at: ${wanted}`)
    },
  }
}
