import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a callback of the alternate backend is about: one create attempt of one video. */
export interface CallbackSubject {
  videoId: string
  attempt: number
}

const MAX_TOKEN_LENGTH = 160
const TOKEN = /^([A-Za-z0-9_-]{1,96})\.(0|[1-9]\d{0,8})\.[A-Za-z0-9_-]{43}$/

/**
 * Tokens of `/hooks/{backend}/{token}`: `<video>.<attempt>.<HMAC-SHA-256>`, URL-safe. Verified without a store read, so
 * that a forged callback costs one hash.
 */
export const createCallbackTokens = (key: Buffer) => {
  const make = (backend: string, videoId: string, attempt: number): string => {
    const mac = createHmac('sha256', key).update(`callback\0${backend}\0${videoId}\0${attempt}`).digest('base64url')
    return `${videoId}.${attempt}.${mac}`
  }
  return {
    /** Makes the token for callbacks below this backend's path. */
    make(backend: string, videoId: string, attempt: number): string {
      const token = make(backend, videoId, attempt)
      if (!TOKEN.test(token)) throw new RangeError(`no callback token can name ${videoId}, attempt ${attempt}`)
      return token
    },
    /** Null for anything that `make` did not make for this backend. Bounded work, whatever the text. */
    verify(backend: string, token: string): CallbackSubject | null {
      if (token.length > MAX_TOKEN_LENGTH) return null
      const [, videoId, attempt] = TOKEN.exec(token) ?? []
      if (videoId === undefined || attempt === undefined) return null
      // Compares the whole text: several base64url texts decode to the same bytes, but we made only one of them.
      const expected = Buffer.from(make(backend, videoId, Number(attempt)))
      const given = Buffer.from(token)
      return given.length === expected.length && timingSafeEqual(given, expected)
        ? { videoId, attempt: Number(attempt) }
        : null
    },
  }
}
export type CallbackTokens = ReturnType<typeof createCallbackTokens>
