import type { RateHeaders } from '../../core/adapter.ts'
import { isTooFarAhead, type BudgetClass, type Demand } from '../../core/limits/budget.ts'
import type { BudgetStore, Spent, Ticket } from '../../core/store/budget.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import type { Account } from './accounts.ts'

/** The most requests that one write takes tickets for. */
const MOST_AT_ONCE = 256
/** How long the answers to them are gathered before the store learns of them. Until then they count as not answered. */
const GATHERED_MS = 10

/** One request may go. `learn` is told what came of it, once: null if there was no answer, or nothing was sent. */
export interface Held {
  ok: true
  learn: (rate: RateHeaders | null) => Promise<void>
}
/** One of a block. It is told what came of it, or given back: nothing was sent. */
export interface InHand extends Held {
  giveBack: () => void
}
type Taken = Extract<Spent, { ok: true }>
type Refused = Extract<Spent, { ok: false }>

/** Tickets of one window that were taken ahead. The store counts those that are left as sent and not answered. */
interface Block extends Taken {
  left: number
  held: InHand
}

/** Of these a window with many requests left is used in blocks. A poll is one of few that are due together. */
const IN_BLOCKS = ['read', 'create'] as const satisfies readonly BudgetClass[]
type InBlocks = (typeof IN_BLOCKS)[number]
const isInBlocks = (budgetClass: BudgetClass): budgetClass is InBlocks => budgetClass !== 'poll'

/** What is in hand for requests of one kind. */
interface Line {
  block: Block | null
  /** The next block is being taken. */
  opening: Promise<Spent> | null
  /** The last spend took several: who comes while the next is under way waits for its share. */
  isWide: boolean
}
const emptyLine = (): Line => ({ block: null, opening: null, isWide: false })

/** What is in hand for one account. */
interface Desk {
  account: Account
  lines: Readonly<Record<InBlocks, Line>>
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
 * Tickets for requests. Where a window has many requests left (128 and more), reads and creates take theirs in blocks: one
 * write for many of them, and one for many of their answers. A block is void at its window's end, when the backend refuses for its
 * rate, and when it has far fewer requests left than before. What is left of it then is given back before anything else
 * is taken. If the process dies, it counts as sent.
 */
export const createTickets = ({ store, clock, teach }: TicketsDeps) => {
  const desks = new Map<AccountId, Desk>()
  const deskOf = (account: Account): Desk => {
    const known = desks.get(account.id)
    if (known) return known
    const desk = { account, lines: { read: emptyLine(), create: emptyLine() }, voids: 0, gathered: null }
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

  const drop = async (desk: Desk, budgetClass: InBlocks): Promise<void> => {
    const line = desk.lines[budgetClass]
    const { block } = line
    line.block = null
    if (block !== null && block.left > 0)
      await teach(desk.account, store.giveBack(block.ticket, block.left, budgetClass))
  }

  /** The block at hand, if its window still runs; it may be used up. */
  const current = (desk: Desk, budgetClass: InBlocks): Block | null => {
    const { block } = desk.lines[budgetClass]
    if (block !== null && clock.now() >= block.untilMs) void drop(desk, budgetClass)
    return desk.lines[budgetClass].block
  }

  /** Somebody else uses the key, or other work takes much: what is in hand must not be more than there is. */
  const heed = (desk: Desk, { window }: Ticket, remaining: number | null | undefined): void => {
    if (typeof remaining !== 'number') return
    for (const budgetClass of IN_BLOCKS) {
      const { block } = desk.lines[budgetClass]
      if (block?.ticket.window === window && isTooFarAhead(block.left, remaining)) void drop(desk, budgetClass)
    }
  }

  const single = (desk: Desk, { ticket }: Taken): Held => ({
    ok: true,
    learn(rate) {
      heed(desk, ticket, rate?.remaining)
      return teach(desk.account, store.learn(ticket, rate))
    },
  })

  const blockOf = (desk: Desk, budgetClass: InBlocks, spent: Taken): Block => {
    const { ticket, taken } = spent
    const learn = async (rate: RateHeaders | null): Promise<void> => {
      heed(desk, ticket, rate?.remaining)
      gather(desk, ticket, [rate])
    }
    const giveBack = (): void => {
      if (current(desk, budgetClass) === block) block.left += 1
      else void teach(desk.account, store.giveBack(ticket, 1, budgetClass))
    }
    const block: Block = { ...spent, left: taken, held: { ok: true, learn, giveBack } }
    return block
  }

  const ofBlock = (desk: Desk, budgetClass: InBlocks): InHand | null => {
    const block = current(desk, budgetClass)
    if (block === null || block.left === 0) return null
    block.left -= 1
    return block.held
  }

  /** Writes are carried out in their order: what is owed is learned before the next is taken. */
  const spend = (desk: Desk, budgetClass: BudgetClass, demand: Demand, most: number): Promise<Spent> => {
    for (const own of IN_BLOCKS) current(desk, own)
    void tell(desk)
    const { id, requestsPerMinute } = desk.account
    return store.spend(id, budgetClass, demand, requestsPerMinute, most)
  }

  const open = async (desk: Desk, budgetClass: InBlocks, demand: Demand): Promise<Spent> => {
    const { voids } = desk
    const line = desk.lines[budgetClass]
    try {
      const spent = await spend(desk, budgetClass, demand, MOST_AT_ONCE)
      line.isWide = spent.ok && spent.taken > 1
      if (!spent.ok || spent.taken === 1) return spent
      line.block = blockOf(desk, budgetClass, spent)
      if (desk.voids !== voids) void drop(desk, budgetClass)
      return spent
    } catch (error) {
      line.isWide = false
      throw error
    } finally {
      line.opening = null
    }
  }

  const takeOne = async (desk: Desk, budgetClass: BudgetClass, demand: Demand): Promise<Held | Refused> => {
    const spent = await spend(desk, budgetClass, demand, 1)
    return spent.ok ? single(desk, spent) : spent
  }

  const takeOfBlock = async (desk: Desk, budgetClass: InBlocks, demand: Demand): Promise<Held | Refused> => {
    const line = desk.lines[budgetClass]
    for (;;) {
      const held = ofBlock(desk, budgetClass)
      if (held !== null) return held
      if (line.opening === null) {
        const spent = await (line.opening = open(desk, budgetClass, demand))
        if (!spent.ok) return spent
        if (spent.taken === 1) return single(desk, spent)
      } else if (line.isWide) await line.opening.catch(() => undefined)
      else return takeOne(desk, budgetClass, demand)
    }
  }

  /** What is being taken as well: it is of before. */
  const end = async (desk: Desk): Promise<void> => {
    desk.voids += 1
    await Promise.all([...IN_BLOCKS.map((budgetClass) => drop(desk, budgetClass)), tell(desk)])
  }

  return {
    /** One request of the account's window, or when to ask again. */
    take: (account: Account, budgetClass: BudgetClass, demand: Demand): Promise<Held | Refused> =>
      isInBlocks(budgetClass)
        ? takeOfBlock(deskOf(account), budgetClass, demand)
        : takeOne(deskOf(account), budgetClass, demand),
    /** One that is in hand already; null: none is. */
    inHand: (account: Account, budgetClass: InBlocks): InHand | null => ofBlock(deskOf(account), budgetClass),
    /** The window that tickets for reads are in hand of; null: none are. */
    window: (account: Account): { limit: number; lengthMs: number } | null => current(deskOf(account), 'read'),
    /** What is in hand is void: the backend takes no more. Resolves when the store knows. */
    exhausted: (account: Account): Promise<void> => end(deskOf(account)),
    /** Gives back what is in hand, and tells what was learned. */
    async close(): Promise<void> {
      await Promise.all([...desks.values()].map(end))
    },
  }
}
