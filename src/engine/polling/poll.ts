import type { JobReport, ReadOutcome } from '../../core/adapter.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Lease } from '../../core/store/work.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import type { Store } from '../../core/store/index.ts'
import { sourceOf, type VideoRecord } from '../../core/video.ts'
import type { Account } from '../upstream/accounts.ts'
import { breath } from '../../core/time/breath.ts'
import type { FirstPoll } from './first-poll.ts'
import type { Log } from '../../core/log.ts'
import type { Apply } from '../life/apply.ts'
import {
  afterLook,
  afterOver,
  dueAfter,
  hintOf,
  leftBehind,
  ranAt,
  wantsNextPage,
  type LookMemory,
} from './poll-plan.ts'
import type { Learned } from './learned.ts'
import { noted } from './progress.ts'
import { backoffMs } from '../life/backoff.ts'
import { bareReport, createAskLink, lacksLink } from '../upstream/links.ts'
import type { Upstream } from '../upstream/tickets.ts'

export interface LookerDeps {
  store: Store
  clock: Clock
  log: Log
  random: () => number
  apply: Apply
  upstream: Upstream
  isCalledBack: FirstPoll['isCalledBack']
  learned: Learned
  settings: { maxAgeMs: number }
}

export type Memories = Map<string, LookMemory>

/** Whole records are read: about two milliseconds. */
const LEFT_AT_ONCE = 100

const NEW: Omit<LookMemory, 'version'> = {
  dueAtMs: 0,
  notBeforeMs: null,
  failures: 0,
  lastLookAtMs: null,
  ranAtMs: null,
  must: false,
  alone: false,
  quiet: 0,
  readings: [],
}

export const remember = (memories: Memories, id: string, memory: Partial<LookMemory> & { version: number }): void => {
  memories.set(id, { ...NEW, ...memories.get(id), ...memory })
}

const latest = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.max(a, b))

/** What was asked of one job; `over`: what its state told, where it came without a link and that was asked for as well. */
interface Looked {
  over: JobReport | null
  outcome: ReadOutcome<JobReport>
}

const toldEnd = ({ over, outcome }: Looked): boolean =>
  over !== null || (outcome.ok && (outcome.value.status === 'completed' || outcome.value.status === 'failed'))

/** Looks at running jobs and writes what is news; what is not stays in the account's memories. */
export const createLooker = (deps: LookerDeps) => {
  const { store, clock, log, random, apply, upstream, learned, settings } = deps
  const askLink = createAskLink(upstream)

  /** A job of a video of ours was first seen to be over: that is when it ended, whenever its link comes. */
  const learnEnd = async (video: VideoRecord, endedAtMs: number, ranBeforeMs: number | null): Promise<void> => {
    // When an imported one began, nobody here knows.
    if (sourceOf(video) !== 'import') await learned.ended({ ...video, endedAtMs }, ranBeforeMs)
  }

  /** Asks for the state of a job, unless it is known to be over, and for its link where that came without one. */
  const read = async (account: Account, { linkOwed }: VideoRecord, jobId: string) => {
    if (linkOwed) return { over: null, ...(await askLink(account, jobId)) }
    const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.status(jobId))
    if (asked.kind === 'not_now' || !lacksLink(asked.outcome)) return { over: null, ...asked }
    return { over: asked.outcome.value, ...(await askLink(account, jobId)) }
  }

  /** Its link could not be asked for: whoever looks next asks for that alone. */
  const owe = async (memories: Memories, video: VideoRecord, over: JobReport, retryAtMs: number): Promise<void> => {
    const memory = memories.get(video.id) ?? { ...NEW, version: 0 }
    const dueAtMs = Math.max(retryAtMs, over.nextPollAtMs ?? 0)
    const after = await apply(video.id, (current, nowMs) => afterOver(current, over, { nowMs, dueAtMs, memory }))
    if (after?.phase !== 'accepted') return
    remember(memories, video.id, { ...NEW, version: after.version, dueAtMs, lastLookAtMs: clock.now() })
    upstream.resumeSlots(video.account)
    await learnEnd(after, clock.now(), latest(memory.ranAtMs, video.lastLookAtMs))
  }

  const record = async (
    account: Account,
    memories: Memories,
    video: VideoRecord,
    looked: Looked,
    startedAtMs: number,
  ): Promise<void> => {
    const { over, outcome } = looked
    const nowMs = clock.now()
    const memory = memories.get(video.id) ?? { ...NEW, version: 0 }
    const acceptedAtMs = video.acceptedAtMs ?? video.createdAtMs
    const progress = outcome.ok ? outcome.value.progress : null
    const readings =
      progress === null ? memory.readings : noted(memory.readings, { elapsedMs: nowMs - acceptedAtMs, progress })
    // "No such job" is an answer as well, and the next question keeps its distance.
    const isAnswered = outcome.ok || outcome.lost
    // How late a job may be says nothing of one that is over: its link is asked for at growing pauses.
    const isOver = over !== null || video.linkOwed
    const failures = over ? 1 : isAnswered && !isOver ? 0 : memory.failures + 1
    const hintAtMs = hintOf(outcome)
    const ranBeforeMs = latest(memory.ranAtMs, video.lastLookAtMs)
    const lastLookAtMs = isAnswered ? nowMs : latest(memory.lastLookAtMs, video.lastLookAtMs)
    const calledBack = deps.isCalledBack(video)
    const plannedAtMs = learned.nextLookAt(video, { nowMs, lastLookAtMs, readings, hintAtMs, calledBack })
    const pausedMs = failures > 0 ? nowMs + backoffMs(failures, random()) : 0
    const dueAtMs = Math.max(isOver ? (hintAtMs ?? 0) : plannedAtMs, pausedMs)
    const after = await apply(video.id, (current) =>
      afterLook(current, outcome, {
        nowMs,
        over,
        startedAtMs,
        ranAtMs: ranBeforeMs,
        dueAtMs,
        maxAgeMs: settings.maxAgeMs,
        quiet: memory.quiet,
      }),
    )
    if (!after) return
    if (after.phase === 'ended' || after.linkOwed) upstream.resumeSlots(account.id)
    const isFirst = !video.linkOwed && (after.linkOwed || after.endedAtMs === nowMs)
    if (isFirst && toldEnd(looked)) await learnEnd(after, nowMs, ranBeforeMs)
    const nextAtMs = dueAfter(after, startedAtMs, dueAtMs)
    // A callback that came during the look is still owed one.
    const must = failures > 0 || nextAtMs < dueAtMs
    const quiet = after.version === video.version ? memory.quiet + 1 : 0
    memories.set(video.id, {
      version: after.version,
      dueAtMs: nextAtMs,
      notBeforeMs: hintAtMs,
      failures,
      lastLookAtMs,
      ranAtMs: ranAt(outcome, startedAtMs) ?? ranBeforeMs,
      must,
      alone: false,
      quiet,
      readings,
    })
  }

  return {
    /** Reads one job. */
    async look(account: Account, memories: Memories, id: string): Promise<void> {
      const video = await store.video(id)
      if (video?.phase !== 'accepted' || video.backendJobId === null) return
      const jobId = video.backendJobId
      const startedAtMs = clock.now()
      const asked = await read(account, video, jobId)
      if (asked.kind === 'asked') return record(account, memories, video, asked, startedAtMs)
      if (asked.over) return owe(memories, video, asked.over, asked.retryAtMs)
      remember(memories, id, { version: video.version, dueAtMs: asked.retryAtMs })
    },

    /**
     * Reads many jobs with few requests, where the backend has a list: those that it says still run are done with. The
     * ended, and those that the list does not hold, which means nothing, are due for a look of their own.
     */
    async glance(account: Account, memories: Memories, rows: readonly OpenVideo[]): Promise<void> {
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
          // No link, no error, but that it was looked at.
          const outcome = { ok: true, value: bareReport(jobId, status), rate: null } as const
          // What cannot be written here has a look of its own, and its own pauses.
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

    /** Whoever acts next, at once, after a reload as well, must not ask before the backend wants it. */
    async leave(memories: Memories, lease: Lease): Promise<void> {
      const left: Promise<unknown>[] = []
      const lost: unknown[] = []
      for (const [id, memory] of memories) {
        const leaving = apply(id, (video, nowMs) => leftBehind(video, memory, nowMs))
        left.push(leaving.catch((error: unknown) => lost.push(error)))
        // A reload ends a process's work while it serves.
        if (left.length % LEFT_AT_ONCE === 0) await breath()
      }
      await Promise.all(left)
      if (lost.length > 0) log.warn({ err: lost[0] }, 'when to look at running jobs could not be written')
      await store
        .release('pump', lease)
        .catch((err: unknown) => log.warn({ err }, 'a lease was not given back: it runs out'))
    },
  }
}
export type Looker = ReturnType<typeof createLooker>
