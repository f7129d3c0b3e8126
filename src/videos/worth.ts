import type { BudgetView, OpenVideo } from '../core/ports.ts'
import type { Learned } from './learned.ts'
import type { LookMemory } from './look.ts'
import { priceOfLook, requestsForetold, worthLooking, type Watched } from './price.ts'
import { ROWS_PER_MS } from './watch.ts'

export interface WorthContext {
  nowMs: number
  budget: BudgetView
  minIntervalMs: number
  maxAgeMs: number
  learned: Pick<Learned, 'of'>
  memories: ReadonlyMap<string, LookMemory>
  calledBack: boolean
  /** One request may tell of many: how many a look takes nobody knows. */
  hasList: boolean
  /** Somebody waits for its end. */
  isAwaited: (row: OpenVideo) => boolean
}

const watchedOf = (row: OpenVideo, { learned, memories, calledBack, nowMs }: WorthContext): Watched => {
  const memory = memories.get(row.id)
  const job = {
    acceptedAtMs: row.acceptedAtMs ?? nowMs,
    lastLookAtMs: memory?.lastLookAtMs ?? null,
    readings: memory?.readings ?? [],
    // Of a job that was made elsewhere its backend was never told where to call back.
    calledBack: calledBack && row.source !== 'import',
  }
  return { id: row.id, memory: learned.of(row.backend, row.source).memory, job }
}

/** The record moved since the last look: its due time is the one that a callback set. */
const isNewer = (row: OpenVideo, memory: LookMemory | undefined): boolean => !memory || memory.version < row.version
const isOwed = (hintAtMs: number, memory: LookMemory | undefined, nowMs: number): boolean =>
  hintAtMs <= nowMs && (memory?.lastLookAtMs ?? 0) < hintAtMs

/** Due for another reason than its expected lateness: a callback came, the last look failed, or it is past its deadline. */
const mustLook = (row: OpenVideo, { memories, nowMs, maxAgeMs }: WorthContext): boolean => {
  const memory = memories.get(row.id)
  const isHinted = row.lastHintAtMs !== null && (isNewer(row, memory) || isOwed(row.lastHintAtMs, memory, nowMs))
  return isHinted || memory?.must === true || nowMs - (row.acceptedAtMs ?? nowMs) >= maxAgeMs
}

/** Of a window, for looks at videos that somebody waits for, while others run: those hold slots, and end as well. */
const AWAITED_SHARE = 2 / 3

/** While there are not enough for all, every so many-th request of a window is the others', if theirs is worth one. */
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
const leftForAwaited = ({ limit, remaining, resetsAtMs, lengthMs }: BudgetView, nowMs: number): number => {
  const part = resetsAtMs === null ? 1 : Math.max(0, (resetsAtMs - nowMs) / lengthMs)
  return Math.min(remaining, AWAITED_SHARE * limit * part)
}

interface Prices {
  awaitedMs: number
  othersMs: number
  /** Requests of the window that those somebody waits for are expected to take; null while there are enough for all. */
  kept: number | null
}

/**
 * The price of a look for all that runs on the account: as learned, or more while the window is short. Videos that
 * somebody waits for have it to themselves at first, so that a crowd of others makes none of their looks dearer.
 */
export const pricesFor = (running: readonly OpenVideo[], context: WorthContext): Prices => {
  const { nowMs, budget, minIntervalMs, learned } = context
  const accepted = running.filter(({ phase }) => phase === 'accepted')
  const thetaMs = Math.min(...new Set(accepted.map(({ backend, source }) => learned.of(backend, source).thetaMs)))
  const rules = { nowMs, thetaMs, minIntervalMs }
  const of = (isAwaited: boolean): Watched[] =>
    accepted.filter((row) => context.isAwaited(row) === isAwaited).map((row) => watchedOf(row, context))
  const [awaited, others] = [of(true), of(false)]
  const all = priceOfLook([...awaited, ...others], budget, rules)
  if (awaited.length === 0 || others.length === 0 || all === thetaMs)
    return { awaitedMs: all, othersMs: all, kept: null }
  const first = priceOfLook(awaited, { ...budget, remaining: leftForAwaited(budget, nowMs) }, rules)
  const awaitedMs = Math.min(all, first)
  const kept = Math.min(requestsForetold(awaited, budget, rules, awaitedMs), leftForAwaited(budget, nowMs))
  const rest = priceOfLook(others, { ...budget, remaining: Math.max(0, budget.remaining - kept) }, rules)
  return { awaitedMs, othersMs: Math.max(all, rest), kept }
}

/**
 * Of the looks that are due, those worth the price of a request, in the order in which to take them: videos that
 * somebody waits for first, then by urgency; with requests to spare all of them are. Nobody is passed over for ever: a
 * job that nobody looks at holds its slot.
 */
export const looksWorthTaking = (due: readonly OpenVideo[], prices: Prices, context: WorthContext): OpenVideo[] => {
  const worth = (isAwaited: boolean, priceMs: number): OpenVideo[] =>
    worthLooking(
      due
        .filter((row) => context.isAwaited(row) === isAwaited)
        .map((row) => ({ ...watchedOf(row, context), must: mustLook(row, context), row })),
      priceMs,
      context.nowMs,
    ).map(({ row }) => row)
  const [awaited, others] = [worth(true, prices.awaitedMs), worth(false, prices.othersMs)]
  if (prices.kept === null) return [...awaited, ...others]
  const { limit, remaining } = context.budget
  // Late enough, any look is worth any price: what is kept for those that somebody waits for is kept all the same.
  const left = context.hasList ? Infinity : Math.max(0, Math.floor(remaining - prices.kept))
  return inTurns(awaited, others.slice(0, left), limit - remaining)
}

/** Chooses for one account. With many running the prices are not worked out at every turn. */
export const createChoice = () => {
  let prices: Prices & { untilMs: number } = { awaitedMs: 0, othersMs: 0, kept: null, untilMs: 0 }
  return (due: readonly OpenVideo[], running: ReadonlyMap<string, OpenVideo>, context: WorthContext): OpenVideo[] => {
    const { nowMs } = context
    if (nowMs >= prices.untilMs || running.size < ROWS_PER_MS)
      prices = { ...pricesFor([...running.values()], context), untilMs: nowMs + running.size / ROWS_PER_MS }
    return looksWorthTaking(due, prices, context)
  }
}
