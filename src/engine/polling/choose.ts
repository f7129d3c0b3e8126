import type { BudgetView } from '../../core/store/accounts.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import type { Account } from '../upstream/accounts.ts'
import type { Learned } from './learned.ts'
import { plannedAt } from './poll-plan.ts'
import { remember, type PollMemory } from './poll-memory.ts'
import { pricesOf, worthPolling, type Crowd, type Prices, type Watched } from './price.ts'
import type { RunningJobs } from './running-jobs.ts'

export interface ChoiceDeps {
  account: Pick<Account, 'id' | 'slots'>
  /** The backend has a list: one request may tell of many jobs, so the cost of a poll is not known. */
  hasList: boolean
  /** The backend calls back when a job that was made here ends. */
  calledBack: () => boolean
  learned: Pick<Learned, 'of' | 'pollAt' | 'priced'>
  runningJobs: Pick<RunningJobs, 'rows' | 'memories' | 'isAwaited' | 'isBusy' | 'putBack'>
  settings: { minIntervalMs: number; maxAgeMs: number }
}

/** What a turn begins with. */
export interface Turn {
  nowMs: number
  budget: BudgetView
  /** Videos that wait to be sent. */
  waiting: number
}

/** The record was written since the last poll: its due time is the one that a callback set. */
const isNewer = (row: OpenVideo, memory: PollMemory | undefined): boolean => !memory || memory.version < row.version
const isOwed = (hintAtMs: number, memory: PollMemory | undefined, nowMs: number): boolean =>
  hintAtMs <= nowMs && (memory?.lastPollAtMs ?? 0) < hintAtMs

/**
 * Due for another reason than its expected lateness: a callback came, the last poll failed, its end is known, or it is
 * too old.
 */
const mustPoll = (row: OpenVideo, memory: PollMemory | undefined, nowMs: number, maxAgeMs: number): boolean => {
  const isHinted = row.lastHintAtMs !== null && (isNewer(row, memory) || isOwed(row.lastHintAtMs, memory, nowMs))
  return isHinted || row.linkOwed || memory?.must === true || nowMs - (row.acceptedAtMs ?? nowMs) >= maxAgeMs
}

/** Every so many-th poll is the others', if theirs is worth one: counted across windows, for one may be of a single request. */
const OTHERS_TURN = 3
/**
 * `passed`: polls of those that somebody waits for since the last of the others. `left`: requests that are not kept for
 * the former, to which the others come when none of those is due.
 */
const inTurns = <T>(awaited: readonly T[], others: readonly T[], passed: number, left: number): T[] => {
  const [first, second] = [[...awaited], [...others]]
  const all: T[] = []
  for (let since = passed + 1; ; since += 1) {
    const isTheirs = since >= OTHERS_TURN || (first.length === 0 && all.length - awaited.length < left)
    const next = isTheirs && second.length > 0 ? second : first
    if (next.length === 0) return all
    all.push(...next.splice(0, 1))
    if (next === second) since = 0
  }
}

/** How many jobs of each kind are sampled for the forecast. */
const SAMPLE = 64
/** So few are priced at every turn. */
const FEW = 16
/** Finding a price takes up to 75 µs for each that is asked: it is good for about a millisecond for each. */
const pricedForMs = (running: number): number => Math.max(0, Math.min(running, 2 * SAMPLE) - FEW)
/**
 * So many are planned anew at a turn at most, so that it costs alike however many run; and so many for each millisecond
 * since the turn before. Each poll that ends asks for a turn: where thousands end in a second, plans made anew at each
 * were two thirds of all garbage.
 */
const REPLANNED = 64
const REPLANNED_EACH_MS = 8
/** When to come back to a poll that is due but not worth a request. */
const RETHINK_MS = 1_000

/** If the window is spent, the price is that of the next one. */
const onSale = ({ budget, nowMs, waiting }: Turn): Turn =>
  budget.remaining > 0 || budget.resetsAtMs === null
    ? { budget, nowMs, waiting }
    : { budget: { ...budget, remaining: budget.limit, resetsAtMs: null }, nowMs: budget.resetsAtMs, waiting }

/** Chooses which polls of an account are worth a request. One price decides when each is due, and their order. */
export const createChoice = ({ account, hasList, calledBack, learned, runningJobs, settings }: ChoiceDeps) => {
  const { rows, memories, isAwaited } = runningJobs
  let prices: Prices = { awaitedMs: 0, othersMs: 0, kept: 0 }
  let pricedUntilMs = 0
  let passed = 0
  let planning = rows.ids()
  let plannedAtMs = -Infinity

  /** Whether a callback is promised. For a job that was made elsewhere the backend has no URL to call. */
  const isCalledBack = ({ source }: OpenVideo): boolean => calledBack() && source !== 'import'

  const watchedOf = (row: OpenVideo, nowMs: number): Watched => {
    const { lastPollAtMs = null, readings = [] } = memories.get(row.id) ?? {}
    const { memory, leastMs } = learned.of(row.backend, row.source)
    const acceptedAtMs = row.acceptedAtMs ?? nowMs
    return { memory, leastMs, job: { acceptedAtMs, lastPollAtMs, readings, calledBack: isCalledBack(row) } }
  }

  /** Those that are polled, which few are where a callback is promised. */
  const crowdOf = (kind: 'awaited' | 'others', nowMs: number): Crowd => {
    const { rows: some, each } = rows.sample(kind, SAMPLE)
    return { jobs: some.filter((row) => !isCalledBack(row)).map((row) => watchedOf(row, nowMs)), each }
  }

  const pricesFor = ({ budget, nowMs, waiting }: Turn): Prices =>
    pricesOf({ awaited: crowdOf('awaited', nowMs), others: crowdOf('others', nowMs) }, budget, {
      nowMs,
      minIntervalMs: settings.minIntervalMs,
      waiting,
      slots: account.slots,
    })

  const must = (row: OpenVideo, memory: PollMemory | undefined, nowMs: number): boolean =>
    mustPoll(row, memory, nowMs, settings.maxAgeMs)

  const plannedFor = (row: OpenVideo, memory: PollMemory | undefined, nowMs: number): number => {
    const { lastPollAtMs = null, readings = [], notBeforeMs = null } = memory ?? {}
    const state = { nowMs, lastPollAtMs, readings, hintAtMs: notBeforeMs, calledBack: isCalledBack(row) }
    const priceMs = isAwaited(row) ? prices.awaitedMs : prices.othersMs
    const { backend, source, acceptedAtMs } = row
    return learned.pollAt({ backend, source, acceptedAtMs: acceptedAtMs ?? nowMs }, state, priceMs)
  }

  /** A cheaper poll is due sooner. What is due for another reason than its price stays so. */
  const replan = (id: string, nowMs: number): void => {
    const memory = runningJobs.isBusy(id) ? undefined : memories.get(id)
    const row = memory && rows.get(id)
    if (!memory || row?.phase !== 'accepted') return
    const isHinted = (row.lastHintAtMs ?? 0) > (memory.lastPollAtMs ?? 0)
    if (isHinted || must(row, memory, nowMs)) return
    const before = plannedAt(row, memory)
    // Nothing comes before what the backend wants, or before it is due already.
    if (before <= Math.max(nowMs, memory.notBeforeMs ?? 0)) return
    const dueAtMs = plannedFor(row, memory, nowMs)
    // `next_poll_at` is shown to clients: it should not change for nothing.
    if (before - dueAtMs <= (before - nowMs) / 8) return
    remember(memories, id, { version: row.version, dueAtMs })
    runningJobs.putBack(row)
  }

  /** The due polls that are worth the price, best first: videos that somebody waits for, then the others. */
  const worthOf = (due: readonly OpenVideo[], { nowMs, budget }: Turn): OpenVideo[] => {
    const worth = (ofAwaited: boolean, priceMs: number): OpenVideo[] =>
      worthPolling(
        due
          .filter((row) => isAwaited(row) === ofAwaited)
          .map((row) => ({ ...watchedOf(row, nowMs), must: must(row, memories.get(row.id), nowMs), row })),
        priceMs,
        nowMs,
      ).map(({ row }) => row)
    const [awaited, others] = [worth(true, prices.awaitedMs), worth(false, prices.othersMs)]
    // Late enough, any poll is worth any price: what is kept for those that somebody waits for is kept all the same.
    const left = hasList ? Infinity : Math.floor(budget.remaining - prices.kept)
    return inTurns(awaited, others, passed, left)
  }

  return {
    /** Prices a poll, now and then, and plans some of those that became cheaper anew. */
    price(turn: Turn): void {
      const { nowMs } = turn
      if (nowMs >= pricedUntilMs) {
        prices = pricesFor(onSale(turn))
        pricedUntilMs = nowMs + pricedForMs(rows.size())
        learned.priced(account.id, prices.awaitedMs)
      }
      const passedMs = Math.max(0, nowMs - plannedAtMs)
      const replanned = Math.min(REPLANNED, passedMs * REPLANNED_EACH_MS, rows.size())
      plannedAtMs = nowMs
      for (let n = 0; n < replanned; n += 1) {
        let next = planning.next()
        if (next.done) next = (planning = rows.ids()).next()
        if (!next.done) replan(next.value, nowMs)
      }
    },
    /** A request went out to poll it. */
    polled(row: OpenVideo): void {
      passed = isAwaited(row) ? passed + 1 : 0
    },
    /** Of the polls that are due, those to take now if there is room, best first; the others are put back. */
    take(due: readonly OpenVideo[], turn: Turn): OpenVideo[] {
      const { nowMs } = turn
      const worth = worthOf(due, turn)
      const taken = new Set(worth)
      for (const row of due) {
        if (taken.has(row)) continue
        const memory = memories.get(row.id)
        const isMust = must(row, memory, nowMs)
        const [atMs, laterMs] = [plannedFor(row, memory, nowMs), nowMs + RETHINK_MS]
        if (!isMust) remember(memories, row.id, { version: row.version, dueAtMs: atMs > nowMs ? atMs : laterMs })
        runningJobs.putBack(row, isMust ? laterMs : 0)
      }
      return worth
    },
  }
}
export type Choice = ReturnType<typeof createChoice>
