import type { JobReport, JobTraits } from '../../core/adapter.ts'
import { Problem } from '../../core/errors.ts'
import { fitsInPath, ownKindOf } from '../../core/ids.ts'
import { logFailure } from '../../core/log.ts'
import type { Ports, Replica } from '../../core/ports.ts'
import type { HistoryJob, HistoryWalk } from '../../core/store/videos.ts'
import { isPast, newVideo, NO_INPUT, NO_ORDER, pastId, type VideoRecord } from '../../core/video.ts'
import { isTerminal, type AccountId } from '../../core/vocabulary.ts'
import { mayHaveLeft, offsetFor } from '../doubt/list.ts'
import { failedBy, learnt } from '../life/job-steps.ts'
import type { Pumps } from '../replicas/replica.ts'
import type { Backend, Backends } from '../upstream/accounts.ts'
import { notNow } from '../upstream/ask.ts'
import type { Upstream } from '../upstream/tickets.ts'
import { type HistoryOf, type Owned, ownedBy, type ReadJob } from './import.ts'

interface HistoryDeps extends Pick<Ports, 'store' | 'clock' | 'log'> {
  upstream: Upstream
  backends: Backends
  replica: Replica
  pumps: Pick<Pumps, 'holderOf'>
  readJob: ReadJob
  historyOf: HistoryOf
}

/** Of 100 jobs. The store keeps as many jobs as these show. */
const PAGES_AT_MOST = 100
/** For the order of jobs of one moment. A service may ignore how many were asked for; no more than these are listed. */
const PLACES_A_PAGE = 10_000
/** A write holds its account's lock. */
const JOBS_A_WRITE = 100
const LAST_PLACE = 999_999_999
const NEXT_PAGE_MS = 1_000
const LOOK_EVERY_MS = 10 * 60_000
/** The same while a job of the list runs: nobody else reads its end. */
const WATCH_EVERY_MS = 60_000
/** While another process walks it, or an operator paused the polls of the account. */
const ELSEWHERE_MS = 5_000
const AFTER_FAULT_MS = 60_000
const DAY_MS = 86_400_000
/** Backends stamp whole seconds, and some before they list. */
const STAMP_SLACK_MS = 2 * 60_000
/** The walk has a share of the window like one client's reads. No client has this id. */
const WALKER = '*history'
const BEGIN: HistoryWalk = { page: 1, seenMs: null, thenMs: 0 }
const DOUBTS_A_PAGE = 250

/**
 * Lists what an account made before the gateway, or beside it. These jobs are no videos: nothing polls or counts them,
 * and they send no events. The process that holds the account walks its list, a page at a time. The walk is stored with
 * its jobs, so that another process continues it.
 */
export const createHistory = (deps: HistoryDeps) => {
  const { store, clock, log, upstream, replica, pumps, readJob, backends, historyOf } = deps
  const startedAtMs = clock.now()
  const owned = ownedBy(backends, historyOf)
  const watched = new Set<AccountId>()
  const cancels = new Map<AccountId, () => void>()
  const running = new Set<Promise<void>>()
  let stopping = false

  const givenUp = async (account: AccountId, before: VideoRecord | null = null): Promise<VideoRecord[]> => {
    const page = await store.doubts({ doubt: 'given_up', account, before, limit: DOUBTS_A_PAGE })
    const last = page.at(-1)
    return last && page.length === DOUBTS_A_PAGE ? [...page, ...(await givenUp(account, last))] : page
  }

  /**
   * Judges jobs of an account that no video has. Call it after they were read: what made them was sent, and so stored,
   * before. `unsure`: a create whose outcome is still open may have made it. `given_up`: one that was given up. `gone`: the gateway may have made it, and removed the
   * record since.
   */
  const judgeOf = async ({ id, timeoutMs }: Backend['account']) => {
    const undecided = await Promise.all((await store.undecided(id)).map((video) => store.video(video)))
    const lost = await givenUp(id)
    const { goneAtMs, firstMs } = await store.historyBounds()
    return (made: JobTraits, offsetMs: number | null): 'theirs' | 'unsure' | 'given_up' | 'gone' => {
      const atMs = made.createdAtMs === null ? null : made.createdAtMs - (offsetMs ?? 0)
      const isBefore = firstMs === null || (atMs !== null && atMs < firstMs - DAY_MS)
      const isRecorded = goneAtMs === 0 || (atMs !== null && atMs > goneAtMs + DAY_MS)
      if (!isBefore && !isRecorded) return 'gone'
      const mayBeOf = (video: VideoRecord | null): boolean => {
        const by = video && offsetMs !== null ? offsetFor(video, offsetMs, startedAtMs) : null
        return video !== null && mayHaveLeft(video, made, by?.proves ? by.offsetMs : null, timeoutMs)
      }
      return undecided.some(mayBeOf) ? 'unsure' : lost.some(mayBeOf) ? 'given_up' : 'theirs'
    }
  }

  /** A job as a video of its client, which is in no store. */
  const asVideo = (
    { backend: { name, interface: kind, account }, client }: Owned,
    jobId: string,
    report: JobReport,
    { createdAtMs, status: before }: Pick<VideoRecord, 'createdAtMs' | 'status'>,
  ): VideoRecord => {
    const given = newVideo({
      id: pastId(account.id, jobId),
      client,
      account: account.id,
      backend: name,
      interface: kind,
      input: NO_INPUT,
      order: NO_ORDER,
      routing: { chosen_by: 'default', rule: null, pool: null, considered: [] },
      createdAtMs,
    })
    const status = report.status ?? before
    const phase = isTerminal(status) ? 'ended' : 'accepted'
    const error = status === 'failed' ? failedBy(report) : null
    const seen = learnt(given, report, clock.now())
    return { ...seen, phase, status, error, told: true, backendJobId: jobId, waitReason: null, dueAtMs: null }
  }

  /** Reads a page. Answers when to read the next one. */
  const step = async (own: Owned): Promise<number> => {
    const { account, name } = own.backend
    if (account.paused.isPaused('polls')) return clock.now() + ELSEWHERE_MS
    if (!replica.isAlone && (await pumps.holderOf(account.id)) !== replica.id) return clock.now() + ELSEWHERE_MS
    const walk = (await store.historyWalk(account.id)) ?? BEGIN
    const asked = await upstream.ask(account, 'read', 0, () => account.adapter.list(walk.page), WALKER)
    if (asked.kind === 'not_now') return asked.retryAtMs
    const { outcome } = asked
    if (!outcome.ok) return outcome.problem.retryAtMs ?? clock.now() + AFTER_FAULT_MS
    const nowMs = clock.now()
    const { items, totalPages, dateMs } = outcome.value
    const offsetMs = dateMs === null ? null : dateMs - nowMs
    const judge = await judgeOf(account)
    const times = items.flatMap(({ createdAtMs }) => createdAtMs ?? [])
    const newestMs = Math.min(Math.max(walk.seenMs ?? 0, ...times), nowMs + (offsetMs ?? 0))
    // From here on the next walk sees everything again.
    let openMs = walk.page === 1 ? newestMs : walk.thenMs
    let atMs = openMs
    const jobs: HistoryJob[] = []
    for (const [n, { jobId, report }] of items.slice(0, PLACES_A_PAGE).entries()) {
      atMs = report.made.createdAtMs ?? atMs
      const verdict = fitsInPath(jobId) ? judge(report.made, offsetMs) : 'gone'
      const video = asVideo(own, jobId, report, { createdAtMs: atMs, status: 'processing' })
      const isRecent = atMs > nowMs - DAY_MS
      const isWatched = verdict === 'theirs' && video.phase !== 'ended' && isRecent
      if (isWatched) watched.add(account.id)
      // Nobody may ever resolve one that was given up, and each walk would go back to it.
      const isOpen = isWatched || verdict === 'unsure' || (verdict === 'given_up' && isRecent)
      if (isOpen) openMs = Math.min(openMs, atMs)
      const place = String(LAST_PLACE - walk.page * PLACES_A_PAGE - n).padStart(9, '0')
      if (verdict === 'theirs') jobs.push({ jobId, video, place })
    }
    const isSeen = walk.seenMs !== null && Math.min(...times) < walk.seenMs - STAMP_SLACK_MS
    const isEnd = isSeen || walk.page >= Math.min(PAGES_AT_MOST, totalPages ?? 1)
    const next = isEnd
      ? { page: 1, seenMs: openMs, thenMs: 0 }
      : { page: walk.page + 1, seenMs: walk.seenMs, thenMs: openMs }
    while (jobs.length > JOBS_A_WRITE) await store.putHistory(account.id, jobs.splice(0, JOBS_A_WRITE), null)
    await store.putHistory(account.id, jobs, next)
    if (!isEnd) return clock.now() + NEXT_PAGE_MS
    if (walk.seenMs === null)
      log.info({ backend: name, client: own.client, pages: walk.page }, 'older videos are listed')
    return clock.now() + (watched.delete(account.id) ? WATCH_EVERY_MS : LOOK_EVERY_MS)
  }

  const arm = (own: Owned, atMs: number): void => {
    const { account, name } = own.backend
    const run = (): void => {
      const done: Promise<void> = step(own)
        .catch((err: unknown) => {
          logFailure(log, { backend: name, err }, 'the list of older videos could not be read, and will be again')
          return clock.now() + AFTER_FAULT_MS
        })
        .then((nextMs) => {
          running.delete(done)
          if (!stopping) arm(own, Math.max(nextMs, clock.now() + NEXT_PAGE_MS))
        })
      running.add(done)
    }
    cancels.set(account.id, clock.at(atMs, run))
  }

  const halt = (): void => {
    stopping = true
    for (const cancel of cancels.values()) cancel()
  }

  /** Of a job that no walk has seen yet; null: it is not known to be older. */
  const unseen = async (own: Owned, jobId: string): Promise<VideoRecord | null> => {
    const isOwned = async () => (await store.owner(own.backend.account.id, jobId)) !== null
    if (!fitsInPath(jobId) || ownKindOf(jobId) !== null || (await isOwned())) return null
    try {
      const video = await read(own, jobId, { createdAtMs: clock.now(), status: 'processing' })
      // A create may have got its answer meanwhile.
      return (await isOwned()) ? null : video
    } catch (error) {
      if (error instanceof Problem && error.code === 'video_not_found') return null
      throw error
    }
  }

  /** The job as it is now. Null: a create of the gateway may have made it. */
  const read = async (
    own: Owned,
    jobId: string,
    before: Pick<VideoRecord, 'createdAtMs' | 'status'>,
    isKnown = false,
  ): Promise<VideoRecord | null> => {
    const { report, askedAtMs, dateMs, isLinkDue } = await readJob(own.backend, jobId, own.client, 'id')
    const offsetMs = dateMs === null ? null : dateMs - clock.now()
    if (!isKnown && (await judgeOf(own.backend.account))(report.made, offsetMs) !== 'theirs') return null
    if (isLinkDue) throw notNow(own.backend, clock.now() + NEXT_PAGE_MS)
    const createdAtMs = report.made.createdAtMs ?? before.createdAtMs
    return { ...asVideo(own, jobId, report, { ...before, createdAtMs }), lastPollAtMs: askedAtMs }
  }

  return {
    /** Those of a client. */
    of: ({ id, visible }: { id: string; visible: Backends }): Owned[] =>
      owned.filter(({ client, backend }) => client === id && visible.has(backend.name)),
    /** An older job of one of these accounts by its own id; asks the backend if no walk has seen it. */
    async find(among: readonly Owned[], jobId: string): Promise<VideoRecord | null> {
      for (const own of among) {
        const known = await store.historyJob(own.backend.account.id, jobId)
        const video = known ? { ...known, client: own.client, backend: own.backend.name } : await unseen(own, jobId)
        if (video) return video
      }
      return null
    },
    /** With what only its detail says: one request, if it is an older job of which only the list was read. */
    async detail(video: VideoRecord): Promise<VideoRecord> {
      const own = owned.find(({ backend }) => backend.account.id === video.account)
      if (!own || !isPast(video) || video.backendJobId === null || video.lastPollAtMs !== null) return video
      const seen = (await read(own, video.backendJobId, video, true)) ?? video
      if (seen.status !== video.status) {
        const { phase, status, error, durationSeconds } = seen
        const listed = { ...video, phase, status, error, durationSeconds }
        await store.putHistory(video.account, [{ jobId: video.backendJobId, video: listed, place: '' }], null)
      }
      return seen
    },
    start(): void {
      for (const own of owned) arm(own, clock.now())
    },
    halt,
    async stop(): Promise<void> {
      halt()
      await Promise.all(running)
    },
  }
}
export type History = ReturnType<typeof createHistory>
