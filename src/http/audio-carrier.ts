import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { request, type Dispatcher } from 'undici'
import type { HostedUpload } from '../core/adapter.ts'
import type { AudioCarrier, FetchOutcome, PutOutcome, SpooledAudio } from '../core/media.ts'
import { MAX_AUDIO_BYTES } from '../core/api/videos.ts'
import { audioTypeOf, isOtherType, SNIFFED_BYTES } from './audio-type.ts'
import { USER_AGENT } from '../core/vocabulary.ts'
import type { GuardedAgent } from './guard-agent.ts'

export interface AudioCarrierOptions {
  /** For what a client or a backend named: vets and pins addresses. */
  agent: Pick<GuardedAgent, 'check' | 'dispatcher'>
  /** For a backend's own origin. */
  own: Dispatcher
  /** Where files lie while they are under way. */
  folder: string
  limits?: Partial<typeof LIMITS>
}

const LIMITS = {
  sizeBytes: MAX_AUDIO_BYTES,
  /** Without a byte. */
  silenceMs: 15_000,
  /** Of one way, from the first connection to the last byte. */
  totalMs: 120_000,
  redirects: 3,
}

interface Spooled {
  path: string
  contentType: string
  sizeBytes: number
}

type Refusal = Extract<FetchOutcome, { ok: false }>

const refusal = (code: Refusal['code'], message: string, retryable = false): Refusal => ({
  ok: false,
  code,
  message,
  retryable,
})

/** What a stranger's answer may break on its way into the file, told apart from faults of our own disk. */
class Broken extends Error {
  override readonly name = 'Broken'
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

/** Null: the audio may be read. */
const answerFault = ({ statusCode, headers }: Dispatcher.ResponseData, maxBytes: number): Refusal | null => {
  if (statusCode !== 200) {
    const retryable = statusCode >= 500 || statusCode === 429 || statusCode === 408
    return refusal('audio_unreachable', `the audio’s server answered ${statusCode}`, retryable)
  }
  const type = headers['content-type']
  if (isOtherType(Array.isArray(type) ? type[0] : type)) {
    return refusal('unsupported_media_type', 'the audio has an unsupported type')
  }
  // It was asked for as it is.
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity')
    return refusal('unsupported_media_type', 'the audio is sent compressed: send it without Content-Encoding')
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : null
}

const tooLarge = (maxBytes: number): Refusal => refusal('file_too_large', `the audio is larger than ${maxBytes} bytes`)

const discarded = (response: Dispatcher.ResponseData): void => {
  response.body.on('error', () => undefined)
  response.body.destroy()
}

/** Audio on its way lies beside the store. Processes that share the folder name their files so that none is another's. */
export const spoolBeside = (storePath: string): string => join(dirname(storePath), 'audio-spool')

/** Longer than a file is under way: both ways, and the wait for tickets in between. */
const LEFT_BEHIND_MS = 15 * 60_000

const isLeftBehind = async (path: string): Promise<boolean> => {
  // Its owner may just have removed it.
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs >= LEFT_BEHIND_MS
}

/**
 * Removes the files that an earlier process left behind. Call before the first fetch. `alone`: no other process uses
 * the folder, so all of them go; else only what no living process can still need.
 */
export const sweepSpool = async (folder: string, users: 'alone' | 'others too'): Promise<void> => {
  const left = await readdir(folder).catch(() => [])
  await Promise.all(
    left.map(async (name) => {
      const path = join(folder, name)
      if (users === 'alone' || (await isLeftBehind(path))) await rm(path, { force: true })
    }),
  )
}

export const createAudioCarrier = (options: AudioCarrierOptions): AudioCarrier => {
  const { agent, own, folder } = options
  const limits = { ...LIMITS, ...options.limits }
  const bounded = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)])

  /** Follows a few redirects, each of them vetted like the first URL. Rejects when the connection fails. */
  const get = async (given: string, signal: AbortSignal): Promise<Dispatcher.ResponseData | Refusal> => {
    let target = given
    for (let hop = 0; hop <= limits.redirects; hop += 1) {
      const verdict = agent.check(target)
      if (!verdict.ok) return refusal('audio_url_not_allowed', `the audio’s URL is not allowed: ${verdict.message}`)
      const response = await request(verdict.url, {
        dispatcher: agent.dispatcher,
        headers: { accept: 'audio/*', 'accept-encoding': 'identity', 'user-agent': USER_AGENT },
        signal,
        headersTimeout: limits.silenceMs,
        bodyTimeout: limits.silenceMs,
      })
      const { location } = response.headers
      if (![301, 302, 303, 307, 308].includes(response.statusCode) || typeof location !== 'string') return response
      discarded(response)
      const next = URL.parse(location, verdict.url)
      if (!next) return refusal('audio_unreachable', 'the audio’s server redirects to no URL')
      target = next.href
    }
    return refusal('audio_unreachable', 'the audio’s server redirects too often')
  }

  /** The answer's bytes into the file, which has at most as many as are allowed; null: there are more. */
  const spool = async (response: Dispatcher.ResponseData, path: string) => {
    const file = await open(path, 'wx', 0o600)
    try {
      let sizeBytes = 0
      let head = Buffer.alloc(0)
      const chunks = response.body[Symbol.asyncIterator]()
      for (;;) {
        const next: IteratorResult<Buffer> = await chunks.next().catch((cause: unknown) => {
          throw new Broken('the audio’s server closed the connection', { cause })
        })
        if (next.done) return { sizeBytes, head }
        sizeBytes += next.value.length
        if (sizeBytes > limits.sizeBytes) return null
        if (head.length < SNIFFED_BYTES) head = Buffer.concat([head, next.value.subarray(0, SNIFFED_BYTES)])
        await file.appendFile(next.value)
      }
    } finally {
      discarded(response)
      await file.close()
    }
  }

  const put = async (file: Spooled, upload: HostedUpload, ownOrigin: string, signal: AbortSignal) => {
    const url = URL.parse(upload.uploadUrl)
    const isPlain = url !== null && url.username === '' && url.password === ''
    const isOwn = isPlain && url.origin === ownOrigin
    // Only where it leads is vetted: a signature may be longer than a URL that clients give.
    if (!isPlain || !(isOwn || agent.check(`${url.origin}/`).ok)) {
      return { kind: 'refused', message: 'the backend gave an upload URL that is not allowed' } as const
    }
    const response = await request(url, {
      dispatcher: isOwn ? own : agent.dispatcher,
      method: 'PUT',
      headers: { ...upload.headers, 'content-length': String(file.sizeBytes) },
      body: createReadStream(file.path),
      signal,
      // Storage may take its time over what it was sent: the whole has its limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    discarded(response)
    const { statusCode } = response
    if (statusCode >= 200 && statusCode < 300) return { kind: 'stored' } as const
    const message = `the backend’s storage answered ${statusCode}`
    const isFinal = statusCode >= 300 && statusCode < 500 && statusCode !== 408 && statusCode !== 429
    return { kind: isFinal ? 'refused' : 'failed', message } as const
  }

  const spooled = (file: Spooled): SpooledAudio => ({
    contentType: file.contentType,
    sizeBytes: file.sizeBytes,
    async put(upload, ownOrigin, signal): Promise<PutOutcome> {
      try {
        return await put(file, upload, ownOrigin, bounded(signal))
      } catch (cause) {
        signal.throwIfAborted()
        if (codeOf(cause) === 'ADDRESS_REFUSED') {
          return { kind: 'refused', message: 'the backend gave an upload URL that is not allowed' }
        }
        return { kind: 'failed', message: 'the backend’s storage cannot be reached' }
      }
    },
    remove: () => rm(file.path, { force: true }),
  })

  const fetchInto = async (path: string, url: string, signal: AbortSignal): Promise<FetchOutcome> => {
    const response = await get(url, signal).catch((cause: unknown) => {
      throw codeOf(cause) === 'ADDRESS_REFUSED' ? cause : new Broken('the audio’s server cannot be reached', { cause })
    })
    if ('ok' in response) return response
    const fault = answerFault(response, limits.sizeBytes)
    if (fault) {
      discarded(response)
      return fault
    }
    const written = await spool(response, path)
    if (!written) return tooLarge(limits.sizeBytes)
    if (written.sizeBytes === 0) return refusal('audio_unreachable', 'the audio is empty')
    const said = response.headers['content-type']
    const type = audioTypeOf(Array.isArray(said) ? said[0] : said, written.head)
    if (type === null) return refusal('unsupported_media_type', 'the audio has an unsupported type')
    return { ok: true, audio: spooled({ path, contentType: type, sizeBytes: written.sizeBytes }) }
  }

  return {
    fault(url) {
      const verdict = agent.check(url)
      return verdict.ok ? null : verdict.message
    },
    async fetch(url, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, randomUUID())
      let kept = false
      try {
        const outcome = await fetchInto(path, url, bounded(signal))
        kept = outcome.ok
        return outcome
      } catch (error) {
        signal.throwIfAborted()
        if (codeOf(error) === 'ADDRESS_REFUSED') {
          return refusal(
            'audio_url_not_allowed',
            'the audio’s URL is not allowed: the address of its host is not allowed',
          )
        }
        if (error instanceof Broken) return refusal('audio_unreachable', error.message, true)
        throw error
      } finally {
        if (!kept) await rm(path, { force: true })
      }
    },
  }
}
