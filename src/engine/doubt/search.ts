import type { JobReport } from '../../core/adapter.ts'
import { type VideoRecord, evidenceOf, doubtWarning } from '../../core/video.ts'
import type { Ports } from '../../core/ports.ts'
import type { Apply, Decided } from '../life/apply.ts'
import {
  NO_SEARCH,
  type Step,
  backoffMs,
  namedAmong,
  pendingEvidence,
  pendingSecondJob,
  readNow,
  unreadNow,
} from '../life/job-steps.ts'
import {
  confirmedJob,
  type FirstPollAt,
  isSameDoubt,
  resentAsAbsent,
  searchAgain,
  unknown,
  withSeconds,
} from '../life/create-steps.ts'
import type { Account } from '../upstream/accounts.ts'
import {
  type Confirm,
  type ListRead,
  type Pause,
  type Reading,
  candidatesOf,
  createMayBeLeft,
  createReadList,
  createRivalsOf,
  judge,
  sentWindow,
  withWalk,
} from './list.ts'
import type { AuditEntry } from '../../core/access.ts'
import { createDecide } from './operator.ts'
import type { Upstream } from '../upstream/tickets.ts'
import type { Log } from '../../core/log.ts'
import { persist } from '../../core/time/clock.ts'
import type { Store } from '../../core/store/index.ts'

interface AdoptDeps extends Pick<Ports, 'clock' | 'random'> {
  apply: Apply
  confirm: Confirm
  firstPollAt: FirstPollAt
}

interface Found {
  jobId: string
  from: string
  /** The report that was just read for this video; null: read it now. */
  read: JobReport | null
  /** Other jobs of the video, which are reported as duplicates. */
  seconds?: readonly string[]
}

/** Gives a video in doubt the job that evidence named, if its backend confirms it. */
const createAdopt = ({ apply, clock, random, confirm, firstPollAt }: AdoptDeps) => {
  const adoptAlone = async (
    account: Account,
    video: VideoRecord,
    { jobId, from, read, seconds = [] }: Found,
  ): Promise<Pause | null> => {
    const confirmed = read ? ({ kind: 'ours', report: read } as const) : await confirm(account, video, jobId)
    if ('retryAtMs' in confirmed) return confirmed
    const refuted = (current: VideoRecord, nowMs: number): Decided => {
      const told = readNow(current, jobId, nowMs)
      if (!isSameDoubt(current, video)) return { video: told, notes: [] }
      const why = `${from} named ${jobId}, which is not ours`
      return searchAgain(told, { reading: null }, nowMs, nowMs, why)
    }
    await apply(
      video.id,
      (current, nowMs): Decided => {
        if (confirmed.kind !== 'ours') return refuted(current, nowMs)
        const context = { nowMs, firstPollAt }
        const step = confirmedJob(current, jobId, confirmed.report, from, context)
        return step ? withSeconds(step, seconds, nowMs) : 'keep'
      },
      // Another video got the job since it was read.
      { onJobTaken: (current, _taken, nowMs) => refuted(current, nowMs) },
    )
    return null
  }

  /**
   * Jobs that are being adopted. One video at a time: two at the same time would both find that the job is nobody's.
   */
  const adopting = new Set<string>()

  return async (account: Account, video: VideoRecord, found: Found): Promise<Pause | null> => {
    const job = JSON.stringify([account.id, found.jobId])
    if (adopting.has(job)) return { retryAtMs: clock.now() + backoffMs(1, random()) }
    adopting.add(job)
    return adoptAlone(account, video, found).finally(() => adopting.delete(job))
  }
}

interface DoubtSearchDeps extends Pick<Ports, 'clock' | 'log' | 'random'> {
  /** When this process began. */
  upSinceMs: number
  store: Pick<Store, 'owner' | 'sentInLane' | 'undecided' | 'video'>
  apply: Apply
  upstream: Pick<Upstream, 'ask'>
  confirm: Confirm
  /** Whether the backend was informed where to call back about this attempt. */
  calledBack: (account: Account) => boolean
  firstPollAt: FirstPollAt
  settings: { resendWindowMs: number }
}

/** How long we look for candidates that only an operator can judge. */
const INFORM_MS = 2 * 60_000

/**
 * Whether the list of the account is evidence: nobody else creates there, and we know all that we created. A restored
 * copy does not know the creates after it: a job that looks like the video's may be another client's.
 */
const listTells = ({ evidence: { exclusive } }: Account, { restoredAtMs }: VideoRecord): boolean =>
  exclusive && restoredAtMs === null

/** The longest pause before a job that a callback named is read again. */
const NAMED_PAUSE_MS = 60_000

/**
 * Ends doubts on an interface without idempotency keys, only by evidence: a callback that names the job, or the list
 * of an exclusive account. If there was no ticket, `resolve` answers when to try again.
 */
export const createDoubtSearch = (deps: DoubtSearchDeps) => {
  const { apply, clock, log, random, calledBack, upSinceMs, settings } = deps
  const rivalsOf = createRivalsOf(deps)
  const mayBeLeft = createMayBeLeft(deps)
  const decideDoubt = createDecide(deps)
  const list = createReadList(deps)
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

  /** The one job that can be its job: the video's, unless another create may have made it. */
  const takeFound = async (account: Account, video: VideoRecord, jobId: string, { reading, report }: ListRead) => {
    const rivals = await rivalsOf(video)
    if (rivals.length > 0) return contested(video, rivals, reading)
    if (await mayBeLeft(account, video)) return giveUp(video, 'an earlier create may have made it', reading)
    const pause = await adopt(account, video, { jobId, from: 'the list', read: report })
    return pause && keepReading(video, reading, pause)
  }

  /** Several jobs can be its job. The list reports no more of them; a callback on a token of the video's does. */
  const takeNamed = async (account: Account, video: VideoRecord, found: readonly string[], reading: Reading) => {
    const [jobId, ...seconds] = namedAmong(video, found)
    if (jobId === undefined) return giveUp(video, 'more than one job may be it', reading)
    const pause = await adopt(account, video, { jobId, from: 'a callback', read: null, seconds })
    return pause && keepReading(video, reading, pause)
  }

  /** No job is its job. */
  const endAbsent = async (account: Account, video: VideoRecord): Promise<null> => {
    if (!account.evidence.resendWhenAbsent || video.search?.resent) return giveUp(video, 'no job was found for it')
    await conclude(video, resentAsAbsent)
    return null
  }

  /** `last`: give up if nothing is found now. */
  const search = async (account: Account, video: VideoRecord, last: boolean): Promise<Pause | null> => {
    const read = await list.read(account, video)
    if (typeof read === 'string') return giveUp(video, read)
    if (!('reading' in read)) return read
    const { reading, retryAtMs } = read
    if (retryAtMs !== null) return keepReading(video, reading, { retryAtMs })
    const walks = withWalk(video.search?.walks ?? [], reading.walk)
    const found = candidatesOf({ search: { ...NO_SEARCH, reading } })
    const { deadlineMs } = sentWindow(video, account.timeoutMs)
    const { absentAfterMs } = account.evidence
    const finding = judge(found, walks, { deadlineMs, absentAfterMs, nowMs: clock.now() })
    switch (finding.kind) {
      case 'found':
        return takeFound(account, video, finding.jobId, read)
      case 'ambiguous':
        return takeNamed(account, video, found, reading)
      case 'absent':
        return endAbsent(account, video)
      case 'search_again': {
        if (last) return giveUp(video, 'no evidence came')
        const { sentOffsetMs } = reading
        await move(video, (current, nowMs) =>
          searchAgain({ ...current, sentOffsetMs }, { walks, reading: null }, finding.atMs, nowMs, 'not in the list'),
        )
        return null
      }
    }
  }

  /**
   * Gives up. Where the list cannot tell whose a job is, no job is taken from it. It is read once, to show the operator
   * candidates. `sinceMs`: when it was clear that no evidence will come.
   */
  const giveUpInformed = async (account: Account, video: VideoRecord, sinceMs: number): Promise<Pause | null> => {
    const why = 'no evidence came'
    if (listTells(account, video) || !account.adapter.capabilities.native_list) return giveUp(video, why)
    const untilMs = Math.max(sinceMs, upSinceMs) + INFORM_MS
    const read = await list.read(account, video)
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
    const stoodMs = clock.leaptSince(doubtSinceMs) + account.paused.pausedMs('polls', doubtSinceMs)
    const untilMs = doubtSinceMs + settings.resendWindowMs + stoodMs
    // The gateway may have been stopped for the whole window. So the list is read at its end too, or after the start,
    // and for as long again if nobody answers.
    const askedUntilMs = Math.max(untilMs, upSinceMs) + settings.resendWindowMs
    if (pendingEvidence(video)) return adoptNamed(account, video, askedUntilMs)
    const exclusive = listTells(account, video)
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
      if (!pause) list.forget(video)
      return pause
    },
    decide(account: Account, video: VideoRecord, jobId: string | null, audit?: AuditEntry): Promise<VideoRecord> {
      list.forget(video)
      return decideDoubt(account, video, jobId, audit)
    },
  }
}

/** Warns at the start of accounts on which nothing can end a doubt. */
export const warnOfDoubts = (
  accounts: Iterable<Account>,
  calledBack: (account: Account) => boolean,
  log: Pick<Log, 'warn'>,
): void => {
  for (const account of accounts) {
    const { exclusive } = account.evidence
    const warning = doubtWarning(account.adapter.capabilities, { exclusive, isReachable: calledBack(account) })
    if (warning !== null) log.warn({ backends: account.backends }, warning)
  }
}

interface SecondJobDeps extends Pick<Ports, 'clock' | 'log'> {
  store: Pick<Store, 'video'>
  wake: Pick<Ports['wake'], 'hint'>
  apply: Apply
  confirm: Confirm
  firstPollAt: FirstPollAt
}

/**
 * Reads the job that a callback named for a video whose create is not in doubt. A job that the backend confirms becomes
 * the video's if it has none; otherwise it is reported as `duplicate_job`. The record says what is to be read.
 */
export const createSecondJobs = ({ store, apply, confirm, clock, log, wake, firstPollAt }: SecondJobDeps) => {
  const stopping = new AbortController()
  return {
    async read(account: Account, id: string): Promise<void> {
      const video = await store.video(id)
      const job = video && pendingSecondJob(video)
      if (!job || job.atMs > clock.now()) return
      const { jobId } = job
      const confirmed = await confirm(account, video, jobId)
      if (confirmed.kind === 'not_now') return
      const refuted = (current: VideoRecord, nowMs: number): Step => ({
        video: readNow(current, jobId, nowMs),
        notes: [],
      })
      const concluded = (current: VideoRecord, nowMs: number): Step => {
        if (confirmed.kind === 'foreign') return refuted(current, nowMs)
        if (confirmed.kind !== 'ours') {
          return { video: unreadNow(current, job, confirmed.retryAtMs, nowMs), notes: [] }
        }
        const context = { nowMs, firstPollAt }
        return confirmedJob(current, jobId, confirmed.report, 'a callback', context) ?? refuted(current, nowMs)
      }
      // Retried until it is written, so that a failing store costs no second read.
      const written = await persist(
        // Another video may have got the job since it was read.
        () => apply(id, concluded, { onJobTaken: (current, _taken, nowMs) => refuted(current, nowMs) }),
        clock,
        stopping.signal,
        (err, tries) =>
          log.error({ video_id: id, tries, err }, 'the result of a job that a callback named is not written yet'),
      )
      const againAtMs = written.ok ? (written.value?.secondJobAtMs ?? null) : null
      if (againAtMs !== null) wake.hint('account', account.id, againAtMs)
    },
    /** From here on a write that fails is given up after some tries. */
    halt: (): void => stopping.abort(),
  }
}
