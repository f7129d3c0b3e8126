import { z } from 'zod'
import { sleepUntil, type Clock } from '../core/time/clock.ts'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** What the demo reads of a Video; a client of its own, as an application would write one. */
const Video = z.object({
  id: z.string(),
  status: z.enum(['queued', 'processing', 'completed', 'failed', 'canceled']),
  progress: z.number().nullable(),
  content_url: z.string(),
  error: z.object({ code: z.string() }).nullable(),
})
export type DemoVideo = z.infer<typeof Video>

const Timeline = z.object({
  timeline: z.array(z.object({ at: z.iso.datetime(), type: z.string(), detail: z.string().nullable() })),
})
export type DemoTimeline = z.infer<typeof Timeline>['timeline']

const Secret = z.object({ secret: z.string() })
const Puppets = z.object({ data: z.array(z.object({ id: z.string() })) })
const Refusal = z.object({ code: z.string(), detail: z.string() })

interface DemoClientOptions {
  readonly gatewayUrl: string
  readonly key: string
  readonly signal: AbortSignal
}

interface Answer {
  readonly headers: Headers
  readonly body: unknown
}

const answerOf = async (response: Response, what: string): Promise<Answer> => {
  const text = await response.text()
  if (response.ok) return { headers: response.headers, body: JSON.parse(text) }
  const refusal = Refusal.safeParse(text.startsWith('{') ? JSON.parse(text) : null)
  const why = refusal.success ? `: ${refusal.data.code}, ${refusal.data.detail}` : ''
  throw new Error(`${what} answered ${response.status}${why}`)
}

/** Speaks `/unified/v1` over real HTTP. Everything rejects on an answer outside 2xx, and when `signal` aborts. */
export const createDemoClient = ({ gatewayUrl, key, signal }: DemoClientOptions) => {
  const authorization = `Bearer ${key}`
  let reads = 0
  const get = async (path: string): Promise<unknown> => {
    reads += 1
    const response = await fetch(`${gatewayUrl}/unified/v1${path}`, { headers: { authorization }, signal })
    return (await answerOf(response, `GET ${path}`)).body
  }
  return {
    /** How many GETs it has sent to the gateway. */
    reads: () => reads,
    async create(body: Record<string, unknown>, idempotencyKey: string) {
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
      const init = { method: 'POST', headers, body: JSON.stringify(body), signal }
      const answer = await answerOf(await fetch(`${gatewayUrl}/unified/v1/videos`, init), 'POST /videos')
      return { video: Video.parse(answer.body), replayed: answer.headers.get('idempotency-replayed') === 'true' }
    },
    video: async (id: string): Promise<DemoVideo> => Video.parse(await get(`/videos/${id}`)),
    timeline: async (id: string): Promise<DemoTimeline> =>
      Timeline.parse(await get(`/videos/${id}?expand=timeline`)).timeline,
    webhookSecret: async (): Promise<string> => Secret.parse(await get('/webhook_secret')).secret,
    async firstPuppet(backend: string): Promise<string> {
      const [puppet] = Puppets.parse(await get(`/puppets?backend=${backend}&limit=1`)).data
      if (!puppet) throw new Error(`backend ${backend} has no puppet`)
      return puppet.id
    },
    /** Without a bearer: the link carries its own signature, and redirects to where the file is. */
    async file(contentUrl: string): Promise<Buffer> {
      const response = await fetch(contentUrl, { signal })
      if (!response.ok) throw new Error(`the content_url answered ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    },
  }
}
export type DemoClient = ReturnType<typeof createDemoClient>

/** All that a client of either interface is told, so all that it can change: where the service is, and its key. */
export interface Service {
  readonly url: string
  readonly key: string
}

export interface Film {
  readonly id: string
  readonly status: string
  readonly file: Buffer
}

interface Hands {
  readonly clock: Clock
  readonly signal: AbortSignal
}

const PrimaryJob = z.object({
  id: z.string(),
  status: z.string(),
  status_url: z.string(),
  video_url: z.string().optional(),
})
const AlternateVideo = z.object({ id: z.string(), status: z.string() })
const Link = z.object({ download_url: z.string() })
const AlternatePuppets = z.object({ data: z.array(z.object({ id: z.string() })).min(1) })

const IMAGE_URL = 'https://example.com/anna.png'
/** The alternate contract names no pace. */
const POLL_MS = 250

/** One call of either interface; throws on an answer outside 2xx. */
const call = async ({ url, key }: Service, path: string, signal: AbortSignal, body?: object) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${url}${path}`, { headers, signal, ...init })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  const json: unknown = JSON.parse(text)
  return { json, retryAfterMs: Number(response.headers.get('retry-after')) * 1000 }
}

const fileAt = async (url: string | undefined, signal: AbortSignal): Promise<Buffer> => {
  const response = await fetch(url ?? '', { signal })
  if (!response.ok) throw new Error(`the film's URL answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** A customer of the primary interface: creates, polls `status_url` when Retry-After says so, fetches `video_url`. */
export const primaryFilm = async (service: Service, { clock, signal }: Hands, extra: object = {}): Promise<Film> => {
  const body = { image_url: IMAGE_URL, text: 'Hello.', ...extra }
  let answer = await call(service, '/api/v1/videos/text', signal, body)
  let job = PrimaryJob.parse(answer.json)
  while (job.status === 'queued' || job.status === 'processing') {
    await sleepUntil(clock, clock.now() + answer.retryAfterMs, signal)
    answer = await call(service, job.status_url, signal)
    job = PrimaryJob.parse(answer.json)
  }
  return { id: job.id, status: job.status, file: await fileAt(job.video_url, signal) }
}

/** A customer of the alternate interface: creates with the first puppet, polls, fetches the film by a signed link. */
export const alternateFilm = async (service: Service, { clock, signal }: Hands): Promise<Film> => {
  const [puppet] = AlternatePuppets.parse((await call(service, '/v1/puppets', signal)).json).data
  const body = { puppet_id: puppet?.id, script: 'Hello.' }
  let video = AlternateVideo.parse((await call(service, '/v1/videos', signal, body)).json)
  const path = `/v1/videos/${video.id}`
  while (video.status === 'processing') {
    await sleepUntil(clock, clock.now() + POLL_MS, signal)
    video = AlternateVideo.parse((await call(service, path, signal)).json)
  }
  const link = Link.parse((await call(service, `${path}/download`, signal)).json)
  return { ...video, file: await fileAt(link.download_url, signal) }
}

/** Throws if the signature is not the secret's, or the attempt is old. */
type Verify = (body: string, headers: Record<string, string>) => void

const Event = z.object({ type: z.string(), data: z.object({ id: z.string() }) })

/** One webhook as it arrived. */
export interface Delivery {
  readonly atMs: number
  readonly eventId: string
  readonly type: string
  readonly videoId: string
  /** Why it was refused; null: its signature is valid. */
  readonly refused: string | null
}

export interface DemoReceiver {
  readonly url: string
  readonly deliveries: readonly Delivery[]
  /** Resolves once `count` have arrived; rejects when `signal` aborts. */
  received(count: number, signal: AbortSignal): Promise<readonly Delivery[]>
  close(): Promise<void>
}

const judge = (verify: Verify, body: string, headers: Record<string, string>): string | null => {
  try {
    verify(body, headers)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A webhook receiver on a free port, written as an application would: verify the raw body, then answer. */
export const startDemoReceiver = async (
  verify: Verify,
  nowMs: () => number,
  onDelivery: () => void,
): Promise<DemoReceiver> => {
  const deliveries: Delivery[] = []
  const arrived = new EventTarget()

  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await text(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const refused = judge(verify, body, headers)
    const { type, data } = Event.parse(JSON.parse(body))
    deliveries.push({ atMs: nowMs(), eventId: headers['webhook-id'] ?? '', type, videoId: data.id, refused })
    onDelivery()
    return refused === null ? 204 : 401
  }
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => {
        response.writeHead(status).end()
        arrived.dispatchEvent(new CustomEvent('delivery'))
      },
      () => response.writeHead(400).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0

  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    deliveries,
    async received(count, signal) {
      while (deliveries.length < count) await once(arrived, 'delivery', { signal })
      return deliveries
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * The verifier of the npm package `standardwebhooks`: not our code, so that it proves something. Loaded when it is needed:
 * no other command is.
 */
export const loadVerifier = async (): Promise<(secret: string) => Verify> => {
  const { Webhook } = await import('standardwebhooks')
  return (secret) => {
    const webhook = new Webhook(secret)
    return (body, headers) => void webhook.verify(body, headers)
  }
}
