import { request, type Dispatcher } from 'undici'
import { Problem } from '../core/errors.ts'
import type { Media, MediaCarrier, MediaKind, MediaWish } from '../core/media.ts'
import { USER_AGENT } from '../core/vocabulary.ts'
import type { GuardedAgent } from './guard-agent.ts'

export interface MediaCarrierOptions {
  /** For what a backend named elsewhere: vets and pins addresses. */
  agent: Pick<GuardedAgent, 'check' | 'dispatcher'>
  /** For a backend's own origin. */
  own: Dispatcher
  limits?: Partial<typeof LIMITS>
}

const LIMITS = {
  /** Of one answer. */
  sizeBytes: 1_073_741_824,
  /** Without a byte from there. */
  silenceMs: 15_000,
  /** From the first connection to the last byte: longer than a film is watched for in one go. */
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
const SAYS_NOTHING = ['', 'application/octet-stream', 'binary/octet-stream']
const PASSED = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified'] as const

const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string => {
  const value = headers[name] ?? ''
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

const broken = (message: string, retryable: boolean, cause?: unknown): Problem =>
  new Problem('backend_error', message, { retryable, cause })

const discarded = ({ body }: Dispatcher.ResponseData): void => {
  body.on('error', () => undefined)
  body.destroy()
}

const isNone = (kind: MediaKind): Problem =>
  broken(`the link of the backend does not lead to ${kind === 'image' ? 'an' : 'a'} ${kind}`, false)

/** The type to answer with; throws for what is no medium of its kind. `mustSay`: the server has to name the type. */
const typeOf = ({ headers }: Dispatcher.ResponseData, kind: MediaKind, mustSay: boolean): string => {
  const said = (headerOf(headers, 'content-type').split(';', 1)[0] ?? '').trim().toLowerCase()
  if (!mustSay && SAYS_NOTHING.includes(said)) return USUAL[kind]
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

/** Films, samples and pictures from where their backend keeps them: without a credential, and only from where it is allowed. */
export const createMediaCarrier = ({ agent, own, limits: given }: MediaCarrierOptions): MediaCarrier => {
  const limits = { ...LIMITS, ...given }

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
      if (![301, 302, 303, 307, 308].includes(response.statusCode) || location === '') return { response, isOwnPicture }
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
