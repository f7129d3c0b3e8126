import { request, type Dispatcher } from 'undici'
import { Problem } from '../core/errors.ts'
import type { Media, MediaCarrier, MediaKind, MediaWish } from '../core/media.ts'
import { USER_AGENT } from '../core/version.ts'
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

/** The type that is told on; throws for what is no medium of its kind. */
const typeOf = ({ headers }: Dispatcher.ResponseData, kind: MediaKind): string => {
  const said = (headerOf(headers, 'content-type').split(';', 1)[0] ?? '').trim().toLowerCase()
  if (SAYS_NOTHING.includes(said)) return USUAL[kind]
  if (TYPES[kind].test(said)) return said
  throw broken(`the link of the backend does not lead to ${kind === 'image' ? 'an' : 'a'} ${kind}`, false)
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

  const wayTo = (target: string, ownOrigin: string): { url: URL; dispatcher: Dispatcher } => {
    const url = URL.parse(target)
    const isPlain = url !== null && url.username === '' && url.password === ''
    if (isPlain && url.origin === ownOrigin) return { url, dispatcher: own }
    // Only where it leads is vetted: a signature may be longer than a URL that clients give.
    const verdict = isPlain ? agent.check(`${url.origin}/`) : null
    if (url && verdict?.ok) return { url, dispatcher: agent.dispatcher }
    throw broken('the link of the backend is not allowed', false)
  }

  /** Each redirect is vetted like the first URL. */
  const get = async ({ url: first, ownOrigin, headers }: MediaWish, signal: AbortSignal) => {
    let target = first
    for (let hop = 0; hop <= limits.redirects; hop += 1) {
      const { url, dispatcher } = wayTo(target, ownOrigin)
      const response = await request(url, {
        dispatcher,
        headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': USER_AGENT },
        signal,
        headersTimeout: limits.silenceMs,
        bodyTimeout: limits.silenceMs,
      }).catch((cause: unknown) => {
        signal.throwIfAborted()
        throw broken('the gateway cannot reach the file of the backend', true, cause)
      })
      const location = headerOf(response.headers, 'location')
      if (![301, 302, 303, 307, 308].includes(response.statusCode) || location === '') return response
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
    const response = await get(wish, AbortSignal.any([gone, AbortSignal.timeout(limits.totalMs)]))
    try {
      const { statusCode: status } = response
      if (status === 416) {
        discarded(response)
        const range = headerOf(response.headers, 'content-range')
        return { status, headers: range === '' ? {} : { 'content-range': range }, body: null }
      }
      if (status !== 200 && status !== 206)
        throw broken(`the server of the backend's file answered ${status}`, status >= 500 || status === 429)
      if ((headerOf(response.headers, 'content-encoding') || 'identity') !== 'identity')
        throw broken("the server of the backend's file sends it compressed", false)
      const headers = { ...passed(response), 'content-type': typeOf(response, wish.kind) }
      if (Number(headerOf(response.headers, 'content-length')) > limits.sizeBytes)
        throw broken('the file is too large to show', false)
      return { status, headers, body: bounded(response.body) }
    } catch (error) {
      discarded(response)
      throw error
    }
  }
}
