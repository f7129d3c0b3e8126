import type { Log } from '../../core/log.ts'
import type { OpenVideo } from '../../core/store/videos.ts'
import type { Store } from '../../core/store/index.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { sourceOf, type MadeFrom, type VideoRecord } from '../../core/video.ts'
import { durationsOf, NO_DURATIONS, remember, type Durations } from './durations.ts'
import { thetaFor } from './lateness.ts'
import { nextLook } from './next-poll.ts'
import { sparePrice } from './price.ts'
import type { Reading } from './progress.ts'

export interface LearnedDeps {
  store: Pick<Store, 'durations' | 'keepDurations'>
  log: Log
  random: () => number
  /** `pollsPerJob`: no more looks than these, on average; null: as many as the windows have to spare. */
  settings: { maxAgeMs: number; minIntervalMs: number; pollsPerJob: number | null }
}

/** How often the memory is kept, and the least price solved anew, in ends seen. */
const EVERY = 10
/** Fewer tell less than what is known of text. */
const ENOUGH = EVERY

const OVERDUE_LOOK_MS = 60_000

/** What is learned from: when a job that was made elsewhere began, nobody knows. */
const LEARNED = ['text', 'audio'] as const

interface Source {
  memory: Durations
  /** The price of a look at which a job takes the most looks that it may; 0: it may take any number. */
  leastMs: number
  /** Ends seen since the memory was kept. */
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
 * What each backend taught this process about how long its jobs run, and so when to look at the next one (next-poll.ts).
 * Kept across restarts, but not durably: losing some of it costs only learning.
 */
export const createLearned = ({ store, log, random, settings }: LearnedDeps) => {
  const sources = new Map<string, Source>()
  const prices = new Map<AccountId, number>()

  const solved = (memory: Durations, isLoaded: boolean): Source => ({
    isLoaded,
    memory,
    leastMs: settings.pollsPerJob === null ? 0 : thetaFor(memory, settings.pollsPerJob, settings.minIntervalMs),
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

  const lookAt = (
    { backend, source, acceptedAtMs }: Pick<OpenVideo, 'backend' | 'source'> & { acceptedAtMs: number },
    { nowMs, hintAtMs, lastLookAtMs, readings, calledBack }: LookState,
    priceMs: number,
  ): number => {
    const { memory, leastMs } = of(backend, source)
    const job = { acceptedAtMs, lastLookAtMs, readings, calledBack }
    const endAtMs = acceptedAtMs + settings.maxAgeMs
    // Past it, and not expired: nobody answers, or the clocks disagree. Looking goes on, gently.
    const deadlineAtMs = endAtMs > nowMs ? endAtMs : nowMs + OVERDUE_LOOK_MS
    const thetaMs = Math.max(priceMs, leastMs)
    return nextLook(memory, job, { nowMs, thetaMs, minIntervalMs: settings.minIntervalMs, hintAtMs, deadlineAtMs })
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
    /** What a look costs the account now (price.ts): its jobs are looked at when they are worth that. */
    priced: (account: AccountId, priceMs: number): void => void prices.set(account, priceMs),
    /** When to look at a running job next, at this price. */
    lookAt,
    /** When to look at an accepted video next, at the price of now. */
    nextLookAt: (
      video: Pick<VideoRecord, 'account' | 'backend' | 'input' | 'acceptedAtMs' | 'createdAtMs'>,
      state: LookState,
    ): number =>
      lookAt(
        {
          backend: video.backend,
          source: sourceOf(video),
          acceptedAtMs: video.acceptedAtMs ?? video.createdAtMs,
        },
        state,
        prices.get(video.account) ?? sparePrice({ waiting: 0, slots: null, minIntervalMs: settings.minIntervalMs }),
      ),
    /** A look found the end: learns how long the job ran, without believing its own schedule. */
    async ended(
      video: Pick<VideoRecord, 'acceptedAtMs' | 'endedAtMs' | 'lastHintAtMs' | 'backend' | 'input'>,
      lastLookAtMs: number | null,
    ): Promise<void> {
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
