/** A write that waits for its turn, and what it locks. */
export interface Waiting {
  locks: ReadonlySet<string>
}

/** Writes of one transaction at most. */
export const MOST_IN_ONE = 200

const meets = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean => {
  for (const one of some) if (others.has(one)) return true
  return false
}

/**
 * The writes that go into the next transaction: the first that need not wait for one under way (`held`), and with it all
 * that would wait for it, and for nothing else. In the order of their arrival: nobody passes a write that waits for the
 * same lock. Empty: all must wait. So one process never waits for itself in the database, and what one turn of the loop
 * wrote is one commit.
 */
export const nextBatch = <T extends Waiting>(waiting: readonly T[], held: ReadonlySet<string>): T[] => {
  const blocked = new Set(held)
  const locks = new Set<string>()
  const batch: T[] = []
  for (const one of waiting) {
    if (batch.length === MOST_IN_ONE) break
    const joins = batch.length === 0 || one.locks.size === 0 || meets(one.locks, locks)
    const taken = joins && !meets(one.locks, blocked)
    if (taken) batch.push(one)
    for (const name of one.locks) (taken ? locks : blocked).add(name)
  }
  return batch
}
