import type { JobReport } from '../../core/adapter.ts'
import type { Search, VideoRecord } from '../../core/video.ts'
import type { Ports } from '../../core/ports.ts'
import type { Account } from '../upstream/accounts.ts'
import { PAGES_AT_MOST } from '../upstream/pages.ts'
import type { Upstream } from '../upstream/tickets.ts'
import type { Confirm } from './confirm.ts'
import { mayBe, offsetFor, sentWindow } from './evidence.ts'
import { createListWalk, type Pause } from './list-walk.ts'
import { createIsTelling } from './trusted-stamps.ts'

export interface ReadListDeps extends Pick<Ports, 'store' | 'clock' | 'random'> {
  upstream: Upstream
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
