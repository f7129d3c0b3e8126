import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endStalled, MAX_UNANSWERED, watchLines } from '../../src/lines.ts'
import { must } from '../fakes/must.ts'
import { seededRandom } from '../fakes/random.ts'
import { until } from '../fakes/until.ts'
import { bodiesOf, get, piped, serve, urls, written, type Stage } from './lines-stage.ts'

/** One connection: how many of its requests are begun, and that all of them are in the end, in their order. */

describe('over a socket', () => {
  const opened = async (): Promise<Stage & { socket: Socket }> => {
    const { server, stage } = serve()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => {
      socket.destroy()
      server.close()
    })
    return { ...stage, socket }
  }

  test('1,500 requests at once: one begins, and then eight; each answer lets one more begin, and all are answered in order', async () => {
    const { socket, begun, total, most, answer } = await opened()
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))
    socket.write(
      urls(1_500)
        .map((_, n) => get(n))
        .join(''),
    )
    for (let answered = 0; answered < 1_500; answered += 1) {
      const wanted = answered === 0 ? 1 : Math.min(1_500, answered + MAX_UNANSWERED)
      while (total() < wanted) await turn()
      expect(total()).toBe(wanted)
      answer()
    }
    await until(() => text.endsWith('/1499'), 60_000)
    expect(most()).toBe(MAX_UNANSWERED)
    expect(begun).toEqual([])
    expect(bodiesOf(text)).toEqual(urls(1_500))
  })

  test('one large answer at a time: while answers are large, each waits until the one before it is read', async () => {
    const { socket, begun, total, most } = await opened()
    const size = 300 * 1024
    let bytes = 0
    socket.on('data', (part: Buffer) => (bytes += part.length))
    socket.write(
      urls(10)
        .map((_, n) => get(n))
        .join(''),
    )
    for (let answered = 0; answered < 10; answered += 1) {
      await until(() => begun.length > 0)
      expect(total()).toBe(answered + 1)
      must(begun.shift()).res.end(Buffer.alloc(size))
    }
    await until(() => bytes > 10 * size)
    expect(most()).toBe(1)
  })

  test('a caller that reads nothing of a large answer begins no more', async () => {
    const { socket, begun, total } = await opened()
    socket.pause().write(get(0))
    await until(() => total() === 1, 60_000)
    const { res } = must(begun.shift())
    res.end(Buffer.alloc(64 * 1024 * 1024))
    socket.write(
      urls(20)
        .map((_, n) => get(n))
        .join(''),
    )
    // It goes on as soon as it reads.
    await once(socket, 'readable')
    expect(total()).toBe(1)
    socket.resume()
    await until(() => total() > 1, 60_000)
  })
})

describe('a caller that reads nothing of what it was answered', () => {
  const STALLED_MS = 200
  const opened = async (listener: RequestListener): Promise<{ socket: Socket; cut: Promise<unknown> }> => {
    const server = createServer({ keepAliveTimeout: STALLED_MS, keepAliveTimeoutBuffer: 1 }, listener)
    endStalled(server, watchLines(server), STALLED_MS)
    const accepted = once(server, 'connection') as Promise<[Socket]>
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => {
      socket.destroy()
      server.close()
    })
    socket.on('error', () => {})
    socket.write(get(0))
    return { socket, cut: accepted.then(([theirs]) => once(theirs, 'close')) }
  }

  test('is cut off', async () => {
    const { socket, cut } = await opened((_req, res) => void res.end(Buffer.alloc(64 * 1024 * 1024)))
    socket.pause()
    await cut
  })

  test('is not who waits for an answer', async () => {
    const { socket } = await opened((_req, res) => void setTimeout(() => res.end('late'), 5 * STALLED_MS))
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text).toMatch(/late/)
  })

  test('an idle connection ends as ever', async () => {
    const { socket, cut } = await opened((_req, res) => void res.end('soon'))
    socket.resume()
    await cut
  })
})

const POST = 'POST /0 HTTP/1.1\r\nHost: x\r\nContent-Length: 24\r\n\r\na\r\n\r\nGET /x HTTP/1.1\r\n\r\n'
const CHUNKED = 'POST /0 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8\r\na\r\n\r\nbcd\r\n0\r\n\r\n'

describe('whatever the pieces that it comes in', () => {
  test.each([
    ['requests without a body', get(0)],
    ['bodies that look like the ends of requests', POST],
    ['chunks', CHUNKED],
  ])('%s', async (_name, first) => {
    const count = 14
    const bytes =
      first +
      urls(count)
        .slice(1)
        .map((_, n) => get(n + 1))
        .join('')
    for (let cut = 1; cut < first.length + get(1).length; cut += 1) {
      const { near, total, most, answer, text, begun } = piped()
      await written(near, bytes.slice(0, cut))
      await written(near, bytes.slice(cut))
      must(begun[0]).req.resume()
      for (let n = 0; n < count; n += 1) {
        await until(() => begun.length > 0, 60_000)
        answer()
        await turn()
      }
      await until(() => text().endsWith(`/${count - 1}`), 60_000)
      expect([total(), most()], `cut at ${cut}`).toEqual([count, MAX_UNANSWERED])
      expect(bodiesOf(text())).toEqual(urls(count))
    }
  })

  test('any pieces', async () => {
    const random = seededRandom(7)
    for (let round = 0; round < 40; round += 1) {
      const { near, most, answer, text, begun } = piped()
      const bytes = [POST, CHUNKED, ...urls(30).map((_, n) => get(n))].join('')
      let at = 0
      while (at < bytes.length) {
        const end = at + 1 + Math.floor(random() * 200)
        await written(near, bytes.slice(at, end))
        at = end
        // Some are answered while more come.
        if (random() < 0.3 && begun.length > 0) answer()
        begun.forEach(({ req }) => req.resume())
      }
      while (!text().endsWith('/29')) {
        begun.forEach(({ req }) => req.resume())
        if (begun.length > 0) answer()
        await turn()
      }
      expect(most()).toBeLessThanOrEqual(MAX_UNANSWERED)
      expect(bodiesOf(text())).toEqual(['/0', '/0', ...urls(30)])
    }
  })
})

describe('a body of nothing but the ends of heads is not handed over by the byte', () => {
  const READ = 64 * 1024
  test.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['ends of heads', '\r\n\r\n'],
    ['ends of lines', '\r\n'],
  ])('%s', async (_name, fill) => {
    const { near, begun, answer, text } = piped()
    await written(near, `POST /0 HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 * READ}\r\n\r\n`)
    let [pieces, bytes] = [0, 0]
    must(begun[0]).req.on('data', (piece: Buffer) => {
      pieces += 1
      bytes += piece.length
    })
    await written(near, fill.repeat(READ / fill.length))
    await written(near, fill.repeat(READ / fill.length))
    await until(() => bytes === 2 * READ, 60_000)
    expect(pieces).toBeLessThan(bytes / 32)
    // And what comes after it still waits for its turn.
    await written(near, get(1))
    expect(begun).toHaveLength(1)
    answer()
    await until(() => begun.length === 1)
    answer()
    await until(() => text().endsWith('/1'), 60_000)
  })
})

test('ends that are no heads, close to those that are: never more than eight begin', async () => {
  const random = seededRandom(11)
  const noise = (): string =>
    Array.from({ length: Math.floor(random() * 12) }, () => '\r\n'[Math.floor(random() * 2)]).join('')
  for (let round = 0; round < 40; round += 1) {
    const { near, most, answer, text, begun } = piped()
    const count = 40
    const bytes = urls(count)
      .map((url) => {
        const body = noise()
        // Blank lines may stand before a request.
        const blank = '\r\n'.repeat(Math.floor(random() * 4))
        return `${blank}POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      })
      .join('')
    let at = 0
    while (at < bytes.length) {
      const end = at + 1 + Math.floor(random() * 700)
      await written(near, bytes.slice(at, end))
      at = end
    }
    while (!text().endsWith(`/${count - 1}`)) {
      begun.forEach(({ req }) => req.resume())
      if (begun.length > 0) answer()
      await turn()
    }
    expect(most()).toBeLessThanOrEqual(MAX_UNANSWERED)
    expect(bodiesOf(text())).toEqual(urls(count))
  }
})
