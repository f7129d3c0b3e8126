import { hash, randomBytes } from 'node:crypto'
import { Problem } from '../core/errors.ts'
import type { Scope } from '../core/vocabulary.ts'
import type { Backends, CreatorLimits } from '../engine/index.ts'

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

/**
 * Knows clients by a keyed hash of their keys; a key itself is kept nowhere. What it is keyed with is this process's and
 * told to nobody, so that how long a look-up takes says nothing about a key: nobody can tell what is looked up. No HMAC is
 * needed for that: what it adds is that nobody who sees a hash can extend it, and nobody sees one. The secret has always
 * the same length, so that no two keys are hashed alike.
 */
export const createClients = (configured: readonly { key: string; client: Client }[]) => {
  const secret = randomBytes(32).toString('hex')
  const nameOf = (key: string): string => hash('sha256', secret + key, 'base64')
  const clients = new Map(configured.map(({ key, client }) => [nameOf(key), client]))
  return {
    /** Throws `unauthenticated`. Costs the same however many clients there are. */
    authenticate(authorization: string | undefined): Client {
      const key = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1]
      if (key === undefined) {
        throw new Problem('unauthenticated', 'send the header `Authorization: Bearer <gateway key>`')
      }
      const found = clients.get(nameOf(key))
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
