import { LRUCache } from 'lru-cache'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** How many signatures are kept in memory: every read of a video shows one. */
const REMEMBERED = 10_000

/** `sig` of a content link: an HMAC bound to the video, valid for as long as the video is kept. */
export const createContentSignature = (key: Buffer) => {
  const made = (videoId: string): string => createHmac('sha256', key).update(`content\0${videoId}`).digest('base64url')
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
export type ContentSignature = ReturnType<typeof createContentSignature>
