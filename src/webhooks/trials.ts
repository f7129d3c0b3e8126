import type { Clock } from '../core/time/clock.ts'
import { Problem } from '../core/errors.ts'
import type { FairQueue, Turn } from './fair-queue.ts'

const closing = (): Problem =>
  new Problem('shutting_down', 'the gateway is stopping or loads a new configuration: retry')

export interface TrialsDeps {
  queue: Pick<FairQueue, 'offer'>
  clock: Pick<Clock, 'now'>
  onQueued: () => void
}

/**
 * Test events are no deliveries: nothing is stored, and somebody waits for the outcome. But they take the same slots,
 * one at a time for each target, before its deliveries.
 */
export const createTrials = ({ queue, clock, onQueued }: TrialsDeps) => {
  const waiting = new Map<string, { start: () => Promise<void>; drop: () => void }>()
  const busy = new Set<string>()
  let closed = false
  return {
    /**
     * Sends a test event in its turn. Throws `rate_limited` while another of the same target is under way, and
     * `shutting_down` where no more are sent.
     */
    async run<T>(turn: Turn, send: () => Promise<T>): Promise<T> {
      if (closed) throw closing()
      if (busy.has(turn.lane) || !queue.offer(turn, 'first')) {
        throw new Problem('rate_limited', 'a test of this endpoint is running: retry when it has ended', {
          retryAtMs: clock.now() + 1_000,
        })
      }
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      busy.add(turn.lane)
      waiting.set(turn.id, { start: () => send().then(resolve, reject), drop: () => reject(closing()) })
      onQueued()
      try {
        return await promise
      } finally {
        busy.delete(turn.lane)
      }
    },
    /** The test to send in this turn; null: the turn is a delivery's. */
    take(id: string): (() => Promise<void>) | null {
      const trial = waiting.get(id)
      waiting.delete(id)
      return trial?.start ?? null
    },
    /** Takes nothing new, and refuses tests that wait for their turn. */
    close(): void {
      closed = true
      for (const { drop } of waiting.values()) drop()
      waiting.clear()
    },
  }
}
export type Trials = ReturnType<typeof createTrials>
