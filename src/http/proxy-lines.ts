import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createMasks, type Mask } from './masked.ts'

/** What requests that are handed through under one configuration share. */
export interface Lines {
  /** `isFresh`: nothing goes over the connection before or after. */
  agent(origin: URL, isFresh: boolean): HttpAgent
  /** For one answer, so that the secret is not in it; null: the secret is too short to be told from other text. */
  mask(secret: string): Mask | null
  close(): void
}

/** Connections to one backend, at once and idle. */
const BOUNDS = { maxSockets: 256, maxFreeSockets: 64 }

/** Certificates are always verified. HTTP/1.1 alone: over HTTP/2 a request might be sent again. */
const secure = (options: object): HttpsAgent =>
  new HttpsAgent({ ...options, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] })

export const createLines = (bounds: Partial<typeof BOUNDS> = {}): Lines => {
  const options = { ...BOUNDS, ...bounds }
  const ofProtocol = (keepAlive: boolean) => ({
    http: new HttpAgent({ ...options, keepAlive }),
    https: secure({ ...options, keepAlive }),
  })
  const kept = ofProtocol(true)
  const fresh = ofProtocol(false)
  const masks = new Map<string, ReturnType<typeof createMasks>>()
  return {
    agent({ protocol }, isFresh) {
      const { http, https } = isFresh ? fresh : kept
      return protocol === 'https:' ? https : http
    },
    mask(secret) {
      const known = masks.get(secret) ?? createMasks(secret)
      masks.set(secret, known)
      return known?.() ?? null
    },
    close: () => [kept.http, kept.https, fresh.http, fresh.https].forEach((agent) => agent.destroy()),
  }
}
