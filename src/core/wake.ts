import type { WorkKind } from './store/work.ts'

export interface WakeHandlers {
  /** Something of this kind is due. May come late, twice or never: the sweep finds what was forgotten. */
  work(kind: WorkKind, id: string): void
  /** A video of this client changed. */
  changed(id: string, version: number, client: string): void
}

/**
 * A lossy alarm clock. It may forget, repeat and be late: no state that matters is in it. Where processes share one,
 * whoever is woken still needs the lease of the work.
 */
export interface Wake {
  /**
   * Work is due at this time. An `account` rings in every process, because only the holder of its lease can act. Any
   * other work rings in one process, whichever is free. Two hints for the same work at the same time are one, so give
   * the time at which its new state is due: it rises with each change.
   */
  hint(kind: WorkKind, id: string, dueAtMs: number): void
  /** A video changed. Its own process hears it before this returns, the others soon. */
  changed(id: string, version: number, client: string): void
  /** Hears all that rings here from now on; the answer ends that. A process where nobody listens takes no work. */
  on(handlers: Partial<WakeHandlers>): () => void
  /** Ends within a bounded time. Nothing rings afterwards. */
  close(): Promise<void>
}
