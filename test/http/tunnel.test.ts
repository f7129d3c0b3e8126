import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { get } from 'node:https'
import { createServer, type Server } from 'node:https'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAgents, exchange } from '../../src/http/exchange.ts'
import { createLines } from '../../src/http/hand-through.ts'
import { startConnectProxy, type ConnectProxy } from '../fakes/connect-proxy.ts'
import { HANG_MS } from '../fakes/until.ts'

/** A name that no resolver knows: who reaches it went through the proxy. */
const HOST = 'receiver.example'
const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
const [key, cert] = [fixture('receiver.key.pem'), fixture('receiver.cert.pem')]

let server: Server
let proxy: ConnectProxy
let origin: URL
const asked: string[] = []
beforeAll(async () => {
  server = createServer({ key, cert, ALPNProtocols: ['h2', 'http/1.1'] }, (req, res) => {
    asked.push(`${req.method} ${req.url} ${req.headers['proxy-authorization'] ?? ''}`.trim())
    res.end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  proxy = await startConnectProxy()
  origin = new URL(`https://${HOST}:${(server.address() as AddressInfo).port}`)
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await proxy.close()
})

const common = { headers: {}, timeoutMs: HANG_MS, maxBytes: 1_000, overflow: 'fail' } as const
const asks = async (proxyUrl: string, ca?: string) => {
  const agents = createAgents({ proxyOf: () => proxyUrl, ...(ca !== undefined && { ca }) })
  try {
    const read = exchange({
      ...common,
      dispatcher: agents.reads,
      method: 'GET',
      url: new URL('/read', origin),
      body: null,
    })
    const create = agents.once(origin.origin, (dispatcher) =>
      exchange({ ...common, dispatcher, method: 'POST', url: new URL('/create', origin), body: '{}' }),
    )
    return await Promise.all([read, create])
  } finally {
    await agents.close()
  }
}

/** As the gateway hands a read through: answers the status, or the code of the error. */
const handed = async (proxyUrl: string, ca?: string): Promise<number | string> => {
  const lines = createLines({ proxyOf: () => proxyUrl, ...(ca !== undefined && { ca }) })
  try {
    const sent = get(new URL('/handed', origin), { agent: lines.agent(origin, false) })
    return await new Promise((resolve) => {
      sent.once('response', (answer) => resolve(answer.resume().statusCode ?? 0))
      sent.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    })
  } finally {
    lines.close()
  }
}

test('TLS reaches the origin itself through the tunnel, and is verified by its name', async () => {
  expect(await asks(proxy.url, cert)).toMatchObject([
    { kind: 'answered', status: 200 },
    { kind: 'answered', status: 200 },
  ])
  expect(await handed(proxy.url, cert)).toBe(200)
  expect(new Set(proxy.connected)).toEqual(new Set([origin.host]))
  // What the proxy is told goes no further.
  expect(asked.toSorted()).toEqual(['GET /handed', 'GET /read', 'POST /create'])
})

test('nothing was sent where the tunnel is not made, or what is at its end is not the origin', async () => {
  const before = asked.length
  const closed = createTcpServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const nowhere = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
  closed.close()
  const cases: [string, string][] = [
    [proxy.wrongUrl, 'PROXY_AUTHENTICATION_REQUIRED'],
    [nowhere, 'PROXY_ECONNREFUSED'],
    // Nobody vouches for its certificate here.
    [proxy.url, 'self'],
  ]
  for (const [url, why] of cases) {
    const outcomes = await asks(url)
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'failed', began: false, message: expect.stringContaining(why) })
    }
    expect(await handed(url)).toMatch(new RegExp(why, 'i'))
  }
  expect(asked).toHaveLength(before)
})
