/**
 * A client of the alternate interface as a customer's engineer would have written it: from the alternate contract alone,
 * with nothing of this repository. It believes what the contract says and throws where an answer says something else.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

type Json = Record<string, unknown>

export type AlternateStatus = 'processing' | 'completed' | 'failed'

export interface AlternateOptions {
  /** Everything before `/v1`. */
  baseUrl: string
  apiKey: string
  /** How the client waits; the contract names no pace, so it asks once a second. */
  sleep?: (waitMs: number) => Promise<void>
}

export interface CreateVideo {
  script: string
  puppet_id: string
  voice_id?: string
  resolution?: '720p' | '1080p'
  webhook_url?: string
}

export interface AlternateVideo {
  id: string
  status: AlternateStatus
  puppetId: string
  createdAt: string
  body: Json
}

export interface ListQuery {
  page?: number
  limit?: number
  status?: AlternateStatus
}

const STATUSES: readonly string[] = ['processing', 'completed', 'failed'] satisfies AlternateStatus[]
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
/** Whoever is told to come back does so for a minute, however often that is. */
const PATIENCE_MS = 60_000
const MAX_POLLS = 10_000
const POLL_MS = 1000
const CALL_TIMEOUT_MS = 30_000
const HOUR_MS = 3_600_000

/** The answer is not what the contract says. */
export class ContractError extends Error {}

const insist = (truth: boolean, what: string): void => {
  if (!truth) throw new ContractError(what)
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const isStatus = (value: string): value is AlternateStatus => STATUSES.includes(value)

const text = (from: Json, field: string): string => {
  const value = from[field]
  if (typeof value !== 'string' || value === '') throw new ContractError(`${field} is ${JSON.stringify(value)}`)
  return value
}

const integer = (from: Json, field: string): number => {
  const value = from[field]
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw new ContractError(`${field} is ${JSON.stringify(value)}`)
  return value
}

const time = (from: Json, field: string): string => {
  const value = text(from, field)
  insist(ISO_TIME.test(value), `${field} is ${value}`)
  return value
}

const link = (from: Json, field: string): string => new URL(text(from, field)).href

/** A field that may be told: null, or what it must be. */
const told = <T>(from: Json, field: string, read: (from: Json, field: string) => T): T | null =>
  from[field] === null ? null : read(from, field)

/** What a create, a list's item and a video's detail have in common. */
const readVideo = (body: Json): AlternateVideo => {
  const status = text(body, 'status')
  if (!isStatus(status)) throw new ContractError(`status is ${status}`)
  return { id: text(body, 'id'), status, puppetId: text(body, 'puppet_id'), createdAt: time(body, 'created_at'), body }
}

/** The contract shows no error's shape: the status decides, the body is kept for the log. */
export class AlternateError extends Error {
  readonly status: number
  readonly retryAfterSec: number | null
  readonly body: unknown

  constructor(answer: Response, body: unknown) {
    super(`${answer.url} was answered with ${answer.status}: ${JSON.stringify(body)}`)
    const retryAfter = answer.headers.get('retry-after')
    this.status = answer.status
    this.body = body
    this.retryAfterSec = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
  }
}

export class AlternateClient {
  /** What the last answer said about the requests left. */
  rate: { limit: number; remaining: number; resetUnixSec: number } | null = null
  readonly #baseUrl: string
  readonly #apiKey: string
  readonly #sleep: (waitMs: number) => Promise<void>

  constructor(options: AlternateOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/$/, '')
    this.#apiKey = options.apiKey
    this.#sleep = options.sleep ?? ((waitMs) => new Promise((done) => setTimeout(done, waitMs)))
  }

  async create(input: CreateVideo): Promise<AlternateVideo> {
    const body = await this.#call('POST', '/v1/videos', input)
    const video = readVideo(body)
    insist(video.puppetId === input.puppet_id, `puppet_id became ${video.puppetId}`)
    insist((body['voice_id'] ?? null) === (input.voice_id ?? body['voice_id'] ?? null), 'voice_id became another')
    insist(told(body, 'resolution', text) === (input.resolution ?? body['resolution']), 'resolution became another')
    insist(integer(body, 'duration_estimate_sec') > 0, 'the estimate is not positive')
    return video
  }

  async video(id: string): Promise<AlternateVideo> {
    const body = await this.#call('GET', `/v1/videos/${encodeURIComponent(id)}`)
    const video = readVideo(body)
    insist(video.id === id, `${id} became ${video.id}`)
    told(body, 'voice_id', text)
    insist(['720p', '1080p', null].includes(told(body, 'resolution', text)), 'resolution is neither of the two')
    insist(video.status !== 'failed' || Boolean(body['error']), 'a failure says no error')
    if (video.status !== 'completed') return video
    insist((told(body, 'duration_sec', integer) ?? 1) > 0, 'the film has no length')
    link(body, 'download_url')
    told(body, 'thumbnail_url', link)
    insist(Date.parse(time(body, 'completed_at')) >= Date.parse(video.createdAt), 'completed before it was created')
    return video
  }

  async finish(id: string): Promise<AlternateVideo> {
    for (let polls = 0; polls < MAX_POLLS; polls++) {
      const video = await this.video(id)
      if (video.status !== 'processing') return video
      await this.#sleep(POLL_MS)
    }
    throw new Error(`${id} does not end`)
  }

  /** One page, whose numbers must fit each other and the query. */
  async list(query: ListQuery = {}): Promise<{ videos: AlternateVideo[]; total: number; totalPages: number }> {
    const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const { data, pagination } = await this.#call('GET', `/v1/videos?${asked.toString()}`)
    if (!Array.isArray(data) || !isJson(pagination)) throw new ContractError('no data array or no pagination')
    const [page, limit] = [integer(pagination, 'page'), integer(pagination, 'limit')]
    const [total, totalPages] = [integer(pagination, 'total'), integer(pagination, 'total_pages')]
    insist(page === (query.page ?? 1) && limit === (query.limit ?? 20), `page ${page} of ${limit}`)
    insist(total === 0 ? totalPages <= 1 : totalPages === Math.ceil(total / limit), `${total} on ${totalPages} pages`)
    insist(data.length === Math.max(0, Math.min(limit, total - (page - 1) * limit)), `${data.length} of ${total} here`)
    const videos = data.filter(isJson).map(readVideo)
    for (const { body, status } of videos) {
      insist(status === (query.status ?? status), `a ${status} video is listed`)
      if (status === 'completed') told(body, 'duration_sec', integer)
    }
    return { videos, total, totalPages }
  }

  /** Every video, page by page. */
  async all(query: Omit<ListQuery, 'page'> = {}): Promise<AlternateVideo[]> {
    const videos: AlternateVideo[] = []
    for (let page = 1; ; page++) {
      const { videos: some, total, totalPages } = await this.list({ ...query, page })
      videos.push(...some)
      if (page < totalPages) continue
      insist(videos.length === total, `${videos.length} of ${total} were listed`)
      insist(new Set(videos.map(({ id }) => id)).size === total, 'a video is listed twice')
      return videos
    }
  }

  /** A signed URL, good for an hour. */
  async downloadLink(id: string): Promise<string> {
    const body = await this.#call('GET', `/v1/videos/${encodeURIComponent(id)}/download`)
    const leftMs = Date.parse(time(body, 'expires_at')) - Date.now()
    insist(leftMs > 0 && leftMs < 2 * HOUR_MS, `the link has ${leftMs} ms left`)
    return link(body, 'download_url')
  }

  async download(url: string): Promise<Buffer> {
    const answer = await fetch(url, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) })
    const bytes = Buffer.from(await answer.arrayBuffer())
    insist(answer.status === 200, `${url} was answered with ${answer.status}`)
    return bytes
  }

  async voices(): Promise<{ id: string; language: string; previewUrl: string }[]> {
    return (await this.#items('/v1/voices')).map((voice) => {
      for (const field of ['name', 'gender']) text(voice, field)
      return { id: text(voice, 'id'), language: text(voice, 'language'), previewUrl: text(voice, 'preview_url') }
    })
  }

  async puppets(): Promise<{ id: string; type: string }[]> {
    return (await this.#items('/v1/puppets')).map((puppet) => {
      for (const field of ['name', 'thumbnail_url']) text(puppet, field)
      insist(['stock', 'custom'].includes(text(puppet, 'type')), `a puppet's type is ${text(puppet, 'type')}`)
      return { id: text(puppet, 'id'), type: text(puppet, 'type') }
    })
  }

  async #items(path: string): Promise<Json[]> {
    const { data } = await this.#call('GET', path)
    if (!Array.isArray(data)) throw new ContractError(`${path} holds no data array`)
    return data.filter(isJson)
  }

  /** One call. What the rate limit refused is asked again; nothing else, for a create has no idempotency key. */
  async #call(method: string, path: string, body?: unknown): Promise<Json> {
    const endMs = performance.now() + PATIENCE_MS
    for (;;) {
      const answer = await fetch(new URL(path, this.#baseUrl), {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        headers: {
          authorization: `Bearer ${this.#apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const parsed: unknown = await answer.json()
      if (answer.status !== 401) this.#readRate(answer.headers)
      if (answer.ok && isJson(parsed)) return parsed
      const error = new AlternateError(answer, parsed)
      if (error.status !== 429 || performance.now() > endMs) throw error
      const untilResetMs = (this.rate?.resetUnixSec ?? 0) * 1000 - Date.now()
      await this.#sleep(Math.max(0, error.retryAfterSec === null ? untilResetMs : error.retryAfterSec * 1000))
    }
  }

  /** Requests are limited per key, so every answer to a known key carries the three headers. */
  #readRate(headers: Headers): void {
    const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`))
    if (!limit || !remaining || !reset) throw new ContractError('no rate-limit headers')
    for (const value of [limit, remaining, reset]) insist(/^\d+$/.test(value), `a rate-limit header is ${value}`)
    this.rate = { limit: Number(limit), remaining: Number(remaining), resetUnixSec: Number(reset) }
    insist(this.rate.remaining <= this.rate.limit, 'more is left than allowed')
  }
}

const readAll = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

/**
 * Takes the POSTs at `webhook_url`. The contract shows no payload, so a callback is a hint that something is ready: the
 * client looks for its video's id anywhere in it and then reads the video by `GET /v1/videos/:id`.
 */
export const listenForWebhooks = async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      if (request.method === 'POST') bodies.push(body)
      response.writeHead(204).end()
      server.emit('callback')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return {
    url: `http://127.0.0.1:${address.port}/ready`,
    bodies,
    /** Resolves once a callback names this video. */
    async named(id: string): Promise<void> {
      while (!bodies.some((body) => body.includes(`"${id}"`))) await once(server, 'callback')
    },
    close: () => new Promise((closed) => server.close(closed)),
  }
}
