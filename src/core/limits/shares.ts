import type { Clock } from '../time/clock.ts'

export type Taken = { ok: true; giveBack: () => void } | { ok: false; retryAtMs: number }

/** Counts what each holder took lately, in this process; what nobody holds any more is forgotten as it is met. */
export const createShares = (clock: Pick<Clock, 'now'>) => {
  /** When each was taken, oldest first. */
  const held = new Map<string, number[]>()
  return {
    /** One of `share` in any `windowMs`, or when there will be one again. */
    take(holder: string, share: number, windowMs: number): Taken {
      const nowMs = clock.now()
      const moments = (held.get(holder) ?? []).filter((atMs) => nowMs - atMs < windowMs)
      held.set(holder, moments)
      const [oldest] = moments.slice(-share)
      if (oldest !== undefined && moments.length >= share) return { ok: false, retryAtMs: oldest + windowMs }
      moments.push(nowMs)
      const giveBack = (): void => {
        const at = held.get(holder)?.lastIndexOf(nowMs) ?? -1
        if (at !== -1) held.get(holder)?.splice(at, 1)
      }
      return { ok: true, giveBack }
    },
  }
}
