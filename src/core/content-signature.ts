import { createHmac, timingSafeEqual } from 'node:crypto'

/** `sig` of a content link: an HMAC bound to the video, valid for as long as the video is kept (design 3). */
export const createContentSignature = (key: Buffer) => {
  const sign = (videoId: string): string => createHmac('sha256', key).update(`content\0${videoId}`).digest('base64url')
  return {
    sign,
    verify(videoId: string, sig: string): boolean {
      const expected = Buffer.from(sign(videoId))
      const given = Buffer.from(sig)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
export type ContentSignature = ReturnType<typeof createContentSignature>
