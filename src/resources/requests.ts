import { iso, nextMonthMs, type Clock } from '../core/time/clock.ts'
import type { Log } from '../core/log.ts'
import type { Store } from '../core/store/index.ts'

interface RequestCountsDeps {
  store: Pick<Store, 'countRequests' | 'monthOf'>
  clock: Clock
  log: Log
}

/** A crash forgets at most what came in this long, and what came after the last request that found it over. */
const STORED_EVERY_MS = 10_000

/** Requests of each client this month: counted in memory, stored in batches, for the usage report. */
export const createRequestCounts = ({ store, clock, log }: RequestCountsDeps) => {
  let month = ''
  let counts = new Map<string, number>()
  let storeAtMs = 0
  let flying: Promise<void> = Promise.resolve()

  const now = { month: '', fromMs: 0, untilMs: 0 }
  const monthOf = (nowMs: number): string => {
    if (nowMs >= now.fromMs && nowMs < now.untilMs) return now.month
    Object.assign(now, { month: iso(nowMs).slice(0, 7), fromMs: nowMs, untilMs: nextMonthMs(nowMs) })
    return now.month
  }

  const add = (client: string, n: number): void => void counts.set(client, (counts.get(client) ?? 0) + n)

  const storeCounts = async (): Promise<void> => {
    const [stored, of] = [counts, month]
    counts = new Map()
    await store.countRequests(of, Object.fromEntries(stored)).catch((error: unknown) => {
      log.warn({ err: error }, 'counted requests could not be stored: the gateway retries')
      if (month === of) for (const [client, n] of stored) add(client, n)
    })
  }

  const flush = (): Promise<void> => {
    storeAtMs = clock.now() + STORED_EVERY_MS
    if (counts.size > 0) flying = Promise.all([flying, storeCounts()]).then(() => undefined)
    return flying
  }

  return {
    count(client: string): void {
      const nowMs = clock.now()
      const current = monthOf(nowMs)
      if (current !== month || nowMs >= storeAtMs) void flush()
      month = current
      add(client, 1)
    },
    /** Those of this month, stored or not. */
    async of(client: string): Promise<number> {
      await flying
      const pending = monthOf(clock.now()) === month ? (counts.get(client) ?? 0) : 0
      return pending + (await store.monthOf(client, clock.now())).requests
    },
    flush,
  }
}
