import { LRUCache } from 'lru-cache'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** How many signatures are kept in memory: every read of a video shows one. */
const REMEMBERED = 10_000

/**
 * `sig` of a link: an HMAC bound to what the link is for and to the video, valid for as long as the video is kept. That
 * of one purpose opens nothing of another.
 */
const createLinkSignature = (purpose: 'content' | 'events', key: Buffer) => {
  const made = (videoId: string): string =>
    createHmac('sha256', key).update(`${purpose}\0${videoId}`).digest('base64url')
  const known = new LRUCache<string, string>({ max: REMEMBERED })
  return {
    /** Only for videos that exist: the result is remembered. */
    sign(videoId: string): string {
      const sig = known.get(videoId) ?? made(videoId)
      known.set(videoId, sig)
      return sig
    },
    /** For any id that somebody sends: nothing is remembered. */
    verify(videoId: string, sig: string): boolean {
      const expected = Buffer.from(made(videoId))
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
