import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { MAX_UNANSWERED } from '../../src/lines.ts'
import { seededRandom } from '../fakes/random.ts'
import { until } from '../fakes/until.ts'
import { get, piped, urls, written } from './lines-stage.ts'

/** A connection whose first answer was small: from then on it has eight places. */
const ready = async () => {
  const stage = piped()
  await written(stage.near, 'GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
  stage.answer()
  await until(() => stage.text().endsWith('/first'))
  return stage
}

/** What comes on a connection whose places are nearly all taken, or all. */

describe('with seven requests open', () => {
  const BYTES = 64 * 1024
  const seven = async () => {
    const stage = await ready()
    for (let n = 0; n < MAX_UNANSWERED - 1; n += 1) await written(stage.near, get(n))
    expect(stage.begun).toHaveLength(MAX_UNANSWERED - 1)
    return stage
  }
  const cpuMs = async (act: () => Promise<void>): Promise<number> => {
    const before = process.cpuUsage()
    await act()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }

  const LONG = 'POST /7 HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n'
  const CHUNK = 'POST /7 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n'
  const costOf = async (head: string, fill: string): Promise<number> => {
    const { near, begun } = await seven()
    await written(near, head)
    begun.forEach(({ req }) => req.resume())
    return cpuMs(async () => {
      for (let n = 0; n < 20; n += 1) await written(near, fill.repeat(BYTES / fill.length))
    })
  }
  /** Of three: what the process collects of its garbage meanwhile is no cost of the bytes. */
  const leastOf = async (head: string, fill: string): Promise<number> => {
    const costs: number[] = []
    for (let n = 0; n < 3; n += 1) costs.push(await costOf(head, fill))
    return Math.min(...costs)
  }

  test.each([
    ['blank lines', '\r\n', '\r\n'],
    ['line feeds', '\n', '\n'],
    ['a body like blank lines', LONG, '\r\n'],
    ['a body like ends of heads', LONG, 'x\r\n\r\n'],
    ['a chunk like ends of heads', CHUNK, 'x\r\n\r\n'],
  ])('%s: about what other bytes cost', async (_name, head, fill) => {
    const plainMs = await leastOf(LONG, 'y')
    expect(await leastOf(head, fill)).toBeLessThan(Math.max(plainMs, 5) * 20)
  })
})

describe('the body of the eighth request', () => {
  const SIZE = 100_000
  const filled = 'x\r\n\r\n'.repeat(SIZE / 5)
  const half = SIZE / 2
  const chunk = (text: string): string => `${text.length.toString(16)};e=1\r\n${text}\r\n`
  test.each([
    ['of a length', `Content-Length: ${SIZE}\r\n\r\n${filled}`],
    [
      'in chunks',
      `Transfer-Encoding: chunked\r\n\r\n${chunk(filled.slice(0, half))}${chunk(filled.slice(half))}0\r\n\r\n`,
    ],
    [
      'in chunks with trailers',
      `Transfer-Encoding: chunked\r\n\r\n${chunk(filled)}0\r\nX: ${'1'.repeat(100)}\r\nY: 2\r\n\r\n`,
    ],
  ])('%s is read though nothing is answered, and what comes after it is not', async (_name, rest) => {
    const random = seededRandom(5)
    for (let round = 0; round < 10; round += 1) {
      const { near, begun, total, most, answer, text } = await ready()
      const gets = urls(MAX_UNANSWERED - 1).map((_, n) => get(n))
      const after = [8, 9].map(get)
      const bytes = [...gets, `POST /7 HTTP/1.1\r\nHost: x\r\n${rest}`, ...after].join('')
      for (let at = 0; at < bytes.length;) {
        const end = at + 1 + Math.floor(random() * (round === 0 ? 60 : 20_000))
        await written(near, bytes.slice(at, end))
        begun.at(-1)?.req.resume()
        at = end
      }
      await until(() => begun[7]?.req.complete === true)
      expect([total(), most()]).toEqual([1 + MAX_UNANSWERED, MAX_UNANSWERED])
      while (!text().endsWith('/9')) {
        if (begun.length > 0) answer()
        await turn()
      }
      expect([total(), most()]).toEqual([11, MAX_UNANSWERED])
    }
  })
})

test.each(['\n\n', '\n\r\n', '\r\n\n', '\r\r\n\r\n', '\n\r\n\r\n'])(
  'however heads are ended (%j), never more than eight begin',
  async (end) => {
    const { near, most } = await ready()
    await written(near, `GET / HTTP/1.1\r\nHost: x${end}`.repeat(100))
    await turn()
    expect(most()).toBeLessThanOrEqual(MAX_UNANSWERED)
  },
)
