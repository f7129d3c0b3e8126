import type { RateHeaders } from '../../core/adapter.ts'
import { isTooFarAhead, type BudgetClass, type Demand } from '../../core/limits/budget.ts'
import type { BudgetStore, Spent, Ticket } from '../../core/store/budget.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import type { Account } from './accounts.ts'

/** The most reads that one write takes tickets for. */
const MOST_AT_ONCE = 256
/** How long the answers to them are gathered before the store learns of them. Until then they count as not answered. */
const GATHERED_MS = 10

/** One request may go. `learn` is told what came of it, once: null if there was no answer, or nothing was sent. */
export interface Held {
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

/** What is in hand for one account. */
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

interface ReadTicketsDeps {
  store: Pick<BudgetStore, 'spend' | 'learn' | 'giveBack'>
  clock: Clock
  /** Waits until the store has learned; never rejects. */
  teach: (account: Account, lesson: Promise<void>) => Promise<void>
}

/**
 * Tickets for requests. Where a window has many requests left (128 and more), reads take theirs in blocks: one write for
 * many of them, and one for many of their answers. A block is void at its window's end, when the backend refuses for its
 * rate, and when it has far fewer requests left than before. What is left of it then is given back before anything else
 * is taken. If the process dies, it counts as sent.
 */
export const createReadTickets = ({ store, clock, teach }: ReadTicketsDeps) => {
  const desks = new Map<AccountId, Desk>()
  const deskOf = (account: Account): Desk => {
    const known = desks.get(account.id)
    if (known) return known
    const desk = { account, block: null, opening: null, isWide: false, voids: 0, gathered: null }
    desks.set(account.id, desk)
    return desk
  }

  const tell = async (desk: Desk): Promise<void> => {
    const { account, gathered } = desk
    if (gathered === null) return
    desk.gathered = null
    gathered.cancel()
    await teach(account, store.learn(gathered.ticket, ...gathered.rates))
  }

  const gather = (desk: Desk, ticket: Ticket, rates: readonly (RateHeaders | null)[]): void => {
    if (desk.gathered?.ticket.window !== ticket.window) {
      void tell(desk)
      const cancel = clock.at(clock.now() + GATHERED_MS, () => void tell(desk))
      desk.gathered = { ticket, rates: [], cancel }
    }
    desk.gathered?.rates.push(...rates)
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
    const { block } = desk
    if (block?.ticket.window !== window || typeof remaining !== 'number') return
    if (isTooFarAhead(block.left, remaining)) void drop(desk)
  }

  const single = (desk: Desk, { ticket }: Taken): Held => ({
    ok: true,
    learn(rate) {
      heed(desk, ticket, rate?.remaining)
      return teach(desk.account, store.learn(ticket, rate))
    },
  })

  const blockOf = (desk: Desk, spent: Taken): Block => {
    const { ticket, taken } = spent
    const learn = async (rate: RateHeaders | null): Promise<void> => {
      heed(desk, ticket, rate?.remaining)
      gather(desk, ticket, [rate])
    }
    return { ...spent, left: taken, held: { ok: true, learn } }
  }

  /** Writes are carried out in their order: what is owed is learned before the next is taken. */
  const spend = (desk: Desk, budgetClass: BudgetClass, demand: Demand, most: number): Promise<Spent> => {
    current(desk)
    void tell(desk)
    const { id, requestsPerMinute } = desk.account
    return store.spend(id, budgetClass, demand, requestsPerMinute, most)
  }

  const open = async (desk: Desk, demand: Demand): Promise<Spent> => {
    const { voids } = desk
    try {
      const spent = await spend(desk, 'read', demand, MOST_AT_ONCE)
      desk.isWide = spent.ok && spent.taken > 1
      if (!spent.ok || spent.taken === 1) return spent
      desk.block = blockOf(desk, spent)
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
    return spent.ok ? single(desk, spent) : spent
  }

  const takeRead = async (desk: Desk, demand: Demand): Promise<Held | Refused> => {
    for (;;) {
      const block = current(desk)
      if (block !== null && block.left > 0) {
        block.left -= 1
        return block.held
      }
      if (desk.opening === null) {
        const spent = await (desk.opening = open(desk, demand))
        if (!spent.ok) return spent
        if (spent.taken === 1) return single(desk, spent)
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
      budgetClass === 'read' ? takeRead(deskOf(account), demand) : takeOne(deskOf(account), budgetClass, demand),
    /** The window that tickets are in hand of; null: none are. */
    window: (account: Account): { limit: number; lengthMs: number } | null => current(deskOf(account)),
    /** What is in hand is void: the backend takes no more. Resolves when the store knows. */
    exhausted: (account: Account): Promise<void> => end(deskOf(account)),
    /** Gives back what is in hand, and tells what was learned. */
    async close(): Promise<void> {
      await Promise.all([...desks.values()].map(end))
    },
  }
}
