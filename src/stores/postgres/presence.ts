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
  let isShown = false
  let isReported = false
  let keeping: Promise<void> | null = null
  let tried = Promise.withResolvers<void>()

  /** Rejects when the connection is lost, or the store closes. */
  const keep = async (client: PoolClient, name: string): Promise<never> => {
    const lost = new AbortController()
    client.once('end', () => lost.abort())
    await asked(client.query(LOCK, [name]))
    isShown = true
    isReported = false
    tried.resolve()
    const ended = AbortSignal.any([closing, lost.signal])
    for (;;) {
      await sleep(BEAT_MS, undefined, { signal: ended, ref: false })
      await asked(client.query('SELECT 1'))
    }
  }

  const keepAlways = async (name: string): Promise<void> => {
    while (!closing.aborted) {
      let client: PoolClient | null = null
      try {
        client = await asked(pool.connect())
        await keep(client, name)
      } catch (cause) {
        if (!closing.aborted && !isReported) onError(new Error('other replicas do not see this one live', { cause }))
        isReported = true
      }
      isShown = false
      client?.release(true)
      tried.resolve()
      tried = Promise.withResolvers()
      await sleep(AGAIN_MS, undefined, { signal: closing }).catch(() => undefined)
    }
    tried.resolve()
  }

  return {
    /** Shows from now on that the process of this name lives: it has one. Answers whether others see it now. */
    async show(name: string): Promise<boolean> {
      keeping ??= keepAlways(name)
      if (!isShown) await tried.promise
      return isShown
    },
  }
}
