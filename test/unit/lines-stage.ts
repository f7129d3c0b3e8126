import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { duplexPair, type Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { watchLines } from '../../src/lines.ts'
import { must } from '../fakes/must.ts'

/** One connection, and what has begun on it. */
export interface Stage {
  /** What has begun and is not answered yet. */
  begun: { req: IncomingMessage; res: ServerResponse; url: string }[]
  /** The most that ever were. */
  most(): number
  total(): number
  answer(): void
}

export const serve = (): { server: ReturnType<typeof createServer>; stage: Stage } => {
  const begun: Stage['begun'] = []
  let most = 0
  let total = 0
  const server = createServer((req, res) => {
    total += 1
    begun.push({ req, res, url: req.url ?? '' })
    most = Math.max(most, begun.length)
  })
  watchLines(server)
  const answer = (): void => {
    const { res, url } = must(begun.shift())
    res.end(url)
  }
  return { server, stage: { begun, most: () => most, total: () => total, answer } }
}

export const get = (n: number): string => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`
export const urls = (count: number): string[] => Array.from({ length: count }, (_, n) => `/${n}`)
export const bodiesOf = (text: string): string[] =>
  [...text.matchAll(/\r\n\r\n([^\r\n]*)(?=HTTP\/1\.1 |$)/g)].map((m) => m[1] ?? '')

/** A connection whose every write arrives as one piece, whatever the system would make of it. */
export const piped = (): Stage & { near: Duplex; text: () => string } => {
  const { server, stage } = serve()
  const [near, far] = duplexPair()
  server.emit('connection', far)
  let text = ''
  near.setEncoding('utf8').on('data', (part: string) => (text += part))
  onTestFinished(() => void near.destroy())
  return { ...stage, near, text: () => text }
}

export const written = async (near: Duplex, piece: string): Promise<void> => {
  near.write(piece)
  await turn()
}
