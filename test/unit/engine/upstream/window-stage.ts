import type { BackendProblem, RateHeaders } from '../../../../src/core/adapter.ts'
import * as budgets from '../../../../src/core/limits/budget.ts'
import type { Lesson, Spent } from '../../../../src/core/store/accounts.ts'
import type { Store } from '../../../../src/core/store/index.ts'
import { createUpstream, type Upstream } from '../../../../src/engine/upstream/tickets.ts'
import { accountOf, scriptedAdapter } from '../../../fakes/adapter.ts'
import { boardOf } from '../../../fakes/board.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { MINUTE, problem, SECOND } from '../../../fakes/records.ts'
import { mulberry } from '../../core/limits/budget-sim.ts'
import { SILENT } from '../../../../src/core/tally.ts'

export interface WorldOptions {
  seed: number
  /** Of the upstream, a minute. */
  limit: number
  /** What the configuration says of it. */
  configured?: number
  /** Where in its window the upstream is at the start. */
  phaseMs?: number
  /** The longest way of a request or of an answer. */
  latencyMs?: number
  /** How long the store takes to answer what it has done. */
  storeMs?: number
  /** The part of the answers that never come. */
  lost?: number
  /** The store takes one ticket at a time, as it did before there were blocks. */
  oneByOne?: boolean
}

const LOST_MS = 10 * SECOND
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const never = <T>(): Promise<T> => new Promise(() => undefined)

/** An upstream with a fixed window of a minute, and the account's window as the store keeps it, in virtual time. */
export const createWorld = (options: WorldOptions) => {
  const {
    seed,
    limit,
    configured = limit,
    phaseMs = 0,
    latencyMs = 0,
    storeMs = 0,
    lost = 0,
    oneByOne = false,
  } = options
  const random = mulberry(seed)
  const clock = fakeClock()
  const firstEndMs = clock.now() + MINUTE - phaseMs
  const used = new Map<number, number>()
  const trace: string[] = []
  /** `taken`: by each spend. */
  const calls: { spend: number; learn: number; taken: number[] } = { spend: 0, learn: 0, taken: [] }
  let refused = 0
  let budget = budgets.newBudget(configured)
  let generation = 0
  let isBroken = false

  const delay = (ms: number): Promise<void> => new Promise((resolve) => void clock.at(clock.now() + ms, resolve))

  const arrive = (count: number): { rate: RateHeaders; isRefused: boolean } => {
    const window = Math.floor((clock.now() - firstEndMs) / MINUTE) + 1
    const before = used.get(window) ?? 0
    const isRefused = before + count > limit
    used.set(window, before + count)
    const rate = {
      limit,
      remaining: Math.max(0, limit - before - count),
      resetAtMs: Math.ceil((firstEndMs + window * MINUTE) / SECOND) * SECOND,
      dateMs: Math.floor(clock.now() / SECOND) * SECOND,
    }
    return { rate, isRefused }
  }

  const learned = ({ ticket: { window }, rates }: Lesson, before: budgets.Budget): budgets.Budget =>
    rates.reduce((so, rate) => budgets.learn(so, window, rate, clock.now()), before)

  const storeOf = (owner: number): Store => {
    const alive = async <T>(run: () => T): Promise<T> => {
      if (isBroken) throw new Error('the store is broken')
      if (owner !== generation) return never()
      const done = run()
      if (storeMs > 0) await delay(storeMs)
      return owner === generation ? done : never()
    }
    return {
      spend: (account, budgetClass, demand, fallbackLimit, most = 1, lesson = null): Promise<Spent> =>
        alive(() => {
          calls.spend += 1
          if (lesson) {
            calls.learn += 1
            budget = learned(lesson, budget)
          }
          const before = budgets.configure(budget, fallbackLimit)
          const took = budgets.take(before, clock.now(), budgetClass, demand, oneByOne ? 1 : most)
          budget = took.budget
          calls.taken.push(took.taken)
          trace.push(`${clock.elapsed()} ${budgetClass} ${took.retryAtMs}`)
          if (took.retryAtMs !== null) return { ok: false, retryAtMs: took.retryAtMs }
          const { limit: known, resetsAtMs, lengthMs } = budgets.viewBudget(budget, clock.now())
          const ticket = { account, window: budget.window, probes: budget.probing }
          return { ok: true, ticket, taken: took.taken, limit: known, lengthMs, untilMs: resetsAtMs ?? 0 }
        }),
      learn: (ticket, ...rates) =>
        alive(() => {
          calls.learn += 1
          budget = learned({ ticket, rates }, budget)
        }),
      giveBack: ({ window }, count) => alive(() => void (budget = budgets.giveBack(budget, window, count))),
      exhausted: (_account, untilMs) => alive(() => void (budget = budgets.exhaust(budget, untilMs, clock.now()))),
      budget: async (_account, demand) => budgets.viewBudget(budget, clock.now(), demand),
    } as Pick<Store, 'spend' | 'learn' | 'giveBack' | 'exhausted' | 'budget'> as Store
  }

  const account = accountOf(scriptedAdapter(clock.now), { requestsPerMinute: configured, slots: null })
  let upstream: Upstream = createUpstream({
    store: storeOf(0),
    clock,
    log,
    tally: SILENT,
    board: boardOf(storeOf(0), clock),
  })

  const send = (sender: number) => async (): Promise<{ rate: RateHeaders | null; problem?: BackendProblem }> => {
    if (sender !== generation) return never()
    await delay(random() * latencyMs)
    const { rate, isRefused } = arrive(1)
    if (isRefused) refused += 1
    const isLost = random() < lost
    await delay(isLost ? LOST_MS : random() * latencyMs)
    // Without a word about the window.
    if (isRefused)
      return { rate: null, problem: problem({ code: 'rate_limited', retryAtMs: clock.now() + 20 * SECOND }) }
    return { rate: isLost ? null : rate }
  }

  return {
    clock,
    calls,
    trace,
    delay,
    random,
    /** So many requests of somebody else who has the key. */
    othersSend: (count: number): void => void arrive(count),
    ask: (budgetClass: budgets.BudgetClass, reader: string | null = null) =>
      upstream.ask(account, budgetClass, budgetClass === 'read' ? 2 * SECOND : 0, send(generation), reader),
    budget: () => budget,
    close: () => upstream.close(),
    refused: () => refused,
    used: () => [...used.values()],
    wants: (pollsDue: number, waiting: number) => upstream.wants(account, { pollsDue, waiting, held: 0 }),
    breakStore: (broken: boolean) => void (isBroken = broken),
    /** The process dies; what is out arrives, and nobody hears of it. Another one goes on. */
    restart(): void {
      generation += 1
      budget = budgets.restarted(budget)
      upstream = createUpstream({
        store: storeOf(generation),
        clock,
        log,
        tally: SILENT,
        board: boardOf(storeOf(generation), clock),
      })
    },
    generation: () => generation,
  }
}
export type World = ReturnType<typeof createWorld>
