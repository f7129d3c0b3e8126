import type { RateHeaders } from '../../src/core/adapter.ts'
import { learn, newBudget, take, viewBudget, type Budget } from '../../src/core/budget.ts'
import { NO_DURATIONS, remember, type Durations } from '../../src/videos/durations.ts'
import { thetaFor } from '../../src/videos/lateness.ts'
import { nextLook, type RunningJob } from '../../src/videos/policy.ts'
import { priceOfLook, worthLooking } from '../../src/videos/price.ts'
import type { Distribution } from './distributions.ts'

const LIMIT = 10
const SLOTS = 2
const WINDOW_MS = 60_000
/** One way of a request, or of its answer. */
const WAY_MS = 100
const MIN_INTERVAL_MS = 1_000
const RETHINK_MS = 1_000
const START_MS = 1_795_168_800_000

/** The primary's window as the sandbox plays it: it opens with a request, and its end is told in whole seconds. */
const createUpstream = () => {
  let used = 0
  let resetAtMs = 0
  let refused = 0
  return {
    refused: () => refused,
    arrive(nowMs: number): RateHeaders {
      if (nowMs >= resetAtMs) {
        used = 0
        resetAtMs = Math.ceil((nowMs + WINDOW_MS) / 1_000) * 1_000
      }
      if (used >= LIMIT) refused += 1
      else used += 1
      return { limit: LIMIT, remaining: LIMIT - used, resetAtMs, dateMs: Math.floor(nowMs / 1_000) * 1_000 }
    },
  }
}

interface Job {
  id: string
  endsAtMs: number
  dueAtMs: number
  state: RunningJob
}

export interface SaturatedOptions {
  distribution: Distribution
  pollsPerJob: number
  warmUp: number
  jobs: number
  random: () => number
}

/**
 * A full queue on an account of two slots and ten requests a minute: creates and polls through `src/core/budget.ts`,
 * against an upstream that counts for itself. The loop is the pump's: creates first, then what is worth its price.
 */
export const saturate = (options: SaturatedOptions) => {
  const { distribution, pollsPerJob, warmUp, jobs: wanted, random } = options
  const upstream = createUpstream()
  let nowMs = START_MS
  let budget: Budget = newBudget(LIMIT)
  let memory: Durations = NO_DURATIONS
  let thetaMs = thetaFor(memory, pollsPerJob, MIN_INTERVAL_MS)
  let running: Job[] = []
  let created = 0
  let polls = 0
  const delaysS: number[] = []

  /** One request, there and back; false: no ticket, and time went on to when to ask again. */
  const request = (onArrival: () => void): boolean => {
    const taken = take(budget, nowMs)
    budget = taken.budget
    if (taken.retryAtMs !== null) {
      nowMs = Math.max(taken.retryAtMs, nowMs + 1)
      return false
    }
    const { window } = budget
    nowMs += WAY_MS
    const rate = upstream.arrive(nowMs)
    onArrival()
    nowMs += WAY_MS
    budget = learn(budget, window, rate, nowMs)
    return true
  }

  const rules = () => ({
    nowMs,
    thetaMs,
    minIntervalMs: MIN_INTERVAL_MS,
    hintAtMs: null,
    deadlineAtMs: nowMs + 86_400_000,
  })

  const create = (): void => {
    let endsAtMs = 0
    const sent = request(() => (endsAtMs = nowMs + distribution.draw(random) * 1_000))
    if (!sent) return
    created += 1
    const state: RunningJob = { acceptedAtMs: nowMs, lastLookAtMs: null, readings: [], calledBack: false }
    running.push({ id: String(created), endsAtMs, state, dueAtMs: nextLook(memory, state, rules()) })
  }

  const settle = (job: Job): void => {
    running = running.filter((one) => one !== job)
    if (created > warmUp + SLOTS) delaysS.push((nowMs - job.endsAtMs) / 1_000)
    const { acceptedAtMs, lastLookAtMs } = job.state
    const lastLookMs = lastLookAtMs === null ? null : lastLookAtMs - acceptedAtMs
    memory = remember(memory, { lastLookMs, detectedMs: nowMs - acceptedAtMs, exact: false }, random())
    thetaMs = thetaFor(memory, pollsPerJob, MIN_INTERVAL_MS)
  }

  const look = (job: Job): void => {
    let ended = false
    const sent = request(() => (ended = nowMs >= job.endsAtMs))
    if (!sent) return
    if (created > warmUp + SLOTS) polls += 1
    if (ended) return settle(job)
    job.state = { ...job.state, lastLookAtMs: nowMs }
    job.dueAtMs = nextLook(memory, job.state, rules())
  }

  const watched = (job: Job) => ({ id: job.id, memory, job: job.state, must: false, inner: job })

  while (delaysS.length < wanted) {
    if (running.length < SLOTS) {
      create()
      continue
    }
    const due = running.filter((job) => job.dueAtMs <= nowMs)
    const priceMs = due.length === 0 ? 0 : priceOfLook(running.map(watched), viewBudget(budget, nowMs), rules())
    const first = worthLooking(due.map(watched), priceMs, nowMs)[0]
    if (first) look(first.inner)
    else nowMs = due.length > 0 ? nowMs + RETHINK_MS : Math.min(...running.map((job) => job.dueAtMs))
  }
  const sorted = delaysS.toSorted((a, b) => a - b)
  return {
    meanS: delaysS.reduce((sum, delay) => sum + delay, 0) / delaysS.length,
    p95S: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    pollsPerJob: polls / delaysS.length,
    refused: upstream.refused(),
  }
}
