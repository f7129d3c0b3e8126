import type { Clock } from '../../core/time/clock.ts'

/** Something that waits for Redis on connections of its own. */
export interface Part {
  /** Ends it. Resolves within a second or so, whatever state it is in. Never rejects. */
  close(): Promise<void>
}

export interface WatchedDeps {
  clock: Clock
  isUp: () => boolean
  start: () => Part
  /** Sends what the part is to hear, through Redis. Calls `heard` if that fails: then silence says nothing. */
  beat: () => void
  beatMs: number
  staleMs: number
  /** It heard nothing for so long, although Redis is there: another takes its place. */
  onStale: (silentMs: number) => void
}

/**
 * Watches a part by what it hears, not by what it says of itself: a worker may say that it runs, and take nothing any
 * more; a connection may be open on this side alone. One that hears nothing, not even our own beats, is made anew.
 */
export const createWatched = ({ clock, isUp, start, beat, beatMs, staleMs, onStale }: WatchedDeps) => {
  let part: Part | null = null
  let heardAtMs = 0
  let cancel = (): void => undefined
  const ending = new Set<Promise<void>>()

  const end = (old: Part): void => {
    const ended: Promise<void> = old.close().finally(() => ending.delete(ended))
    ending.add(ended)
  }
  const begin = (): void => {
    part = start()
    heardAtMs = clock.elapsed()
  }
  const check = (): void => {
    // Without Redis silence says nothing; once it is there, the part has its time to come back.
    if (!isUp()) heardAtMs = clock.elapsed()
    const silentMs = Math.round(clock.elapsed() - heardAtMs)
    if (part && silentMs >= staleMs) {
      onStale(silentMs)
      end(part)
      begin()
    }
    beat()
    tick()
  }
  const tick = (): void => {
    cancel = clock.at(clock.now() + beatMs, check)
  }

  return {
    start(): void {
      begin()
      beat()
      tick()
    },
    heard(): void {
      heardAtMs = clock.elapsed()
    },
    stop(): void {
      cancel()
      if (part) end(part)
      part = null
    },
    /** Resolves when all that was stopped has ended. */
    async ended(): Promise<void> {
      await Promise.all(ending)
    },
  }
}
