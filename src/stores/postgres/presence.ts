import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { asked } from './pool.ts'

/** How often the connection is used: one that broke in silence is noticed, and none idles too long for a firewall. */
const BEAT_MS = 5_000
const AGAIN_MS = 250

/** Shared: a process need not wait until its previous session ends. `HOLDERS` in work-verbs.ts tries to have it alone. */
const LOCK = 'SELECT pg_advisory_lock_shared(hashtext(current_schema), hashtext($1))'

/**
 * Ends what is left of a previous session of this process. If its connection fell silent, the server does not know that it is
 * lost: the lock would outlive the process.
 */
const END_PREVIOUS = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ShareLock' AND granted AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid::bigint = hashtext(current_schema)::bigint & 4294967295 AND objid::bigint = hashtext($1)::bigint & 4294967295`

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
  /** Of this try to be seen: whether it has come to that. */
  let shown: Promise<boolean> | null = null

  /** Rejects when the connection is lost, or the store closes. */
  const keep = async (client: PoolClient, name: string, isSeen: () => void): Promise<never> => {
    const lost = new AbortController()
    client.once('end', () => lost.abort())
    await asked(client.query(LOCK, [name]))
    await asked(client.query(END_PREVIOUS, [name]))
    isSeen()
    const ended = AbortSignal.any([closing, lost.signal])
    for (;;) {
      await sleep(BEAT_MS, undefined, { signal: ended, ref: false })
      await asked(client.query('SELECT 1'))
    }
  }

  const keepAlways = async (name: string): Promise<void> => {
    for (let pauseMs = 0; !closing.aborted; pauseMs = AGAIN_MS) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      shown = promise
      let client: PoolClient | null = null
      try {
        if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: closing })
        client = await asked(pool.connect())
        await keep(client, name, () => resolve(true))
      } catch (cause) {
        resolve(false)
        // Of tries that fail one after the other, the first is reported.
        const isNews = (await promise) || pauseMs === 0
        if (!closing.aborted && isNews) onError(new Error('other replicas do not see this one live', { cause }))
      }
      client?.release(true)
    }
    shown = Promise.resolve(false)
  }

  return {
    /** Shows from now on that the process of this name lives: it has one. Answers whether others see it now. */
    async show(name: string): Promise<boolean> {
      if (shown === null) void keepAlways(name)
      return shown ?? false
    },
  }
}
