import { createHmac, timingSafeEqual } from 'node:crypto'

const TAG_BYTES = 16

/**
 * Opaque, authenticated cursors: base64url(tag ‖ payload). `scope` binds a cursor to one list, client and filter: a
 * cursor of another list is as invalid as a changed one. `open` answers null for anything that `seal` did not make.
 */
export const createCursors = (key: Buffer) => {
  const tagOf = (scope: string, payload: Buffer): Buffer =>
    createHmac('sha256', key).update(`cursor\0${scope}\0`).update(payload).digest().subarray(0, TAG_BYTES)
  return {
    seal(scope: string, payload: string): string {
      const bytes = Buffer.from(payload)
      return Buffer.concat([tagOf(scope, bytes), bytes]).toString('base64url')
    },
    open(scope: string, cursor: string): string | null {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return null
      const payload = bytes.subarray(TAG_BYTES)
      return timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(scope, payload)) ? payload.toString() : null
    },
  }
}
export type Cursors = ReturnType<typeof createCursors>

/**
 * `sig` of a link: an HMAC bound to what the link is for and to the video, valid for as long as the video is kept. That
 * of one purpose opens nothing of another.
 */
const createLinkSignature = (purpose: 'content' | 'events', key: Buffer) => {
  const sign = (videoId: string): string =>
    createHmac('sha256', key).update(`${purpose}\0${videoId}`).digest('base64url')
  return {
    sign,
    verify(videoId: string, sig: string): boolean {
      const expected = Buffer.from(sign(videoId))
      const given = Buffer.from(sig)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

/** Of all links that stand in for a key. */
export const createLinkSignatures = (key: Buffer) => ({
  content: createLinkSignature('content', key),
  events: createLinkSignature('events', key),
})
export type LinkSignatures = ReturnType<typeof createLinkSignatures>

/** The links of a video, as they are shown: `origin` may be known later. */
export const linksTo = (origin: { readonly url: string }, signatures: LinkSignatures) => {
  const of = (purpose: keyof LinkSignatures) => (id: string) =>
    `${origin.url}/unified/v1/videos/${id}/${purpose}?sig=${signatures[purpose].sign(id)}`
  return { contentUrl: of('content'), eventsUrl: of('events') }
}

/**
 * The token in the gateway's callback URL (`src/webhooks/sign.ts`), whole or cut off in its last part. None of its
 * characters is escaped in a URL, in JSON or in HTML, so a backend that repeats it repeats it as it is.
 */
export const TOKEN = /vid_[0-9A-HJKMNP-TV-Z]{26}\.\d{1,9}\./

/** Represents the gateway's callback URL. No URL can be read from it, so nothing takes it for a link. */
export const CALLBACK_URL = 'http://[callback]'

/**
 * The text without callback tokens: a URL that has one becomes `CALLBACK_URL`, and a word of a sentence, or of JSON,
 * `[url]`.
 */
export const withoutToken = (text: string): string => {
  if (!TOKEN.test(text)) return text
  if (/^https?:\/\/\S+$/i.test(text)) return CALLBACK_URL
  return text.replaceAll(/[^\s"]+/g, (word) => (TOKEN.test(word) ? '[url]' : word))
}

/**
 * Takes callback tokens out of an answer that was just parsed, in place: who has one can call back in the backend's
 * name. A list of what is left to visit, because an answer may have more levels than the stack.
 */
export const dropTokens = <T extends object>(answer: T): T => {
  const left: object[] = [answer]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    for (const [name, value] of Object.entries(node) as [string, unknown][]) {
      if (TOKEN.test(name)) Reflect.deleteProperty(node, name)
      else if (typeof value === 'string') Reflect.set(node, name, withoutToken(value))
      else if (typeof value === 'object' && value !== null) left.push(value)
    }
  }
  return answer
}
