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

const isWithin = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean => {
  for (const one of some) if (!others.has(one)) return false
  return true
}

/**
 * The writes that go into the next transaction: the first that need not wait for one under way (`held`), and with it all
 * that lock nothing else. In the order of their arrival: nobody passes a write that waits for the same lock. Empty: all
 * must wait. So one process never waits for itself in the database, and what one turn of the loop wrote is one commit.
 */
export const nextBatch = <T extends Waiting>(waiting: readonly T[], held: ReadonlySet<string>): T[] => {
  const blocked = new Set(held)
  let batch: T[] = []
  let locks: ReadonlySet<string> | null = null
  for (const one of waiting) {
    if (batch.length === MOST_IN_ONE) break
    if (locks === null && !meets(one.locks, blocked)) {
      batch = [one]
      locks = one.locks
    } else if (locks !== null && isWithin(one.locks, locks) && !meets(one.locks, blocked)) batch.push(one)
    else for (const name of one.locks) blocked.add(name)
  }
  return batch
}
