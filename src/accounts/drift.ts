import type { Drift } from '../adapters/index.ts'
import { iso, type Clock } from '../core/time/clock.ts'
import type { Log } from '../core/log.ts'
import type { DriftView } from '../core/api/resources.ts'

const KINDS_AT_MOST = 1_000

interface Seen extends Drift {
  count: number
  firstMs: number
  lastMs: number
}

/**
 * What a backend sent that its adapter was never told of: counted, one log line each, the first thousand kinds. Kept in
 * memory: what still drifts after a restart is soon seen again, and the log has what was seen before.
 */
export const createDriftReport = (log: Log, clock: Pick<Clock, 'now'>, backends: readonly string[]) => {
  const seen = new Map<string, Seen>()
  let full = false
  return {
    note(drift: Drift): void {
      const key = JSON.stringify([drift.kind, drift.operation, drift.value])
      const nowMs = clock.now()
      const known = seen.get(key)
      if (known) {
        known.count += 1
        known.lastMs = nowMs
      } else if (seen.size < KINDS_AT_MOST) {
        seen.set(key, { ...drift, count: 1, firstMs: nowMs, lastMs: nowMs })
        log.warn({ backends, ...drift }, 'the backend sent something unknown')
      } else if (!full) {
        full = true
        log.warn({ backends, kinds: KINDS_AT_MOST }, 'the drift report is full; other unknown things are not counted')
      }
    },
    /** What was first seen latest comes first: nothing moves while somebody pages through it. */
    list: (): DriftView[] =>
      [...seen.values()]
        .toSorted((a, b) => b.firstMs - a.firstMs)
        .map(({ kind, operation, value, count, firstMs, lastMs, sample }) => ({
          kind,
          operation,
          value,
          count,
          first_seen: iso(firstMs),
          last_seen: iso(lastMs),
          sample,
        })),
  }
}
