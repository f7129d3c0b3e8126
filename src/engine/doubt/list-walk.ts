import type { ListedJob } from '../../core/adapter.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Ports } from '../../core/ports.ts'
import { backoffMs } from '../life/backoff.ts'
import type { Account } from '../upstream/accounts.ts'
import { createWalks } from '../upstream/pages.ts'
import type { Upstream } from '../upstream/tickets.ts'
import type { Walk } from './evidence.ts'

export interface ListWalkDeps extends Pick<Ports, 'clock' | 'random'> {
  upstream: Upstream
}

/** The search stops for now and goes on at `retryAtMs`. */
export type Pause = { retryAtMs: number }

export interface Walked {
  walk: Walk
  items: ListedJob[]
  /** The backend's clock less ours; null: it does not tell its time, so its list is no evidence. */
  offsetMs: number | null
}

interface Page {
  items: readonly ListedJob[]
  /** The length of the list as this page tells it; null where nothing can be compared with it. */
  total: number | null
  offsetMs: number | null
}

/** The length of the list, if all pages agree on it and hold that many jobs; else null. */
const totalOf = (pages: readonly Page[]): number | null => {
  const [{ total } = { total: null }] = pages
  const ids = pages.flatMap(({ items }) => items.map(({ jobId }) => jobId))
  const agree = pages.every((page) => page.total === total)
  return agree && ids.length === total && new Set(ids).size === total ? total : null
}

/** The key of a walk: one doubt of a video. Another attempt's list says nothing about this one. */
const keyOf = ({ id, attempt, doubtSinceMs }: VideoRecord): string => JSON.stringify([id, attempt, doubtSinceMs])

/** Reads a backend's own list for a create in doubt. */
export const createListWalk = ({ upstream, clock, random }: ListWalkDeps) => {
  const walks = createWalks<Page>(clock)
  return {
    /** The whole list, newest first; null if it has over 20 pages. If pages disagree, the walk proves nothing. */
    async walk(account: Account, video: VideoRecord): Promise<Walked | Pause | null> {
      const walk = await walks.walk<Pause>(keyOf(video), async (before) => {
        const number = before.length + 1
        const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.list(number))
        if (asked.kind === 'not_now') return { retryAtMs: asked.retryAtMs }
        if (!asked.outcome.ok) {
          const { retryAtMs } = asked.outcome.problem
          return { retryAtMs: retryAtMs ?? clock.now() + backoffMs(2, random()) }
        }
        const { items, total, totalPages, dateMs } = asked.outcome.value
        const isDated = dateMs !== null && totalPages !== null
        const page = { items, total: isDated ? total : null, offsetMs: dateMs === null ? null : dateMs - clock.now() }
        return { page, isLast: number >= (totalPages ?? 1) }
      })
      if ('retryAtMs' in walk) return walk
      if (walk.goesOn) return null
      const { pages, beganAtMs: atMs } = walk
      const items = pages.flatMap((page) => page.items)
      return { walk: { atMs, total: totalOf(pages) }, items, offsetMs: pages.at(-1)?.offsetMs ?? null }
    },
    forget: (video: VideoRecord): void => walks.forget(keyOf(video)),
  }
}
