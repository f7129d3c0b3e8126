/**
 * A client of the primary interface as a customer's engineer would have written it: from the primary contract alone,
 * with nothing of this repository. It believes what the contract says and throws where an answer says something else.
 */

import {
  ContractError,
  insist,
  isJson,
  PrimaryError,
  rateOf,
  readJob,
  sharedText,
  someText,
  text,
  type Json,
  type PrimaryJob,
  type Reply,
} from './primary-answers.ts'

export { ContractError, PrimaryError, type PrimaryJob } from './primary-answers.ts'

export interface PrimaryVoice {
  id: string
  name: string
  languageCode: string
  previewUrl: string
}

export interface PrimaryOptions {
  /** Everything before `/api/v1`. */
  baseUrl: string
  apiKey: string
  /** How the client waits; the hints of the service are handed to it. */
  sleep?: (waitMs: number) => Promise<void>
  /** Whoever is told to come back does so for so long, however often that is. Default: a minute. */
  patienceMs?: number
}

interface Call {
  method: string
  path: string
  body?: unknown
  idempotencyKey?: string
  /** A poll that fails by 502 or 504 is repeated by the same id. */
  retried?: readonly number[]
}

const PATIENCE_MS = 60_000
const MAX_POLLS = 10_000
const CALL_TIMEOUT_MS = 30_000
const RETRIED = [409, 429, 503]
const POLLS_RETRIED = [...RETRIED, 502, 504]

export class PrimaryClient {
  readonly #baseUrl: string
  readonly #apiKey: string
  readonly #sleep: (waitMs: number) => Promise<void>
  readonly #patienceMs: number

  constructor(options: PrimaryOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/$/, '')
    this.#apiKey = options.apiKey
    this.#sleep = options.sleep ?? ((waitMs) => new Promise((done) => setTimeout(done, waitMs)))
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS
  }

  async voices(): Promise<PrimaryVoice[]> {
    const { body } = await this.#call({ method: 'GET', path: '/api/v1/voices/service' })
    const { data } = body
    if (body['object'] !== 'list' || !Array.isArray(data)) throw new ContractError('the voice list is no list')
    return data.filter(isJson).map((voice) => {
      insist(voice['object'] === 'voice', 'a voice is no voice')
      for (const field of ['provider', 'language', 'gender']) text(voice, field)
      insist(text(voice, 'id').startsWith(`${text(voice, 'provider')}-`), `voice id ${String(voice['id'])}`)
      insist(text(voice, 'preview_url').startsWith('/'), 'preview_url is not relative')
      return {
        id: text(voice, 'id'),
        name: text(voice, 'name'),
        languageCode: text(voice, 'language_code'),
        previewUrl: text(voice, 'preview_url'),
      }
    })
  }

  preview = (voice: PrimaryVoice): Promise<Buffer> => this.download(new URL(voice.previewUrl, this.#baseUrl).href)

  /** One page: the puppets' ids, and the cursor of the next page. The contract shows only that; the puppets are the one array. */
  async puppets(page: { limit?: number; cursor?: string } = {}): Promise<{ ids: string[]; nextCursor: string | null }> {
    const query = new URLSearchParams(Object.entries(page).map(([name, value]) => [name, String(value)]))
    const { body } = await this.#call({ method: 'GET', path: `/api/v1/puppets?${query.toString()}` })
    const items: unknown = Object.values(body).find(Array.isArray)
    if (!Array.isArray(items)) throw new ContractError('the puppet list holds no array')
    return {
      ids: items.map((item) => someText(item, /^(puppet_?)?id$/i)),
      nextCursor: sharedText(body, 'nextCursor'),
    }
  }

  async allPuppets(limit: number): Promise<string[]> {
    const seen: string[] = []
    let page = await this.puppets({ limit })
    for (;;) {
      insist(page.ids.length <= limit, 'a page is longer than its limit')
      seen.push(...page.ids)
      if (page.nextCursor === null) return seen
      insist(page.ids.length > 0, 'an empty page has a next one')
      page = await this.puppets({ limit, cursor: page.nextCursor })
    }
  }

  /** Saves a portrait. `replayed` when this key had saved it already. */
  async createPuppet(puppet: { imageUrl: string; name?: string }, idempotencyKey: string) {
    const reply = await this.#call({ method: 'POST', path: '/api/v1/puppets', body: puppet, idempotencyKey })
    insist(reply.status === 201 || reply.status === 200, `a puppet was answered with ${reply.status}`)
    return { id: someText(reply.body, /^(puppet_?)?id$/i), replayed: reply.status === 200 }
  }

  async puppet(id: string): Promise<string> {
    const { body } = await this.#call({ method: 'GET', path: `/api/v1/puppets/${encodeURIComponent(id)}` })
    return someText(body, /^(puppet_?)?id$/i)
  }

  async deletePuppet(id: string): Promise<void> {
    const { status } = await this.#call({ method: 'DELETE', path: `/api/v1/puppets/${encodeURIComponent(id)}` })
    insist(status === 204, `a deletion was answered with ${status}`)
  }

  /** The URL of a hosted WAV file. */
  async speech(input: { voice_id: string; text: string; speed?: number }): Promise<string> {
    const { body } = await this.#call({ method: 'POST', path: '/api/v1/tts/service', body: input })
    return someText(body, /url$/i)
  }

  async reserveUpload(mimeType: string, sizeBytes: number, idempotencyKey: string) {
    const body = { mime_type: mimeType, content_length: sizeBytes }
    const reply = await this.#call({ method: 'POST', path: '/api/v1/uploads/audio-url', body, idempotencyKey })
    return { putUrl: someText(reply.body, /(put|upload).*url$/i), readUrl: someText(reply.body, /(read|audio).*url$/i) }
  }

  /** Reserves a place, puts the bytes there, and gives the URL to create a video with. */
  async uploadAudio(bytes: Buffer<ArrayBuffer>, mimeType: string, idempotencyKey: string): Promise<string> {
    const { putUrl, readUrl } = await this.reserveUpload(mimeType, bytes.length, idempotencyKey)
    const put = await fetch(putUrl, { method: 'PUT', headers: { 'content-type': mimeType }, body: bytes })
    await put.arrayBuffer()
    insist(put.ok, `the upload was answered with ${put.status}`)
    return readUrl
  }

  async usage(): Promise<Json> {
    const { body, headers } = await this.#call({ method: 'GET', path: '/api/v1/usage' })
    rateOf(headers)
    return body
  }

  createFromText = (input: Json, idempotencyKey?: string): Promise<PrimaryJob> =>
    this.#create('/api/v1/videos/text', input, idempotencyKey)

  createFromAudio = (input: Json, idempotencyKey?: string): Promise<PrimaryJob> =>
    this.#create('/api/v1/videos/audio', input, idempotencyKey)

  async job(id: string): Promise<PrimaryJob> {
    const path = `/api/v1/videos/${encodeURIComponent(id)}`
    return this.#read(await this.#call({ method: 'GET', path, retried: POLLS_RETRIED }))
  }

  /** Polls `status_url`, paced by the service, until no further poll is asked for. */
  async finish(job: PrimaryJob): Promise<PrimaryJob> {
    let now = job
    for (let polls = 0; polls < MAX_POLLS; polls++) {
      if (now.status !== 'queued' && now.status !== 'processing') return now
      await this.#wait(now.retryAfterSec, now.nextPollAt)
      const path = now.statusUrl
      now = this.#read(await this.#call({ method: 'GET', path, retried: POLLS_RETRIED }))
      insist(now.id === job.id, `${job.id} became ${now.id}`)
    }
    throw new Error(`${job.id} does not end`)
  }

  /** A film or a voice's words: their URLs need no key. */
  async download(url: string): Promise<Buffer> {
    const answer = await fetch(url, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) })
    const bytes = Buffer.from(await answer.arrayBuffer())
    insist(answer.status === 200, `${url} was answered with ${answer.status}`)
    return bytes
  }

  async #create(path: string, body: Json, idempotencyKey?: string): Promise<PrimaryJob> {
    const reply = await this.#call({ method: 'POST', path, body, ...(idempotencyKey ? { idempotencyKey } : {}) })
    const job = this.#read(reply)
    const going = job.status === 'queued' || job.status === 'processing'
    insist(reply.status === (going ? 202 : 200), `a ${job.status} job was answered with ${reply.status}`)
    return job
  }

  #read = (reply: Reply): PrimaryJob => readJob(reply, this.#baseUrl)

  /** One call, with its retries: the same body and the same Idempotency-Key each time, when the service gives a hint. */
  async #call(call: Call): Promise<Reply> {
    const endMs = performance.now() + this.#patienceMs
    for (;;) {
      const reply = await this.#once(call)
      if (reply.status < 400) return reply
      const error = new PrimaryError(reply)
      const hinted = error.retryable || error.retryAfterSec !== null
      if (performance.now() > endMs || !hinted || !(call.retried ?? RETRIED).includes(error.status)) throw error
      await this.#wait(error.retryAfterSec, error.nextPollAt)
    }
  }

  async #once({ method, path, body, idempotencyKey }: Call): Promise<Reply> {
    const answer = await fetch(new URL(path, this.#baseUrl), {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${this.#apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const written = await answer.text()
    if (answer.status === 204) return { status: 204, headers: answer.headers, body: {} }
    insist((answer.headers.get('content-type') ?? '').startsWith('application/json'), `${path} answered with no JSON`)
    const parsed: unknown = JSON.parse(written)
    if (!isJson(parsed)) throw new ContractError(`${path} answered with no object`)
    return { status: answer.status, headers: answer.headers, body: parsed }
  }

  /** Retry-After where it is given, else the time of the next poll, else a second. */
  #wait(retryAfterSec: number | null, nextPollAt: string | null): Promise<void> {
    if (retryAfterSec !== null) return this.#sleep(retryAfterSec * 1000)
    return this.#sleep(nextPollAt === null ? 1000 : Math.max(0, Date.parse(nextPollAt) - Date.now()))
  }
}
