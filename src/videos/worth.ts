import type { BudgetView, OpenVideo } from '../core/ports.ts'
import type { Learned } from './learned.ts'
import type { LookMemory } from './look.ts'
import { priceOfLook, worthLooking, type Watched } from './price.ts'

export interface WorthContext {
  nowMs: number
  budget: BudgetView
  minIntervalMs: number
  maxAgeMs: number
  learned: Pick<Learned, 'of'>
  memories: ReadonlyMap<string, LookMemory>
  calledBack: boolean
  /** Somebody waits for its end. */
  isAwaited: (row: OpenVideo) => boolean
}

const watchedOf = (row: OpenVideo, { learned, memories, calledBack, nowMs }: WorthContext): Watched => {
  const memory = memories.get(row.id)
  const job = {
    acceptedAtMs: row.acceptedAtMs ?? nowMs,
    lastLookAtMs: memory?.lastLookAtMs ?? null,
    readings: memory?.readings ?? [],
    calledBack: calledBack && !row.isImported,
  }
  return { id: row.id, memory: learned.of(row.backend).memory, job }
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

/** The price of a look for all that runs on the account: as learned, or more while the window is short. */
export const priceFor = (running: readonly OpenVideo[], context: WorthContext): number => {
  const { nowMs, budget, minIntervalMs, learned } = context
  const accepted = running.filter(({ phase }) => phase === 'accepted')
  const thetaMs = Math.min(...new Set(accepted.map(({ backend }) => learned.of(backend).thetaMs)))
  const watched = accepted.map((row) => watchedOf(row, context))
  return priceOfLook(watched, budget, { nowMs, thetaMs, minIntervalMs })
}

/**
 * Of the looks that are due, those worth the price of a request, in the order in which to take them: videos that
 * somebody waits for first, then by urgency. With requests to spare all of them are.
 */
export const looksWorthTaking = (due: readonly OpenVideo[], priceMs: number, context: WorthContext): string[] => {
  const awaited = new Set(due.filter(context.isAwaited).map(({ id }) => id))
  const worth = worthLooking(
    due.map((row) => ({ ...watchedOf(row, context), must: mustLook(row, context) })),
    priceMs,
    context.nowMs,
  ).map(({ id }) => id)
  return [...worth.filter((id) => awaited.has(id)), ...worth.filter((id) => !awaited.has(id))]
}
