import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Decisions } from '../decisions.ts'
import { createFileCache } from './files.ts'
import { createRenderer, type Renderer } from './renderer.ts'
import type { MediaRequest, VideoRequest } from './requests.ts'
import { renderedSeconds, speechSeconds, spokenPart } from './speech.ts'

export { MediaBusy } from './renderer.ts'
export type { Resolution, Sitter } from './requests.ts'
export { spokenPart } from './speech.ts'

export interface MediaOptions {
  /** Where rendered files are kept; `null`: in a temporary folder that goes with `close`. */
  readonly dir: string | null
  /** How long a text is spoken. Default: as decided in undecided.ts. */
  readonly timing?: Decisions['timing']
  /** Told once, when videos cannot be rendered. Default: a process warning. */
  readonly log?: (message: string) => void
  /** Of the rendered files. Default 512 MiB. */
  readonly maxBytes?: number
  /** Renders that may wait; then `MediaBusy`. Default 64. */
  readonly maxWaiting?: number
  /** URL of a module in the place of video.ts: how a test lets node-av be missing. */
  readonly videoModule?: string
}

export interface VideoFile {
  readonly path: string
  readonly seconds: number
  /** False: one of the prebuilt files, because node-av is missing. */
  readonly rendered: boolean
}

/** The sandbox's pictures and sounds: real files, rendered in a thread of their own and kept. */
export interface Media {
  /** How long a text is spoken, in whole seconds. */
  speechSeconds(text: string): number
  /** The length of the file that `video` gives for a speech of so many seconds. */
  videoSeconds(speechSeconds: number): number
  /** The path of a WAV of the text; its sound is that of the video of the same text, voice and seconds. */
  wav(speech: { text: string; voice: string; seconds?: number }): Promise<string>
  /** Rejects with `MediaBusy` when too many wait. */
  video(video: Omit<VideoRequest, 'kind'>): Promise<VideoFile>
  stats(): MediaStats
  close(): Promise<void>
}

export interface MediaStats {
  /** Files that were rendered, not found. */
  readonly renders: number
  /** The threads that rendered them; the main thread is 0. */
  readonly threadIds: readonly number[]
}

/** Length of the prebuilt files; see assets/README.md. */
const ASSET_SECONDS = 4
const MAX_BYTES = 512 * 1024 * 1024
const MAX_WAITING = 64
const REMEDY = 'To have each one rendered: npm i node-av'
/** Part of every file's name: to be raised when the same request is rendered differently. */
const EDITION = '1'

export const createMedia = (options: MediaOptions): Media => {
  const { dir, timing, log = warn, maxBytes = MAX_BYTES, maxWaiting = MAX_WAITING, videoModule = null } = options
  const studio = createStudio(dir, maxBytes, createRenderer(videoModule, maxWaiting))
  let missing = videoModule === null ? missingPackage() : null
  let said = false

  /** The path, or null when node-av turns out to be missing. */
  const renderedVideo = async (request: VideoRequest): Promise<string | null> => {
    try {
      return await studio.file(request, 'mp4')
    } catch (cause) {
      if (!(cause instanceof Missing)) throw cause
      missing = cause.message
      return null
    }
  }
  const prebuilt = ({ resolution }: Omit<VideoRequest, 'kind'>): VideoFile => {
    if (!said) log(`Sandbox videos are prebuilt files of ${ASSET_SECONDS} s: ${missing}. ${REMEDY}`)
    said = true
    const path = fileURLToPath(new URL(`./assets/sandbox-${resolution}.mp4`, import.meta.url))
    return { path, seconds: ASSET_SECONDS, rendered: false }
  }
  return {
    speechSeconds: (text) => speechSeconds(text, timing),
    videoSeconds: (seconds) => (missing === null ? renderedSeconds(seconds) : ASSET_SECONDS),
    wav: ({ text, voice, seconds = speechSeconds(text, timing) }) =>
      studio.file({ kind: 'speech', text: spokenPart(text), voice, seconds: renderedSeconds(seconds) }, 'wav'),
    async video(asked) {
      const { voice, resolution, sitter } = asked
      const seconds = renderedSeconds(asked.seconds)
      const request = { kind: 'video', text: spokenPart(asked.text), voice, seconds, resolution, sitter } as const
      const path = missing === null ? await renderedVideo(request) : null
      return path === null ? prebuilt(asked) : { path, seconds, rendered: true }
    },
    stats: studio.stats,
    close: studio.close,
  }
}

/** Renders what has not been rendered yet, and counts. */
const createStudio = (dir: string | null, maxBytes: number, renderer: Renderer) => {
  const files = createFileCache(dir, maxBytes)
  const threadIds = new Set<number>()
  let renders = 0
  return {
    /** The path. Rejects with `Missing`, `MediaBusy`, or when it failed. */
    file: (request: MediaRequest, ending: string): Promise<string> =>
      files.get(nameOf(request, ending), async (path) => {
        const { result, threadId } = await renderer.render(path, request)
        if (result.outcome === 'unavailable') throw new Missing(result.message)
        if (result.outcome === 'failed') throw new Error(`The sandbox could not render: ${result.message}`)
        renders += 1
        threadIds.add(threadId)
      }),
    stats: (): MediaStats => ({ renders, threadIds: [...threadIds] }),
    async close(): Promise<void> {
      await renderer.close()
      await files.close()
    },
  }
}

/** node-av could not be loaded. */
class Missing extends Error {}

const warn = (message: string): void => process.emitWarning(message, { code: 'TALKBRIDGE_SANDBOX_MEDIA' })

/** Why node-av is not there, or null when it seems to be: it is found, not loaded. */
const missingPackage = (): string | null => {
  try {
    createRequire(import.meta.url).resolve('node-av/lib')
    return null
  } catch {
    return 'the package node-av is not installed'
  }
}

/** The same for the same request, in every process: a video is rendered once. */
const nameOf = (request: MediaRequest, ending: string): string => {
  const picture = request.kind === 'video' && request.sitter.kind === 'picture' ? sha256(request.sitter.bytes) : null
  const sitter = request.kind === 'video' ? { ...request.sitter, bytes: picture } : null
  return `${sha256(JSON.stringify([EDITION, { ...request, sitter }])).slice(0, 40)}.${ending}`
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
