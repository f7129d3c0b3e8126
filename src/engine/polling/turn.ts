import type { Clock } from '../../core/time/clock.ts'
import type { BudgetView } from '../../core/store/budget.ts'
import type { Store } from '../../core/store/index.ts'
import type { OpenVideo, Queue } from '../../core/store/videos.ts'
import type { Lease } from '../../core/store/work.ts'
import type { Wake } from '../../core/wake.ts'
import type { Confirm } from '../doubt/confirm.ts'
import type { createResolver } from '../doubt/search.ts'
import type { createSecondJobs } from '../doubt/second-jobs.ts'
import type { Apply } from '../life/apply.ts'
import { atOnceFor } from '../life/backoff.ts'
import { recovered } from '../life/create-steps.ts'
import { createGiveUp } from '../send/give-up.ts'
import { createDispatchWaiting } from '../send/queue.ts'
import type { Dispatch } from '../send/send.ts'
import type { Account } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'
import type { Choice } from './choose.ts'
import type { FirstPoll } from './first-poll.ts'
import type { Learned } from './learned.ts'
import { actionOf, lookPlan } from './poll-plan.ts'
import { remember, type Looker } from './poll.ts'
import type { FlightKind, Watch } from './running-jobs.ts'

export interface TurnDeps extends FirstPoll {
  store: Store
  wake: Wake
  clock: Clock
  apply: Apply
  upstream: Upstream
  dispatch: Dispatch
  confirm: Confirm
  learned: Learned
  looker: Looker
  resolver: ReturnType<typeof createResolver>
  secondJobs: ReturnType<typeof createSecondJobs>
  startTransfers: (account: Account) => Promise<void>
  settings: { maxAgeMs: number }
  isStopping: () => boolean
  /** Something of the account ended: there may be room for more. */
  kick: (state: AccountState) => void
}

/** What this process knows of one account. */
export interface AccountState {
  account: Account
  /** Null: another process acts for the account. */
  lease: Lease | null
  watch: Watch
  choice: Choice
  /** Nobody held the account for a while: callbacks of then are lost, and what they told of is not asked after yet. */
  missedCallbacks: boolean
  isGlancing: boolean
  /** The last turn read a job beside a video's own. */
  wasSecondJob: boolean
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
  others: readonly OpenVideo[]
}

const LEASE_MS = 45_000
/** A create in doubt that found no room is thought about again after this. */
const RETHINK_MS = 1_000
/** Of what is due, so much is thought about at a turn: with a list all that it may tell, else a choice for the room there is. */
const consideredFor = ({ adapter }: Account, room: number): number =>
  room <= 0 ? 0 : adapter.capabilities.native_list ? 2_000 : 64 + 4 * room

/** What a row that is due needs room for: resends have their own, so that creates that hang hold up no look. */
const kindOf = ({ account }: AccountState, row: OpenVideo): FlightKind =>
  actionOf(row) === 'resend' && account.adapter.capabilities.native_idempotency ? 'resend' : 'look'

/** One turn for an account: sends what waits, polls what is worth it, ends doubts. Nothing while another process acts. */
export const createTurn = (deps: TurnDeps) => {
  const { store, wake, clock, apply, upstream, dispatch, learned, looker, resolver, secondJobs } = deps
  const giveUpWaiting = createGiveUp(deps)
  const dispatchWaiting = createDispatchWaiting(deps)

  /** Whether this process acts for the account. */
  const hold = async (state: AccountState): Promise<boolean> => {
    const { lease, watch, account } = state
    if (lease && lease.untilMs - clock.now() > LEASE_MS / 2) return true
    if (lease && (await store.extend('pump', lease, LEASE_MS))) {
      state.lease = { ...lease, untilMs: clock.now() + LEASE_MS }
      return true
    }
    watch.lose()
    state.lease = await store.claim('pump', account.id, LEASE_MS)
    if (!state.lease) return false
    state.missedCallbacks = account.adapter.capabilities.native_webhook
    return true
  }

  const learnWhatChanged = async (state: AccountState): Promise<void> => {
    const { account, watch } = state
    if (await watch.catchUp()) {
      await learned.load(account.backends)
      await giveUpWaiting(account.id)
    }
    if (!state.missedCallbacks) return
    await watch.suspectAll()
    state.missedCallbacks = false
  }

  const standingOf = async ({ account }: AccountState): Promise<Standing> => {
    const nowMs = clock.now()
    const budget = await upstream.budget(account)
    const shutUntilMs = Math.max(budget.nextAtMs ?? 0, upstream.shutUntilMs(account.id))
    return { nowMs, budget, shutUntilMs, queue: await store.queue(account.id) }
  }

  const roomFor = ({ watch }: AccountState, kind: FlightKind, { budget }: Standing): number =>
    deps.isStopping() ? 0 : atOnceFor(budget.limit) - watch.flights(kind)

  const takeDue = (state: AccountState, standing: Standing): Due => {
    const { account, watch, choice } = state
    const { nowMs, budget, queue, shutUntilMs } = standing
    const turn = { nowMs, budget, waiting: queue.waiting }
    choice.price(turn)
    const due = watch.take(nowMs, consideredFor(account, roomFor(state, 'look', standing)))
    const others = due.filter((row) => actionOf(row) !== 'look')
    const polls = due.filter((row) => actionOf(row) === 'look')
    // Which are worth a request is decided when one can go.
    return { others, polls: polls.length === 0 || shutUntilMs > nowMs ? polls : choice.take(polls, turn) }
  }

  /** What the account wants of its window, so that creates and polls leave each other room. */
  const tellDemand = (state: AccountState, { polls, others }: Due, { nowMs, queue }: Standing): void => {
    const { account, watch } = state
    const isMore = (watch.nextAtMs() ?? Infinity) <= nowMs
    const searches = others.filter((row) => actionOf(row) === 'resend' && kindOf(state, row) === 'look').length
    const pollsDue = polls.length + searches + (isMore ? 1 : 0)
    upstream.wants(account, { pollsDue, waiting: queue.waiting, held: watch.rows.size })
  }

  const start = (state: AccountState, kind: FlightKind, ids: readonly string[], action: () => Promise<void>): void =>
    state.watch.begin(kind, ids, action, () => deps.kick(state))

  /** Ends a doubt: by the same bytes under the same key, or by evidence where there are no keys. */
  const settleDoubt = async ({ account, watch }: AccountState, id: string): Promise<void> => {
    const video = await store.video(id)
    if (video?.phase !== 'doubtful') return
    const keyed = account.adapter.capabilities.native_idempotency
    const pause = keyed ? await dispatch.resend(account, video) : await resolver.resolve(account, video)
    if (pause) remember(watch.memories, id, { version: video.version, dueAtMs: pause.retryAtMs })
  }

  /** A create whose process died. */
  const recover = async (id: string): Promise<void> => {
    // Its lease may be over because the store has a bad moment: what this process knows of it comes first.
    await dispatch.written(id)
    await apply(id, (current, nowMs) =>
      current.phase === 'dispatching' && (current.lease?.untilMs ?? 0) <= nowMs ? recovered(current, nowMs) : 'keep',
    )
  }

  const startOther = (state: AccountState, row: OpenVideo): void =>
    start(state, kindOf(state, row), [row.id], () =>
      actionOf(row) === 'resend' ? settleDoubt(state, row.id) : recover(row.id),
    )

  /** A job that a callback names beside that of its video. It goes before the polls of a turn, but not of two in a row. */
  const startSecondJob = async (state: AccountState, room: number): Promise<boolean> => {
    const [id] = room <= 0 || state.wasSecondJob ? [] : await store.secondJobs(state.account.id, 1)
    state.wasSecondJob = id !== undefined && !state.watch.isBusy(id)
    if (id !== undefined && state.wasSecondJob) start(state, 'look', [id], () => secondJobs.read(state.account, id))
    return state.wasSecondJob
  }

  /** Polls that are due together are few requests where the backend has a list. */
  const startPolls = (state: AccountState, rows: readonly OpenVideo[], room: number): void => {
    const { account, watch, isGlancing } = state
    const isAlone = ({ id, linkOwed }: OpenVideo): boolean => linkOwed || (watch.memories.get(id)?.alone ?? false)
    const hasList = account.adapter.capabilities.native_list
    const { together, single } = lookPlan(rows, isAlone, { hasList, isGlancing, room })
    for (const { id } of single) start(state, 'look', [id], () => looker.look(account, watch.memories, id))
    if (together.length === 0) return
    state.isGlancing = true
    const ids = together.map(({ id }) => id)
    // One flight for all of them: nobody looks at one of them meanwhile.
    start(state, 'look', ids, () =>
      looker.glance(account, watch.memories, together).finally(() => (state.isGlancing = false)),
    )
  }

  const startDue = async (state: AccountState, { polls, others }: Due, standing: Standing): Promise<void> => {
    const room = (kind: FlightKind): number => roomFor(state, kind, standing)
    for (const row of others) if (room(kindOf(state, row)) > 0) startOther(state, row)
    if (standing.shutUntilMs > standing.nowMs || (await startSecondJob(state, room('look')))) return
    // A window's first request goes alone: the best of the others would be refused, and those after them go before them.
    const isAlone = standing.budget.resetsAtMs === null && !state.account.adapter.capabilities.native_list
    startPolls(state, polls, isAlone ? Math.min(1, room('look')) : room('look'))
  }

  /** What was not started is due again; answers when to come back for it. Whoever makes room comes back by itself. */
  const putBack = (state: AccountState, { polls, others }: Due, standing: Standing): number | null => {
    const { watch } = state
    const isResend = (row: OpenVideo): boolean => kindOf(state, row) === 'resend'
    const left = [...others, ...polls].filter(({ id }) => !watch.isBusy(id))
    for (const row of left) watch.putBack(row, isResend(row) ? standing.nowMs + RETHINK_MS : 0)
    if (roomFor(state, 'look', standing) <= 0) return null
    if (left.every(isResend)) return watch.nextAtMs()
    return standing.shutUntilMs > standing.nowMs ? standing.shutUntilMs : null
  }

  return async (state: AccountState): Promise<void> => {
    if (!(await hold(state))) return
    await learnWhatChanged(state)
    const standing = await standingOf(state)
    const due = takeDue(state, standing)
    tellDemand(state, due, standing)
    const waitingAtMs = await dispatchWaiting(state.account, standing.queue, {
      hasRoom: () => roomFor(state, 'create', standing) > 0,
      start: (id, action) => start(state, 'create', [id], action),
    })
    await startDue(state, due, standing)
    const leftAtMs = putBack(state, due, standing)
    const againAtMs = Math.min(waitingAtMs ?? Infinity, leftAtMs ?? Infinity)
    if (againAtMs < Infinity) wake.hint('pump', state.account.id, againAtMs)
  }
}
