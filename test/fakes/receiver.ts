import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { ServerOptions } from 'node:https'
import type { Socket } from 'node:net'

/** One request as it arrived. */
export interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** What the receiver does with one request. */
export type Behaviour =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string }
  /** Reads the request and never answers. */
  | { kind: 'hang' }
  /** Starts an answer and never ends it. */
  | { kind: 'hang_body'; status: number }
  /** One byte at a time, for ever. */
  | { kind: 'drip'; status: number; everyMs: number }
  /** Cuts the connection. */
  | { kind: 'reset' }
  /** A body of this size. */
  | { kind: 'big'; status: number; sizeBytes: number }
  /** Bytes that are no HTTP. */
  | { kind: 'raw'; bytes: string }
  /** Answers when `release()` is called. */
  | { kind: 'hold'; status: number }

export const answer = (status: number, headers: Record<string, string> = {}, body = ''): Behaviour => ({
  kind: 'answer',
  status,
  headers,
  body,
})

export interface Receiver {
  url: string
  port: number
  requests: Received[]
  /** TCP connections ever made. */
  connections(): number
  /** How many requests are being held or served right now. */
  open(): number
  /** From now on, for every request whose turn is not scripted. */
  respond(behaviour: Behaviour | ((request: Received) => Behaviour)): void
  /** For the next requests, one each. */
  script(...behaviours: Behaviour[]): void
  /** Answers everything that is held. */
  release(): void
  /** Cuts every connection. */
  cut(): void
  /** Resolves with all requests once `count` have arrived. */
  received(count: number): Promise<Received[]>
  close(): Promise<void>
}

const CHUNK = Buffer.alloc(64 * 1024, 'x')

const sendBig = (response: ServerResponse, sizeBytes: number): void => {
  let leftBytes = sizeBytes
  const pump = (): void => {
    while (leftBytes > 0) {
      const chunk = CHUNK.subarray(0, leftBytes)
      leftBytes -= chunk.length
      if (!response.write(chunk)) {
        response.once('drain', pump)
        return
      }
    }
    response.end()
  }
  pump()
}

const drip = (response: ServerResponse, everyMs: number): void => {
  const timer = setInterval(() => response.write('.'), everyMs)
  response.on('close', () => clearInterval(timer))
}

const play = (behaviour: Behaviour, socket: Socket, response: ServerResponse, held: (() => void)[]): void => {
  switch (behaviour.kind) {
    case 'answer':
      response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body)
      break
    case 'hang':
      break
    case 'hang_body':
      response.writeHead(behaviour.status).write('started')
      break
    case 'drip':
      response.writeHead(behaviour.status)
      drip(response, behaviour.everyMs)
      break
    case 'reset':
      socket.resetAndDestroy()
      break
    case 'big':
      response.writeHead(behaviour.status)
      sendBig(response, behaviour.sizeBytes)
      break
    case 'raw':
      socket.end(behaviour.bytes)
      break
    case 'hold':
      held.push(() => response.writeHead(behaviour.status).end())
      break
  }
}

/** A webhook receiver on a free port of 127.0.0.1 that records what comes and does as it is told; 204 by default. */
export const startReceiver = async (tls?: ServerOptions): Promise<Receiver> => {
  const requests: Received[] = []
  const scripted: Behaviour[] = []
  const held: (() => void)[] = []
  const waiting = new Set<{ count: number; resolve: (all: Received[]) => void }>()
  let usual: Behaviour | ((request: Received) => Behaviour) = answer(204)
  let connections = 0
  let open = 0

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open += 1
    response.on('close', () => (open -= 1))
    response.on('error', () => undefined)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(request, 'end')
    const received: Received = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    requests.push(received)
    play(scripted.shift() ?? (typeof usual === 'function' ? usual(received) : usual), request.socket, response, held)
    for (const waiter of waiting) {
      if (requests.length < waiter.count) continue
      waiting.delete(waiter)
      waiter.resolve(requests)
    }
  }
  const handle: RequestListener = (request, response) => {
    // A request cut short by the other side is of no interest.
    serve(request, response).catch(() => undefined)
  }
  const server = tls ? createTlsServer(tls, handle) : createServer(handle)
  server.on('connection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0

  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    open: () => open,
    respond: (behaviour) => (usual = behaviour),
    script: (...behaviours) => scripted.push(...behaviours),
    release: () => held.splice(0).forEach((run) => run()),
    cut: () => server.closeAllConnections(),
    received: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve(requests)
        else waiting.add({ count, resolve })
      }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
