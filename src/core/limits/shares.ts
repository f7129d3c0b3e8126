import type { Clock } from '../time/clock.ts'

export type Taken = { ok: true; giveBack: () => void } | { ok: false; retryAtMs: number }

/** Holds the share of all callers without a key together: no client has this id. */
export const ANYBODY = '*'

/** Counts what each holder took lately, in memory. */
export const createShares = (clock: Pick<Clock, 'now'>) => {
  /** When each was taken, oldest first; those before `from` count no more. */
  const held = new Map<string, { moments: number[]; from: number }>()
  const heldBy = (holder: string): { moments: number[]; from: number } => {
    const known = held.get(holder) ?? { moments: [], from: 0 }
    held.set(holder, known)
    return known
  }
  return {
    /** Takes one of `share` in any `windowMs`, or says when there will be one again. */
    take(holder: string, share: number, windowMs: number): Taken {
      const nowMs = clock.now()
      const mine = heldBy(holder)
      const { moments } = mine
      while (nowMs - (moments[mine.from] ?? nowMs) >= windowMs) mine.from += 1
      // As many are moved as are dropped, at most: no take costs more for all that were taken before it.
      if (mine.from * 2 > moments.length) {
        moments.splice(0, mine.from)
        mine.from = 0
      }
      if (moments.length - mine.from >= share)
        return { ok: false, retryAtMs: (moments[moments.length - share] ?? nowMs) + windowMs }
      moments.push(nowMs)
      const giveBack = (): void => {
        const at = moments.lastIndexOf(nowMs)
        if (at >= mine.from) moments.splice(at, 1)
      }
      return { ok: true, giveBack }
    },
  }
}
export type Shares = ReturnType<typeof createShares>
