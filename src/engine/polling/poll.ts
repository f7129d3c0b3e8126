import { sourceOf, type VideoRecord } from '../../core/video.ts'
import type { FirstPollAt } from '../life/create-steps.ts'
import type { Account } from '../upstream/accounts.ts'
import type { Learned } from './choose.ts'
import type { JobReport, ReadOutcome } from '../../core/adapter.ts'
import type { Lease } from '../../core/store/webhooks.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import { breath } from '../../core/time/clock.ts'
import type { Ports } from '../../core/ports.ts'
import { during, linkedTo } from '../../core/tracing.ts'
import type { Apply, Decided } from '../life/apply.ts'
import {
  type Memories,
  NEW,
  NO_POLLS,
  type Polled,
  type Told,
  type Unwritten,
  afterOver,
  afterPoll,
  latest,
  leftBehind,
  linesOf,
  memoryOf,
  overNote,
  pollNote,
  pollsKept,
  setMemory,
  rememberedOf,
  toldBy,
  toldEnd,
  wantsNextPage,
  withPoll,
} from './poll-plan.ts'
import { backoffMs } from '../life/job-steps.ts'
import { bareReport, createAskLink, lacksLink } from '../upstream/ask.ts'
import type { Upstream } from '../upstream/tickets.ts'

interface FirstPollDeps {
  learned: Pick<Learned, 'nextPollAt'>
  /** Whether backends can reach the gateway. */
  takesCallbacks: () => boolean
  accountOf: (video: VideoRecord) => Account | null
}

/** Which backends call back, and when a job is polled first: by the backend's hint and what was learned of its jobs. */
export const createFirstPoll = ({ learned, takesCallbacks, accountOf }: FirstPollDeps) => {
  const calledBack = (account: Account): boolean => account.adapter.capabilities.native_webhook && takesCallbacks()
  /** Whether a callback is promised for this job. For one that was made elsewhere the backend has no URL to call. */
  const isCalledBack = (video: VideoRecord): boolean => {
    const account = accountOf(video)
    return account !== null && calledBack(account) && sourceOf(video) !== 'import'
  }
  const firstPollAt: FirstPollAt = (video, hintAtMs, nowMs) =>
    learned.nextPollAt(video, { nowMs, lastPollAtMs: null, readings: [], hintAtMs, calledBack: isCalledBack(video) })
  return { calledBack, isCalledBack, firstPollAt }
}
export type FirstPoll = ReturnType<typeof createFirstPoll>

export interface PollerDeps extends Pick<Ports, 'store' | 'clock' | 'log' | 'random' | 'tally' | 'tracing'> {
  apply: Apply
  upstream: Upstream
  isCalledBack: FirstPoll['isCalledBack']
  learned: Learned
  /** When this process began. */
  upSinceMs: number
  settings: { maxAgeMs: number }
}

/** Whole records are read: about two milliseconds. */
const LEFT_AT_ONCE = 100

const resultOf = (outcome: ReadOutcome<JobReport>): 'running' | 'over' | 'failed' =>
  !outcome.ok ? 'failed' : toldEnd({ over: null, outcome }) ? 'over' : 'running'

/** Jobs to find in a list, and the rows of those not seen there yet. */
interface Listed {
  jobs: ReadonlyMap<string, VideoRecord>
  unseen: Map<string, OpenVideo>
}

/** In a word, for its span. */
const outcomeOf = (asked: { kind: 'not_now' } | ({ kind: 'asked' } & Pick<Polled, 'outcome'>)): string => {
  if (asked.kind === 'not_now') return asked.kind
  const { outcome } = asked
  return outcome.ok ? (outcome.value.status ?? 'unknown') : outcome.problem.code
}

/** Polls running jobs and writes what is new. The rest stays in the account's memory. */
export const createPoller = (deps: PollerDeps) => {
  const { store, clock, log, random, tally, tracing, apply, upstream, learned, upSinceMs, settings } = deps
  const askLink = createAskLink(upstream)

  /** Learns from the first poll that found the job over. Its link may come later. */
  const learnEnd = async (video: VideoRecord, endedAtMs: number, ranBeforeMs: number | null): Promise<void> => {
    // Nobody knows when an imported job began.
    if (sourceOf(video) !== 'import') await learned.ended({ ...video, endedAtMs }, ranBeforeMs)
  }

  /** Asks for the state of a job, unless it is known to be over, and for its link where that came without one. */
  const read = async (account: Account, { linkOwed, backend }: VideoRecord, jobId: string, begun: () => void) => {
    if (linkOwed) return { over: null, ...(await askLink(account, jobId)) }
    const asked = await upstream.ask(account, 'poll', 0, () => {
      begun()
      return account.adapter.status(jobId)
    })
    if (asked.kind === 'asked') tally.count('poll', { backend, result: resultOf(asked.outcome) })
    if (asked.kind === 'not_now' || !lacksLink(asked.outcome)) return { over: null, ...asked }
    return { over: asked.outcome.value, ...(await askLink(account, jobId)) }
  }

  /** The link could not be asked for: the next poll asks for it only. */
  const owe = async (memories: Memories, video: VideoRecord, over: JobReport, retryAtMs: number): Promise<void> => {
    const memory = memoryOf(memories, video.id)
    const dueAtMs = Math.max(retryAtMs, over.nextPollAtMs ?? 0)
    const { ranAtMs } = memory
    const seen = withPoll(memories.unwritten(video.id), overNote(clock.now(), over), pollsKept(memories.size()))
    const decide = (current: VideoRecord, nowMs: number): Decided =>
      afterOver(current, over, { nowMs, dueAtMs, ranAtMs, polls: linesOf(seen) })
    const after = await apply(video.id, decide, { known: video })
    if (after?.phase !== 'accepted') return
    setMemory(memories, video.id, { ...NEW, version: after.version, dueAtMs, lastPollAtMs: clock.now() })
    memories.keepUnwritten(video.id, NO_POLLS)
    upstream.resumeSlots(video.account)
    await learnEnd(after, clock.now(), latest(ranAtMs, video.lastPollAtMs))
  }

  /** When to poll next, if nothing else comes. */
  const nextAtMs = (video: VideoRecord, told: Told, nowMs: number): number => {
    const { failures, hintAtMs, isOver, lastPollAtMs, readings } = told
    const calledBack = deps.isCalledBack(video)
    const plannedAtMs = learned.nextPollAt(video, { nowMs, lastPollAtMs, readings, hintAtMs, calledBack })
    const pausedMs = failures > 0 ? nowMs + backoffMs(failures, random()) : 0
    return Math.max(isOver ? (hintAtMs ?? 0) : plannedAtMs, pausedMs)
  }

  /** Writes what is new of an answer, and remembers the rest. */
  const record = async (
    account: Account,
    memories: Memories,
    video: VideoRecord,
    polled: Polled,
    { startedAtMs, how = null }: { startedAtMs: number; how?: 'list' | null },
  ): Promise<void> => {
    const nowMs = clock.now()
    const memory = memoryOf(memories, video.id)
    const told = toldBy(memory, video, polled, nowMs)
    const dueAtMs = nextAtMs(video, told, nowMs)
    const acceptedAtMs = video.acceptedAtMs ?? nowMs
    const stoodMs = clock.leaptSince(acceptedAtMs) + account.paused.pausedMs('polls', acceptedAtMs)
    const seen = withPoll(memories.unwritten(video.id), pollNote(nowMs, polled, how), pollsKept(memories.size()))
    let unwritten: Unwritten = seen
    const decide = (current: VideoRecord): Decided => {
      const decided = afterPoll(current, polled.outcome, {
        nowMs,
        over: polled.over,
        startedAtMs,
        ranAtMs: told.ranBeforeMs,
        dueAtMs,
        maxAgeMs: settings.maxAgeMs + stoodMs,
        upSinceMs,
        polls: linesOf(seen),
      })
      unwritten = decided === 'keep' ? seen : NO_POLLS
      return decided
    }
    const after = await apply(video.id, decide, { known: video })
    if (!after) return
    if (after.phase === 'ended' || after.linkOwed) upstream.resumeSlots(account.id)
    const isFirst = !video.linkOwed && (after.linkOwed || after.endedAtMs === nowMs)
    if (isFirst && toldEnd(polled)) await learnEnd(after, nowMs, told.ranBeforeMs)
    const { outcome } = polled
    memories.set(video.id, rememberedOf(told, after, { outcome, startedAtMs, dueAtMs }))
    memories.keepUnwritten(video.id, unwritten)
  }

  /** Reads the list as far as it helps, and writes what it says. */
  const walk = async (account: Account, memories: Memories, listed: Listed): Promise<void> => {
    const { jobs, unseen } = listed
    const startedAtMs = clock.now()
    for (let page = 1; ; page += 1) {
      const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.list(page))
      if (asked.kind === 'not_now') {
        for (const { id, version } of unseen.values()) setMemory(memories, id, { version, dueAtMs: asked.retryAtMs })
        return
      }
      tally.count('poll', { backend: account.backends[0] ?? '', result: 'list' })
      if (!asked.outcome.ok) break
      const { rate, value } = asked.outcome
      const { items, totalPages } = value
      let found = 0
      for (const { jobId, status } of items) {
        const video = jobs.get(jobId)
        if (!video || !unseen.has(video.id)) continue
        found += 1
        if (status !== 'processing' && status !== 'queued') continue
        // A list reports no link and no error, only that the job runs.
        const outcome = { ok: true, value: bareReport(jobId, status), rate } as const
        // If this cannot be written, the job is polled by itself, with its own pauses.
        const isDone = await record(
          account,
          memories,
          video,
          { over: null, outcome },
          { startedAtMs, how: 'list' },
        ).then(
          () => true,
          () => false,
        )
        if (isDone) unseen.delete(video.id)
      }
      if (!wantsNextPage({ page, totalPages, found, unseen: unseen.size })) break
    }
    for (const { id, version } of unseen.values()) {
      setMemory(memories, id, { version, dueAtMs: clock.now(), must: true, alone: true })
    }
  }

  return {
    /** Reads one job; `begun` when a request goes out for that. */
    async poll(account: Account, memories: Memories, id: string, begun: () => void): Promise<void> {
      const video = await store.video(id)
      if (video?.phase !== 'accepted' || video.backendJobId === null) return
      const jobId = video.backendJobId
      const { client, backend } = video
      await during(tracing, 'poll', linkedTo(video), { video: id, client, backend }, async (span) => {
        const startedAtMs = clock.now()
        const asked = await read(account, video, jobId, begun)
        span.set({ outcome: outcomeOf(asked) })
        if (asked.kind === 'asked') await record(account, memories, video, asked, { startedAtMs })
        else if (asked.over) await owe(memories, video, asked.over, asked.retryAtMs)
        else setMemory(memories, id, { version: video.version, dueAtMs: asked.retryAtMs })
      })
    },

    /**
     * Polls many jobs with few requests, by the backend's list. Jobs that still run are done with that. Ended ones, and
     * those that are not in the list (which means nothing), are polled by themselves next.
     */
    async pollByList(account: Account, memories: Memories, rows: readonly OpenVideo[]): Promise<void> {
      const unseen = new Map(rows.map((row) => [row.id, row]))
      const jobs = new Map<string, VideoRecord>()
      for (const { id } of rows) {
        const video = await store.video(id)
        if (video?.phase === 'accepted' && video.backendJobId !== null) jobs.set(video.backendJobId, video)
        else unseen.delete(id)
      }
      const [backend] = account.backends
      await during(tracing, 'poll', linkedTo(...jobs.values()), { backend, jobs: jobs.size }, async (span) => {
        await walk(account, memories, { jobs, unseen })
        span.set({ outcome: 'listed' })
      })
    },

    /** Writes what only this process knows: the one that acts next must not poll before the backend wants it. */
    async leave(memories: Memories, lease: Lease): Promise<void> {
      const left: Promise<unknown>[] = []
      const lost: unknown[] = []
      for (const id of memories.ids()) {
        const [memory, unwritten] = [memoryOf(memories, id), memories.unwritten(id)]
        memories.keepUnwritten(id, NO_POLLS)
        const leaving = apply(id, (video) => leftBehind(video, memory, unwritten))
        left.push(leaving.catch((error: unknown) => lost.push(error)))
        if (left.length < LEFT_AT_ONCE) continue
        // During a reload the process continues serving; and what waits to be written takes memory.
        await Promise.all(left.splice(0))
        await breath()
      }
      await Promise.all(left)
      if (lost.length > 0) log.warn({ err: lost[0] }, 'the poll times of running jobs could not be written')
      await store
        .release('account', lease)
        .catch((err: unknown) => log.warn({ err }, 'a lease could not be returned: it expires by itself'))
    },
  }
}
export type Poller = ReturnType<typeof createPoller>
