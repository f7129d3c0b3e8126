import type { Clock } from '../../core/time/clock.ts'
import type { Store } from '../../core/store/index.ts'
import type { Wake } from '../../core/wake.ts'
import type { VideoRecord } from '../../core/video.ts'

/** If no hint of a change arrives, it is found this late at most. */
export const REREAD_MS = 5_000

/** Keys that somebody holds. A key is held until its last holder leaves. */
const createHeld = () => {
  const counts = new Map<string, number>()
  /** Holds the key until the answer is called. */
  const enter = (key: string): (() => void) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return () => {
      const left = (counts.get(key) ?? 1) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    }
  }
  return { has: (key: string): boolean => counts.has(key), keys: () => counts.keys(), enter }
}

/** Videos, and clients, that somebody holds a connection open for. Polls of those go first. */
export const createAwaited = () => {
  const videos = createHeld()
  const clients = createHeld()
  return {
    has: ({ id, client }: { id: string; client: string }): boolean => videos.has(id) || clients.has(client),
    videos: videos.keys,
    clients: clients.keys,
    enter: videos.enter,
    enterClient: clients.enter,
    async during<T>(id: string, work: () => Promise<T>): Promise<T> {
      const leave = videos.enter(id)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
export type Awaited = ReturnType<typeof createAwaited>

/** Remembers that it was rung while nobody waited: subscribe, then read, then wait. */
export const createBell = (clock: Clock) => {
  let rung = false
  let heard = (): void => {}
  return {
    ring(): void {
      rung = true
      heard()
    },
    /**
     * Resolves when it was rung since the last call, at `untilMs`, after `REREAD_MS` in case a ring was lost, or on
     * abort.
     */
    async next(signal: AbortSignal, untilMs = Infinity): Promise<void> {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            cancel()
            signal.removeEventListener('abort', done)
            resolve()
          }
          const cancel = clock.at(Math.min(untilMs, clock.now() + REREAD_MS), done)
          signal.addEventListener('abort', done, { once: true })
          heard = done
        })
      }
      rung = false
    },
  }
}

/**
 * Waits until the video is terminal, `untilMs` passes or `signal` aborts, and answers it as it is then; null when it is
 * gone. It subscribes before it reads, so that no change is missed.
 */
export const waitForEnd = async (
  { store, wake, clock }: { store: Store; wake: Wake; clock: Clock },
  id: string,
  untilMs: number,
  signal: AbortSignal,
): Promise<VideoRecord | null> => {
  const bell = createBell(clock)
  const off = wake.on({ changed: (changedId) => void (changedId === id && bell.ring()) })
  try {
    for (;;) {
      const video = await store.video(id)
      const nowMs = clock.now()
      if (!video || video.phase === 'ended' || nowMs >= untilMs || signal.aborted) return video
      await bell.next(signal, untilMs)
    }
  } finally {
    off()
  }
}
