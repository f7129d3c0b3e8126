import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { listenLocally } from '../servers/serve.ts'

/** What never comes was lost. */
const LOST_MS = 120_000

export interface Receivers {
  targets: readonly string[]
  /** Resolves when so many different events have come, with the time since the first; rejects when some do not come. */
  all(events: number): Promise<number>
  /** Deliveries so far of an event beyond its first. */
  doubled(): number
  close(): Promise<void>
}

/** So many receivers that answer 204 and count events by their id; in this process, which does nothing else meanwhile. */
export const startReceivers = async (count: number): Promise<Receivers> => {
  const events = new Set<string>()
  let deliveries = 0
  let firstMs = 0
  let came = (): void => {}
  const server = (): Server =>
    createServer((request, response) => {
      request.resume()
      request.once('end', () => {
        response.writeHead(204).end()
        firstMs ||= performance.now()
        deliveries += 1
        events.add(String(request.headers['webhook-id']))
        came()
      })
    })
  const servers = Array.from({ length: count }, server)
  const targets = await Promise.all(servers.map(listenLocally))
  return {
    targets,
    async all(wanted) {
      const everything = Promise.withResolvers<void>()
      came = () => void (events.size >= wanted && everything.resolve())
      const lost = (): void =>
        everything.reject(new Error(`${wanted - events.size} of ${wanted} deliveries never came`))
      const timer = setTimeout(lost, LOST_MS)
      came()
      await everything.promise.finally(() => clearTimeout(timer))
      return performance.now() - firstMs
    },
    doubled: () => deliveries - events.size,
    async close() {
      await Promise.all(
        servers.map(async (one) => {
          const closed = once(one, 'close')
          one.close()
          one.closeAllConnections()
          await closed
        }),
      )
    },
  }
}
