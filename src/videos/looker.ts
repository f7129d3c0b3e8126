import type { JobReport, ReadOutcome } from '../core/adapter.ts'
import type { Clock } from '../core/clock.ts'
import type { Lease, OpenVideo, Store } from '../core/ports.ts'
import { sourceOf, type VideoRecord } from '../core/video.ts'
import type { Account } from './backends.ts'
import type { Dispatch } from './dispatch.ts'
import type { Log } from '../core/log.ts'
import type { Apply } from './engine.ts'
import { afterLook, dueAfter, hintOf, leftBehind, ranAt, wantsNextPage, type LookMemory } from './look.ts'
import type { Learned } from './learned.ts'
import { noted } from './progress.ts'
import { backoffMs } from './schedule.ts'
import { createWithLink } from './with-link.ts'
import type { Upstream } from './upstream.ts'

export interface LookerDeps {
  store: Store
  clock: Clock
  log: Log
  random: () => number
  apply: Apply
  upstream: Upstream
  dispatch: Dispatch
  learned: Learned
  settings: { maxAgeMs: number }
}

export type Memories = Map<string, LookMemory>

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

/** What the backend's list says of a job that runs: no link, no error, but that it was looked at. */
const glimpsed = (jobId: string, status: JobReport['status']): JobReport => ({
  jobId,
  status,
  backendStatus: null,
  progress: null,
  link: null,
  failure: null,
  thumbnailUrl: null,
  durationSeconds: null,
  durationEstimateSeconds: null,
  nextPollAtMs: null,
  made: { puppetId: null, voiceId: null, resolution: null, createdAtMs: null },
})

/** Looks at running jobs and writes what is news; what is not stays in the account's memories. */
export const createLooker = (deps: LookerDeps) => {
  const { store, clock, log, random, apply, upstream, dispatch, learned, settings } = deps
  const withLink = createWithLink(upstream)

  const record = async (
    account: Account,
    memories: Memories,
    video: VideoRecord,
    outcome: ReadOutcome<JobReport>,
    startedAtMs: number,
  ): Promise<void> => {
    const nowMs = clock.now()
    const memory = memories.get(video.id) ?? { ...NEW, version: 0 }
    const acceptedAtMs = video.acceptedAtMs ?? video.createdAtMs
    const progress = outcome.ok ? outcome.value.progress : null
    const readings =
      progress === null ? memory.readings : noted(memory.readings, { elapsedMs: nowMs - acceptedAtMs, progress })
    // "No such job" is an answer as well, and the next question keeps its distance.
    const isAnswered = outcome.ok || outcome.lost
    const failures = isAnswered ? 0 : memory.failures + 1
    const hintAtMs = hintOf(outcome)
    const ranBeforeMs = latest(memory.ranAtMs, video.lastLookAtMs)
    const lastLookAtMs = isAnswered ? nowMs : latest(memory.lastLookAtMs, video.lastLookAtMs)
    const calledBack = dispatch.isCalledBack(account, video)
    const plannedAtMs = learned.nextLookAt(video, { nowMs, lastLookAtMs, readings, hintAtMs, calledBack })
    const dueAtMs = failures > 0 ? Math.max(plannedAtMs, nowMs + backoffMs(failures, random())) : plannedAtMs
    const after = await apply(video.id, (current) =>
      afterLook(current, outcome, {
        nowMs,
        startedAtMs,
        ranAtMs: ranBeforeMs,
        dueAtMs,
        maxAgeMs: settings.maxAgeMs,
        quiet: memory.quiet,
      }),
    )
    if (after?.phase === 'ended') {
      upstream.resumeSlots(account.id)
      const told = outcome.ok && (outcome.value.status === 'completed' || outcome.value.status === 'failed')
      // When an imported one began, nobody here knows.
      if (told && after.endedAtMs === nowMs && sourceOf(after) !== 'import') await learned.ended(after, ranBeforeMs)
    }
    if (!after) return
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
      const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.status(jobId))
      if (asked.kind === 'not_now') return remember(memories, id, { version: video.version, dueAtMs: asked.retryAtMs })
      await record(account, memories, video, await withLink(account, jobId, asked.outcome), startedAtMs)
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
          const seen = { ok: true, value: glimpsed(jobId, status), rate: null } as const
          // What cannot be written here has a look of its own, and its own pauses.
          const isDone = await record(account, memories, video, seen, startedAtMs).then(
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
      const left = [...memories].map(([id, memory]) => apply(id, (video, nowMs) => leftBehind(video, memory, nowMs)))
      const lost = (await Promise.allSettled(left)).find((one) => one.status === 'rejected')
      if (lost) log.warn({ err: lost.reason }, 'when to look at running jobs could not be written')
      await store
        .release('pump', lease)
        .catch((err: unknown) => log.warn({ err }, 'a lease was not given back: it runs out'))
    },
  }
}
