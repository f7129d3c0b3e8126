import { z } from 'zod'
import type { BackendProblem, RateHeaders } from '../../core/adapter.ts'
import {
  type Breaker,
  type Budget,
  type BudgetClass,
  budgetUnder,
  CLOSED,
  type Demand,
  heard,
  isOpen,
  isTooFarAhead,
  pass,
  viewBudget,
} from '../../core/limits/budget.ts'
import type { BudgetStore, Lesson, Spent, Ticket } from '../../core/store/accounts.ts'
import type { FirstRequest } from '../../core/store/videos.ts'
import { type Clock, sleepUntil } from '../../core/time/clock.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { type Account, type Health, healthAfter, HealthFact, isKeyRefused, spoke, UP } from './accounts.ts'
import { type Log, logFailure } from '../../core/log.ts'
import { ANYBODY, createShares, type Shares } from '../../core/limits/rates.ts'
import type { Tally } from '../../core/tally.ts'
import type { Store } from '../../core/store/index.ts'
import type { Board } from '../replicas/board.ts'

/** The most requests that one write takes tickets for. */
const MOST_AT_ONCE = 256
/**
 * How long answers are gathered before the store learns of them, unless this process takes a ticket before: that is the
 * same write. Until then they count as not answered, which leaves the window as much as they will.
 */
const GATHERED_MS = 250

/** One request may go. `learn` learns what came of it, once: null if there was no answer, or nothing was sent. */
interface Held {
  ok: true
  learn: (rate: RateHeaders | null) => Promise<void>
}
type Taken = Extract<Spent, { ok: true }>
type Refused = Extract<Spent, { ok: false }>

/** Tickets of one window that were taken ahead. The store counts those that are left as sent and not answered. */
interface Block extends Taken {
  left: number
  held: Held
}

/** What is in hand for reads of one account. */
interface Desk {
  account: Account
  block: Block | null
  /** The next block is being taken. */
  opening: Promise<Spent> | null
  /** The last spend took several: who comes while the next is under way waits for its share. */
  isWide: boolean
  /** How often what was in hand became void, and what is being taken with it. */
  voids: number
  /** Answers that the store has not learned yet. */
  gathered: { ticket: Ticket; rates: (RateHeaders | null)[]; cancel: () => void } | null
}

interface TicketsDeps {
  store: Pick<BudgetStore, 'spend' | 'learn' | 'giveBack'>
  clock: Clock
  /** Waits until the store has learned; never rejects. */
  teach: (account: Account, lesson: Promise<void>) => Promise<void>
}

/**
 * Tickets for requests. Where a window has many requests left (128 and more), reads take theirs in blocks: one write for
 * many of them. Answers are learned together, except one that others wait for. A block is void at its window's end,
 * when the backend refuses for its rate, and when it has far fewer requests left than before. What is left of it then is
 * given back before anything else is taken. If the process dies, it counts as sent.
 */
const createTickets = ({ store, clock, teach }: TicketsDeps) => {
  const desks = new Map<AccountId, Desk>()
  const deskOf = (account: Account): Desk => {
    const known = desks.get(account.id)
    if (known) return known
    const desk = { account, block: null, opening: null, isWide: false, voids: 0, gathered: null }
    desks.set(account.id, desk)
    return desk
  }

  const lessonOf = (desk: Desk): Lesson | null => {
    const { gathered } = desk
    if (gathered === null) return null
    desk.gathered = null
    gathered.cancel()
    return { ticket: gathered.ticket, rates: gathered.rates }
  }

  const tell = async (desk: Desk): Promise<void> => {
    const lesson = lessonOf(desk)
    if (lesson) await teach(desk.account, store.learn(lesson.ticket, ...lesson.rates))
  }

  const gather = (desk: Desk, ticket: Ticket, rate: RateHeaders | null): void => {
    if (desk.gathered?.ticket.window !== ticket.window) {
      void tell(desk)
      const cancel = clock.at(clock.now() + GATHERED_MS, () => void tell(desk))
      desk.gathered = { ticket, rates: [], cancel }
    }
    desk.gathered?.rates.push(rate)
  }

  const drop = async (desk: Desk): Promise<void> => {
    const { account, block } = desk
    desk.block = null
    if (block !== null && block.left > 0) await teach(account, store.giveBack(block.ticket, block.left))
  }

  /** The block at hand, if its window still runs; it may be used up. */
  const current = (desk: Desk): Block | null => {
    if (desk.block !== null && clock.now() >= desk.block.untilMs) void drop(desk)
    return desk.block
  }

  /** Somebody else uses the key, or other work takes much: what is in hand must not be more than there is. */
  const heed = (desk: Desk, { window }: Ticket, remaining: number | null | undefined): void => {
    if (typeof remaining !== 'number') return
    const { block } = desk
    if (block?.ticket.window === window && isTooFarAhead(block.left, remaining)) void drop(desk)
  }

  const heldOf = (desk: Desk, ticket: Ticket): Held => ({
    ok: true,
    async learn(rate) {
      heed(desk, ticket, rate?.remaining)
      gather(desk, ticket, rate)
      if (ticket.probes) await tell(desk)
    },
  })

  const ofBlock = (desk: Desk): Held | null => {
    const block = current(desk)
    if (block === null || block.left === 0) return null
    block.left -= 1
    return block.held
  }

  /** Writes are carried out in their order: what is due is learned before the next is taken. */
  const learnFirst = (desk: Desk): void => {
    current(desk)
    void tell(desk)
  }

  const spend = async (desk: Desk, budgetClass: BudgetClass, demand: Demand, most: number): Promise<Spent> => {
    current(desk)
    const { id, requestsPerMinute } = desk.account
    const lesson = lessonOf(desk)
    try {
      return await store.spend(id, budgetClass, demand, requestsPerMinute, most, lesson)
    } catch (error) {
      // Nothing was written.
      if (lesson) for (const rate of lesson.rates) gather(desk, lesson.ticket, rate)
      throw error
    }
  }

  const open = async (desk: Desk, demand: Demand): Promise<Spent> => {
    const { voids } = desk
    try {
      const spent = await spend(desk, 'read', demand, MOST_AT_ONCE)
      desk.isWide = spent.ok && spent.taken > 1
      if (!spent.ok || spent.taken === 1) return spent
      desk.block = { ...spent, left: spent.taken, held: heldOf(desk, spent.ticket) }
      if (desk.voids !== voids) void drop(desk)
      return spent
    } catch (error) {
      desk.isWide = false
      throw error
    } finally {
      desk.opening = null
    }
  }

  const takeOne = async (desk: Desk, budgetClass: BudgetClass, demand: Demand): Promise<Held | Refused> => {
    const spent = await spend(desk, budgetClass, demand, 1)
    return spent.ok ? heldOf(desk, spent.ticket) : spent
  }

  const takeOfBlock = async (desk: Desk, demand: Demand): Promise<Held | Refused> => {
    for (;;) {
      const held = ofBlock(desk)
      if (held !== null) return held
      if (desk.opening === null) {
        const spent = await (desk.opening = open(desk, demand))
        if (!spent.ok) return spent
        if (spent.taken === 1) return heldOf(desk, spent.ticket)
      } else if (desk.isWide) await desk.opening.catch(() => undefined)
      else return takeOne(desk, 'read', demand)
    }
  }

  /** What is being taken as well: it is of before. */
  const end = async (desk: Desk): Promise<void> => {
    desk.voids += 1
    await Promise.all([drop(desk), tell(desk)])
  }

  return {
    /** One request of the account's window, or when to ask again. */
    take: (account: Account, budgetClass: BudgetClass, demand: Demand): Promise<Held | Refused> =>
      budgetClass === 'read' ? takeOfBlock(deskOf(account), demand) : takeOne(deskOf(account), budgetClass, demand),
    /** Called right before another write takes a request. */
    learnFirst: (account: Account): void => learnFirst(deskOf(account)),
    /** What the store has not learned yet, for a write that will; null: nothing. */
    takeLesson(account: AccountId): Lesson | null {
      const desk = desks.get(account)
      return desk ? lessonOf(desk) : null
    },
    /** One that another write took. */
    held: (account: Account, ticket: Ticket): Held => heldOf(deskOf(account), ticket),
    /** The window that tickets for reads are in hand of; null: none are. */
    window: (account: Account): { limit: number; lengthMs: number } | null => current(deskOf(account)),
    /** What is in hand is void: the backend takes no more. Resolves when the store knows. */
    exhausted: (account: Account): Promise<void> => end(deskOf(account)),
    /** Gives back what is in hand, and reports what was learned. */
    async close(): Promise<void> {
      await Promise.all([...desks.values()].map(end))
    },
  }
}

const DemandFact = z.strictObject({ pollsDue: z.number(), createsWaiting: z.number() })

interface Answer {
  rate: RateHeaders | null
  problem?: BackendProblem
  /** Whether the backend itself answered, where the problem cannot tell: the body was not read. */
  spoke?: boolean
  /** It reports nothing about the account: its key was not sent, or nobody waited for the answer. */
  isSilent?: boolean
}

export type Asked<T> =
  | { kind: 'asked'; outcome: T }
  /** Nothing was sent: the window is spent, or the backend has been dead for a while. */
  | { kind: 'not_now'; why: 'no_budget' | 'circuit_open'; retryAtMs: number }

/** How long a backend's clock offset is believed. */
const OFFSET_KEPT_MS = 3 * 60_000
/** How often the others are informed of it, and of what is well. */
const TOLD_MS = OFFSET_KEPT_MS / 3

/** Who holds the account reports its demand at every turn. What another reported is good for so long. */
const DEMAND_KEPT_MS = 10_000

/** The part of a window that one client's reads may take. The rest is for creates, polls and the other clients. */
const READ_SHARE = 1 / 3
/** Of the window, for all callers without a key together. */
const ANYBODY_SHARE = 1 / 10

/** What was refused may be taken again: a backend's own fault, or an invoice that was paid. */
const LEFT_ALONE_MS = 60_000

const NOTHING: Demand = { pollsDue: 0, createsWaiting: 0 }

interface UpstreamDeps {
  store: Store
  clock: Clock
  log: Log
  tally: Pick<Tally, 'count'>
  /** Of accounts. */
  board: Board
}

/**
 * The only way to a backend. Every request takes a ticket of its account first; its answer corrects the budget and the
 * account's health. `patienceMs`: how long the caller waits for a ticket. `reader`: the client that this is read for;
 * the request counts in its share of the window. What the backend said to one process, others know by the board. That
 * it did not answer is each process's own knowledge: another one may have another network.
 */
export const createUpstream = ({ store, clock, log, tally, board }: UpstreamDeps) => {
  const healths = board.cell('health', HealthFact)
  const keyRefusals = board.cell('key_refused', z.number())
  const createRefusals = board.cell('creates_refused', z.number())
  const slotPauses = board.cell('slots_paused', z.number())
  const demands = board.cell('demand', DemandFact)
  const offsets = board.cell('offset', z.number())
  const breakers = new Map<AccountId, Breaker>()
  /** Since when a poll waits for its answer, or any request failed. Other requests may take long, and bodies be large. */
  const silentSince = new Map<AccountId, number>()
  /** Health by a request that it did not answer. */
  const unanswered = new Map<AccountId, { value: Health; atMs: number }>()
  const shares = new Map<AccountId, Shares>()
  const sharesOf = (account: AccountId): Shares => {
    const known = shares.get(account) ?? createShares(clock)
    shares.set(account, known)
    return known
  }

  const breakerOf = (account: AccountId): Breaker => breakers.get(account) ?? CLOSED
  /** After its pause a breaker counts as open until a request was answered, of this process or of another. */
  const isShut = (account: AccountId): boolean => {
    const breaker = breakerOf(account)
    const told = healths.get(account)
    return isOpen(breaker) && (told === null || told.isOwn || told.atMs <= breaker.shutUntilMs)
  }
  const healthOf = (account: AccountId): Health => {
    const [told, own] = [healths.get(account), unanswered.get(account)]
    return own && own.atMs >= (told?.atMs ?? -Infinity) ? own.value : (told?.value ?? UP)
  }
  /** `isWord`: whether it has answered by now; null: a request that began then reports nothing of that. */
  const noteSilence = (account: AccountId, beganAtMs: number, isWord: boolean | null): void => {
    const sinceMs = silentSince.get(account)
    if (isWord === false) silentSince.set(account, sinceMs ?? clock.now())
    else if (isWord || sinceMs === beganAtMs) silentSince.delete(account)
  }

  const keyRefusedUntilMs = (account: AccountId): number =>
    isKeyRefused(healthOf(account)) ? (keyRefusals.get(account)?.value ?? 0) + LEFT_ALONE_MS : 0

  const demandOf = ({ id }: Account): Demand => {
    const told = demands.get(id)
    return told && (told.isOwn || clock.now() - told.atMs < DEMAND_KEPT_MS) ? told.value : NOTHING
  }

  const note = (account: Account, outcome: Answer, isWord: boolean): void => {
    const before = healthOf(account.id)
    const after = healthAfter(before, outcome.problem, account, clock.now())
    if (outcome.problem?.code === 'backend_credentials_rejected') keyRefusals.say(account.id, clock.now())
    if (after === null) return
    const isAsBefore = before.status === after.status && before.reason === after.reason
    const isAsLong = isAsBefore || (after.reason === 'backend_unavailable' && before.reason === after.reason)
    const value = { ...after, sinceMs: isAsLong ? before.sinceMs : clock.now() }
    if (isWord) {
      unanswered.delete(account.id)
      healths.say(account.id, value, { againMs: TOLD_MS })
    } else unanswered.set(account.id, { value, atMs: clock.now() })
    if (isAsBefore) return
    const fields = { backends: account.backends, health: after.status, reason: after.reason, was: before.status }
    if (isKeyRefused(after)) log.error(fields, 'the backend refuses its key: nothing works until `api_key` is renewed')
    else if (after.status === 'up') log.info(fields, 'the backend is up again')
    else {
      const { message: why, backendError } = outcome.problem ?? {}
      // It may have said nothing.
      const told = backendError && backendError.status !== null ? { backend_error: backendError } : {}
      log.warn({ ...fields, why, ...told }, 'the backend is not well')
    }
  }

  /** Corrects the window. A failure is only logged: an uncorrected window ends by itself. */
  const teach = async (account: Account, lesson: Promise<void>): Promise<void> => {
    await lesson.catch((err: unknown) =>
      logFailure(log, { backends: account.backends, err }, 'a window could not be corrected'),
    )
  }
  const tickets = createTickets({ store, clock, teach })

  const ticketFor = async (account: Account, budgetClass: BudgetClass, patienceMs: number) => {
    const untilMs = clock.now() + patienceMs
    for (;;) {
      const spent = await tickets.take(account, budgetClass, demandOf(account))
      if (spent.ok || spent.retryAtMs > untilMs) return spent
      await sleepUntil(clock, spent.retryAtMs)
    }
  }

  /** A ticket out of the reader's share. If there is none, the share is given back: nothing was sent. */
  const readerTicketFor = async (account: Account, patienceMs: number, reader: string) => {
    const { limit, lengthMs } =
      tickets.window(account) ?? (await store.budget(account.id, NOTHING, account.requestsPerMinute))
    const share = Math.max(1, Math.floor(limit * (reader === ANYBODY ? ANYBODY_SHARE : READ_SHARE)))
    const taken = sharesOf(account.id).take(reader, share, lengthMs)
    if (!taken.ok) return taken
    const spent = await ticketFor(account, 'read', patienceMs)
    if (!spent.ok) taken.giveBack()
    return spent
  }

  const heldBack = (
    { backends: [backend = ''] }: Account,
    budgetClass: BudgetClass,
    why: 'no_budget' | 'circuit_open',
    retryAtMs: number,
  ) => {
    tally.count('upstream_held_back', { backend, class: budgetClass, reason: why })
    return { kind: 'not_now', why, retryAtMs } as const
  }

  /** Sends one request under a ticket, and learns from its answer. */
  const sendUnder = async <T extends Answer>(
    account: Account,
    budgetClass: BudgetClass,
    ticket: Held,
    request: () => Promise<T>,
  ): Promise<Asked<T>> => {
    // Checked again: other requests may have failed while this one waited for its ticket.
    const passed = pass(breakerOf(account.id), clock.now(), account.timeoutMs)
    if (passed.retryAtMs !== null) {
      await ticket.learn(null)
      return heldBack(account, budgetClass, 'circuit_open', passed.retryAtMs)
    }
    breakers.set(account.id, passed.breaker)
    const beganAtMs = clock.now()
    if (budgetClass === 'poll') noteSilence(account.id, beganAtMs, false)
    const outcome = await request().catch(async (error: unknown) => {
      noteSilence(account.id, beganAtMs, null)
      // A fault of ours: the ticket is given back, or the window would wait for its answer.
      await ticket.learn(null)
      throw error
    })
    // All of it before anybody else may ask: who was answered early may come back immediately.
    const answeredAtMs = clock.now()
    const lessons = [ticket.learn(outcome.rate)]
    const dateMs = outcome.rate?.dateMs ?? null
    if (dateMs !== null) offsets.say(account.id, dateMs - answeredAtMs, { everyMs: TOLD_MS })
    if (outcome.problem?.code === 'rate_limited') {
      // Our count is wrong, or somebody else uses this key. The window is corrected, and somebody must see it.
      log.warn({ backends: account.backends, class: budgetClass }, 'the backend’s rate limit was met')
      const untilMs = outcome.problem.retryAtMs ?? answeredAtMs + 60_000
      lessons.push(tickets.exhausted(account), teach(account, store.exhausted(account.id, untilMs)))
    }
    const isWord = outcome.isSilent ? null : (outcome.spoke ?? spoke(outcome.problem))
    noteSilence(account.id, beganAtMs, isWord)
    if (isWord !== null) {
      breakers.set(account.id, heard(breakerOf(account.id), isWord, answeredAtMs))
      note(account, outcome, isWord)
    }
    await Promise.all(lessons)
    return { kind: 'asked', outcome }
  }

  return {
    async ask<T extends Answer>(
      account: Account,
      budgetClass: BudgetClass,
      patienceMs: number,
      request: () => Promise<T>,
      reader: string | null = null,
    ): Promise<Asked<T>> {
      void board.exchange()
      const { retryAtMs: early } = pass(breakerOf(account.id), clock.now(), account.timeoutMs)
      if (early !== null) return heldBack(account, budgetClass, 'circuit_open', early)
      const spent = await (reader === null
        ? ticketFor(account, budgetClass, patienceMs)
        : readerTicketFor(account, patienceMs, reader))
      if (!spent.ok) return heldBack(account, budgetClass, 'no_budget', spent.retryAtMs)
      return sendUnder(account, budgetClass, spent, request)
    },
    /** How `open` or `admit` of the store takes a request. Call it right before. Null: the breaker is open; `ask` for one. */
    firstRequest(account: Account): Omit<FirstRequest, 'outgoing'> | null {
      if (isOpen(breakerOf(account.id))) return null
      tickets.learnFirst(account)
      return { demand: demandOf(account), fallbackLimit: account.requestsPerMinute }
    },
    /** Sends a create under the ticket that `open` or `admit` took. */
    askWith<T extends Answer>(account: Account, ticket: Ticket, request: () => Promise<T>): Promise<Asked<T>> {
      void board.exchange()
      return sendUnder(account, 'create', tickets.held(account, ticket), request)
    },
    takeLesson: tickets.takeLesson,
    /** Learns what other processes know of accounts, at most once a second. Never rejects. */
    heed: board.exchange,
    /** What the account loop sees wanting to go now: who asks for less important things waits. */
    wants(
      { id, slots }: Account,
      { pollsDue, waiting, held }: { pollsDue: number; waiting: number; held: number },
    ): void {
      // A video that waits for a slot needs no request yet.
      const free =
        (slotPauses.get(id)?.value ?? 0) > clock.now() ? 0 : slots === null ? waiting : Math.max(0, slots - held)
      const demand = { pollsDue, createsWaiting: Math.min(waiting, free) }
      // That it wants nothing is what is taken for granted.
      const isNothing = pollsDue + demand.createsWaiting === 0
      demands.say(id, demand, isNothing ? {} : { againMs: DEMAND_KEPT_MS / 2 })
    },
    /** The window as it was read with the queue. */
    view: (account: Account, window: Budget | null) =>
      viewBudget(budgetUnder(window, account.requestsPerMinute), clock.now(), demandOf(account)),
    budget: (account: Account) => store.budget(account.id, demandOf(account), account.requestsPerMinute),
    /** Others hold its slots: no create before then, unless a job of ours ends. */
    pauseSlots: (account: AccountId, untilMs: number): void => slotPauses.say(account, untilMs),
    resumeSlots(account: AccountId): void {
      if ((slotPauses.get(account)?.value ?? 0) > 0) slotPauses.say(account, 0)
    },
    slotsPausedUntilMs: (account: AccountId): number => slotPauses.get(account)?.value ?? 0,
    /** The backend's clock less ours, by its last answer; null if no recent answer reported. */
    offsetMs(account: AccountId): number | null {
      const told = offsets.get(account)
      return told && clock.now() - told.atMs <= OFFSET_KEPT_MS ? told.value : null
    },
    /** Whether any answer reported something of its health. */
    isKnown: (account: AccountId): boolean => healths.get(account) !== null,
    /** As this process sees it. */
    health(account: AccountId): Health {
      const noted = healthOf(account)
      const sinceMs = silentSince.get(account) ?? noted.sinceMs
      return isShut(account) ? { status: 'down', reason: 'circuit_open', sinceMs } : noted
    },
    /** Since when this process has asked the account, and was not answered; null: it was, or has not asked. */
    silentSinceMs: (account: AccountId): number | null => silentSince.get(account) ?? null,
    /** Only later requests count. */
    forgetSilence: (account: AccountId): void => void silentSince.delete(account),
    /** When the account may be asked again, as far as the breaker of this process goes. */
    shutUntilMs: (account: AccountId): number => (isShut(account) ? breakerOf(account).shutUntilMs : 0),
    /** Until when it need not be asked again after it refused its key; 0: it did not, or took it since. */
    keyRefusedUntilMs,
    /** It refused a create, and not for the request. */
    refusesCreates: (account: AccountId): void => createRefusals.say(account, clock.now()),
    takesCreates(account: AccountId): void {
      if ((createRefusals.get(account)?.value ?? 0) > 0) createRefusals.say(account, 0)
    },
    /** Until when it need not be sent what another account may make; 0 or past: it takes creates, as far as is known. */
    refusesUntilMs: (account: AccountId): number =>
      Math.max((createRefusals.get(account)?.value ?? 0) + LEFT_ALONE_MS, keyRefusedUntilMs(account)),
    /** Gives back the tickets in hand. */
    async close(): Promise<void> {
      await tickets.close()
      await board.close()
    },
  }
}
export type Upstream = ReturnType<typeof createUpstream>
