import type { Clock } from '../../core/time/clock.ts'

/** The most pages of one list that are read, in case a list never ends. */
export const PAGES_AT_MOST = 20
/** A walk that has stood still for this long begins again. */
const RESUMABLE_MS = 10 * 60_000

/** The part of a list that was read so far. */
export interface Walk<Page> {
  beganAtMs: number
  /** When its last page was read. */
  atMs: number
  pages: Page[]
  /** Another page comes after these. */
  goesOn: boolean
}

/** One page, and whether it is the last. */
export interface PageRead<Page> {
  page: Page
  isLast: boolean
}

const isPage = <Page>(read: unknown): read is PageRead<Page> =>
  typeof read === 'object' && read !== null && 'page' in read

/**
 * Walks through backends' lists, one walk for each key. If a page cannot be had now, the pages before it are kept, and
 * the next call goes on behind them. So a long list is read over several windows.
 */
export const createWalks = <Page>(clock: Pick<Clock, 'now'>) => {
  const begun = new Map<string, Walk<Page>>()

  const walkOf = (key: string): Walk<Page> => {
    const nowMs = clock.now()
    for (const [other, { atMs }] of begun) if (nowMs - atMs >= RESUMABLE_MS) begun.delete(other)
    const walk = begun.get(key) ?? { beganAtMs: nowMs, atMs: nowMs, pages: [], goesOn: true }
    begun.set(key, walk)
    return walk
  }

  return {
    /**
     * `read` gets the pages so far and answers the next one. Anything else that it answers, or a rejection, ends the
     * call.
     */
    async walk<Instead>(
      key: string,
      read: (before: readonly Page[]) => Promise<PageRead<Page> | Instead>,
    ): Promise<Walk<Page> | Instead> {
      const walk = walkOf(key)
      while (walk.goesOn && walk.pages.length < PAGES_AT_MOST) {
        const next = await read(walk.pages)
        if (!isPage<Page>(next)) return next
        walk.pages.push(next.page)
        walk.atMs = clock.now()
        walk.goesOn = !next.isLast
      }
      begun.delete(key)
      return walk
    },
    forget: (key: string): void => void begun.delete(key),
  }
}
