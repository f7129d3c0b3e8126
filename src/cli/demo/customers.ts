import { z } from 'zod'
import { sleepUntil, type Clock } from '../../core/time/clock.ts'

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
const Puppets = z.object({ data: z.array(z.object({ id: z.string() })).min(1) })

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
  const [puppet] = Puppets.parse((await call(service, '/v1/puppets', signal)).json).data
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
