import type { JobReport, ListedJob } from '../../core/adapter.ts'
import type { Store } from '../../core/store/index.ts'
import type { Search, VideoRecord } from '../../core/video.ts'
import type { Ports } from '../../core/ports.ts'
import type { Account } from '../upstream/accounts.ts'
import { createIsTelling, isMadeOf, mayBe, offsetFor, sentWindow, type Walk } from './evidence.ts'
import { backoffMs } from '../life/job-steps.ts'
import type { Upstream } from '../upstream/tickets.ts'
import { createWalks, PAGES_AT_MOST } from '../upstream/ask.ts'

interface ConfirmDeps extends Pick<Ports, 'clock' | 'random'> {
  store: Pick<Store, 'owner'>
  upstream: Upstream
}

type Confirmed =
  | { kind: 'ours'; report: JobReport }
  /** Another video's, unknown to the backend, or made of something else. */
  | { kind: 'foreign' }
  /** `not_now`: nothing was asked. `unread`: no usable answer. */
  | { kind: 'not_now' | 'unread'; retryAtMs: number }

/** Reads a job: whether it can be this video's, and is nobody else's. */
export const createConfirm =
  ({ store, upstream, clock, random }: ConfirmDeps) =>
  async (account: Account, video: VideoRecord, jobId: string): Promise<Confirmed> => {
    const owner = await store.owner(account.id, jobId)
    if (owner !== null && owner !== video.id) return { kind: 'foreign' }
    const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.status(jobId))
    if (asked.kind === 'not_now') return { kind: 'not_now', retryAtMs: asked.retryAtMs }
    const { outcome } = asked
    if (outcome.ok) {
      return isMadeOf(video.order, outcome.value.made) ? { kind: 'ours', report: outcome.value } : { kind: 'foreign' }
    }
    if (outcome.lost) return { kind: 'foreign' }
    return { kind: 'unread', retryAtMs: outcome.problem.retryAtMs ?? clock.now() + backoffMs(2, random()) }
  }
export type Confirm = ReturnType<typeof createConfirm>

interface ListWalkDeps extends Pick<Ports, 'clock' | 'random'> {
  upstream: Pick<Upstream, 'ask'>
}

/** The search stops for now and continues at `retryAtMs`. */
export type Pause = { retryAtMs: number }

interface Walked {
  walk: Walk
  items: ListedJob[]
  /** The backend's clock less ours; null: it does not tell its time, so its list is no evidence. */
  offsetMs: number | null
}

interface Page {
  items: readonly ListedJob[]
  /** The length of the list as this page reports it; null where nothing can be compared with it. */
  total: number | null
  offsetMs: number | null
}

/** The length of the list, if all pages agree on it and hold that many jobs; otherwise null. */
const totalOf = (pages: readonly Page[]): number | null => {
  const [{ total } = { total: null }] = pages
  const ids = pages.flatMap(({ items }) => items.map(({ jobId }) => jobId))
  const agree = pages.every((page) => page.total === total)
  return agree && ids.length === total && new Set(ids).size === total ? total : null
}

/** The key of a walk: one doubt of a video. Another attempt's list says nothing about this one. */
const keyOf = ({ id, attempt, doubtSinceMs }: VideoRecord): string => JSON.stringify([id, attempt, doubtSinceMs])

/** Reads a backend's own list for a create in doubt. */
const createListWalk = ({ upstream, clock, random }: ListWalkDeps) => {
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

interface ReadListDeps extends Pick<Ports, 'clock' | 'random'> {
  store: Pick<Store, 'owner' | 'video'>
  upstream: Pick<Upstream, 'ask'>
  confirm: Confirm
}

/** Each candidate costs a request and takes room in the record. */
const CANDIDATES_AT_MOST = 50
export type Reading = NonNullable<Search['reading']>
/** `report`: of the last job read just now that can be the video's. */
export interface ListRead {
  reading: Reading
  report: JobReport | null
  retryAtMs: number | null
}

/** Reads an account's list for a create in doubt, and the jobs of it that may be the create's. */
export const createReadList = (deps: ReadListDeps) => {
  const { clock, confirm } = deps
  const startedAtMs = clock.now()
  const isTelling = createIsTelling(deps)
  const walks = createListWalk(deps)

  /** Walks the list and collects the candidates, none of them read yet. */
  const beginReading = async (account: Account, video: VideoRecord): Promise<Reading | Pause | null> => {
    const walked = await walks.walk(account, video)
    if (walked === null || 'retryAtMs' in walked) return walked
    const { items } = walked
    const { offsetMs, proves } =
      walked.offsetMs === null ? { offsetMs: null, proves: false } : offsetFor(video, walked.offsetMs, startedAtMs)
    const tells = proves && offsetMs !== null && (await isTelling(account, video, items, offsetMs))
    const walk = tells ? walked.walk : { ...walked.walk, total: null }
    // Kept for a later process, whose clock may differ.
    const sentOffsetMs = proves ? offsetMs : video.sentOffsetMs
    const sent = sentWindow(video, account.timeoutMs)
    const possible = offsetMs === null ? [] : items.filter((job) => mayBe(video.order, sent, job, offsetMs))
    const ids = new Set(possible.map(({ jobId }) => jobId))
    return { walk, sentOffsetMs, candidates: [...ids].map((jobId) => ({ jobId, isOurs: null })) }
  }

  /** Reads the candidates, as far as there are tickets. */
  const goOnReading = async (
    account: Account,
    video: VideoRecord,
    { candidates, ...begun }: Reading,
  ): Promise<ListRead> => {
    const read: Reading['candidates'] = []
    let report: JobReport | null = null
    for (const [n, { jobId, isOurs }] of candidates.entries()) {
      const confirmed = isOurs === null ? await confirm(account, video, jobId) : null
      if (confirmed && 'retryAtMs' in confirmed) {
        const { retryAtMs } = confirmed
        return { reading: { ...begun, candidates: [...read, ...candidates.slice(n)] }, report, retryAtMs }
      }
      if (confirmed?.kind === 'ours') report = confirmed.report
      read.push({ jobId, isOurs: confirmed ? confirmed.kind === 'ours' : isOurs })
    }
    return { reading: { ...begun, candidates: read }, report, retryAtMs: null }
  }

  return {
    /** What the list says about this create; a string: why the list cannot say. */
    async read(account: Account, video: VideoRecord): Promise<ListRead | Pause | string> {
      const begun = video.search?.reading ?? (await beginReading(account, video))
      if (begun === null) return `the list has more than ${PAGES_AT_MOST} pages`
      if ('retryAtMs' in begun) return begun
      if (begun.candidates.length > CANDIDATES_AT_MOST) return `more than ${CANDIDATES_AT_MOST} jobs may be it`
      return goOnReading(account, video, begun)
    },
    /** What was read of a walk that is not over is not needed any more. */
    forget: walks.forget,
  }
}
