import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { exhaust, learn, newBudget, take, viewBudget, type Budget } from '../../core/budget.ts'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import type { Change, Changed, Lease, Store } from '../../core/ports.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { openDb, text } from './db.ts'
import { takeOwnership } from './lock.ts'
import { createReads } from './reads.ts'
import { createResourceReads } from './resource-reads.ts'
import { createRoomCheck, freeBytesOf } from './room.ts'
import { startWriter, type Write } from './write.ts'

export interface SqliteOptions {
  path: string
  clock: Clock
  /** Serve from it: one process at a time, whose start voids the leases of the one before. */
  owner: boolean
  /** Bytes left for the file; default: of its volume. */
  freeBytes?: () => number
}

/** How often a change is decided again because other writes came between. Each loss means that somebody else won. */
const MAX_TRIES = 50

const createChange =
  (write: Write, video: Store['video'], clock: Clock): Store['change'] =>
  async (id, decide): Promise<Changed> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const current = await video(id)
      if (!current) return { video: null, deliveries: [] }
      const decided: Change = decide(current, clock.now())
      if (decided.kind === 'keep') return { video: current, deliveries: [] }
      const change: Change =
        decided.kind === 'save' ? { ...decided, video: { ...decided.video, version: current.version + 1 } } : decided
      const written = await write('write', { id, version: current.version, change })
      if (written) return { video: change.kind === 'save' ? change.video : null, deliveries: written.deliveries }
    }
    throw new Problem('store_unavailable', 'the video is being written too often')
  }

/** The windows of this process's accounts. A restart starts a new window with one request that asks. */
const createBudgets = (clock: Clock): Pick<Store, 'spend' | 'learn' | 'exhausted' | 'budget'> => {
  const budgets = new Map<AccountId, Budget>()
  return {
    async spend(account, budgetClass, demand, fallbackLimit) {
      const taken = take(budgets.get(account) ?? newBudget(fallbackLimit), clock.now(), budgetClass, demand)
      budgets.set(account, taken.budget)
      return taken.retryAtMs === null
        ? { ok: true, ticket: { account, window: taken.budget.window } }
        : { ok: false, retryAtMs: taken.retryAtMs }
    },
    async learn({ account, window }, rate) {
      const budget = budgets.get(account)
      if (budget) budgets.set(account, learn(budget, window, rate, clock.now()))
    },
    async exhausted(account, untilMs) {
      const budget = budgets.get(account)
      if (budget) budgets.set(account, exhaust(budget, untilMs, clock.now()))
    },
    budget: async (account, demand, fallbackLimit) =>
      viewBudget(budgets.get(account) ?? newBudget(fallbackLimit), clock.now(), demand),
  }
}

/**
 * The embedded driver: one file, WAL, `synchronous=FULL`. Reads on this thread, writes by one writer thread that takes
 * what is concurrent into one commit. Rejects if the file is owned by another process or was written by a newer schema.
 */
export const openSqliteStore = async (options: SqliteOptions): Promise<Store> => {
  const { path, clock, owner } = options
  mkdirSync(dirname(path), { recursive: true })
  const lock = owner ? takeOwnership(path) : null
  const writer = await startWriter(path).catch((error: unknown) => {
    lock?.release()
    throw error
  })
  const { write } = writer
  if (owner) await write('voidLeases', undefined)
  const db = openDb(path, { readOnly: true })
  const reads = createReads(db, clock.now)
  const nowMs = clock.now
  const checkRoom = createRoomCheck(clock, options.freeBytes ?? (() => freeBytesOf(dirname(path))))

  return {
    ...reads,
    ...createResourceReads(db, clock.now),
    ...createBudgets(clock),
    async open(draft, key, limits, admission) {
      checkRoom()
      return write('open', { draft, key, limits, admission, nowMs: nowMs() })
    },
    admit: (account, admission) => write('admit', { account, admission, nowMs: nowMs() }),
    change: createChange(write, reads.video, clock),
    async claim(kind, id, leaseMs): Promise<Lease | null> {
      const lease = { id, token: randomUUID(), untilMs: nowMs() + leaseMs }
      return (await write('claim', { kind, ...lease, nowMs: nowMs() })) ? lease : null
    },
    extend: (kind, lease, leaseMs) => write('extend', { kind, ...lease, untilMs: nowMs() + leaseMs, nowMs: nowMs() }),
    release: (kind, { id, token }) => write('release', { kind, id, token }),
    attempted: ({ id, token }, attempt, after) => write('attempted', { id, token, attempt, after, nowMs: nowMs() }),
    async secret(client, candidate) {
      // Read at each attempt, written once: most need no commit.
      const kept = db.get('SELECT value FROM secrets WHERE client = ?', client)
      return kept ? text(kept, 'value') : write('secret', { client, candidate })
    },
    keepDurations: (source, recent) => write('keepDurations', { source, recent }),
    purge: (beforeMs, limit) => write('purge', { beforeMs, limit }),
    async begin(key, intent, leaseMs) {
      checkRoom()
      return write('begin', { key, intent, token: randomUUID(), untilMs: nowMs() + leaseMs, nowMs: nowMs() })
    },
    made: (made, key) => write('made', { made, key, nowMs: nowMs() }),
    unmade: (key, { token }, outcome) => write('unmade', { key, token, outcome }),
    forgetPuppet: (account, id) => write('forgetPuppet', { account, id }),
    countRequests: (month, counts) => write('countRequests', { month, counts }),
    purgeResources: (beforeMs, limit) => write('purgeResources', { beforeMs, limit, nowMs: nowMs() }),
    meta: (key, candidate) => write('meta', { key, candidate }),
    async ping() {
      const fault = writer.fault()
      if (fault) throw new Problem('store_unavailable', 'the store cannot be written', { cause: new Error(fault) })
      db.get('SELECT 1')
    },
    async close() {
      await writer.close()
      db.close()
      lock?.release()
    },
  }
}
