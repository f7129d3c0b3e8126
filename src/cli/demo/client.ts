import { z } from 'zod'

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
