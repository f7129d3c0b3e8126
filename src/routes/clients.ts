import { createHash, timingSafeEqual } from 'node:crypto'
import { Problem } from '../core/errors.ts'
import type { Scope } from '../core/vocabulary.ts'
import type { Backends, CreatorLimits } from '../videos/index.ts'

/** A holder of a gateway key, as configured. */
export interface Client {
  id: string
  scopes: ReadonlySet<Scope>
  /** Its allow-list, in the order of the configuration. */
  visible: Backends
  limits: CreatorLimits & {
    requestsPerMinute: number
    /** Held open at once. */
    streams: number
  }
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Knows clients by the SHA-256 of their keys; a key itself is kept nowhere. */
export const createClients = (configured: readonly { key: string; client: Client }[]) => {
  const clients = configured.map(({ key, client }) => ({ hash: hashOf(key), client }))
  return {
    /** Throws `unauthenticated`. Compares with every key, each in constant time. */
    authenticate(authorization: string | undefined): Client {
      const key = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1]
      if (key === undefined) {
        throw new Problem('unauthenticated', 'send the header `Authorization: Bearer <gateway key>`')
      }
      const hash = hashOf(key)
      let found: Client | null = null
      for (const known of clients) if (timingSafeEqual(known.hash, hash)) found = known.client
      if (!found) throw new Problem('unauthenticated', 'this key is not known')
      return found
    },
  }
}
export type Clients = ReturnType<typeof createClients>

/** Throws `insufficient_scope`, naming the scope that is missing. */
export const demand = (client: Client, scope: Scope): void => {
  if (client.scopes.has(scope) || client.scopes.has('*')) return
  throw new Problem('insufficient_scope', `this key lacks the scope ${scope}`, { details: { scope } })
}
