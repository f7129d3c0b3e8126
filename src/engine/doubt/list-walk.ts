import type { ListedJob } from '../../core/adapter.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'
import { isSameDoubt, type Doubt } from '../life/create-steps.ts'
import type { Walk } from './evidence.ts'
import { backoffMs } from '../life/backoff.ts'
import type { Upstream } from '../upstream/tickets.ts'

export interface WalksDeps {
  upstream: Upstream
  clock: Clock
  random: () => number
}

/** The search stops for now and goes on at `retryAtMs`. */
export type Pause = { retryAtMs: number }

export interface Walked {
  walk: Walk
  items: ListedJob[]
  /** The backend's clock less ours; null: it does not tell its time, so its list is no evidence. */
  offsetMs: number | null
}

/** How far a walk has come. If it runs out of tickets, it goes on from here. */
interface Walking extends Pick<Walked, 'items' | 'offsetMs'> {
  /** The doubt that it is for. Another doubt of the same video needs a new walk. */
  about: Doubt
  startedAtMs: number
  pages: number
  totals: Set<number | null>
}

export const PAGES_AT_MOST = 20

/** Walks through a backend's own list, page by page, over as many windows as that takes. */
export const createWalks = ({ upstream, clock, random }: WalksDeps) => {
  const walking = new Map<string, Walking>()

  const begunFor = (video: VideoRecord): Walking => {
    const begun = walking.get(video.id)
    if (begun && isSameDoubt(video, begun.about)) return begun
    const { attempt, doubtSinceMs } = video
    const about = { attempt, doubtSinceMs }
    return { about, startedAtMs: clock.now(), pages: 0, items: [], totals: new Set(), offsetMs: null }
  }

  /** Forgets the walk, unless it is already for another doubt of this video. */
  const forget = (video: VideoRecord): void => {
    const begun = walking.get(video.id)
    if (begun && isSameDoubt(video, begun.about)) walking.delete(video.id)
  }

  /** The length of the list, if all pages agree on it and hold that many jobs; else null. */
  const totalOf = ({ items, totals }: Walking): number | null => {
    const [only = null] = totals
    const distinct = new Set(items.map(({ jobId }) => jobId)).size
    return totals.size === 1 && items.length === only && distinct === only ? only : null
  }

  return {
    /** The whole list, newest first; null if it has over 20 pages. If pages disagree, the walk proves nothing. */
    async walk(account: Account, video: VideoRecord): Promise<Walked | Pause | null> {
      const begun = begunFor(video)
      walking.set(video.id, begun)
      while (begun.pages < PAGES_AT_MOST) {
        const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.list(begun.pages + 1))
        if (asked.kind === 'not_now') return { retryAtMs: asked.retryAtMs }
        if (!asked.outcome.ok) {
          return { retryAtMs: asked.outcome.problem.retryAtMs ?? clock.now() + backoffMs(2, random()) }
        }
        const { items, total, totalPages, dateMs } = asked.outcome.value
        begun.pages += 1
        begun.items.push(...items)
        begun.totals.add(dateMs === null ? null : total)
        begun.offsetMs = dateMs === null ? null : dateMs - clock.now()
        if (totalPages !== null && begun.pages < totalPages) continue
        forget(video)
        const whole = totalPages === null ? null : totalOf(begun)
        return { walk: { atMs: begun.startedAtMs, total: whole }, items: begun.items, offsetMs: begun.offsetMs }
      }
      return null
    },
    forget,
  }
}
