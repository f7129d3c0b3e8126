/** A group of facts that are read together. */
export type FactKind = 'account' | 'waits' | 'drift'

/** What one process knows, told to those that share the store. `value` is JSON. */
export interface Fact {
  key: string
  value: string
  /** When it was so, by the clock of who told it. */
  atMs: number
}

/** The part of `Store` where processes tell each other what they know. A hint: nothing is lost with it but promptness. */
export interface FactStore {
  /**
   * Keeps facts for `forMs`, each in place of the one under its key unless that is newer (`atMs`). Removes those of the
   * kind whose time is over. Not durable at once.
   */
  putFacts(kind: FactKind, facts: readonly Fact[], forMs: number): Promise<void>

  // Reads, each indexed.
  /** Those of a kind whose time is not over, by key. */
  facts(kind: FactKind): Promise<Fact[]>
}
