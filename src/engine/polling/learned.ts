import type { OpenVideo } from '../../core/store/videos.ts'
import type { Store } from '../../core/store/index.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { sourceOf, type MadeFrom, type VideoRecord } from '../../core/video.ts'
import type { Ports } from '../../core/ports.ts'
import { durationsOf, NO_DURATIONS, remember, type Durations } from './durations.ts'
import { thetaFor } from './lateness.ts'
import { nextPoll } from './next-poll.ts'
import { sparePrice } from './price.ts'
import type { Reading } from './progress.ts'

export interface LearnedDeps extends Pick<Ports, 'log' | 'random'> {
  store: Pick<Store, 'durations' | 'keepDurations'>
  /** `pollsPerJob`: no more polls than these, on average; null: as many as the windows have to spare. */
  settings: { maxAgeMs: number; minIntervalMs: number; pollsPerJob: number | null }
}

/** After so many ends the memory is stored, and the least price is solved again. */
const EVERY = 10
/** With fewer ends of videos from audio, the durations of text tell more. */
const ENOUGH = EVERY

const OVERDUE_LOOK_MS = 60_000

/** Sources that teach durations. An imported job does not: nobody knows when it began. */
const LEARNED = ['text', 'audio'] as const

interface Source {
  memory: Durations
  /** The price at which a job takes the most polls that it may; 0: it may take any number. */
  leastMs: number
  /** Ends seen since the memory was kept. */
  fresh: number
  /** What an earlier process learned is loaded. Before that, nothing may be stored over it. */
  isLoaded: boolean
}

/** What a poll is timed by, beside the job itself. */
export interface PollState {
  nowMs: number
  lastPollAtMs: number | null
  readings: readonly Reading[]
  hintAtMs: number | null
  calledBack: boolean
}

/**
 * What each backend taught this process about how long its jobs run, and so when to poll the next one (next-poll.ts).
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

  const pollAt = (
    { backend, source, acceptedAtMs }: Pick<OpenVideo, 'backend' | 'source'> & { acceptedAtMs: number },
    { nowMs, hintAtMs, lastPollAtMs, readings, calledBack }: PollState,
    priceMs: number,
  ): number => {
    const { memory, leastMs } = of(backend, source)
    const job = { acceptedAtMs, lastPollAtMs, readings, calledBack }
    const endAtMs = acceptedAtMs + settings.maxAgeMs
    // Past the deadline, and not expired: nobody answers, or the clocks disagree. Polls go on, slowly.
    const deadlineAtMs = endAtMs > nowMs ? endAtMs : nowMs + OVERDUE_LOOK_MS
    const thetaMs = Math.max(priceMs, leastMs)
    return nextPoll(memory, job, { nowMs, thetaMs, minIntervalMs: settings.minIntervalMs, hintAtMs, deadlineAtMs })
  }

  return {
    /** What polls of videos from that source are timed by. */
    of,
    /** Loads what an earlier process learned of these backends, once. If that fails, the next call tries again. */
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
    /** What a poll costs the account now (price.ts): its jobs are polled when they are worth that. */
    priced: (account: AccountId, priceMs: number): void => void prices.set(account, priceMs),
    /** When to poll a running job next, at this price. */
    pollAt,
    /** When to poll an accepted video next, at the price of now. */
    nextPollAt: (
      video: Pick<VideoRecord, 'account' | 'backend' | 'input' | 'acceptedAtMs' | 'createdAtMs'>,
      state: PollState,
    ): number => {
      const { account, backend, acceptedAtMs, createdAtMs } = video
      const job = { backend, source: sourceOf(video), acceptedAtMs: acceptedAtMs ?? createdAtMs }
      const { minIntervalMs } = settings
      return pollAt(job, state, prices.get(account) ?? sparePrice({ waiting: 0, slots: null, minIntervalMs }))
    },
    /** A poll found the end: learns how long the job ran, without believing its own schedule. */
    async ended(
      video: Pick<VideoRecord, 'acceptedAtMs' | 'endedAtMs' | 'lastHintAtMs' | 'backend' | 'input'>,
      lastPollAtMs: number | null,
    ): Promise<void> {
      const { acceptedAtMs, endedAtMs, lastHintAtMs, backend } = video
      if (acceptedAtMs === null || endedAtMs === null) return
      const exact = lastHintAtMs !== null && lastHintAtMs > (lastPollAtMs ?? acceptedAtMs)
      const detectedAtMs = exact ? Math.min(lastHintAtMs, endedAtMs) : endedAtMs
      const lastPollMs = lastPollAtMs === null ? null : lastPollAtMs - acceptedAtMs
      const key = keyOf(backend, sourceOf(video))
      const before = known(key)
      const memory = remember(before.memory, { lastPollMs, detectedMs: detectedAtMs - acceptedAtMs, exact }, random())
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
