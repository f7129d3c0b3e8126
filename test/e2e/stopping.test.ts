import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { VideoView } from '../../src/core/api/videos.ts'
import { createIds } from '../../src/core/ids.ts'
import { SILENT } from '../../src/core/tally.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { createLog } from '../../src/log.ts'
import { createGatewayServer, listen, type ServerOptions, urlOf } from '../../src/server.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS } from '../fakes/gateway.ts'
import { seededRandom } from '../fakes/random.ts'
import { until } from '../fakes/until.ts'
import { MAIN, stage, tookMs } from './harness.ts'

interface Caller {
  socket: Socket
  /** All that it was answered so far. */
  heard: () => string
  /** Resolves with the error that the connection ended by; null for none. */
  ended: Promise<Error | null>
}

const call = (url: string): Caller => {
  let heard = ''
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.setEncoding('utf8').on('data', (part: string) => (heard += part))
  let failure: Error | null = null
  socket.on('error', (error) => (failure = error))
  return { socket, heard: () => heard, ended: once(socket, 'close').then(() => failure) }
}

const asked = (line: string, body = ''): string =>
  [
    `${line} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${KEYS.anna}`,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    `\r\n${body}`,
  ].join('\r\n')

test('a connection that was made is answered, however many wait to be taken when the stop comes', async () => {
  const s = await stage({ silentTimeoutMs: 1_000 })
  const { url } = s.gateway().gateway
  const callers = Array.from({ length: 40 }, () => call(url))
  for (const { socket } of callers) socket.write(asked('GET /unified/v1/videos'))
  // The system makes the connections in this tick; the server sees the first of them in a later turn of the loop.
  await new Promise((resolve) => process.nextTick(resolve))
  const stopped = s.stop()
  expect(await Promise.all(callers.map(({ ended }) => ended))).toEqual(callers.map(() => null))
  for (const { heard } of callers) expect(heard()).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*connection: close\r\n/i)
  expect(await stopped).toBe(true)
  await expect(fetch(`${url}/readyz`)).rejects.toThrow()
})

test('an open connection brings one more request: a read is answered, a create waits for the next start', async () => {
  const s = await stage({ silentTimeoutMs: 1_000 })
  const { url } = s.gateway().gateway
  const [reader, creator] = [call(url), call(url)]
  for (const { socket, heard } of [reader, creator]) {
    socket.write(asked('GET /readyz'))
    await until(() => heard().endsWith('{"status":"ready"}'))
  }
  const before = [reader.heard().length, creator.heard().length] as const
  const stopped = s.stop()
  reader.socket.write(asked('GET /unified/v1/videos'))
  creator.socket.write(asked('POST /unified/v1/videos', JSON.stringify(MAIN)))
  expect(await Promise.all([reader.ended, creator.ended])).toEqual([null, null])
  expect(await stopped).toBe(true)
  const read = reader.heard().slice(before[0])
  const created = creator.heard().slice(before[1])
  expect(read).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*connection: close\r\n/i)
  expect(created).toMatch(/^HTTP\/1\.1 202 Accepted\r\n(.+\r\n)*connection: close\r\n/i)
  const { id, status } = VideoView.parse(JSON.parse(created.split('\r\n\r\n')[1] ?? ''))
  expect(status).toBe('queued')
  expect(s.sandbox.ledger().jobs).toEqual([])

  await s.restart()
  expect((await s.ended(id)).status).toBe('completed')
  expect(s.sandbox.ledger().jobs).toHaveLength(1)
})

test('for shutdown_delay it is unready and serves on, new connections too; then it stops', async () => {
  const clock = fakeClock()
  const s = await stage({ clock, config: { server: { shutdown_delay: '5s' } } })
  const { gateway, logs } = s.gateway()
  const { url } = gateway
  const before = call(url)
  before.socket.write(asked('GET /readyz'))
  await until(() => before.heard().endsWith('{"status":"ready"}'))
  const stopped = s.stop()

  const asks = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(url + path, { ...init, headers: { ...bearer(KEYS.anna), 'content-type': 'application/json' } })
  const unready = await asks('/readyz')
  expect([unready.status, await unready.json()]).toMatchObject([503, { code: 'shutting_down' }])
  await clock.advance(4_999)
  const read = await asks('/unified/v1/videos')
  expect([read.status, read.headers.get('connection'), await read.json()]).toMatchObject([200, 'close', { data: [] }])
  // Sent to its backend at once: nothing is halted yet.
  const created = await asks('/unified/v1/videos', { method: 'POST', body: JSON.stringify(MAIN) })
  expect([created.status, created.headers.get('connection')]).toEqual([202, 'close'])
  await created.body?.cancel()
  expect(s.sandbox.ledger().jobs).toHaveLength(1)
  const heard = before.heard().length
  before.socket.write(asked('GET /unified/v1/videos'))
  expect(await before.ended).toBeNull()
  expect(before.heard().slice(heard)).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*connection: close\r\n/i)

  await clock.advance(1)
  expect(await stopped).toBe(true)
  await expect(fetch(`${url}/readyz`)).rejects.toThrow()
  // Nobody is called for a stop that was asked for.
  expect(logs.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
})

test('requests behind each other on one connection are all answered while it leaves: the last answer ends it', async () => {
  const clock = fakeClock()
  const s = await stage({ clock, config: { server: { shutdown_delay: '5s' } } })
  const { socket, heard, ended } = call(s.gateway().gateway.url)
  socket.write(asked('GET /readyz'))
  await until(() => heard().endsWith('{"status":"ready"}'))
  const stopped = s.stop()
  const before = heard().length
  socket.write([1, 2, 3, 4].map((n) => asked(`GET /unified/v1/videos?limit=${n}`)).join(''))
  expect(await ended).toBeNull()
  const answers = heard()
    .slice(before)
    .split(/(?=HTTP\/1\.1 )/)
  expect(answers.map((answer) => answer.slice(0, 15))).toEqual(Array(4).fill('HTTP/1.1 200 OK'))
  expect(answers.map((answer) => /^connection: (.+)\r$/im.exec(answer)?.[1])).toEqual([
    'keep-alive',
    'keep-alive',
    'keep-alive',
    'close',
  ])
  await clock.advance(5_000)
  expect(await stopped).toBe(true)
})

const bareServer = (given: Pick<ServerOptions, 'handle' | 'silentTimeoutMs'>) => {
  const stopping = new AbortController()
  const clock = createSystemClock()
  const { server, close } = createGatewayServer({
    tally: SILENT,
    stopping: stopping.signal,
    clock,
    newId: createIds(clock, seededRandom(1)),
    log: createLog({ level: 'info', format: 'json' }, { write: () => undefined }, false),
    ...given,
  })
  return { stopping, server, close }
}

test('a request that comes while a busy gateway closes its listener is answered', async () => {
  const { stopping, server, close } = bareServer({ handle: (_req, res) => res.end('ok'), silentTimeoutMs: 1 })
  const asking = call(urlOf(await listen(server, 0, '127.0.0.1')))
  await once(server, 'connection')
  let turns = 0
  const beBusy = (): void => {
    const untilMs = performance.now() + 1
    while (performance.now() < untilMs);
    turns += 1
    if (turns < 100) setImmediate(beBusy)
  }
  beBusy()
  stopping.abort()
  const closed = close()
  asking.socket.write(asked('GET /'))
  expect(await asking.ended).toBeNull()
  expect(asking.heard()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  await closed
  expect(turns).toBe(100)
})

test('a connection that was told to stay before the stop is closed soon after its answer', async () => {
  const answering = Promise.withResolvers<ServerResponse>()
  const { stopping, server, close } = bareServer({
    handle(_req, res) {
      res.writeHead(200, { 'content-length': 2 })
      res.write('o')
      answering.resolve(res)
    },
  })
  const url = urlOf(await listen(server, 0, '127.0.0.1'))
  const [asking, silent] = [call(url), call(url)]
  asking.socket.write(asked('GET /'))
  const answer = await answering.promise
  let closed: Promise<void> = Promise.resolve()
  const silentMs = await tookMs(async () => {
    stopping.abort()
    closed = close()
    expect(await silent.ended).toBeNull()
  })
  const afterMs = await tookMs(async () => {
    answer.end('k')
    await closed
  })
  expect(await asking.ended).toBeNull()
  expect(asking.heard()).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*connection: keep-alive\r\n(.+\r\n)*\r\nok$/i)
  // Left alone, it would stay for 65 s.
  expect(afterMs).toBeLessThan(20 * silentMs)
})
