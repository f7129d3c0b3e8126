import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Replica } from '../../core/ports.ts'
import type { Lease, WorkStore } from '../../core/store/webhooks.ts'
import { type Clock, sleepUntil } from '../../core/time/clock.ts'
import type { Store } from '../../core/store/index.ts'
import type { AccountId } from '../../core/vocabulary.ts'

interface OneAtATimeDeps {
  store: Pick<WorkStore, 'claim' | 'release'>
  clock: Clock
  replica: Replica
}

/** How long another process is waited for; then both do it. */
const PATIENCE_MS = 2_000
const ASK_EVERY_MS = 250
/** A process that dies holds the others up no longer. */
const LEASE_MS = 60_000

/**
 * Work that many processes may want at the same moment, and that should not hit a backend from all of them at the same
 * time. It saves requests and no more: who has waited for long enough, or cannot ask the store, goes ahead.
 */
export const createOneAtATime = ({ store, clock, replica }: OneAtATimeDeps) => {
  const claim = (what: string) => store.claim('maintain', what, LEASE_MS, replica.id).catch(() => null)
  return async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    if (replica.isAlone) return work()
    const untilMs = clock.now() + PATIENCE_MS
    let lease = await claim(what)
    while (!lease && clock.now() < untilMs) {
      await sleepUntil(clock, clock.now() + ASK_EVERY_MS)
      lease = await claim(what)
    }
    try {
      return await work()
    } finally {
      // If that fails, it ends by itself.
      if (lease) await store.release('maintain', lease).catch(() => undefined)
    }
  }
}
export type OneAtATime = ReturnType<typeof createOneAtATime>

interface PumpsDeps {
  store: Pick<Store, 'holders' | 'claim'>
  clock: Clock
  replica: Replica
}

/** One read is about all accounts. */
const READ_EVERY_MS = 1_000
/** A process that keeps crashing does not take over from others. */
const SETTLED_MS = 5_000
/** How long a process leaves a free account to others, if they probably reach its backend and this process does not. */
const RELUCTANT_MS = 5_000

/** Which process sends and polls for each account. Rejects if the store cannot be read. */
export const createPumps = ({ store, clock, replica }: PumpsDeps) => {
  let read: { atMs: number; holders: Promise<ReadonlyMap<string, string>> } | null = null
  let goneSince: ReadonlyMap<string, number> = new Map()
  const freeSince = new Map<AccountId, number>()
  const startedAtMs = clock.now()

  const holders = (): Promise<ReadonlyMap<string, string>> => {
    const sinceMs = read === null ? Infinity : clock.now() - read.atMs
    if (read !== null && sinceMs >= 0 && sinceMs < READ_EVERY_MS) return read.holders
    const found = store.holders('account').then((all) => {
      const gone = all.flatMap(({ holder, isGone }) => (isGone ? [holder] : []))
      goneSince = new Map(gone.map((holder) => [holder, goneSince.get(holder) ?? clock.now()]))
      return new Map(all.map(({ id, holder }) => [id, holder]))
    })
    const reading = { atMs: clock.now(), holders: found }
    read = reading
    found.catch(() => {
      if (read === reading) read = null
    })
    return found
  }

  const holderOf = async (account: AccountId): Promise<string | null> => (await holders()).get(account) ?? null
  const otherOf = async (account: AccountId): Promise<string | null> => {
    const holder = await holderOf(account)
    return holder === replica.id ? null : holder
  }

  /** At two reads in a row: one that lives may have lost its connection, and is back by then. */
  const mayTakeFrom = (holder: string): boolean =>
    clock.now() - (goneSince.get(holder) ?? Infinity) >= READ_EVERY_MS && clock.now() - startedAtMs >= SETTLED_MS

  return {
    /** The id of the process; null: none, or one that reported no id. */
    holderOf,
    /** Another process holds it. */
    isElsewhere: async (account: AccountId): Promise<boolean> => !replica.isAlone && (await otherOf(account)) !== null,
    /** Null: another process holds it, or may want it, and this one is reluctant. */
    async claim(account: AccountId, leaseMs: number, isReluctant: boolean): Promise<Lease | null> {
      const other = await otherOf(account)
      // A claim would be refused: that costs a write, and this a read for all.
      if (other !== null && !mayTakeFrom(other)) {
        freeSince.delete(account)
        return null
      }
      const sinceMs = freeSince.get(account) ?? clock.now()
      freeSince.set(account, sinceMs)
      if (isReluctant && clock.now() - sinceMs < RELUCTANT_MS) return null
      freeSince.delete(account)
      return store.claim('account', account, leaseMs, replica.id, other)
    },
  }
}
export type Pumps = ReturnType<typeof createPumps>

/** This start of this process. Containers often have the same process id, and may have the same name. */
export const thisReplica = (isAlone: boolean): Replica => ({
  id: `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`,
  isAlone,
})
