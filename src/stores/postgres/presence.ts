import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { asked } from './pool.ts'

/** How often the connection is used: one that broke in silence is noticed, and none idles too long for a firewall. */
const BEAT_MS = 5_000
const AGAIN_MS = 250

/** Shared: a process need not wait until its previous session ends. `HOLDERS` in work-verbs.ts tries to have it alone. */
const LOCK = 'SELECT pg_advisory_lock_shared(hashtext(current_schema), hashtext($1))'

interface PresenceOptions {
  /** For one connection. */
  pool: Pool
  /** Aborted when the store closes. */
  closing: AbortSignal
  onError: (error: Error) => void
}

/**
 * A session lock under the name of this process. The system closes the connection when the process dies, and the server
 * then releases the lock. So others see that the process died, and need not wait until its leases end.
 */
export const createPresence = ({ pool, closing, onError }: PresenceOptions) => {
  const names = new Set<string>()
  let session: PoolClient | null = null
  let isKept = false
  let tried = Promise.withResolvers<void>()

  const lock = (client: PoolClient, name: string) => asked(client.query(LOCK, [name]))

  /** Rejects when the connection is lost, or the store closes. */
  const keep = async (client: PoolClient): Promise<never> => {
    const lost = new AbortController()
    client.once('end', () => lost.abort())
    for (const name of names) await lock(client, name)
    session = client
    tried.resolve()
    for (;;) {
      await sleep(BEAT_MS, undefined, { signal: AbortSignal.any([closing, lost.signal]), ref: false })
      await asked(client.query('SELECT 1'))
    }
  }

  const keepAlways = async (): Promise<void> => {
    while (!closing.aborted) {
      const client = await asked(pool.connect()).catch(() => null)
      const why: unknown = client && (await keep(client).catch((error: unknown) => error))
      if (session !== null && !closing.aborted)
        onError(new Error('the connection that shows that this process lives was lost', { cause: why }))
      session = null
      client?.release(true)
      tried.resolve()
      tried = Promise.withResolvers()
      await sleep(AGAIN_MS, undefined, { signal: closing }).catch(() => undefined)
    }
    tried.resolve()
  }

  return {
    /** Shows from now on that the process of this name lives. Answers whether others see it now. */
    async show(name: string): Promise<boolean> {
      const isNew = !names.has(name)
      names.add(name)
      if (!isKept) void keepAlways()
      isKept = true
      if (session === null) await tried.promise
      else if (isNew) {
        await lock(session, name).catch((error: unknown) => {
          names.delete(name)
          throw error
        })
      }
      return session !== null
    },
  }
}
