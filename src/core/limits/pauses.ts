import type { Clock } from '../time/clock.ts'

/** What an operator pauses of a backend. */
export type PausedWork = 'creates' | 'polls'

export interface Pause extends Readonly<Record<PausedWork, boolean>> {
  sinceMs: number
  /** When it ends, or ended; null: when somebody resumes it. */
  untilMs: number | null
  reason: string
  /** The id of a client. */
  by: string
}

/** What operators paused of an account, as this process knows it. */
export interface AccountPauses {
  /** Null: nothing is paused. */
  inForce(): Pause | null
  isPaused(work: PausedWork): boolean
  /** No such work goes out before; 0: it may go now; `Infinity`: when somebody resumes it. */
  untilMs(work: PausedWork): number
  /** For how long such work was paused since then. That is nothing's age. */
  pausedMs(work: PausedWork, sinceMs: number): number
  /** The time from which as long has passed, without pauses, as since `atMs` with them. */
  before(work: PausedWork, atMs: number): number
}

export const endOf = ({ untilMs }: Pick<Pause, 'untilMs'>): number => untilMs ?? Infinity

/** What these pauses mean for an account now. They are one after the other. */
export const pausesOf = (clock: Pick<Clock, 'now'>, read: () => readonly Pause[]): AccountPauses => {
  const inForce = (): Pause | null => read().findLast((one) => endOf(one) > clock.now()) ?? null
  const lengthMs = (one: Pause, fromMs: number): number =>
    Math.max(0, Math.min(endOf(one), clock.now()) - Math.max(one.sinceMs, fromMs))
  const of = (work: PausedWork): Pause[] => read().filter((one) => one[work])
  const untilMs = (work: PausedWork): number => {
    const pause = inForce()
    return pause?.[work] ? endOf(pause) : 0
  }
  return {
    inForce,
    untilMs,
    isPaused: (work) => untilMs(work) > 0,
    pausedMs: (work, sinceMs) => of(work).reduce((sum, one) => sum + lengthMs(one, sinceMs), 0),
    before: (work, atMs) => of(work).reduceRight((ms, one) => (endOf(one) > ms ? ms - lengthMs(one, 0) : ms), atMs),
  }
}
