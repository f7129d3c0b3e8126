import type { BudgetView } from '../../core/store/budget.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import type { Account } from '../upstream/accounts.ts'
import type { Learned } from './learned.ts'
import { plannedAt, type LookMemory } from './poll-plan.ts'
import { remember } from './poll.ts'
import {
  forecastOf,
  priceOfLook,
  sparePrice,
  worthLooking,
  type Crowd,
  type PriceRules,
  type Watched,
} from './price.ts'
import { ROWS_PER_MS, type Watch } from './running-jobs.ts'

export interface ChoiceDeps {
  account: Pick<Account, 'id' | 'slots'>
  /** One request may tell of many: how many a look takes nobody knows. */
  hasList: boolean
  /** It calls back when a job ends that was made here. */
  calledBack: () => boolean
  learned: Pick<Learned, 'of' | 'lookAt' | 'priced'>
  watch: Pick<Watch, 'rows' | 'memories' | 'isAwaited' | 'isBusy' | 'putBack'>
  settings: { minIntervalMs: number; maxAgeMs: number }
}

/** What a turn begins with. */
export interface Turn {
  nowMs: number
  budget: BudgetView
  /** Videos that wait to be sent. */
  waiting: number
}

/** The record moved since the last look: its due time is the one that a callback set. */
const isNewer = (row: OpenVideo, memory: LookMemory | undefined): boolean => !memory || memory.version < row.version
const isOwed = (hintAtMs: number, memory: LookMemory | undefined, nowMs: number): boolean =>
  hintAtMs <= nowMs && (memory?.lastLookAtMs ?? 0) < hintAtMs

/** Due for another reason than its expected lateness: a callback came, the last look failed, its end is known, or it is past its deadline. */
const mustLook = (row: OpenVideo, memory: LookMemory | undefined, nowMs: number, maxAgeMs: number): boolean => {
  const isHinted = row.lastHintAtMs !== null && (isNewer(row, memory) || isOwed(row.lastHintAtMs, memory, nowMs))
  return isHinted || row.linkOwed || memory?.must === true || nowMs - (row.acceptedAtMs ?? nowMs) >= maxAgeMs
}

/**
 * Of a window, for looks at videos that somebody waits for, while others run: those hold slots, and end as well. What is
 * foretold falls short now and then, so this is a little less than the two thirds that they may have.
 */
const AWAITED_SHARE = 0.6

/** Every so many-th request of a window is the others', if theirs is worth one. */
const OTHERS_TURN = 3
const inTurns = (awaited: readonly OpenVideo[], others: readonly OpenVideo[], used: number): OpenVideo[] => {
  const taken = { awaited: 0, others: 0 }
  return Array.from({ length: awaited.length + others.length }, (_, n) => {
    const isTheirs = (used + n + 1) % OTHERS_TURN === 0 || taken.awaited === awaited.length
    const from = isTheirs && taken.others < others.length ? 'others' : 'awaited'
    taken[from] += 1
    return (from === 'others' ? others : awaited)[taken[from] - 1] ?? []
  }).flat()
}

/** What is left of that share: it is spread over the window, so that others cannot take a part of it again and again. */
const leftForAwaited = ({ budget: { limit, remaining, resetsAtMs, lengthMs }, nowMs }: Turn): number => {
  const part = resetsAtMs === null ? 1 : Math.max(0, (resetsAtMs - nowMs) / lengthMs)
  return Math.min(remaining, AWAITED_SHARE * limit * part)
}

interface Prices {
  awaitedMs: number
  othersMs: number
  /** Requests of the window that those somebody waits for are expected to take, while there are not enough for all. */
  kept: number
}

/** Of those somebody waits for, and of the others, so many at most are asked what they will take. */
const SAMPLE = 64
/** So many are planned anew at a turn, so that it costs alike however many run. */
const REPLANNED = 64
/** What is due and not worth a request is thought about again after this. */
const RETHINK_MS = 1_000

/** A spent window leaves nothing to price: what counts is the next one. */
const onSale = ({ budget, nowMs, waiting }: Turn): Turn =>
  budget.remaining > 0 || budget.resetsAtMs === null
    ? { budget, nowMs, waiting }
    : { budget: { ...budget, remaining: budget.limit, resetsAtMs: null }, nowMs: budget.resetsAtMs, waiting }

/** Chooses for one account which looks are worth a request: one price times them all, and orders them. */
export const createChoice = ({ account, hasList, calledBack, learned, watch, settings }: ChoiceDeps) => {
  const { rows, memories, isAwaited } = watch
  let prices: Prices = { awaitedMs: 0, othersMs: 0, kept: 0 }
  let pricedUntilMs = 0
  let planning = rows.values()

  /** Of a job that was made elsewhere its backend was never told where to call back. */
  const isCalledBack = ({ source }: OpenVideo): boolean => calledBack() && source !== 'import'

  const watchedOf = (row: OpenVideo, nowMs: number): Watched => {
    const { lastLookAtMs = null, readings = [] } = memories.get(row.id) ?? {}
    const { memory, leastMs } = learned.of(row.backend, row.source)
    const acceptedAtMs = row.acceptedAtMs ?? nowMs
    return { memory, leastMs, job: { acceptedAtMs, lastLookAtMs, readings, calledBack: isCalledBack(row) } }
  }

  /** Those that are looked at, which few are where a callback is promised: those somebody waits for, and the others. */
  const crowds = (nowMs: number): { awaited: Crowd; others: Crowd } => {
    const every = Math.ceil(rows.size / SAMPLE)
    const begun = (): { jobs: Watched[]; count: number } => ({ jobs: [], count: 0 })
    const [awaited, others] = [begun(), begun()]
    for (const row of rows.values()) {
      if (row.phase !== 'accepted' || isCalledBack(row)) continue
      const crowd = isAwaited(row) ? awaited : others
      if (crowd.count % every === 0) crowd.jobs.push(watchedOf(row, nowMs))
      crowd.count += 1
    }
    const sampled = ({ jobs, count }: typeof awaited): Crowd => ({ jobs, each: count / Math.max(1, jobs.length) })
    return { awaited: sampled(awaited), others: sampled(others) }
  }

  /**
   * The price of a look for all that runs on the account. Videos that somebody waits for have it to themselves at first,
   * so that a crowd of others makes none of their looks dearer.
   */
  const pricesFor = (turn: Turn): Prices => {
    const { budget, nowMs, waiting } = turn
    const rules: PriceRules = { nowMs, minIntervalMs: settings.minIntervalMs, waiting, slots: account.slots }
    const { awaited, others } = crowds(nowMs)
    const all = priceOfLook([awaited, others], budget, rules)
    if (awaited.jobs.length === 0 || others.jobs.length === 0 || all === sparePrice(rules))
      return { awaitedMs: all, othersMs: all, kept: 0 }
    const share = leftForAwaited(turn)
    const awaitedMs = Math.min(all, priceOfLook([awaited], { ...budget, remaining: share }, rules))
    const kept = Math.min(forecastOf([awaited], budget, rules)(awaitedMs), share)
    const rest = priceOfLook([others], { ...budget, remaining: Math.max(0, budget.remaining - kept) }, rules)
    return { awaitedMs, othersMs: Math.max(all, rest), kept }
  }

  const must = (row: OpenVideo, nowMs: number): boolean => mustLook(row, memories.get(row.id), nowMs, settings.maxAgeMs)

  const plannedFor = (row: OpenVideo, nowMs: number): number => {
    const { lastLookAtMs = null, readings = [], notBeforeMs = null } = memories.get(row.id) ?? {}
    const state = { nowMs, lastLookAtMs, readings, hintAtMs: notBeforeMs, calledBack: isCalledBack(row) }
    const priceMs = isAwaited(row) ? prices.awaitedMs : prices.othersMs
    return learned.lookAt({ ...row, acceptedAtMs: row.acceptedAtMs ?? nowMs }, state, priceMs)
  }

  /** A cheaper look is due sooner. What is due for another reason than its price stays so. */
  const replan = (row: OpenVideo, nowMs: number): void => {
    const memory = memories.get(row.id)
    if (row.phase !== 'accepted' || !memory || watch.isBusy(row.id)) return
    const isHinted = (row.lastHintAtMs ?? 0) > (memory.lastLookAtMs ?? 0)
    if (isHinted || must(row, nowMs)) return
    const before = plannedAt(row, memory)
    const dueAtMs = plannedFor(row, nowMs)
    // Who asks is told when: not something else each time for nothing.
    if (before - dueAtMs <= (before - nowMs) / 8) return
    remember(memories, row.id, { version: row.version, dueAtMs })
    watch.putBack(row)
  }

  /** Those of these that are worth the price, best first: videos that somebody waits for, then the others. */
  const worthOf = (due: readonly OpenVideo[], { nowMs, budget }: Turn): OpenVideo[] => {
    const worth = (ofAwaited: boolean, priceMs: number): OpenVideo[] =>
      worthLooking(
        due
          .filter((row) => isAwaited(row) === ofAwaited)
          .map((row) => ({ ...watchedOf(row, nowMs), must: must(row, nowMs), row })),
        priceMs,
        nowMs,
      ).map(({ row }) => row)
    const [awaited, others] = [worth(true, prices.awaitedMs), worth(false, prices.othersMs)]
    const { limit, remaining } = budget
    // Late enough, any look is worth any price: what is kept for those that somebody waits for is kept all the same.
    const left = hasList ? Infinity : Math.max(0, Math.floor(remaining - prices.kept))
    return inTurns(awaited, others.slice(0, left), limit - remaining)
  }

  return {
    /** Prices a look, and plans those that became cheaper anew; with many running, not all of that at every turn. */
    price(turn: Turn): void {
      const { nowMs } = turn
      if (nowMs >= pricedUntilMs || rows.size < ROWS_PER_MS) {
        prices = pricesFor(onSale(turn))
        pricedUntilMs = nowMs + rows.size / ROWS_PER_MS
        learned.priced(account.id, prices.awaitedMs)
      }
      for (let n = 0; n < Math.min(REPLANNED, rows.size); n += 1) {
        let next = planning.next()
        if (next.done) next = (planning = rows.values()).next()
        if (!next.done) replan(next.value, nowMs)
      }
    },
    /** Of the looks that are due, those to take now if there is room, best first; the others are put back. */
    take(due: readonly OpenVideo[], turn: Turn): OpenVideo[] {
      const { nowMs } = turn
      const worth = worthOf(due, turn)
      const taken = new Set(worth)
      for (const row of due) {
        if (taken.has(row)) continue
        const [atMs, laterMs] = [plannedFor(row, nowMs), nowMs + RETHINK_MS]
        if (!must(row, nowMs))
          remember(memories, row.id, { version: row.version, dueAtMs: atMs > nowMs ? atMs : laterMs })
        watch.putBack(row, must(row, nowMs) ? laterMs : 0)
      }
      return worth
    },
  }
}
export type Choice = ReturnType<typeof createChoice>
