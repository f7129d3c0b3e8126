import { LRUCache } from 'lru-cache'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Every read of a video shows its signature. */
const REMEMBERED = 10_000

/** `sig` of a content link: an HMAC bound to the video, valid for as long as the video is kept. */
export const createContentSignature = (key: Buffer) => {
  const made = (videoId: string): string => createHmac('sha256', key).update(`content\0${videoId}`).digest('base64url')
  const known = new LRUCache<string, string>({ max: REMEMBERED })
  return {
    /** Of a video that there is. */
    sign(videoId: string): string {
      const sig = known.get(videoId) ?? made(videoId)
      known.set(videoId, sig)
      return sig
    },
    /** Of any id that somebody asks for: nothing of it is remembered. */
    verify(videoId: string, sig: string): boolean {
      const expected = Buffer.from(made(videoId))
      const given = Buffer.from(sig)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
export type ContentSignature = ReturnType<typeof createContentSignature>
