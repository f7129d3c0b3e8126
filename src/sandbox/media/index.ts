import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileCache } from './files.ts'
import { createRenderer, type Renderer } from './renderer.ts'
import type { MediaRequest, Sound, SpeechRequest, VideoRequest } from './requests.ts'
import { renderedSeconds, spokenPart } from './speech.ts'

export { MediaBusy } from './renderer.ts'
export type { Resolution, Sitter, Sound } from './requests.ts'
export { spokenPart } from './speech.ts'
export { WAV_HEAD_BYTES, wavSeconds, wavSizeBytes } from './wav.ts'

export interface MediaOptions {
  /** Where rendered files are kept; `null`: in a temporary folder that goes with `close`. */
  readonly dir: string | null
  /** Told once, when videos cannot be rendered. Default: a process warning. */
  readonly log?: (message: string) => void
  /** Of the rendered files. Default 512 MiB. */
  readonly maxBytes?: number
  /** Videos that may wait; then `MediaBusy`. Default 64. Speech always waits for its turn. */
  readonly maxWaiting?: number
  /** URL of a module in the place of video.ts: how a test lets node-av be missing. */
  readonly videoModule?: string
}

export interface VideoFile {
  readonly path: string
  /** False: one of the prebuilt files, because node-av is missing. */
  readonly rendered: boolean
}

/** The sandbox's pictures and sounds: real files, rendered in a thread of their own and kept. */
export interface Media {
  /** The length of the file that `video` gives for a text of so many seconds. */
  videoSeconds(speechSeconds: number): number
  /** The path of a WAV of the text, exactly `seconds` long; a video of the three sounds the same. */
  wav(speech: Omit<SpeechRequest, 'kind'>): Promise<string>
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
const REMEDY = 'To have each one rendered: npm i node-av@6.1.1'
/** Part of every file's name: to be raised when the same request is rendered differently. */
const EDITION = '1'

export const createMedia = (options: MediaOptions): Media => {
  const { dir, log = warn, maxBytes = MAX_BYTES, maxWaiting = MAX_WAITING, videoModule = null } = options
  // A thread each: who asks for speech waits for it, and not for other people's films.
  const renderers = {
    video: createRenderer(videoModule, maxWaiting),
    speech: createRenderer(videoModule, Number.POSITIVE_INFINITY),
  }
  const studio = createStudio(dir, maxBytes, renderers)
  let missing = videoModule === null ? missingPackage() : null
  let said = false

  /** The path, or null when node-av turns out to be missing. */
  const renderedVideo = async (request: VideoRequest): Promise<string | null> => {
    const heard = request.sound && (await tracesOf(request.sound))
    try {
      // A sound that is gone cannot be heard.
      return await studio.file({ ...request, sound: heard === null ? null : request.sound }, 'mp4', heard)
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
    return { path, rendered: false }
  }
  return {
    videoSeconds: (seconds) => (missing === null ? renderedSeconds(seconds) : ASSET_SECONDS),
    wav: ({ text, voice, seconds }) => studio.file({ kind: 'speech', text, voice, seconds }, 'wav'),
    async video(asked) {
      const { voice, resolution, sitter, sound } = asked
      const spoken = { text: spokenPart(asked.text), voice, seconds: renderedSeconds(asked.seconds) }
      const path =
        missing === null ? await renderedVideo({ kind: 'video', ...spoken, resolution, sitter, sound }) : null
      return path === null ? prebuilt(asked) : { path, rendered: true }
    },
    stats: studio.stats,
    close: studio.close,
  }
}

/** Renders what has not been rendered yet, and counts. */
const createStudio = (
  dir: string | null,
  maxBytes: number,
  renderers: Readonly<Record<MediaRequest['kind'], Renderer>>,
) => {
  const files = createFileCache(dir, maxBytes)
  const threadIds = new Set<number>()
  let renders = 0
  return {
    /** The path. Rejects with `Missing`, `MediaBusy`, or when it failed. */
    file: (request: MediaRequest, ending: string, heard: string | null = null): Promise<string> =>
      files.get(nameOf(request, ending, heard), async (path) => {
        const { result, threadId } = await renderers[request.kind].render(path, request)
        if (result.outcome === 'unavailable') throw new Missing(result.message)
        if (result.outcome === 'failed') throw new Error(`The sandbox could not render: ${result.message}`)
        renders += 1
        threadIds.add(threadId)
      }),
    stats: (): MediaStats => ({ renders, threadIds: [...threadIds] }),
    async close(): Promise<void> {
      await Promise.all([renderers.video.close(), renderers.speech.close()])
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

/** What tells a file from what it was before, and from others; null when there is none. */
const tracesOf = async ({ path }: Sound): Promise<string | null> => {
  try {
    const { size, mtimeMs } = await stat(path)
    return `${basename(path)} ${size} ${mtimeMs}`
  } catch {
    return null
  }
}

/** The same for the same request, in every process: a video is rendered once. */
const nameOf = (request: MediaRequest, ending: string, heard: string | null): string => {
  const picture = request.kind === 'video' && request.sitter.kind === 'picture' ? sha256(request.sitter.bytes) : null
  const sitter = request.kind === 'video' ? { ...request.sitter, bytes: picture } : null
  return `${sha256(JSON.stringify([EDITION, { ...request, sitter, sound: heard }])).slice(0, 40)}.${ending}`
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
