import { CAPABILITIES_OF, type Operation } from '../adapters/index.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Log } from '../core/log.ts'
import type { Capability } from '../core/vocabulary.ts'

/** How long a 403 is believed: its operator may give the key the scope, and nobody may ask for the operation again. */
const BELIEVED_MS = 10 * 60_000

/** Which operations the account's key may not use, by the backend's 403s: each is about the scope of one operation. */
export const createPermissions = (log: Log, clock: Pick<Clock, 'now'>, backends: readonly string[]) => {
  const deniedUntilMs = new Map<Operation, number>()
  return {
    note(operation: Operation, allowed: boolean): void {
      const was = deniedUntilMs.has(operation)
      if (allowed) deniedUntilMs.delete(operation)
      else deniedUntilMs.set(operation, clock.now() + BELIEVED_MS)
      if (allowed && was) log.info({ backends, operation }, 'the backend lets its key do this again')
      if (!allowed && !was)
        log.warn({ backends, operation }, 'the backend does not let its key do this: a missing scope?')
    },
    /** What is off; empty if it is no capability; null while nothing is denied. */
    denied(): readonly Capability[] | null {
      for (const [operation, untilMs] of deniedUntilMs) if (untilMs <= clock.now()) deniedUntilMs.delete(operation)
      return deniedUntilMs.size === 0 ? null : [...deniedUntilMs.keys()].flatMap((name) => CAPABILITIES_OF[name])
    },
  }
}
