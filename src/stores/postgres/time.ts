import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessClock } from '../../core/time/clock.ts'

const EVERY_MS = 5_000
/** An answer that took longer says too little about the time. */
const SLOWEST_MS = 500

/**
 * Keeps the clock of this process at the database's time, which is that of all processes. Asks once before it resolves,
 * then every 5 seconds until `closing`.
 */
export const followDatabase = async (
  ask: () => Promise<number>,
  clock: ProcessClock,
  closing: AbortSignal,
): Promise<void> => {
  const once = async (most: number): Promise<void> => {
    const before = performance.now()
    const nowMs = await ask()
    const tookMs = performance.now() - before
    if (tookMs <= most) clock.agree(nowMs + tookMs / 2)
  }
  const onwards = async (): Promise<void> => {
    for (;;) {
      await sleep(EVERY_MS, undefined, { signal: closing, ref: false })
      // While the database is away, the clock goes on by itself.
      await once(SLOWEST_MS).catch(() => undefined)
    }
  }
  await once(Infinity)
  // Ends when the store closes.
  onwards().catch(() => undefined)
}
