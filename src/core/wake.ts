import type { WorkKind } from './store/work.ts'

export interface WakeHandlers {
  /** Something of this kind is due. May come late, twice or never: the sweep finds what was forgotten. */
  work(kind: WorkKind, id: string): void
  /** A video of this client changed. */
  changed(id: string, version: number, client: string): void
}

/** A lossy alarm clock. It may forget, repeat and be late: no state that matters is in it. */
export interface Wake {
  hint(kind: WorkKind, id: string, dueAtMs: number): void
  changed(id: string, version: number, client: string): void
  on(handlers: Partial<WakeHandlers>): () => void
  close(): Promise<void>
}
