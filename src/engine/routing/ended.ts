import type { EndedQuery, EndedVideo, RoutingStore } from '../../core/store/routing.ts'
import { breath } from '../../core/time/breath.ts'

/** How many rows are read at once: a millisecond or less of the main thread. */
const PAGE = 250

/** Hands every video that ended after a time to `each`, newest first, `limit` at most. False: there are more. */
export const walkEnded = async (
  store: Pick<RoutingStore, 'ended'>,
  query: Pick<EndedQuery, 'sinceMs' | 'side'>,
  limit: number,
  each: (video: EndedVideo) => void,
): Promise<boolean> => {
  let last: EndedVideo | null = null
  for (let left = limit; left >= 0;) {
    const asked = Math.min(PAGE, left + 1)
    const page = await store.ended({ ...query, before: last, limit: asked })
    for (const video of page.slice(0, left)) each(video)
    left -= page.length
    if (page.length < asked) return true
    last = page.at(-1) ?? null
    await breath()
  }
  return false
}
