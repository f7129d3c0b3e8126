import type { JobReport } from '../../core/adapter.ts'
import { evidenceOf } from '../../core/evidence.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Store } from '../../core/store/index.ts'
import type { Search, VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'
import { namedAmong, NO_SEARCH, pendingEvidence, readNow } from '../life/callback-steps.ts'
import type { Confirm } from './confirm.ts'
import { createAdopt } from './adopt.ts'
import type { Apply, Decided } from '../life/apply.ts'
import { candidatesOf, judge, mayBe, offsetFor, sentWindow, withWalk } from './evidence.ts'
import { createDecide } from './operator.ts'
import { createMayBeLeft, createRivalsOf } from './rivals.ts'
import { backoffMs } from '../life/backoff.ts'
import { createIsTelling } from './trusted-stamps.ts'
import { isSameDoubt, resentAsAbsent, searchAgain, unknown, type FirstPollAt } from '../life/create-steps.ts'
import type { Upstream } from '../upstream/tickets.ts'
import { PAGES_AT_MOST } from '../upstream/pages.ts'
import { createListWalk, type Pause } from './list-walk.ts'

export interface ResolverDeps {
  store: Store
  apply: Apply
  upstream: Upstream
  clock: Clock
  log: Log
  confirm: Confirm
  random: () => number
  /** Whether the backend was told where to call back about this attempt. */
  calledBack: (account: Account) => boolean
  firstPollAt: FirstPollAt
  settings: { resendWindowMs: number }
}

/** Each candidate costs a request and takes room in the record. */
const CANDIDATES_AT_MOST = 50
/** How long we look for candidates that only an operator can judge. */
const INFORM_MS = 2 * 60_000

/** The longest pause before a job that a callback named is read again. */
const NAMED_PAUSE_MS = 60_000

type Reading = NonNullable<Search['reading']>
/** `report`: of the last job read just now that can be the video's. */
interface ListRead {
  reading: Reading
  report: JobReport | null
  retryAtMs: number | null
}

/**
 * Ends doubts on an interface without idempotency keys, by evidence alone: a callback that names the job, or the list
 * of an exclusive account. If there was no ticket, `resolve` answers when to try again.
 */
export const createResolver = (deps: ResolverDeps) => {
  const { apply, clock, log, random, confirm, calledBack, settings } = deps
  const startedAtMs = clock.now()
  const isTelling = createIsTelling(deps)
  const rivalsOf = createRivalsOf(deps)
  const mayBeLeft = createMayBeLeft(deps)
  const decideDoubt = createDecide(deps)
  const walks = createListWalk(deps)
  const adopt = createAdopt(deps)

  /** Applies a step only in the same doubt: evidence about one attempt says nothing of another. */
  const move = (about: VideoRecord, decide: (video: VideoRecord, nowMs: number) => Decided) =>
    apply(about.id, (video, nowMs) => (isSameDoubt(video, about) ? decide(video, nowMs) : 'keep'))

  /** Concludes nothing if a callback has named a job meanwhile: that job is read first. */
  const conclude = (about: VideoRecord, step: (video: VideoRecord, nowMs: number) => Decided) =>
    move(about, (video, nowMs) => (pendingEvidence(video) ? 'keep' : step(video, nowMs)))

  /** `reading`: candidates to show to the operator. */
  const giveUp = async (video: VideoRecord, why: string, reading: Reading | null = null): Promise<null> => {
    const read = reading ?? video.search?.reading ?? null
    const candidates = candidatesOf({ search: { ...NO_SEARCH, reading: read } })
    const after = await conclude(video, (current, nowMs) =>
      unknown(
        { ...current, search: { ...(current.search ?? NO_SEARCH), reading: read } },
        nowMs,
        candidates.length > 0 ? `${why}: ${candidates.join(', ')}` : why,
      ),
    )
    if (after?.phase === 'ended')
      log.warn({ video_id: video.id, backend: video.backend, candidates, why }, 'a create stays unknown')
    return null
  }

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

  /** What the list says about this create; a string: why the list cannot say. */
  const readList = async (account: Account, video: VideoRecord): Promise<ListRead | Pause | string> => {
    const begun = video.search?.reading ?? (await beginReading(account, video))
    if (begun === null) return `the list has over ${PAGES_AT_MOST} pages`
    if ('retryAtMs' in begun) return begun
    if (begun.candidates.length > CANDIDATES_AT_MOST) return `over ${CANDIDATES_AT_MOST} jobs may be it`
    return goOnReading(account, video, begun)
  }

  /** Stores what was read, so that no later process reads it again. */
  const keepReading = async (video: VideoRecord, reading: Reading, { retryAtMs }: Pause): Promise<null> => {
    await move(video, (current, nowMs) => searchAgain(current, { reading }, retryAtMs, nowMs, null))
    return null
  }

  /** Several creates may have made the job: none of them gets it. If one is still being sent, wait for it. */
  const contested = async (video: VideoRecord, rivals: VideoRecord[], reading: Reading): Promise<null> => {
    if (rivals.some(({ phase }) => phase === 'dispatching'))
      return keepReading(video, reading, { retryAtMs: clock.now() + backoffMs(3, random()) })
    for (const one of [video, ...rivals]) await giveUp(one, 'more than one create may have made it', reading)
    return null
  }

  /** `last`: give up if nothing is found now. */
  const search = async (account: Account, video: VideoRecord, last: boolean): Promise<Pause | null> => {
    const { absentAfterMs, resendWhenAbsent } = account.evidence
    const read = await readList(account, video)
    if (typeof read === 'string') return giveUp(video, read)
    if (!('reading' in read)) return read
    const { reading, report, retryAtMs } = read
    if (retryAtMs !== null) return keepReading(video, reading, { retryAtMs })
    const walked = withWalk(video.search?.walks ?? [], reading.walk)
    const { deadlineMs } = sentWindow(video, account.timeoutMs)
    const found = candidatesOf({ search: { ...NO_SEARCH, reading } })
    const finding = judge(found, walked, { deadlineMs, absentAfterMs, nowMs: clock.now() })
    switch (finding.kind) {
      case 'found': {
        const rivals = await rivalsOf(video)
        if (rivals.length > 0) return contested(video, rivals, reading)
        if (await mayBeLeft(account, video)) return giveUp(video, 'an earlier create may have made it', reading)
        const pause = await adopt(account, video, { jobId: finding.jobId, from: 'the list', read: report })
        return pause && keepReading(video, reading, pause)
      }
      case 'ambiguous': {
        // The list tells no more of them; a callback on a token of the video's does.
        const [jobId, ...seconds] = namedAmong(video, found)
        if (jobId === undefined) return giveUp(video, 'more than one job may be it', reading)
        const pause = await adopt(account, video, { jobId, from: 'a callback', read: null, seconds })
        return pause && keepReading(video, reading, pause)
      }
      case 'absent':
        if (!resendWhenAbsent || video.search?.resent) return giveUp(video, 'no job of it was found')
        await conclude(video, resentAsAbsent)
        return null
      case 'search_again': {
        if (last) return giveUp(video, 'no evidence came')
        const evidence = { walks: walked, reading: null }
        const { sentOffsetMs } = reading
        await move(video, (current, nowMs) =>
          searchAgain({ ...current, sentOffsetMs }, evidence, finding.atMs, nowMs, 'not in the list'),
        )
        return null
      }
    }
  }

  /**
   * Gives up. On an account that others use, the list cannot tell whose a job is, so no job is taken from it. It is
   * read once, to show the operator candidates. `sinceMs`: when it was clear that no evidence will come.
   */
  const giveUpInformed = async (account: Account, video: VideoRecord, sinceMs: number): Promise<Pause | null> => {
    const why = 'no evidence came'
    if (account.evidence.exclusive || !account.adapter.capabilities.native_list) return giveUp(video, why)
    const untilMs = Math.max(sinceMs, startedAtMs) + INFORM_MS
    const read = await readList(account, video)
    if (typeof read === 'string') return giveUp(video, `${why}; ${read}`)
    const { retryAtMs } = read
    const isLate = retryAtMs !== null && retryAtMs > untilMs
    if (!('reading' in read)) return isLate ? giveUp(video, `${why}; its list could not be read`) : read
    if (retryAtMs !== null && !isLate) return keepReading(video, read.reading, { retryAtMs })
    const isAny = candidatesOf({ search: { ...NO_SEARCH, reading: read.reading } }).length > 0
    return giveUp(video, isAny ? `${why}, but these jobs may be it` : why, read.reading)
  }

  /** Adopts a job that a callback named. If it cannot be read, retries with growing pauses until `untilMs`. */
  const adoptNamed = async (account: Account, video: VideoRecord, untilMs: number): Promise<Pause | null> => {
    const named = pendingEvidence(video)
    const nowMs = clock.now()
    if (!named || nowMs < named.atMs) return named && { retryAtMs: named.atMs }
    const { jobId } = named
    if (nowMs >= untilMs) {
      await move(video, (current, atMs) =>
        searchAgain(readNow(current, jobId, atMs), {}, atMs, atMs, `${jobId}, which a callback named, cannot be read`),
      )
      return null
    }
    const pause = await adopt(account, video, { jobId, from: 'a callback', read: null })
    const pausedMs = Math.min(nowMs - named.atMs, NAMED_PAUSE_MS)
    return pause && { retryAtMs: Math.max(pause.retryAtMs, nowMs + pausedMs) }
  }

  const evidence = async (account: Account, video: VideoRecord): Promise<Pause | null> => {
    const doubtSinceMs = video.doubtSinceMs ?? clock.now()
    const untilMs = doubtSinceMs + settings.resendWindowMs
    // The gateway may have been stopped for the whole window. So the list is read at its end too, or after the start,
    // and for as long again if nobody answers.
    const askedUntilMs = Math.max(untilMs, startedAtMs) + settings.resendWindowMs
    if (pendingEvidence(video)) return adoptNamed(account, video, askedUntilMs)
    const { exclusive } = account.evidence
    const can = evidenceOf(account.adapter.capabilities, { exclusive, isReachable: calledBack(account) })
    const isOver = clock.now() >= untilMs
    if (can.list && clock.now() < askedUntilMs) return search(account, video, isOver)
    const canComeBy = can.list || can.callback ? untilMs : doubtSinceMs
    if (clock.now() >= canComeBy) return giveUpInformed(account, video, canComeBy)
    // Nothing to do until a callback comes, which makes it due.
    await move(video, (current, nowMs) => searchAgain(current, {}, untilMs, nowMs, 'waiting for a callback'))
    return null
  }

  return {
    async resolve(account: Account, video: VideoRecord): Promise<Pause | null> {
      const pause = await evidence(account, video)
      if (!pause) walks.forget(video)
      return pause
    },
    decide(account: Account, video: VideoRecord, jobId: string | null): Promise<VideoRecord> {
      walks.forget(video)
      return decideDoubt(account, video, jobId)
    },
  }
}
