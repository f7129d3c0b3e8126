import type { Log } from '../core/log.ts'
import type { Store } from '../core/ports.ts'
import { sourceOf, type MadeFrom, type VideoRecord } from '../core/video.ts'
import { durationsOf, NO_DURATIONS, remember, type Durations } from './durations.ts'
import { thetaFor } from './lateness.ts'
import { nextLook, type RunningJob } from './policy.ts'
import type { Reading } from './progress.ts'

export interface LearnedDeps {
  store: Pick<Store, 'durations' | 'keepDurations'>
  log: Log
  random: () => number
  settings: { maxAgeMs: number; minIntervalMs: number; pollsPerJob: number }
}

/** How often the price of a look is solved anew, and the memory kept, in ends seen. */
const EVERY = 10
/** Fewer tell less than what is known of text. */
const ENOUGH = EVERY

const OVERDUE_LOOK_MS = 60_000

/** What is learned from: when a job that was made elsewhere began, nobody knows. */
const LEARNED = ['text', 'audio'] as const

interface Source {
  memory: Durations
  thetaMs: number
  /** Ends seen since the price was solved and the memory kept. */
  fresh: number
  /** What an earlier process learned is part of it; until then it must not take the place of that. */
  isLoaded: boolean
}

/** What a look is timed by, beside the job itself. */
export interface LookState {
  nowMs: number
  lastLookAtMs: number | null
  readings: readonly Reading[]
  hintAtMs: number | null
  calledBack: boolean
}

/**
 * What each backend taught this process about how long its jobs run, and so when to look at the next one (policy.ts).
 * Kept across restarts, but not durably: losing some of it costs only learning.
 */
export const createLearned = ({ store, log, random, settings }: LearnedDeps) => {
  const sources = new Map<string, Source>()

  const solved = (memory: Durations, isLoaded: boolean): Source => ({
    isLoaded,
    memory,
    thetaMs: thetaFor(memory, settings.pollsPerJob, settings.minIntervalMs),
    fresh: 0,
  })
  const unknown = solved(NO_DURATIONS, false)
  const keyOf = (backend: string, from: MadeFrom): string => `${backend}/${from === 'import' ? 'text' : from}`
  const known = (key: string): Source => sources.get(key) ?? unknown
  const of = (backend: string, from: MadeFrom): Source => {
    const [own, text] = [known(keyOf(backend, from)), known(keyOf(backend, 'text'))]
    return own.memory.recent.length >= Math.min(ENOUGH, text.memory.recent.length) ? own : text
  }

  const keep = async (key: string): Promise<void> => {
    const source = sources.get(key)
    if (!source?.isLoaded || source.fresh === 0) return
    try {
      await store.keepDurations(key, source.memory.recent)
      const now = sources.get(key) ?? source
      sources.set(key, { ...now, fresh: now.fresh - source.fresh })
    } catch (error) {
      log.warn({ source: key, err: error }, 'what was learned of durations could not be kept')
    }
  }

  return {
    /** What looks at videos from that source are timed by. */
    of,
    /** Reads what an earlier process learned of these backends, once; what cannot be read now is read at another call. */
    async load(backends: readonly string[]): Promise<void> {
      for (const key of backends.flatMap((backend) => LEARNED.map((from) => keyOf(backend, from)))) {
        if (sources.get(key)?.isLoaded) continue
        try {
          const kept = await store.durations(key)
          const { memory, fresh } = known(key)
          sources.set(key, { ...solved(durationsOf([...kept, ...memory.recent]), true), fresh })
        } catch (error) {
          log.warn({ source: key, err: error }, 'what was learned of durations could not be read yet')
        }
      }
    },
    /** When to look at an accepted video next. */
    nextLookAt(
      video: Pick<VideoRecord, 'backend' | 'input' | 'acceptedAtMs' | 'createdAtMs'>,
      state: LookState,
    ): number {
      const { memory, thetaMs } = of(video.backend, sourceOf(video))
      const acceptedAtMs = video.acceptedAtMs ?? video.createdAtMs
      const { nowMs, hintAtMs, lastLookAtMs, readings, calledBack } = state
      const job: RunningJob = { acceptedAtMs, lastLookAtMs, readings, calledBack }
      const endAtMs = acceptedAtMs + settings.maxAgeMs
      // Past it, and not expired: nobody answers, or the clocks disagree. Looking goes on, gently.
      const deadlineAtMs = endAtMs > nowMs ? endAtMs : nowMs + OVERDUE_LOOK_MS
      return nextLook(memory, job, { nowMs, thetaMs, minIntervalMs: settings.minIntervalMs, hintAtMs, deadlineAtMs })
    },
    /** A look found the end: learns how long the job ran, without believing its own schedule. */
    async ended(video: VideoRecord, lastLookAtMs: number | null): Promise<void> {
      const { acceptedAtMs, endedAtMs, lastHintAtMs, backend } = video
      if (acceptedAtMs === null || endedAtMs === null) return
      const exact = lastHintAtMs !== null && lastHintAtMs > (lastLookAtMs ?? acceptedAtMs)
      const detectedAtMs = exact ? Math.min(lastHintAtMs, endedAtMs) : endedAtMs
      const lastLookMs = lastLookAtMs === null ? null : lastLookAtMs - acceptedAtMs
      const key = keyOf(backend, sourceOf(video))
      const before = known(key)
      const memory = remember(before.memory, { lastLookMs, detectedMs: detectedAtMs - acceptedAtMs, exact }, random())
      const fresh = before.fresh + 1
      const isDue = fresh % EVERY === 0
      sources.set(key, { ...(isDue ? solved(memory, before.isLoaded) : { ...before, memory }), fresh })
      if (isDue) await keep(key)
    },
    /** Keeps what was not kept yet. */
    async close(): Promise<void> {
      for (const key of sources.keys()) await keep(key)
    },
  }
}
export type Learned = ReturnType<typeof createLearned>
