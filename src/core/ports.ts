import type { WorkKind } from './store/webhooks.ts'
import type { NewId } from './ids.ts'
import type { Log } from './log.ts'
import type { Store } from './store/index.ts'
import type { Tally } from './tally.ts'
import type { Clock } from './time/clock.ts'
import type { Tracing } from './tracing.ts'

export interface WakeHandlers {
  /** Something of this kind is due. May come late, twice or never: the sweep finds what was forgotten. */
  work(kind: WorkKind, id: string): void
  /** A video of this client changed. */
  changed(id: string, version: number, client: string): void
}

/**
 * A lossy alarm clock. It may forget, repeat and be late: no state that matters is in it. Where processes share one,
 * the one that is woken still needs the lease of the work.
 */
export interface Wake {
  /**
   * Work is due at this time. An `account` rings in every process, because only the holder of its lease can act. Any
   * other work rings in one process, whichever is free. Two hints for the same work at the same time are one, so give
   * the time at which its new state is due: it rises with each change.
   */
  hint(kind: WorkKind, id: string, dueAtMs: number): void
  /** A video changed. Its own process receives it before this returns, the others soon. */
  changed(id: string, version: number, client: string): void
  /** Receives all that rings here from now on; the answer ends that. A process where nobody listens takes no work. */
  on(handlers: Partial<WakeHandlers>): () => void
  /** Ends within a bounded time. Nothing rings afterwards. */
  close(): Promise<void>
}

/** This process among those that share the store. */
export interface Replica {
  /** Different for every start of a process: `<host>-<pid>-<random>`. */
  id: string
  /** No other process uses the store, so none need be informed. */
  isAlone: boolean
}

/** What the console is given beside the configuration. */
export interface ConsoleParts {
  /** Where its files are; default: where a build puts them. */
  folder?: string
  /** A key that is no secret, reported to the one that asks: of the sandbox only. */
  sandboxKey?: string
}

/** What a part of the gateway is handed from outside, so that tests decide the time, chance and storage. */
export interface Ports {
  store: Store
  wake: Wake
  clock: Clock
  log: Log
  tally: Tally
  tracing: Tracing
  newId: NewId
  /** In [0, 1): jitter. */
  random: () => number
}
