import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the scripted backend does with one request. A body that is no string or buffer goes out as JSON. */
export type Script =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  /** Reads the request, then resets the connection without a byte of answer. */
  | { fault: 'reset' }
  /** Starts the answer, announces more than it sends, then resets the connection. */
  | { fault: 'cut'; status?: number; headers?: Record<string, string>; body?: string }
  /** Never answers. */
  | { fault: 'hang' }
  /** Sends the status line and headers, then nothing more. */
  | { fault: 'drip'; status?: number; headers?: Record<string, string> }
  /** Sends `sizeBytes` of spaces, as far as anybody reads them. */
  | { fault: 'flood'; status?: number; sizeBytes: number }

export interface RecordedRequest {
  method: string
  /** With its query. */
  path: string
  headers: Record<string, string>
  body: string
  /** Counts from 1: which connection it came over. */
  connection: number
}

export interface ScriptedBackend {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** Every request in full, in the order of their ends. */
  requests: RecordedRequest[]
  /** Connections accepted so far. */
  connections(): number
  /** From now on every request that `next` does not claim is answered so. */
  answer(script: Script | ((request: RecordedRequest) => Script)): void
  /** Answers the coming requests, one each, before `answer` applies again. */
  next(...scripts: Script[]): void
  close(): Promise<void>
}

const CHUNK_BYTES = 64 * 1024

const bytesOf = (body: unknown): string | Buffer =>
  body === undefined ? '' : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString()
}

const flood = (response: ServerResponse, sizeBytes: number): void => {
  let leftBytes = sizeBytes
  const pour = (): void => {
    while (leftBytes > 0 && !response.destroyed) {
      leftBytes -= CHUNK_BYTES
      if (!response.write(Buffer.alloc(CHUNK_BYTES, ' '))) return void response.once('drain', pour)
    }
    response.end()
  }
  pour()
}

const play = (script: Script, request: IncomingMessage, response: ServerResponse): void => {
  // Tests inject clocks: a Date header is sent only where one is scripted.
  response.sendDate = false
  if (!('fault' in script)) {
    const body = bytesOf(script.body)
    response.writeHead(script.status ?? 200, { 'content-type': 'application/json', ...script.headers }).end(body)
    return
  }
  switch (script.fault) {
    case 'reset':
      return void request.socket.resetAndDestroy()
    case 'hang':
      return
    case 'flood':
      response.writeHead(script.status ?? 200)
      return flood(response, script.sizeBytes)
    case 'drip':
      response.writeHead(script.status ?? 200, script.headers)
      return response.flushHeaders()
    case 'cut':
      response.writeHead(script.status ?? 200, { 'content-length': '1000000', ...script.headers })
      response.write(script.body ?? '{', () => request.socket.resetAndDestroy())
  }
}

/** A real HTTP server on a free port that records what it is asked and answers what a test scripts; at first 404. */
export const startBackend = async (): Promise<ScriptedBackend> => {
  const requests: RecordedRequest[] = []
  const queue: Script[] = []
  const numbers = new WeakMap<object, number>()
  let accepted = 0
  let standing: (request: RecordedRequest) => Script = () => ({ status: 404, body: {} })

  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    readBody(request).then(
      (body) => {
        const recorded: RecordedRequest = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
          body,
          connection: numbers.get(request.socket) ?? 0,
        }
        requests.push(recorded)
        play(queue.shift() ?? standing(recorded), request, response)
      },
      () => request.socket.destroy(),
    )
  })
  server.on('connection', (socket) => numbers.set(socket, ++accepted))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => accepted,
    answer: (script) => {
      standing = typeof script === 'function' ? script : () => script
    },
    next: (...scripts) => void queue.push(...scripts),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
