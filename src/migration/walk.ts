import type { Place } from '../core/store/accounts.ts'
import { breath } from '../core/time/clock.ts'

/** How long other work waits for a slice of this: far less than anybody notices. */
const SLICE_MS = 4
/** Read at once: parsing as many takes about as long as a slice. */
export const PAGE = 50

/** What there is to read, oldest first: pages of it behind a place. */
export interface Source<T> {
  page: (after: Place, limit: number) => Promise<readonly T[]>
  placeOf: (item: T) => NonNullable<Place>
  /** Items of later than this are not part of it. */
  untilMs: number
}

/**
 * Gives each item to `take`, a page at a time, and lets other work run after every few milliseconds. Rejects with the
 * signal's reason when it aborts.
 */
export const walk = async <T>(
  { page, placeOf, untilMs }: Source<T>,
  signal: AbortSignal,
  take: (item: T) => Promise<void> | void,
  onPage: (atMs: number) => void = () => undefined,
): Promise<void> => {
  let after: Place = null
  for (;;) {
    await breath()
    signal.throwIfAborted()
    let sinceMs = performance.now()
    const items: readonly T[] = await page(after, PAGE)
    for (const item of items) {
      if (placeOf(item).atMs > untilMs) return
      await take(item)
      if (performance.now() - sinceMs < SLICE_MS) continue
      await breath()
      sinceMs = performance.now()
    }
    const last = items.at(-1)
    if (last === undefined) return
    after = placeOf(last)
    onPage(after.atMs)
  }
}
