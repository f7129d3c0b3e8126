import type { JobReport } from '../../core/adapter.ts'
import type { Lease } from '../../core/store/work.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import { sourceOf, type VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'
import { breath } from '../../core/time/breath.ts'
import type { Ports } from '../../core/ports.ts'
import type { FirstPoll } from './first-poll.ts'
import type { Apply } from '../life/apply.ts'
import {
  latest,
  memoryOf,
  NEW,
  remember,
  rememberedOf,
  toldBy,
  toldEnd,
  type Memories,
  type Polled,
  type Told,
} from './poll-memory.ts'
import { afterOver, afterPoll, leftBehind, wantsNextPage } from './poll-plan.ts'
import type { Learned } from './learned.ts'
import { backoffMs } from '../life/backoff.ts'
import { bareReport, createAskLink, lacksLink } from '../upstream/links.ts'
import type { Upstream } from '../upstream/tickets.ts'

export interface PollerDeps extends Pick<Ports, 'store' | 'clock' | 'log' | 'random'> {
  apply: Apply
  upstream: Upstream
  isCalledBack: FirstPoll['isCalledBack']
  learned: Learned
  settings: { maxAgeMs: number }
}

/** Whole records are read: about two milliseconds. */
const LEFT_AT_ONCE = 100

/** Polls running jobs and writes what is new. The rest stays in the account's memory. */
export const createPoller = (deps: PollerDeps) => {
  const { store, clock, log, random, apply, upstream, learned, settings } = deps
  const askLink = createAskLink(upstream)

  /** Learns from the first poll that found the job over. Its link may come later. */
  const learnEnd = async (video: VideoRecord, endedAtMs: number, ranBeforeMs: number | null): Promise<void> => {
    // Nobody knows when an imported job began.
    if (sourceOf(video) !== 'import') await learned.ended({ ...video, endedAtMs }, ranBeforeMs)
  }

  /** Asks for the state of a job, unless it is known to be over, and for its link where that came without one. */
  const read = async (account: Account, { linkOwed }: VideoRecord, jobId: string, begun: () => void) => {
    if (linkOwed) return { over: null, ...(await askLink(account, jobId)) }
    const asked = await upstream.ask(account, 'poll', 0, () => {
      begun()
      return account.adapter.status(jobId)
    })
    if (asked.kind === 'not_now' || !lacksLink(asked.outcome)) return { over: null, ...asked }
    return { over: asked.outcome.value, ...(await askLink(account, jobId)) }
  }

  /** The link could not be asked for: the next poll asks for it alone. */
  const owe = async (memories: Memories, video: VideoRecord, over: JobReport, retryAtMs: number): Promise<void> => {
    const memory = memoryOf(memories, video.id)
    const dueAtMs = Math.max(retryAtMs, over.nextPollAtMs ?? 0)
    const after = await apply(video.id, (current, nowMs) => afterOver(current, over, { nowMs, dueAtMs, memory }))
    if (after?.phase !== 'accepted') return
    remember(memories, video.id, { ...NEW, version: after.version, dueAtMs, lastPollAtMs: clock.now() })
    upstream.resumeSlots(video.account)
    await learnEnd(after, clock.now(), latest(memory.ranAtMs, video.lastPollAtMs))
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
    startedAtMs: number,
  ): Promise<void> => {
    const nowMs = clock.now()
    const memory = memoryOf(memories, video.id)
    const told = toldBy(memory, video, polled, nowMs)
    const dueAtMs = nextAtMs(video, told, nowMs)
    const after = await apply(video.id, (current) =>
      afterPoll(current, polled.outcome, {
        nowMs,
        over: polled.over,
        startedAtMs,
        ranAtMs: told.ranBeforeMs,
        dueAtMs,
        maxAgeMs: settings.maxAgeMs,
        quiet: memory.quiet,
      }),
    )
    if (!after) return
    if (after.phase === 'ended' || after.linkOwed) upstream.resumeSlots(account.id)
    const isFirst = !video.linkOwed && (after.linkOwed || after.endedAtMs === nowMs)
    if (isFirst && toldEnd(polled)) await learnEnd(after, nowMs, told.ranBeforeMs)
    const { outcome } = polled
    memories.set(video.id, rememberedOf(memory, told, { before: video, after }, { outcome, startedAtMs, dueAtMs }))
  }

  return {
    /** Reads one job; `begun` when a request goes out for that. */
    async poll(account: Account, memories: Memories, id: string, begun: () => void): Promise<void> {
      const video = await store.video(id)
      if (video?.phase !== 'accepted' || video.backendJobId === null) return
      const jobId = video.backendJobId
      const startedAtMs = clock.now()
      const asked = await read(account, video, jobId, begun)
      if (asked.kind === 'asked') return record(account, memories, video, asked, startedAtMs)
      if (asked.over) return owe(memories, video, asked.over, asked.retryAtMs)
      remember(memories, id, { version: video.version, dueAtMs: asked.retryAtMs })
    },

    /**
     * Polls many jobs with few requests, by the backend's list. Jobs that still run are done with that. Ended ones, and
     * those that are not in the list (which means nothing), are polled alone next.
     */
    async pollByList(account: Account, memories: Memories, rows: readonly OpenVideo[]): Promise<void> {
      const startedAtMs = clock.now()
      const unseen = new Map(rows.map((row) => [row.id, row]))
      const jobs = new Map<string, VideoRecord>()
      for (const { id } of rows) {
        const video = await store.video(id)
        if (video?.phase === 'accepted' && video.backendJobId !== null) jobs.set(video.backendJobId, video)
        else unseen.delete(id)
      }
      for (let page = 1; ; page += 1) {
        const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.list(page))
        if (asked.kind === 'not_now') {
          for (const { id, version } of unseen.values()) remember(memories, id, { version, dueAtMs: asked.retryAtMs })
          return
        }
        if (!asked.outcome.ok) break
        const { items, totalPages } = asked.outcome.value
        let found = 0
        for (const { jobId, status } of items) {
          const video = jobs.get(jobId)
          if (!video || !unseen.has(video.id)) continue
          found += 1
          if (status !== 'processing' && status !== 'queued') continue
          // A list tells no link and no error, only that the job runs.
          const outcome = { ok: true, value: bareReport(jobId, status), rate: null } as const
          // If this cannot be written, the job is polled alone, with its own pauses.
          const isDone = await record(account, memories, video, { over: null, outcome }, startedAtMs).then(
            () => true,
            () => false,
          )
          if (isDone) unseen.delete(video.id)
        }
        if (!wantsNextPage({ page, totalPages, found, unseen: unseen.size })) break
      }
      for (const { id, version } of unseen.values()) {
        remember(memories, id, { version, dueAtMs: clock.now(), must: true, alone: true })
      }
    },

    /** Writes what only this process knows: whoever acts next must not poll before the backend wants it. */
    async leave(memories: Memories, lease: Lease): Promise<void> {
      const left: Promise<unknown>[] = []
      const lost: unknown[] = []
      for (const [id, memory] of memories) {
        const leaving = apply(id, (video, nowMs) => leftBehind(video, memory, nowMs))
        left.push(leaving.catch((error: unknown) => lost.push(error)))
        // During a reload the process goes on serving.
        if (left.length % LEFT_AT_ONCE === 0) await breath()
      }
      await Promise.all(left)
      if (lost.length > 0) log.warn({ err: lost[0] }, 'when to poll running jobs could not be written')
      await store
        .release('account', lease)
        .catch((err: unknown) => log.warn({ err }, 'a lease was not given back: it runs out'))
    },
  }
}
export type Poller = ReturnType<typeof createPoller>
