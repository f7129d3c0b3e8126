import { statfsSync } from 'node:fs'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'

/** Kept back for what is under way: a settle and its deliveries must still find room when creates no longer do. */
const RESERVE_BYTES = 64 * 1024 * 1024
/** How long one look at the disk holds. */
const HELD_MS = 1_000

/** Bytes that the volume of `folder` has left. */
export const freeBytesOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Throws `store_unavailable` while the volume is almost full: creates stop before the store is (design 4, "Retention"). */
export const createRoomCheck = (clock: Clock, freeBytes: () => number) => {
  let seen: { atMs: number; freeBytes: number } | null = null
  return (): void => {
    const nowMs = clock.now()
    if (!seen || Math.abs(nowMs - seen.atMs) >= HELD_MS) seen = { atMs: nowMs, freeBytes: freeBytes() }
    if (seen.freeBytes >= RESERVE_BYTES) return
    throw new Problem('store_unavailable', 'the gateway has almost no room left for new videos', {
      retryAtMs: nowMs + 30_000,
    })
  }
}
