import type { RateHeaders } from '../../src/core/adapter.ts'
import { learn, newBudget, take, viewBudget, type Budget } from '../../src/core/limits/budget.ts'
import type { OpenVideo } from '../../src/core/store/videos.ts'
import { accountIdOf } from '../../src/core/vocabulary.ts'
import { createChoice, createLearned } from '../../src/engine/polling/choose.ts'
import { createMemories, plannedAt, setMemory } from '../../src/engine/polling/poll-plan.ts'
import { createDueQueue } from '../../src/engine/polling/running-jobs.ts'
import { atOnceFor } from '../../src/engine/life/job-steps.ts'
import { INPUT } from '../../test/fakes/records.ts'
import { seededRandom } from '../../test/fakes/random.ts'

const MIN_INTERVAL_MS = 1_000
const SWEEP_MS = 1_000
const START_MS = 1_795_168_800_000
const ACCOUNT = accountIdOf('main')
const AT_FIRST = 10

export interface AccountOptions {
  /** Requests of one window, and how long it is. */
  limit: number
  windowMs: number
  slots: number
  /** One way of a request, or of its answer. */
  wayMs: number
  /** So many jobs, and how long each runs. */
  jobs: number
  durationMs: (random: () => number) => number
  /** The jobs all wait from the first moment on; else a client makes one when it sees the one before end. */
  queued: boolean
  seed: number
}

/** The window as the sandbox plays it: it opens with a request, and its end is told in whole seconds. */
const createUpstream = ({ limit, windowMs }: AccountOptions) => {
  let used = 0
  let resetAtMs = 0
  let refused = 0
  return {
    refused: () => refused,
    arrive(nowMs: number): RateHeaders {
      if (nowMs >= resetAtMs) {
        used = 0
        resetAtMs = Math.ceil((nowMs + windowMs) / 1_000) * 1_000
      }
      if (used >= limit) refused += 1
      else used += 1
      return { limit, remaining: limit - used, resetAtMs, dateMs: Math.floor(nowMs / 1_000) * 1_000 }
    },
  }
}

/** Time that moves from one thing to happen to the next. */
const createTime = () => {
  let nowMs = START_MS
  const coming: { atMs: number; run: () => void }[] = []
  return {
    now: () => nowMs,
    in(ms: number, run: () => void): void {
      const after = coming.findIndex(({ atMs }) => atMs > nowMs + ms)
      coming.splice(after < 0 ? coming.length : after, 0, { atMs: nowMs + ms, run })
    },
    /** To the next of these, or to `untilMs` if that is sooner. */
    pass(untilMs: number): void {
      const [first] = coming
      nowMs = first && first.atMs <= untilMs ? first.atMs : Math.max(untilMs, nowMs + 1)
      while (coming[0] && coming[0].atMs <= nowMs) coming.shift()?.run()
    },
  }
}

/**
 * One account for as long as its jobs take: what the engine decides with (`learned`, `worth`, `dueQueue`, the budget), in
 * the order of a turn, against an upstream that counts for itself.
 */
export const playAccount = (options: AccountOptions) => {
  const { slots, jobs, wayMs, queued } = options
  const random = seededRandom(options.seed)
  const upstream = createUpstream(options)
  const time = createTime()
  const dueQueue = createDueQueue()
  const memories = createMemories()
  const endsAt = new Map<string, number>()
  const delaysMs: number[] = []
  let budget: Budget = newBudget(AT_FIRST)
  let [made, polls, creating, polling, ranMs, lastEndMs] = [0, 0, 0, 0, 0, START_MS]

  const settings = { minIntervalMs: MIN_INTERVAL_MS, maxAgeMs: 86_400_000, pollsPerJob: null }
  const store = { durations: async () => [], keepDurations: async () => undefined, addDurations: async () => undefined }
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const learned = createLearned({
    store,
    log,
    random,
    settings,
    clock: { now: () => START_MS },
    replica: { isAlone: true },
  })
  const putBack = (row: OpenVideo, notBeforeMs = 0): void => {
    const dueAtMs = Math.min(plannedAt(row, memories.get(row.id)), time.now() + SWEEP_MS)
    dueQueue.put(row, Math.max(dueAtMs, notBeforeMs), false)
  }
  const choice = createChoice({
    account: { id: ACCOUNT },
    hasList: false,
    calledBack: () => false,
    learned,
    runningJobs: { rows: dueQueue, memories, putBack, isAwaited: () => false },
    settings,
  })
  const free = (): number => slots - dueQueue.size() - creating
  const waiting = (): number => Math.min(jobs - made, queued ? jobs : free())

  /** One request, there and back; the answer is when to ask again if there is no ticket, else null. */
  const request = (
    kind: 'create' | 'poll',
    demand: { pollsDue: number; createsWaiting: number },
    arrived: () => void,
    answered: () => void,
  ): number | null => {
    const taken = take(budget, time.now(), kind, demand)
    budget = taken.budget
    if (taken.retryAtMs !== null) return taken.retryAtMs
    const { window } = budget
    time.in(wayMs, () => {
      const rate = upstream.arrive(time.now())
      arrived()
      time.in(wayMs, () => {
        budget = learn(budget, window, rate, time.now())
        answered()
      })
    })
    return null
  }

  const video = ({ acceptedAtMs }: OpenVideo) => ({
    account: ACCOUNT,
    backend: 'main',
    input: INPUT,
    madeFrom: null,
    acceptedAtMs,
    createdAtMs: START_MS,
    lastHintAtMs: null,
  })
  const dueAfter = (row: OpenVideo, lastPollAtMs: number | null): number =>
    learned.nextPollAt(video(row), {
      nowMs: time.now(),
      lastPollAtMs,
      readings: [],
      hintAtMs: null,
      calledBack: false,
    })

  const create = (demand: Parameters<typeof request>[1]): number | null => {
    const id = `vid_${made}`
    const retryAtMs = request(
      'create',
      demand,
      () => endsAt.set(id, time.now() + options.durationMs(random)),
      () => {
        creating -= 1
        const row: OpenVideo = {
          id,
          client: 'acme',
          phase: 'accepted',
          dueAtMs: null,
          leaseUntilMs: null,
          version: 1,
          backend: 'main',
          acceptedAtMs: time.now(),
          lastHintAtMs: null,
          hasWebhook: false,
          source: 'text',
          linkOwed: false,
        }
        setMemory(memories, id, { version: 1, dueAtMs: dueAfter(row, null) })
        putBack(row)
      },
    )
    if (retryAtMs !== null) return retryAtMs
    made += 1
    creating += 1
    return null
  }

  const settle = (row: OpenVideo, endedAtMs: number, arrivedAtMs: number): void => {
    delaysMs.push(time.now() - endedAtMs)
    ranMs += options.queued ? endedAtMs - (row.acceptedAtMs ?? 0) + wayMs : 0
    lastEndMs = arrivedAtMs
    void learned.ended({ ...video(row), endedAtMs: time.now() }, memories.get(row.id)?.ranAtMs ?? null)
    dueQueue.drop(row.id)
    memories.delete(row.id)
  }

  const poll = (row: OpenVideo, demand: Parameters<typeof request>[1]): boolean => {
    const startedAtMs = time.now()
    const endedAtMs = endsAt.get(row.id) ?? Infinity
    let arrivedAtMs = Infinity
    const retryAtMs = request(
      'poll',
      demand,
      () => (arrivedAtMs = time.now()),
      () => {
        polling -= 1
        if (endedAtMs <= arrivedAtMs) return settle(row, endedAtMs, time.now())
        const lastPollAtMs = time.now()
        const dueAtMs = dueAfter(row, lastPollAtMs)
        setMemory(memories, row.id, { version: 1, lastPollAtMs, ranAtMs: startedAtMs, dueAtMs })
        putBack(row)
      },
    )
    if (retryAtMs !== null) return false
    polls += 1
    polling += 1
    dueQueue.hold(row.id)
    return true
  }

  /** A turn of the account loop; the answer is when the next is due. */
  const turn = (): number => {
    const nowMs = time.now()
    const view = viewBudget(budget, nowMs)
    const context = { nowMs, budget: view, waiting: queued ? waiting() : 0 }
    choice.setPace(context)
    const due = dueQueue.take(nowMs, slots)
    const isShut = (view.nextAtMs ?? 0) > nowMs
    const room = view.resetsAtMs === null ? 1 : atOnceFor(view.limit) - polling
    const { polls, wanted } = isShut ? { polls: due, wanted: due.length } : choice.take(due, context, room)
    const demand = { pollsDue: wanted, createsWaiting: Math.min(waiting(), free()) }
    let createAtMs: number | null = null
    while (createAtMs === null && waiting() > 0 && free() > 0) createAtMs = create(demand)
    const taken = new Set(isShut ? [] : polls.filter((row) => poll(row, demand)))
    for (const row of polls) if (!taken.has(row)) putBack(row)
    const pollAtMs = isShut ? view.nextAtMs : dueQueue.nextAtMs()
    // What is due and found no ticket or no room is thought of again when something has been answered.
    const laterMs = [createAtMs, pollAtMs].filter((atMs): atMs is number => atMs !== null && atMs > nowMs)
    return Math.min(nowMs + SWEEP_MS, ...laterMs)
  }

  while (delaysMs.length < jobs) time.pass(turn())
  return {
    delaysS: delaysMs.map((ms) => ms / 1_000),
    /** From the first create to the last end that was seen. */
    tookS: (lastEndMs - START_MS) / 1_000,
    pollsPerJob: polls / jobs,
    /** The part of the slots' time in which jobs ran. */
    busy: ranMs / ((lastEndMs - START_MS) * slots),
    refused: upstream.refused(),
  }
}
