import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

/** Throws if the signature is not the secret's, or the attempt is old. */
export type Verify = (body: string, headers: Record<string, string>) => void

const Event = z.object({ type: z.string(), data: z.object({ id: z.string() }) })

/** One webhook as it arrived. */
export interface Delivery {
  readonly atMs: number
  readonly eventId: string
  readonly type: string
  readonly videoId: string
  /** Why it was refused; null: its signature is valid. */
  readonly refused: string | null
}

export interface DemoReceiver {
  readonly url: string
  readonly deliveries: readonly Delivery[]
  /** Resolves once `count` have arrived; rejects when `signal` aborts. */
  received(count: number, signal: AbortSignal): Promise<readonly Delivery[]>
  close(): Promise<void>
}

const judge = (verify: Verify, body: string, headers: Record<string, string>): string | null => {
  try {
    verify(body, headers)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A webhook receiver on a free port, written as an application would: verify the raw body, then answer. */
export const startDemoReceiver = async (
  verify: Verify,
  nowMs: () => number,
  onDelivery: () => void,
): Promise<DemoReceiver> => {
  const deliveries: Delivery[] = []
  const arrived = new EventTarget()

  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await text(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const refused = judge(verify, body, headers)
    const { type, data } = Event.parse(JSON.parse(body))
    deliveries.push({ atMs: nowMs(), eventId: headers['webhook-id'] ?? '', type, videoId: data.id, refused })
    onDelivery()
    return refused === null ? 204 : 401
  }
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => {
        response.writeHead(status).end()
        arrived.dispatchEvent(new CustomEvent('delivery'))
      },
      () => response.writeHead(400).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0

  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    deliveries,
    async received(count, signal) {
      while (deliveries.length < count) await once(arrived, 'delivery', { signal })
      return deliveries
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
