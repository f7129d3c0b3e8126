import type { Replica } from '../../core/replica.ts'
import type { Store } from '../../core/store/index.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { AccountId } from '../../core/vocabulary.ts'

interface PumpsDeps {
  store: Pick<Store, 'holders'>
  clock: Clock
  replica: Replica
}

/** One read tells of all accounts. */
const READ_EVERY_MS = 1_000

/** Which process sends and polls for each account. Rejects if the store cannot be read. */
export const createPumps = ({ store, clock, replica }: PumpsDeps) => {
  let read: { atMs: number; holders: Promise<ReadonlyMap<string, string>> } | null = null

  const holders = (): Promise<ReadonlyMap<string, string>> => {
    const sinceMs = read === null ? Infinity : clock.now() - read.atMs
    if (read !== null && sinceMs >= 0 && sinceMs < READ_EVERY_MS) return read.holders
    const found = store.holders('account').then((all) => new Map(all.map(({ id, holder }) => [id, holder])))
    const reading = { atMs: clock.now(), holders: found }
    read = reading
    found.catch(() => {
      if (read === reading) read = null
    })
    return found
  }

  const holderOf = async (account: AccountId): Promise<string | null> => (await holders()).get(account) ?? null

  return {
    /** The id of the process; null: none, or one that told no id. */
    holderOf,
    /** Another process holds it, so that a claim would be refused: that costs a write, and this a read for all. */
    async isElsewhere(account: AccountId): Promise<boolean> {
      const holder = await holderOf(account)
      return holder !== null && holder !== replica.id
    },
  }
}
export type Pumps = ReturnType<typeof createPumps>
