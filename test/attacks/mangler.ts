import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { ANSWERS, BACKEND_KEY, JSON_TYPE, plain, upstreamKey, type Answer } from './mangled-answers.ts'

/** Each way from the gateway to a server that somebody else runs. */
export const ROADS = [
  'voices',
  'speak',
  'sample',
  'read',
  'say',
  'create',
  'createAlternate',
  'poll',
  'pollAlternate',
  'link',
  'linkAlternate',
  'medium',
  'picture',
  'film',
  'event',
  'ping',
] as const
export type Road = (typeof ROADS)[number]

const MARK = new RegExp(`(${ROADS.join('|')})_(\\d{1,4})(?!\\d)`)
const good = (body: unknown, status = '200 OK'): Buffer =>
  Buffer.from(`HTTP/1.1 ${status}\r\n${plain(JSON.stringify(body), JSON_TYPE, 'Connection: close')}`)

interface Asked {
  method: string
  path: string
  body: string
  /** The backend, which is the first word of its base URL. */
  lane: string
}
/** What a road has behind it, such as `link_17`: by the path, or else by the body. */
const markIn = ({ path, body }: Asked): string | null => (MARK.exec(path) ?? MARK.exec(body))?.[0] ?? null

const FILM = 'video/mp4'
const startServer = async (answer: (asked: Asked) => Buffer) => {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    let text = ''
    let isAnswered = false
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      if (isAnswered) return
      text += bytes.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
      const isChunked = /\r\ntransfer-encoding: *chunked/i.test(text.slice(0, end))
      if (isChunked ? !text.endsWith('0\r\n\r\n') : text.length < end + 4 + length) return
      isAnswered = true
      const [method = '', whole = ''] = text.split(' ', 2)
      const [, lane = '', path = ''] = /^\/([^/]*)(.*)$/.exec(whole) ?? []
      socket.end(answer({ method, path, lane, body: text.slice(end + 4) }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const end = (): void => {
    server.close()
    sockets.forEach((socket) => socket.destroy())
  }
  return { url: `http://127.0.0.1:${port}`, end }
}

/**
 * Backends of both interfaces and receivers, good but for one answer on each `mark`: that is the mangled one of its
 * number. `lanes` are the first words of their base URLs.
 */
export const startMangler = async (answers: readonly Answer[] = ANSWERS) => {
  const told = new Set<string>()
  const seen = new Map<string, number>()
  const callbacks: string[] = []
  const pings = new Map<string, string>()
  let waiting: { mark: string; resolve: () => void }[] = []
  let jobs = 0

  const job = (mark: string | null, id: string, lane: string, isAlternate: boolean) => {
    const isRunning = mark?.startsWith('poll') === true && !told.has(mark)
    const link = { [isAlternate ? 'download_url' : 'video_url']: `${url}/${lane}/films/${id}.mp4` }
    const status = isRunning ? 'processing' : 'completed'
    return { id, operation_id: id, status, ...(!isRunning && (isAlternate || !id.includes('link')) && link) }
  }
  const wellAnswered = ({ method, path, lane, body }: Asked, mark: string | null): Buffer => {
    const isAlternate = path.startsWith('/v1/')
    if (path.startsWith('/hook')) return Buffer.from(`HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n`)
    if (path.startsWith('/films')) return Buffer.from(`HTTP/1.1 200 OK\r\n${plain('film', `Content-Type: ${FILM}`)}`)
    if (path.includes('/voices')) {
      const names = lane === LISTING ? answers.flatMap((_, n) => [`sample_${n}`, `medium_${n}`]) : []
      const data = names.map((id) => ({ id, name: id, preview_url: `/${lane}/samples/${id}.wav` }))
      return good({ object: 'list', data })
    }
    const puppet = /\/puppets\/(picture_\d+)$/.exec(path)?.[1]
    if (puppet !== undefined) return good({ id: puppet, imageUrl: `${url}/${lane}/pictures/${puppet}.png` })
    if (/\/videos(\/text)?$/.test(path) && method === 'POST') {
      const callback = /"webhook_url":"([^"]+)"/.exec(body)?.[1]
      if (callback !== undefined) callbacks.push(callback)
      jobs += 1
      return good({ id: `api_video_job${jobs}`, status: 'queued' }, '202 Accepted')
    }
    const [, id, download] = /\/videos\/([^/?]+)(\/download)?$/.exec(path) ?? []
    if (id !== undefined && download !== undefined) {
      return good({ download_url: `${url}/${lane}/films/${id}.mp4`, expires_at: '2096-01-01T00:00:00Z' })
    }
    if (id !== undefined) return good(job(mark, id, lane, isAlternate))
    if (path.startsWith('/v1/videos')) return good({ data: [], pagination: { page: 1, total: 0, total_pages: 0 } })
    return good({ error: 'not_found', message: 'no' }, '404 Not Found')
  }

  /** Whether a request is the one whose answer is mangled. */
  const isIt = (mark: string, { path }: Asked): boolean => {
    const road = mark.replace(/_\d+$/, '')
    const before = seen.get(mark) ?? 0
    switch (road) {
      // The import reads the job first.
      case 'poll':
      case 'pollAlternate':
      case 'link':
        return before > 0
      case 'linkAlternate':
        return path.endsWith('/download')
      case 'event':
        return path.startsWith('/hook')
      case 'picture':
        return path.startsWith('/pictures')
      case 'film':
        return path.startsWith('/films')
      case 'sample':
      case 'medium':
        return path.startsWith('/samples')
      default:
        return true
    }
  }
  const answered = (asked: Asked): Buffer => {
    const mark = pings.get(asked.path) ?? markIn(asked)
    if (mark !== null && !told.has(mark) && isIt(mark, asked)) {
      told.add(mark)
      waiting = waiting.filter((one) => one.mark !== mark || (one.resolve(), false))
      const number = Number(mark.slice(mark.indexOf('_') + 1))
      const answer = answers[number]
      if (answer) {
        return Buffer.from(answer.bytes.toString('latin1').replaceAll(BACKEND_KEY, upstreamKey(asked.lane)), 'latin1')
      }
    }
    if (mark !== null) seen.set(mark, (seen.get(mark) ?? 0) + 1)
    return wellAnswered(asked, mark)
  }
  const { url, end } = await startServer(answered)
  return {
    url,
    end,
    callbacks,
    /** How many of the mangled answers went down a road. */
    sent: (road: Road): number => ANSWERS.filter((_, n) => told.has(`${road}_${n}`)).length,
    /** Resolves when the mangled answer has gone out. */
    gone: (mark: string): Promise<void> =>
      new Promise((resolve) => {
        if (told.has(mark)) resolve()
        else waiting.push({ mark, resolve })
      }),
    /** The next request to a path is of this mark, which stands nowhere in it. */
    expect: (path: string, mark: string): void => void pings.set(path, mark),
  }
}
export type Mangler = Awaited<ReturnType<typeof startMangler>>

/** Of all backends, the one whose voices have samples. */
export const LISTING = 'primary0'
