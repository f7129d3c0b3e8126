import { SAMPLED_EVERY_MS } from '../../core/store/admin.ts'
import type { BudgetView } from '../../core/store/accounts.ts'
import type { OpenVideo, Queue } from '../../core/store/videos.ts'
import type { Lease } from '../../core/store/webhooks.ts'
import type { Ports, Replica } from '../../core/ports.ts'
import type { Confirm } from '../doubt/list.ts'
import type { createDoubtSearch, createSecondJobs } from '../doubt/search.ts'
import type { Apply } from '../life/apply.ts'
import { atOnceFor } from '../life/job-steps.ts'
import { recovered } from '../life/create-steps.ts'
import { createDispatchWaiting, createGiveUp, type Dispatch } from '../send/dispatch.ts'
import type { Account } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'
import type { Pumps } from '../replicas/replica.ts'
import type { Choice, Learned } from '../polling/choose.ts'
import type { FirstPoll, Poller } from '../polling/poll.ts'
import { actionOf, pollPlan, setMemory } from '../polling/poll-plan.ts'
import type { FlightKind, RunningJobs } from '../polling/running-jobs.ts'
import type { Pools } from './pools.ts'

export interface TurnDeps extends FirstPoll, Pick<Ports, 'store' | 'wake' | 'clock' | 'log'> {
  apply: Apply
  upstream: Upstream
  dispatch: Dispatch
  pools: Pools
  confirm: Confirm
  learned: Learned
  poller: Poller
  doubtSearch: ReturnType<typeof createDoubtSearch>
  secondJobs: ReturnType<typeof createSecondJobs>
  pumps: Pumps
  replica: Replica
  startTransfers: (account: Account) => Promise<void>
  settings: { maxAgeMs: number }
  isStopping: () => boolean
  /** Called when work of the account has ended: there may be room for more. */
  kick: (state: AccountState) => void
}

/** What this process knows of one account. */
export interface AccountState {
  account: Account
  /** Null: another process acts for the account. */
  lease: Lease | null
  runningJobs: RunningJobs
  choice: Choice
  /** This process let the account go. Until then it leaves it to others, and does not let it go again. */
  restsUntilMs: number
  /** Nobody held the account for a while, so callbacks may be lost: its jobs are to be polled once. */
  missedCallbacks: boolean
  isListing: boolean
  /** The last turn read a job beside a video's own. */
  wasSecondJob: boolean
  /** A hint came, or work ended, since the last turn began: the next one is no mere sweep. */
  isAsked: boolean
  /** Nothing was open at the last whole turn, after this write of the account's. */
  quiet: { atMs: number; move: number } | null
  /** The minute of its last sample. */
  sampledAtMs: number
}

/** What a turn begins with. */
interface Standing {
  nowMs: number
  budget: BudgetView
  queue: Queue
  /** No poll can go before. */
  shutUntilMs: number
}

/** What is due: polls that are worth a request, best first, and everything else. */
interface Due {
  polls: readonly OpenVideo[]
  /** How many polls would go if there were requests for all. */
  wanted: number
  others: readonly OpenVideo[]
  /** A video with a second job to read. */
  secondJob: string | null
}

const LEASE_MS = 45_000
/** Whom the backend has not answered for so long lets its account go: another process may have a better network. */
const SILENT_MS = 15_000
const REST_MS = 60_000
/** While nothing is open and nothing is written, sweeps are whole turns only so often. */
const QUIET_MS = 5_000
/** Of second jobs that are due, so many are seen: one that cannot be read now stands in no other's way. */
const SECOND_JOBS_SEEN = 8
/** A turn begins no more polls, so that it does not hold the thread: the next one follows immediately. */
const POLLS_A_TURN = 16
/** When to return to a create in doubt that found no room. */
const RETHINK_MS = 1_000
/** How many due rows a turn considers: with a list as many as it may report, else some more than there is room for. */
const consideredFor = ({ adapter }: Account, room: number): number =>
  room <= 0 ? 0 : adapter.capabilities.native_list ? 2_000 : 64 + 4 * room

/** Which room a due row needs. Resends have a room of their own, so that creates that hang hold up no poll. */
const kindOf = ({ account }: AccountState, row: OpenVideo): FlightKind =>
  actionOf(row) === 'settle' && account.adapter.capabilities.native_idempotency ? 'resend' : 'poll'

/** Whether an operator paused what is due: a create that is sent again, or a poll, also of a list. */
const isPaused = (state: AccountState, row: OpenVideo): boolean =>
  actionOf(row) !== 'recover' && state.account.paused.isPaused(kindOf(state, row) === 'resend' ? 'creates' : 'polls')

/**
 * One turn for an account: sends what waits, polls what is worth it, ends doubts. Nothing while another process acts.
 */
export const createTurn = (deps: TurnDeps) => {
  const { store, wake, clock, log, apply, upstream, dispatch, pools, learned, poller, doubtSearch, secondJobs } = deps
  const { pumps, replica } = deps
  const giveUpWaiting = createGiveUp(deps)
  const dispatchWaiting = createDispatchWaiting({ ...deps, poolTurnOf: pools.turnOf, mayPass: pools.mayPass })

  /** The backend answers this process no more. What it sent is not lost: its outcome is in the store, or a doubt. */
  const letGo = async (state: AccountState, lease: Lease): Promise<void> => {
    const { account, runningJobs } = state
    log.warn({ backends: account.backends }, 'no answer from the backend: another replica may work on its videos')
    state.restsUntilMs = clock.now() + REST_MS
    state.lease = null
    runningJobs.lose()
    await poller.leave(runningJobs.memories, lease)
  }

  /** Whether this process acts for the account. */
  const hold = async (state: AccountState): Promise<boolean> => {
    const { lease, runningJobs, account, restsUntilMs } = state
    const nowMs = clock.now()
    const isResting = nowMs < restsUntilMs
    const silentMs = nowMs - (upstream.silentSinceMs(account.id) ?? nowMs)
    if (lease && !replica.isAlone && !isResting && silentMs >= SILENT_MS) {
      await letGo(state, lease)
      return false
    }
    const isLong = lease !== null && lease.untilMs - nowMs > LEASE_MS / 2
    // Others may have thought that this process died.
    if (isLong && !(await pumps.isElsewhere(account.id))) return true
    if (lease && (await store.extend('account', lease, LEASE_MS))) {
      state.lease = { ...lease, untilMs: clock.now() + LEASE_MS }
      return true
    }
    runningJobs.lose()
    state.lease = null
    state.lease = await pumps.claim(account.id, LEASE_MS, isResting || upstream.shutUntilMs(account.id) > nowMs)
    if (!state.lease) return false
    upstream.forgetSilence(account.id)
    state.missedCallbacks = account.adapter.capabilities.native_webhook
    return true
  }

  const learnWhatChanged = async (state: AccountState): Promise<void> => {
    const { account, runningJobs } = state
    if (await runningJobs.catchUp()) {
      await learned.load(account.backends)
      await giveUpWaiting(account)
    }
    if (!state.missedCallbacks) return
    await runningJobs.suspectAll()
    state.missedCallbacks = false
  }

  const standingOf = async ({ account }: AccountState): Promise<Standing> => {
    await upstream.heed()
    const nowMs = clock.now()
    const queue = await store.queue(account.id)
    const budget = upstream.view(account, queue.window)
    const shutUntilMs = Math.max(
      budget.nextAtMs ?? 0,
      upstream.shutUntilMs(account.id),
      account.paused.untilMs('polls'),
    )
    return { nowMs, budget, shutUntilMs, queue }
  }

  const roomFor = ({ runningJobs }: AccountState, kind: FlightKind, { budget }: Standing): number =>
    deps.isStopping() ? 0 : atOnceFor(budget.limit) - runningJobs.flights(kind)

  const takeDue = (state: AccountState, standing: Standing): Omit<Due, 'secondJob'> => {
    const { account, runningJobs, choice } = state
    const { nowMs, budget, queue, shutUntilMs } = standing
    const turn = { nowMs, budget, waiting: queue.waiting }
    choice.setPace(turn)
    const isShut = shutUntilMs > nowMs
    const roomNow = roomFor(state, 'poll', standing)
    const room = Math.min(POLLS_A_TURN, roomNow)
    const due = runningJobs.take(nowMs, consideredFor(account, isShut ? roomNow : room))
    const others = due.filter((row) => actionOf(row) !== 'poll')
    const polls = due.filter((row) => actionOf(row) === 'poll')
    // Which polls go is decided only when one can go.
    if (polls.length === 0 || isShut) return { others, polls, wanted: polls.length }
    // A window's first request goes by itself: the others would be refused, the best of them first.
    const isAlone = budget.resetsAtMs === null && !account.adapter.capabilities.native_list
    return { others, ...choice.take(polls, turn, isAlone ? Math.min(1, room) : room) }
  }

  /** Reports what the account wants of its window, so that creates and polls leave each other room. */
  const tellDemand = (state: AccountState, { wanted, others, secondJob }: Due, { nowMs, queue }: Standing): void => {
    const { account, runningJobs } = state
    const isMore = (runningJobs.nextAtMs() ?? Infinity) <= nowMs
    const searches = others.filter((row) => actionOf(row) === 'settle' && kindOf(state, row) === 'poll').length
    const polls = wanted + searches + (isMore ? 1 : 0) + (secondJob === null ? 0 : 1)
    const pollsDue = account.paused.isPaused('polls') ? 0 : polls
    const waiting = account.paused.isPaused('creates') ? 0 : queue.waiting
    upstream.wants(account, { pollsDue, waiting, held: runningJobs.rows.size() })
  }

  const start = (state: AccountState, kind: FlightKind, ids: readonly string[], action: () => Promise<void>): void =>
    state.runningJobs.begin(kind, ids, action, () => deps.kick(state))

  /** Ends a doubt: by the same bytes under the same key, or by evidence where there are no keys. */
  const settleDoubt = async ({ account, runningJobs }: AccountState, id: string): Promise<void> => {
    const video = await store.video(id)
    if (video?.phase !== 'doubtful') return
    const keyed = account.adapter.capabilities.native_idempotency
    const pause = keyed ? await dispatch.resend(account, video) : await doubtSearch.resolve(account, video)
    if (pause) setMemory(runningJobs.memories, id, { version: video.version, dueAtMs: pause.retryAtMs })
  }

  /** Takes over a create whose process died. */
  const recover = async (id: string): Promise<void> => {
    // The lease may have run out because the store failed: what this process knows of the create is written first.
    await dispatch.written(id)
    await apply(id, (current, nowMs) =>
      current.phase === 'dispatching' && (current.lease?.untilMs ?? 0) <= nowMs ? recovered(current, nowMs) : 'keep',
    )
  }

  const startOther = (state: AccountState, row: OpenVideo): void =>
    start(state, kindOf(state, row), [row.id], () =>
      actionOf(row) === 'settle' ? settleDoubt(state, row.id) : recover(row.id),
    )

  /** A video with a second job to read, which a callback named. Null: none now. */
  const secondJobOf = async (
    { account, runningJobs }: AccountState,
    { nowMs, queue: { nextSecondJobAtMs } }: Standing,
  ): Promise<string | null> => {
    if (nextSecondJobAtMs === null || nextSecondJobAtMs > nowMs) return null
    const due = await store.secondJobs(account.id, SECOND_JOBS_SEEN)
    return due.find((id) => !runningJobs.isBusy(id) && !runningJobs.isHeldBack(id)) ?? null
  }

  /** Reads a second job. It goes before polls, but not in two turns in a row. Answers whether it did. */
  const startSecondJob = (state: AccountState, id: string | null, room: number): boolean => {
    state.wasSecondJob = id !== null && room > 0 && !state.wasSecondJob && !state.runningJobs.isBusy(id)
    if (id !== null && state.wasSecondJob) start(state, 'poll', [id], () => secondJobs.read(state.account, id))
    return state.wasSecondJob
  }

  /** Starts the polls. If the backend has a list, polls that are due together take few requests. */
  const startPolls = (state: AccountState, rows: readonly OpenVideo[], room: number): void => {
    const { account, runningJobs, choice, isListing } = state
    const isAlone = ({ id, linkOwed }: OpenVideo): boolean => linkOwed || (runningJobs.memories.get(id)?.alone ?? false)
    const hasList = account.adapter.capabilities.native_list
    const { together, single } = pollPlan(rows, isAlone, { hasList, isListing, room })
    for (const row of single)
      start(state, 'poll', [row.id], () => poller.poll(account, runningJobs.memories, row.id, () => choice.polled(row)))
    if (together.length === 0) return
    state.isListing = true
    const ids = together.map(({ id }) => id)
    // One flight for all of them, so that nobody polls one of them meanwhile.
    start(state, 'poll', ids, () =>
      poller.pollByList(account, runningJobs.memories, together).finally(() => (state.isListing = false)),
    )
  }

  const startDue = (state: AccountState, { polls, others, secondJob }: Due, standing: Standing): void => {
    const room = (kind: FlightKind): number => roomFor(state, kind, standing)
    for (const row of others) if (room(kindOf(state, row)) > 0 && !isPaused(state, row)) startOther(state, row)
    if (standing.shutUntilMs > standing.nowMs || startSecondJob(state, secondJob, room('poll'))) return
    startPolls(state, polls, Math.min(POLLS_A_TURN, room('poll')))
  }

  /** Puts back what was not started. Answers when to come back; null: when work ends and makes room. */
  const putBack = (state: AccountState, { polls, others }: Due, standing: Standing): number | null => {
    const { runningJobs } = state
    const isLater = (row: OpenVideo): boolean => kindOf(state, row) === 'resend' || isPaused(state, row)
    const left = [...others, ...polls].filter(({ id }) => !runningJobs.isBusy(id))
    for (const row of left) runningJobs.putBack(row, isLater(row) ? standing.nowMs + RETHINK_MS : 0)
    if (roomFor(state, 'poll', standing) <= 0) return null
    if (left.every(isLater)) return runningJobs.nextAtMs()
    return standing.shutUntilMs > standing.nowMs ? standing.shutUntilMs : null
  }

  /** One read instead of all those of a turn; of a member of a pool two. */
  const isQuiet = async ({ account, quiet }: AccountState): Promise<boolean> =>
    quiet !== null &&
    clock.now() - quiet.atMs < QUIET_MS &&
    clock.now() >= quiet.atMs &&
    (await store.lastMove(account.id)) === quiet.move &&
    !(await pools.isWanted(account))

  const noteQuiet = (state: AccountState, { queue, nowMs }: Standing, { secondJob }: Due): void => {
    const { runningJobs } = state
    const move = runningJobs.knownTo()
    const isQuietNow = queue.waiting === 0 && secondJob === null && runningJobs.isEmpty() && move !== null
    state.quiet = isQuietNow ? { atMs: nowMs, move } : null
  }

  /** Once a minute, for figures over time; nothing is written while nothing waits and nothing is sent. */
  const sample = async (state: AccountState, { nowMs, queue: { waiting }, budget }: Standing): Promise<void> => {
    const { account } = state
    const atMs = Math.floor(nowMs / SAMPLED_EVERY_MS) * SAMPLED_EVERY_MS
    const used = budget.limit - budget.remaining
    if (state.sampledAtMs === atMs || (waiting === 0 && used <= 0)) return
    state.sampledAtMs = atMs
    await store.putSample({ account: account.id, atMs, waiting, used, capacity: budget.limit })
  }

  return async (state: AccountState): Promise<void> => {
    const { isAsked } = state
    state.isAsked = false
    if (!(await hold(state))) {
      // Creates here plan their first poll by it.
      await learned.load(state.account.backends)
      return
    }
    if (!isAsked && (await isQuiet(state))) return
    await learnWhatChanged(state)
    const standing = await standingOf(state)
    const due = { ...takeDue(state, standing), secondJob: await secondJobOf(state, standing) }
    tellDemand(state, due, standing)
    noteQuiet(state, standing, due)
    const waitingAtMs = await dispatchWaiting(state.account, standing.queue, {
      hasRoom: () => roomFor(state, 'create', standing) > 0,
      start(video, action) {
        state.runningJobs.wrote(video)
        start(state, 'create', [video.id], action)
      },
    })
    startDue(state, due, standing)
    const leftAtMs = putBack(state, due, standing)
    const againAtMs = Math.min(waitingAtMs ?? Infinity, leftAtMs ?? Infinity)
    if (againAtMs < Infinity) wake.hint('account', state.account.id, againAtMs)
    await sample(state, standing)
  }
}
