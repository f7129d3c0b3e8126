import { AUDIO_TYPES, MAX_AUDIO_BYTES } from '../core/api/videos.ts'
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { request, type Dispatcher } from 'undici'
import type { HostedUpload } from '../core/adapter.ts'
import type {
  AudioCarrier,
  FetchOutcome,
  PutOutcome,
  SpooledAudio,
  Media,
  MediaCarrier,
  MediaKind,
  MediaWish,
} from '../core/media.ts'
import { USER_AGENT } from '../core/vocabulary.ts'
import type { GuardedAgent } from './guard.ts'
import { codeOf, Problem } from '../core/errors.ts'

const REDIRECTS = [301, 302, 303, 307, 308]

/** What storage answers for a file without a known type. */
const NOTHING_SAID = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** Names that servers give to what backends take under another: RFC 2361 and the WHATWG's for WAV, old ones for MP3. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/x-mp3', 'audio/mpeg'],
  ['audio/x-mpeg', 'audio/mpeg'],
])

/** By its first bytes; null: none of those that backends take. */
const sniff = (head: Buffer): string | null => {
  const ascii = (from: number, to: number): string => head.toString('latin1', from, to)
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WAVE') return 'audio/wav'
  if (ascii(4, 8) === 'ftyp') return 'audio/mp4'
  // An ID3 tag, or the sync word of an MPEG audio frame of layer III.
  const isFrame = head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2
  return ascii(0, 3) === 'ID3' || isFrame ? 'audio/mpeg' : null
}

/** How many first bytes are enough. */
const SNIFFED_BYTES = 12

/** Parameters aside, in lower case, under the name that backends know. */
const saidBy = (contentType: string | undefined): string => {
  const said = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return SYNONYMS.get(said) ?? said
}

/**
 * The media type to hand on: as the answer's `Content-Type` says; where it says nothing of use, as the bytes do. Null:
 * not audio that a backend takes.
 */
export const audioTypeOf = (contentType: string | undefined, head: Buffer): string | null => {
  const said = saidBy(contentType)
  return NOTHING_SAID.has(said) ? sniff(head) : (AUDIO_TYPES.find((known) => known === said) ?? null)
}

/** Whether the header rules it out before a byte is read. */
export const isOtherType = (contentType: string | undefined): boolean =>
  !NOTHING_SAID.has(saidBy(contentType)) && audioTypeOf(contentType, Buffer.alloc(0)) === null

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

/** What a stranger's answer may break on its way into the file, as opposed to faults of our own disk. */
class Broken extends Error {
  override readonly name = 'Broken'
}

const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string => {
  const value = headers[name] ?? ''
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** Null: the audio may be read. */
const answerFault = ({ statusCode, headers }: Dispatcher.ResponseData, maxBytes: number): Refusal | null => {
  if (statusCode !== 200) {
    const retryable = statusCode >= 500 || statusCode === 429 || statusCode === 408
    return refusal('audio_unreachable', `the audio’s server answered ${statusCode}`, retryable)
  }
  if (isOtherType(headerOf(headers, 'content-type'))) {
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

/**
 * Audio on its way lies beside the store. Processes that share the folder name their files so that none is another's.
 */
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
 * the folder, so all of them go; otherwise only what no living process can still need.
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
      if (!REDIRECTS.includes(response.statusCode) || typeof location !== 'string') return response
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
    const type = audioTypeOf(headerOf(response.headers, 'content-type'), written.head)
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

interface MediaCarrierOptions {
  /** For what a backend named elsewhere: vets and pins addresses. */
  agent: Pick<GuardedAgent, 'check' | 'dispatcher'>
  /** For a backend's own origin. */
  own: Dispatcher
  limits?: Partial<typeof MEDIA_LIMITS>
}

const MEDIA_LIMITS = {
  /** Of one answer. */
  sizeBytes: 1_073_741_824,
  /** Without a byte from there. */
  silenceMs: 15_000,
  /** From the first connection to the last byte: longer than anybody watches one video without a pause. */
  totalMs: 15 * 60_000,
  redirects: 3,
}

/** The first bytes of what browsers show as a picture. */
const PICTURES = [/^\x89PNG\r\n.\n/s, /^\xff\xd8\xff/, /^GIF8[79]a/, /^RIFF.{4}WEBP/s, /^.{4}ftyp(avif|avis|mif1)/s]
const PICTURE_HEAD_BYTES = 12

/** What a browser shows, and never runs: no SVG. */
const TYPES: Readonly<Record<MediaKind, RegExp>> = {
  video: /^video\/(mp4|webm|quicktime|ogg)$/,
  audio: /^audio\/(mpeg|mp3|mp4|x-m4a|wav|x-wav|wave|vnd\.wave|ogg|webm|aac|flac)$/,
  image: /^image\/(png|jpeg|webp|gif|avif)$/,
}
/** Of storage that says nothing of what it holds. A browser finds out what kind of video, sound or picture it is. */
const USUAL: Readonly<Record<MediaKind, string>> = { video: 'video/mp4', audio: 'audio/mpeg', image: 'image/jpeg' }
const PASSED = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified'] as const

const broken = (message: string, retryable: boolean, cause?: unknown): Problem =>
  new Problem('backend_error', message, { retryable, cause })

const isNone = (kind: MediaKind): Problem =>
  broken(`the link of the backend does not lead to ${kind === 'image' ? 'an' : 'a'} ${kind}`, false)

/** The type to answer with; throws for what is no medium of its kind. `mustSay`: the server has to name the type. */
const typeOf = ({ headers }: Dispatcher.ResponseData, kind: MediaKind, mustSay: boolean): string => {
  const said = (headerOf(headers, 'content-type').split(';', 1)[0] ?? '').trim().toLowerCase()
  if (!mustSay && NOTHING_SAID.has(said)) return USUAL[kind]
  if (TYPES[kind].test(said)) return said
  throw isNone(kind)
}

/** The same bytes, if they begin as a picture does. Throws otherwise, before anybody gets one of them. */
const pictured = async (body: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> => {
  const chunks = body[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < PICTURE_HEAD_BYTES) {
    const { value, done } = await chunks.next()
    if (done === true) break
    head = Buffer.concat([head, value])
  }
  const start = head.toString('latin1', 0, PICTURE_HEAD_BYTES)
  if (!PICTURES.some((magic) => magic.test(start))) throw isNone('image')
  return (async function* () {
    yield head
    yield* { [Symbol.asyncIterator]: () => chunks }
  })()
}

const passed = (response: Dispatcher.ResponseData): Record<string, string> =>
  Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = headerOf(response.headers, name)
      return value === '' ? [] : [[name, value]]
    }),
  )

/**
 * Videos, samples and pictures from where their backend keeps them: without a credential, and only from where it is
 * allowed.
 */
export const createMediaCarrier = ({ agent, own, limits: given }: MediaCarrierOptions): MediaCarrier => {
  const limits = { ...MEDIA_LIMITS, ...given }

  /** A picture of the backend's own is below its base URL: the URLs of pictures often come from clients. */
  const isOwn = (url: URL, base: URL, kind: MediaKind): boolean =>
    url.origin === base.origin && (kind !== 'image' || url.pathname.startsWith(`${base.pathname.replace(/\/+$/, '')}/`))

  const wayTo = (target: string, { own: base, kind }: MediaWish): { url: URL; dispatcher: Dispatcher } => {
    const url = URL.parse(target)
    const isPlain = url !== null && url.username === '' && url.password === ''
    if (isPlain && base !== null && isOwn(url, base, kind)) return { url, dispatcher: own }
    // Only where it leads is vetted: a signature may be longer than a URL that clients give.
    const verdict = isPlain ? agent.check(`${url.origin}/`) : null
    if (url && verdict?.ok) return { url, dispatcher: agent.dispatcher }
    throw broken('the link of the backend is not allowed', false)
  }

  /** Each redirect is vetted like the first URL. */
  const get = async (wish: MediaWish, signal: AbortSignal) => {
    let target = wish.url
    for (let hop = 0; hop <= limits.redirects; hop += 1) {
      const { url, dispatcher } = wayTo(target, wish)
      // Of an own picture the first bytes are needed, so nobody gets a part of one.
      const isOwnPicture = wish.kind === 'image' && dispatcher === own
      const response = await request(url, {
        dispatcher,
        headers: { ...(!isOwnPicture && wish.headers), 'accept-encoding': 'identity', 'user-agent': USER_AGENT },
        signal,
        headersTimeout: limits.silenceMs,
        bodyTimeout: limits.silenceMs,
      }).catch((cause: unknown) => {
        signal.throwIfAborted()
        throw broken('the gateway cannot reach the file of the backend', true, cause)
      })
      const location = headerOf(response.headers, 'location')
      if (!REDIRECTS.includes(response.statusCode) || location === '') return { response, isOwnPicture }
      discarded(response)
      target = URL.parse(location, url)?.href ?? ''
    }
    throw broken('the file of the backend redirects too often', false)
  }

  async function* bounded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let sizeBytes = 0
    for await (const chunk of body) {
      sizeBytes += chunk.length
      if (sizeBytes > limits.sizeBytes) throw broken('the file is too large to show', false)
      yield chunk
    }
  }

  return async (wish, gone): Promise<Media> => {
    const { response, isOwnPicture } = await get(wish, AbortSignal.any([gone, AbortSignal.timeout(limits.totalMs)]))
    try {
      const { statusCode: status } = response
      if (status === 416) {
        discarded(response)
        const range = headerOf(response.headers, 'content-range')
        return { status, headers: range === '' ? {} : { 'content-range': range }, body: null }
      }
      if (status !== 200 && (status !== 206 || isOwnPicture))
        throw broken(`the server of the backend's file answered ${status}`, status >= 500 || status === 429)
      if ((headerOf(response.headers, 'content-encoding') || 'identity') !== 'identity')
        throw broken("the server of the backend's file sends it compressed", false)
      const headers = { ...passed(response), 'content-type': typeOf(response, wish.kind, isOwnPicture) }
      if (Number(headerOf(response.headers, 'content-length')) > limits.sizeBytes)
        throw broken('the file is too large to show', false)
      const body = bounded(response.body)
      return { status, headers, body: isOwnPicture ? await pictured(body) : body }
    } catch (error) {
      discarded(response)
      throw error
    }
  }
}
