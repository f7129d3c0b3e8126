import { createHash } from 'node:crypto'
import { type Args, type ClientOf, type LOCKS, type VerbName, type Write, QUICK, VERBS } from '../sql/store.ts'
import { Problem } from '../../core/errors.ts'
import { type Db, inTurn, type RoomyDb } from '../sql/db.ts'
import { failureOf, isOfServer, isTimeout, LIMITS_MS } from './pool.ts'
import type { Transact } from './transaction.ts'

/** The 64-bit numbers of advisory locks, in the order in which they are taken. Other schemas have others. */
export const lockKeys = (schema: string, names: ReadonlySet<string>): bigint[] =>
  [...names]
    .map((name) => createHash('sha256').update(`${schema}\0${name}`).digest().readBigInt64BE())
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/** A write that waits for its turn, and what it locks. */
interface Waiting {
  locks: ReadonlySet<string>
  /** No caller waits for it. */
  hasTime: boolean
}

/** Writes of one transaction at most. */
export const MOST_IN_ONE = 200

const meets = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean => {
  for (const one of some) if (others.has(one)) return true
  return false
}

/**
 * The writes that go into the next transaction: the first that need not wait for one under way (`held`), and with it
 * all that would wait for it, and for nothing else. Those that have time go with each other, whatever they lock. In the
 * order of their arrival: nobody passes a write that waits for the same lock. Empty: all must wait. So one process never
 * waits for itself in the database, and what one turn of the loop wrote is one commit.
 */
export const nextBatch = <T extends Waiting>(waiting: readonly T[], held: ReadonlySet<string>): T[] => {
  const blocked = new Set(held)
  const locks = new Set<string>()
  const batch: T[] = []
  let haveTime = true
  for (const one of waiting) {
    if (batch.length === MOST_IN_ONE) break
    const isAlike: boolean = batch.length === 0 || (haveTime && one.hasTime)
    const joins: boolean = isAlike || one.locks.size === 0 || meets(one.locks, locks)
    const taken: boolean = joins && !meets(one.locks, blocked)
    if (taken) batch.push(one)
    haveTime &&= one.hasTime || !taken
    for (const name of one.locks) (taken ? locks : blocked).add(name)
  }
  return batch
}

interface WriterOptions {
  transact: Transact
  schema: string
  locks: typeof LOCKS
  clientOf: ClientOf
  /** Transactions at the same time, at most. */
  concurrency: number
}

/** Writes that wait at most: what comes later is refused, and nothing of it is written. */
const MOST_WAITING = 10_000
/** How long a write waits, in milliseconds: a caller's answer is due. Nobody waits for what came from a receiver or a backend. */
const LONGEST_WAIT_MS = 5_000
const PATIENT_MS = 15_000
/** How often the gateway searches for writes that wait too long, in milliseconds. */
const REFUSE_MS = 500
const PATIENT: ReadonlySet<VerbName> = new Set(['write', 'attempted'])
/** How long a transaction begins further writes, in milliseconds: on a slow server, a batch may take minutes. */
const BATCH_MS = 1_000

/** No caller waits for these. They wait so long, in milliseconds, for each other, or until any other write goes. */
const COMPANY_MS = 10
const WITH_TIME: ReadonlySet<VerbName> = new Set([
  'admit',
  'claimDeliveries',
  'attempted',
  'putFacts',
  'addDurations',
  'putSample',
])

interface Item extends Waiting {
  /** When it is refused, if it still waits then. */
  untilMs: number
  verb: VerbName
  args: unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** `write` typed the arguments of each verb. */
const run = VERBS as unknown as Readonly<Record<VerbName, (db: RoomyDb, args: unknown) => Promise<unknown>>>

/** A database makes room by itself: its operator watches its disk. */
const roomy = (db: Db): RoomyDb => ({ ...db, hasRoom: async () => true })

const unavailable = (cause: unknown): Problem =>
  new Problem('store_unavailable', 'the store cannot be written at the moment', { cause })

/** Runs writes in transactions, many in one where they lock the same. */
export const createWriter = ({ transact, schema, locks, clientOf, concurrency }: WriterOptions) => {
  let waiting: Item[] = []
  const held = new Set<string>()
  let running = 0
  let planned = false
  let next: NodeJS.Timeout | undefined
  let company: NodeJS.Timeout | undefined

  /** Ends the wait of some. */
  const refuse = (which: (item: Item) => boolean, cause: unknown): void => {
    const refused = waiting.filter(which)
    if (refused.length === 0) return
    waiting = waiting.filter((item) => !which(item))
    for (const item of refused) item.reject(unavailable(cause))
  }

  /** The answers of the first of them; the others are still to do. */
  const runFirst = (batch: readonly Item[]): Promise<unknown[]> => {
    const names = new Set(batch.flatMap((item) => [...item.locks]))
    const durable = batch.some(({ verb }) => !QUICK.has(verb))
    const long = batch.some(({ verb }) => verb.startsWith('purge'))
    return transact({ locks: lockKeys(schema, names), durable, long }, async (db, nowMs) => {
      const endMs = performance.now() + BATCH_MS
      const answers: unknown[] = []
      for (const { verb, args } of batch) {
        if (answers.length > 0 && performance.now() > endMs) break
        answers.push(await run[verb](roomy(db), { ...(args as object), nowMs }))
      }
      return answers
    })
  }

  /**
   * One that fails does not fail the others: each then runs by itself. Where no verb is at fault all fail immediately:
   * each only would wait for the server in turn.
   */
  const settle = async (batch: readonly Item[]): Promise<void> => {
    try {
      const answers = await runFirst(batch)
      for (const [n, answer] of answers.entries()) batch[n]?.resolve(answer)
      waiting.unshift(...batch.slice(answers.length))
    } catch (error) {
      // A write that has time may have waited for a lock of another one: it runs again without that.
      const again = batch.length > 1 && isTimeout(error) ? batch.filter(({ hasTime }) => hasTime) : []
      if (batch.length > 1 && !isOfServer(error)) await inTurn(batch, (item) => settle([item]))
      else for (const item of batch) if (!again.includes(item)) item.reject(unavailable(error))
      // While the server is away, whatever waits would fail as well, and later.
      if (failureOf(error) === 'disconnected') refuse(() => true, error)
      // Writes that waited for these locks may wait as long again: for some, that is too long.
      const endMs = performance.now() + LIMITS_MS.write.lock
      const follows = (item: Item): boolean => batch.some((one) => meets(one.locks, item.locks))
      if (isTimeout(error)) refuse((item) => item.untilMs < endMs && follows(item), error)
      const untilMs = performance.now() + LONGEST_WAIT_MS
      waiting.unshift(...again.map((item) => ({ ...item, hasTime: false, untilMs: Math.max(item.untilMs, untilMs) })))
    }
  }

  const start = (): void => {
    planned = false
    clearTimeout(company)
    company = undefined
    const nowMs = performance.now()
    refuse(({ untilMs }) => untilMs <= nowMs, new Error('it waited too long for what others lock'))
    while (running < concurrency) {
      const batch = nextBatch(waiting, held)
      if (batch.length === 0) break
      const taken = new Set(batch)
      waiting = waiting.filter((item) => !taken.has(item))
      const names = batch.flatMap((item) => [...item.locks])
      for (const name of names) held.add(name)
      running += 1
      void settle(batch).then(() => {
        for (const name of names) held.delete(name)
        running -= 1
        start()
      })
    }
    clearTimeout(next)
    if (waiting.length > 0) next = setTimeout(start, REFUSE_MS).unref()
  }

  /** What one turn of the event loop writes goes together, with all that had time until then. */
  const plan = (verb: VerbName): void => {
    if (WITH_TIME.has(verb)) company ??= setTimeout(start, COMPANY_MS)
    else if (!planned) {
      planned = true
      setImmediate(start)
    }
  }

  const push = (verb: VerbName, args: unknown, names: readonly string[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MOST_WAITING) return reject(unavailable(new Error('too many writes wait')))
      const untilMs = performance.now() + (PATIENT.has(verb) ? PATIENT_MS : LONGEST_WAIT_MS)
      waiting.push({ verb, args, locks: new Set(names), hasTime: WITH_TIME.has(verb), untilMs, resolve, reject })
      plan(verb)
    })

  /** In the order of the calls, wherever the names are known immediately. */
  const ask = (verb: VerbName, args: unknown, names: ReturnType<(typeof LOCKS)[VerbName]>): Promise<unknown> =>
    names instanceof Promise
      ? names.then(
          (found) => push(verb, args, found),
          (error: unknown) => Promise.reject(unavailable(error)),
        )
      : push(verb, args, names)

  /** Everything that was asked for, until it is answered. */
  const asking = new Set<Promise<unknown>>()
  const answer = async (answered: Promise<unknown>): Promise<unknown> => {
    asking.add(answered)
    try {
      return await answered
    } finally {
      asking.delete(answered)
    }
  }

  return {
    // What is answered is what the verb of that name returned.
    write: (<V extends VerbName>(verb: V, args: Args<V>) =>
      answer(ask(verb, args, locks[verb](args, clientOf)))) as Write,
    /** Resolves when all that was asked for is answered. */
    async drained(): Promise<void> {
      await Promise.allSettled(asking)
    },
  }
}
