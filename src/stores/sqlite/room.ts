import { statfsSync } from 'node:fs'
import type { Clock } from '../../core/time/clock.ts'
import { int, type Row } from '../sql/db.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Always kept back: for the write-ahead log, indexes, secrets, learned durations. */
const RESERVE_BYTES = 64 * MIB
/** Kept back for each open video: its end, its events, their deliveries and attempts. */
const RESERVE_PER_VIDEO_BYTES = 64 * KIB
/** For the write-ahead log, which grows on the volume even if the file has unused pages. */
const LOG_BYTES = 32 * MIB
/** Below so much on its volume, a store without open videos takes no more. */
export const NEEDED_BYTES = RESERVE_BYTES + LOG_BYTES
/** How long one measurement of the volume is used. */
const HELD_MS = 1_000

/** The database file, in pages. */
export interface FileRoom {
  pageBytes: number
  pages: number
  /** Empty ones of `pages`. Purged rows give their pages back here, never to the volume. */
  unused: number
  /** The limit of the writer's connection. */
  maxPages: number
}

export const roomOf = (db: { get(sql: string): Row | undefined }): FileRoom => {
  const row =
    db.get(`
      SELECT page_size, page_count, freelist_count, max_page_count
      FROM pragma_page_size, pragma_page_count, pragma_freelist_count, pragma_max_page_count`) ?? {}
  return {
    pageBytes: int(row, 'page_size'),
    pages: int(row, 'page_count'),
    unused: int(row, 'freelist_count'),
    maxPages: int(row, 'max_page_count'),
  }
}

/**
 * Whether there is room for one more video. Creates stop before the store is full, so that open videos can still
 * settle. `freeBytes` is what the volume has left; null: unknown, and then only the file's own limit counts.
 */
export const hasRoom = (file: FileRoom, freeBytes: number | null, openVideos: number): boolean => {
  const mayGrowBytes = (file.maxPages - file.pages) * file.pageBytes
  const onVolumeBytes = freeBytes === null ? mayGrowBytes : freeBytes - LOG_BYTES
  if (onVolumeBytes < 0) return false
  const leftBytes = file.unused * file.pageBytes + Math.min(mayGrowBytes, onVolumeBytes)
  return leftBytes >= RESERVE_BYTES + openVideos * RESERVE_PER_VIDEO_BYTES
}

/** Bytes that the volume of `folder` has left; null where its file system does not say. */
export const freeBytesOf = (folder: string): number | null => {
  const { bavail, bsize, blocks } = statfsSync(folder)
  return blocks === 0 ? null : bavail * bsize
}

/** What `measure` says, at most once a second. If it fails, the room is unknown, and a write may fail instead. */
export const createFreeBytes = (clock: Clock, measure: () => number | null) => {
  let seen: { atMs: number; freeBytes: number | null } | null = null
  const measured = (): number | null => {
    try {
      return measure()
    } catch {
      return null
    }
  }
  return (): number | null => {
    const nowMs = clock.now()
    if (!seen || Math.abs(nowMs - seen.atMs) >= HELD_MS) seen = { atMs: nowMs, freeBytes: measured() }
    return seen.freeBytes
  }
}
