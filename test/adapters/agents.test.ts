import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Agents, type Exchange, createAgents, exchange } from '../../src/http/exchange.ts'
import { startBackend } from '../fakes/backend.ts'
import { selfSigned } from './certificate.ts'
import { HANG_MS } from '../fakes/until.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const agents = (connectTimeoutMs = HANG_MS): Agents => {
  const made = createAgents({ connectTimeoutMs })
  closers.push(made.close)
  return made
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

const common = { headers: {}, timeoutMs: HANG_MS, maxBytes: 1_000, overflow: 'fail' } as const
const post = ({ once }: Agents, origin: string): Promise<Exchange> =>
  once(origin, (dispatcher) =>
    exchange({ ...common, dispatcher, method: 'POST', url: new URL('/create', origin), body: '{}' }),
  )
const get = ({ reads }: Agents, origin: string): Promise<Exchange> =>
  exchange({ ...common, dispatcher: reads, method: 'GET', url: new URL('/read', origin), body: null })

describe('a connection for one request', () => {
  test('is tried once, even where it breaks before anything was written', async () => {
    let accepted = 0
    const server = createServer((socket) => {
      accepted += 1
      socket.on('error', () => undefined)
      socket.resetAndDestroy()
    })
    const port = await listen(server)
    expect((await post(agents(), `http://127.0.0.1:${port}`)).kind).toBe('failed')
    await turn()
    expect(accepted).toBe(1)
  })

  test('carries no second request, whatever the server offers', async () => {
    const backend = await startBackend()
    closers.push(backend.close)
    backend.answer({ headers: { connection: 'keep-alive', 'keep-alive': 'timeout=60' }, body: {} })
    const outcomes = await agents().once(backend.url, async (dispatcher) => {
      const send = () =>
        exchange({ ...common, dispatcher, method: 'POST', url: new URL('/create', backend.url), body: '{}' })
      return [await send(), await send()]
    })
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'failed'])
    expect(outcomes[1]).toMatchObject({ began: false })
    expect(backend.requests).toHaveLength(1)
  })
})

test('reads keep their connection', async () => {
  const backend = await startBackend()
  closers.push(backend.close)
  backend.answer({ body: {} })
  const made = agents()
  for (let i = 0; i < 3; i += 1) {
    await get(made, backend.url)
    // undici frees a socket one turn after its answer.
    await turn()
    await turn()
  }
  expect(backend.connections()).toBe(1)
})

describe('TLS', () => {
  test.each([
    ['create', post],
    ['read', get],
  ])('a certificate that nobody vouches for ends a %s before a byte is written', async (_what, send) => {
    // What some operators set "to make it work" must not open this.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    let received = 0
    const server = createTlsServer({ ...selfSigned(), ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
      socket.on('error', () => undefined)
      socket.on('data', () => (received += 1))
    })
    server.on('tlsClientError', () => undefined)
    const port = await listen(server)
    expect(await send(agents(), `https://127.0.0.1:${port}`)).toMatchObject({ kind: 'failed', began: false })
    expect(received).toBe(0)
  })
})

test('a server that never completes the handshake is given up on', async () => {
  const sockets: { destroy(): unknown }[] = []
  const port = await listen(createServer((socket) => sockets.push(socket)))
  const outcome = await post(agents(100), `https://127.0.0.1:${port}`)
  expect(outcome).toMatchObject({ kind: 'failed', began: false })
  for (const socket of sockets) socket.destroy()
})

test('closing waits for what runs, then nothing more goes out', async () => {
  const backend = await startBackend()
  closers.push(backend.close)
  backend.answer({ body: {} })
  const made = createAgents()
  const running = Promise.all([post(made, backend.url), get(made, backend.url)])
  await made.close()
  expect((await running).map(({ kind }) => kind)).toEqual(['answered', 'answered'])
  expect(await post(made, backend.url)).toMatchObject({ kind: 'failed', began: false })
  expect(await get(made, backend.url)).toMatchObject({ kind: 'failed', began: false })
  expect(backend.requests).toHaveLength(2)
})
