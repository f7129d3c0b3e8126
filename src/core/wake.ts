import type { WorkKind } from './store/work.ts'

export interface WakeHandlers {
  /** Something of this kind is due; may come late, twice or never: the sweep finds what it forgot. */
  work(kind: WorkKind, id: string): void
  /** A video of this client moved on. */
  changed(id: string, version: number, client: string): void
}

/** A lossy alarm clock that spreads work. It never holds state that matters. */
export interface Wake {
  hint(kind: WorkKind, id: string, dueAtMs: number): void
  changed(id: string, version: number, client: string): void
  on(handlers: Partial<WakeHandlers>): () => void
  close(): Promise<void>
}
