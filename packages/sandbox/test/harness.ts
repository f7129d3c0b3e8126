import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { startSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts'
import { fakeClock, type FakeClock } from '../../../test/fakes/clock.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, when it is a JSON object; else empty. */
  readonly body: Record<string, unknown>
}

export interface Ask {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** `null`: no Authorization header. Default: the sandbox's own key. */
  readonly key?: string | null
}

const objectIn = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Asks over HTTP, as a client does. */
export const ask = async (
  url: string,
  defaultKey: string,
  { method, body, headers, key = defaultKey }: Ask,
): Promise<Reply> => {
  const reply = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, text, body: objectIn(text) }
}

export interface Harness {
  readonly sandbox: Sandbox
  readonly clock: FakeClock
  primary(path: string, options?: Ask): Promise<Reply>
  alternate(path: string, options?: Ask): Promise<Reply>
  /** Creates a text video on the primary. */
  create(body?: Record<string, unknown>, headers?: Record<string, string>): Promise<Reply>
  fault(fault: Record<string, unknown>): Promise<Reply>
}

export const IMAGE = 'https://example.com/face.png'

/** A sandbox on free ports and a clock of the test's; closed when the test ends. */
export const start = async (options: Partial<SandboxOptions> = {}, clock = fakeClock()): Promise<Harness> => {
  const sandbox = await startSandbox({ clock, speed: 1, ...options })
  onTestFinished(() => sandbox.close())
  const primary: Harness['primary'] = (path, options = {}) =>
    ask(`${sandbox.primaryUrl}${path}`, sandbox.primaryKey, options)
  return {
    sandbox,
    clock,
    primary,
    alternate: (path, options = {}) => ask(`${sandbox.alternateUrl}${path}`, sandbox.alternateKey, options),
    create: (body = {}, headers = {}) =>
      primary('/api/v1/videos/text', { body: { image_url: IMAGE, text: 'Hello there', ...body }, headers }),
    fault: (fault) => primary('/sandbox/faults', { body: fault, key: null }),
  }
}

export interface Receiver {
  readonly url: string
  readonly bodies: Record<string, unknown>[]
}

/** A webhook receiver that answers `statuses` in turn (the last one for ever). */
export const receiver = async (...statuses: number[]): Promise<Receiver> => {
  const bodies: Record<string, unknown>[] = []
  const server = createServer((req, res) => {
    let text = ''
    req.setEncoding('utf8')
    req.on('data', (part: string) => (text += part))
    req.on('end', () => {
      bodies.push(objectIn(text))
      res.writeHead(statuses[Math.min(bodies.length, statuses.length) - 1] ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook?token=t`, bodies }
}
