import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs and checks the sandbox's own media URLs. */
export const createLinks = (secret: string) => {
  const digest = (path: string, expires: string) => createHmac('sha256', secret).update(`${path}\n${expires}`).digest()
  return {
    /** `path?expires=…&signature=…`: readable without a key until `expiresAtMs`. */
    sign(path: string, expiresAtMs: number): string {
      const expires = String(Math.ceil(expiresAtMs))
      return `${path}?expires=${expires}&signature=${digest(path, expires).toString('base64url')}`
    },
    check(path: string, expires: unknown, signature: unknown, nowMs: number): 'valid' | 'invalid' | 'expired' {
      if (typeof expires !== 'string' || typeof signature !== 'string') return 'invalid'
      const given = Buffer.from(signature, 'base64url')
      const expected = digest(path, expires)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'invalid'
      return nowMs < Number(expires) ? 'valid' : 'expired'
    },
  }
}
export type Links = ReturnType<typeof createLinks>
