import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { until } from '../fakes/until.ts'
import { startAttacked, type Attacked } from './process.ts'

/** Many requests on one connection, and nobody who reads the answers: no key is needed for either. */

const requests = (path: string, count: number): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count)

const begunOf = async (attacked: Attacked, path: string): Promise<number> =>
  (await attacked.state()).requests[path]?.begun ?? 0

const sizeOf = async ({ url }: Attacked, path: string): Promise<number> => {
  const response = await fetch(url + path)
  expect(response.status).toBe(200)
  return (await response.arrayBuffer()).byteLength
}

const bodyBytesOf = async ({ url }: Attacked, request: string): Promise<number> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(request)
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return Number(/content-length: (\d+)/i.exec(first.toString('latin1'))?.[1])
}

/** Everybody else is served meanwhile; by the last answer the process has had many chances to read what was sent. */
const othersAreServed = async ({ url }: Attacked): Promise<void> => {
  for (let n = 0; n < 50; n += 1) expect((await fetch(`${url}/healthz`)).status).toBe(200)
}

test('1,500 requests for the API document: one is answered, and no answer is a copy', async () => {
  const attacked = await startAttacked()
  const path = '/openapi.json'
  const size = await sizeOf(attacked, path)
  await othersAreServed(attacked)
  const before = await attacked.state()

  await attacked.unread(requests(path, 1_500))
  // One was of `sizeOf`.
  await until(async () => (await begunOf(attacked, path)) > 1, 60_000)
  await othersAreServed(attacked)

  const after = await attacked.state()
  const { begun = 0, mostOpen = 0 } = after.requests[path] ?? {}
  expect([begun, mostOpen]).toEqual([2, 1])
  expect(after.bufferBytes - before.bufferBytes).toBeLessThan(8 * size)
  expect(after.rssBytes - before.rssBytes).toBeLessThan((1_500 * size) / 10)
})

test.skipIf(process.platform !== 'linux')(
  '4 x 1,100 requests for the API document, and then gone: no descriptor stays open',
  async () => {
    const attacked = await startAttacked()
    const path = '/openapi.json'
    await sizeOf(attacked, path)
    await othersAreServed(attacked)
    const before = attacked.descriptors()
    for (let n = 0; n < 4; n += 1) {
      const begunBefore = await begunOf(attacked, path)
      const socket = await attacked.unread(requests(path, 1_100))
      await until(async () => (await begunOf(attacked, path)) > begunBefore, 60_000)
      await othersAreServed(attacked)
      socket.resetAndDestroy()
    }
    await othersAreServed(attacked)
    await until(() => attacked.descriptors() <= before, 30_000)
  },
)

test('100 connections with 8 requests for the largest file, which read nothing: each is sent one answer', async () => {
  const attacked = await startAttacked()
  const path = '/openapi.json'
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const size = await bodyBytesOf(attacked, request)
  expect(size).toBeGreaterThan(262_144)
  const [begunBefore, { writtenBytes: before }] = [await begunOf(attacked, path), await attacked.state()]
  await Promise.all(Array.from({ length: 100 }, () => attacked.unread(request.repeat(8))))
  await until(async () => (await begunOf(attacked, path)) >= begunBefore + 100)
  await othersAreServed(attacked)

  const { writtenBytes } = await attacked.state()
  expect(await begunOf(attacked, path)).toBe(begunBefore + 100)
  // Beside the body there is a head.
  expect(Math.max(...writtenBytes.slice(before.length))).toBeLessThan(size + 4_096)
})

test.each([
  ['/docs/assets/page.js', 'identity'],
  ['/openapi.json', 'gzip, deflate, br'],
])('nor do many answers of a smaller file add up: %s as %s', async (path, encoding) => {
  const attacked = await startAttacked()
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${encoding}\r\n\r\n`
  const size = await bodyBytesOf(attacked, request)
  expect(size).toBeLessThan(100_000)
  const { writtenBytes: before } = await attacked.state()
  await Promise.all(Array.from({ length: 20 }, () => attacked.unread(request.repeat(100))))
  await until(async () => (await begunOf(attacked, path)) > 20)
  await othersAreServed(attacked)
  const { writtenBytes } = await attacked.state()
  // Eight are handled at the same time; beside each body there is a head.
  expect(Math.max(...writtenBytes.slice(before.length))).toBeLessThan(262_144 + 8 * (size + 1_024))
})

test('a client that sends two such requests at once and reads has the first answer whole, and then the end', async () => {
  const attacked = await startAttacked()
  const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
  const socket = connect(Number(new URL(attacked.url).port), '127.0.0.1')
  socket.write(request + request)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(Buffer.from(chunk as Uint8Array))
  const text = Buffer.concat(chunks).toString('latin1')
  const [head = '', body = ''] = text.split('\r\n\r\n', 1).flatMap((first) => [first, text.slice(first.length + 4)])
  expect(head).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close/is)
  expect(body.length).toBe(Number(/content-length: (\d+)/i.exec(head)?.[1]))
})

test('beyond server.max_connections a connection is closed as it comes, and there is room again when one ends', async () => {
  const attacked = await startAttacked({ server: { port: 0, max_connections: 3 } })
  const closed = async (socket: Socket): Promise<void> => {
    socket.resume()
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  }
  const [first] = [await attacked.unread(''), await attacked.unread(''), await attacked.unread('')]
  await closed(await attacked.unread('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'))
  first.destroy()
  await until(async () => (await fetch(`${attacked.url}/healthz`).catch(() => null))?.status === 200)
})
