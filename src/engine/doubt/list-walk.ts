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

/** Ends the search for now: when to go on. */
export type Pause = { retryAtMs: number }

export interface Walked {
  walk: Walk
  items: ListedJob[]
  /** The backend's clock less ours; null: it does not tell its time, so that its list cannot be evidence. */
  offsetMs: number | null
}

/** As far as a walk has come: one that runs out of tickets goes on where it stood. */
interface Walking extends Pick<Walked, 'items' | 'offsetMs'> {
  /** What it is a walk for: another doubt of the same video begins anew. */
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

  /** Unless another doubt of it has begun a walk meanwhile. */
  const forget = (video: VideoRecord): void => {
    const begun = walking.get(video.id)
    if (begun && isSameDoubt(video, begun.about)) walking.delete(video.id)
  }

  /** Its pages agree on how long the list is, and hold that many jobs. */
  const totalOf = ({ items, totals }: Walking): number | null => {
    const [only = null] = totals
    const distinct = new Set(items.map(({ jobId }) => jobId)).size
    return totals.size === 1 && items.length === only && distinct === only ? only : null
  }

  return {
    /** The whole list, newest first; null after 20 pages. Pages that disagree make a walk that proves nothing. */
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
