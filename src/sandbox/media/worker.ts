import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import type { MediaRequest } from './requests.ts'
import { planSpeech } from './syllables.ts'
import { speak } from './synth.ts'
import type * as Video from './video.ts'
import { wavOf } from './wav.ts'

/**
 * The rendering thread: one file after the other. node-av is imported here, when the first video is asked for, and
 * nowhere else.
 */
export interface RenderOrder {
  readonly seq: number
  readonly path: string
  readonly request: MediaRequest
}

export type Outcome =
  | { readonly outcome: 'done' }
  /** node-av could not be loaded. */
  | { readonly outcome: 'unavailable'; readonly message: string }
  | { readonly outcome: 'failed'; readonly message: string }

export interface RenderReport {
  readonly seq: number
  readonly threadId: number
  readonly result: Outcome
}

export interface RenderThreadData {
  /** URL of what is imported in the place of video.ts; `null`: video.ts. */
  readonly videoModule: string | null
}

const port = parentPort
if (!port) throw new Error('The renderer runs in a worker thread.')

// On Linux this is the thread's own priority, which the encoder's threads inherit: the API goes first. Elsewhere it
// would be the whole process's.
if (process.platform === 'linux') setPriority(10)

// Posted by renderer.ts, typed there.
const { videoModule } = workerData as RenderThreadData

const loadVideo = (): Promise<typeof Video> => (videoModule === null ? import('./video.ts') : import(videoModule))

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const renderTo = async (path: string, request: MediaRequest): Promise<Outcome> => {
  if (request.kind === 'speech') {
    const { text, seconds, voice } = request
    writeFileSync(path, wavOf(speak(planSpeech(text, seconds), seconds, voice)))
    return { outcome: 'done' }
  }
  let video: typeof Video
  try {
    video = await loadVideo()
  } catch (cause) {
    return { outcome: 'unavailable', message: messageOf(cause) }
  }
  video.renderVideo(path, request)
  return { outcome: 'done' }
}

/** A file appears under its name whole, or not at all. */
const rendered = async ({ path, request }: RenderOrder): Promise<Outcome> => {
  const part = `${path}.part`
  try {
    const outcome = await renderTo(part, request)
    if (outcome.outcome === 'done') renameSync(part, path)
    return outcome
  } catch (cause) {
    rmSync(part, { force: true })
    return { outcome: 'failed', message: messageOf(cause) }
  }
}

let last = Promise.resolve()
port.on('message', (order: RenderOrder) => {
  last = last.then(async () => {
    const result = await rendered(order)
    port.postMessage({ seq: order.seq, threadId, result } satisfies RenderReport)
  })
})
