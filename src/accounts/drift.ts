import type { Drift } from '../adapters/index.ts'
import { iso, type Clock } from '../core/time/clock.ts'
import type { Log } from '../core/log.ts'
import type { DriftView } from '../core/api/videos.ts'

const KINDS_AT_MOST = 1_000
/** What was met is told to the other processes so soon. */
const TOLD_AFTER_MS = 1_000

interface Seen extends Drift {
  count: number
  firstMs: number
  lastMs: number
}

/** Those of the other processes that share the store. */
export interface DriftShare {
  say(met: readonly DriftView[]): void
  others(): Promise<DriftView[]>
}

const keyOf = ({ kind, operation, value }: Pick<DriftView, 'kind' | 'operation' | 'value'>): string =>
  JSON.stringify([kind, operation, value])

const both = (a: DriftView, b: DriftView): DriftView => ({
  ...a,
  count: a.count + b.count,
  first_seen: a.first_seen < b.first_seen ? a.first_seen : b.first_seen,
  last_seen: a.last_seen > b.last_seen ? a.last_seen : b.last_seen,
})

/**
 * One entry of each kind. What was first seen latest comes first: nothing moves while somebody pages through it, at
 * whichever process.
 */
const merged = (met: readonly DriftView[]): DriftView[] => {
  const kinds = new Map<string, DriftView>()
  for (const one of met) {
    const known = kinds.get(keyOf(one))
    kinds.set(keyOf(one), known ? both(known, one) : one)
  }
  const order = (a: string, b: string): number => Number(a > b) - Number(a < b)
  return [...kinds.values()].toSorted((a, b) => order(b.first_seen, a.first_seen) || order(keyOf(a), keyOf(b)))
}

/**
 * What a backend sent that its adapter was never told of: counted, one log line each, the first thousand kinds. Kept in
 * memory: what still drifts after a restart is soon seen again, and the log has what was seen before.
 */
export const createDriftReport = (
  log: Log,
  clock: Pick<Clock, 'now' | 'at'>,
  backends: readonly string[],
  share: DriftShare | null = null,
) => {
  const seen = new Map<string, Seen>()
  let full = false
  let isToTell = false

  const own = (): DriftView[] =>
    merged(
      [...seen.values()].map(({ firstMs, lastMs, ...one }) => ({
        ...one,
        first_seen: iso(firstMs),
        last_seen: iso(lastMs),
      })),
    )

  const tellSoon = (to: DriftShare): void => {
    if (isToTell) return
    isToTell = true
    clock.at(clock.now() + TOLD_AFTER_MS, () => {
      isToTell = false
      to.say(own())
    })
  }

  return {
    note(drift: Drift): void {
      if (share) tellSoon(share)
      const key = keyOf(drift)
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
        log.warn({ backends, kinds: KINDS_AT_MOST }, 'the drift report is full: other unknown things are not counted')
      }
    },
    /** What any process met. */
    list: async (): Promise<DriftView[]> => merged([...own(), ...((await share?.others()) ?? [])]),
  }
}
