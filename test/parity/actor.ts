import { compare, type Divergence } from './compare.ts'
import { textAt, headerOf, type Answer, type Ask, type Exchange } from './exchange.ts'
import { createReferences, type References } from './references.ts'
import type { Lane, Stage } from './stage.ts'
import { compareStates } from './states.ts'
import { LIMITS, type ClientName, type GatewayLane, type LaneName } from './vocabulary.ts'

/** One request, as the service and as one lane of the gateway answered it. */
export interface Comparison {
  readonly lane: GatewayLane
  readonly operation: string
  readonly client: ClientName
  readonly direct: Exchange
  readonly gateway: Exchange
  readonly divergences: readonly Divergence[]
}

/** What each lane answered; none where there was nothing to ask for. */
export type Replies = Partial<Record<LaneName, Answer>>

/** The request as a lane has to make it: with its own ids. null: it has none to ask for. */
export type Wanted = Ask | ((lane: LaneName) => Ask | null)

export interface AskOptions {
  readonly operation: string
  readonly byBytes?: boolean
}

/** Asks all lanes the same, and notes what differs. */
export interface Actor {
  ask(client: ClientName, wanted: Wanted, options: AskOptions): Promise<Replies>
  /** Polls as the answers tell until the video of each lane has ended, and compares the states on the way and the end. */
  pollToEnd(client: ClientName, wanted: (lane: LaneName) => Ask | null, options: AskOptions): Promise<Replies>
  pass(ms: number): Promise<void>
  /** Passes until the window of every client is a new one. */
  newWindow(): Promise<void>
}

export interface ActorOptions {
  readonly stage: Stage
  readonly note: (comparison: Comparison) => void
  /** Waits for a new window before a client's is used up; false: what is beyond it is part of the sequence. */
  readonly keepsRate: boolean
}

const WINDOW_MS = 61_000
const MAX_POLLS = 80
const POLL_MS = 15_000

const UNASKED: Ask = { method: '-', path: 'not asked: an answer before gave nothing to ask for' }
const UNANSWERED: Answer = { status: 0, headers: [], body: Buffer.alloc(0) }

const statusOf = (answer: Answer | undefined): string => textAt(answer, 'status') ?? ''
const isOver = (answer: Answer | undefined): boolean => !['queued', 'processing'].includes(statusOf(answer))

/** By stage: what was bound in one case is bound in all after it. */
const bindings = (stage: Stage): ReadonlyMap<LaneName, References> =>
  new Map(stage.gateways.map(({ name }) => [name, createReferences()]))

export const createActor = ({ stage, note, keepsRate }: ActorOptions): Actor => {
  const { direct, gateways } = stage
  const references = bindings(stage)
  const used = new Map<ClientName, number>()

  const newWindow = async (): Promise<void> => {
    await stage.pass(WINDOW_MS)
    used.clear()
  }
  const counted = async (client: ClientName): Promise<void> => {
    if (keepsRate && (used.get(client) ?? 0) >= LIMITS[stage.surface]) await newWindow()
    used.set(client, (used.get(client) ?? 0) + 1)
  }
  const exchangeOf = async (lane: Lane, client: ClientName, wanted: Wanted): Promise<Exchange | null> => {
    const ask = typeof wanted === 'function' ? wanted(lane.name) : wanted
    if (ask === null) return null
    const answer = await lane.ask(client, ask)
    await stage.settle()
    return { ask, answer }
  }
  const compared = (lane: Lane, there: Exchange, here: Exchange, byBytes: boolean): Divergence[] => {
    const own = references.get(lane.name)
    if (!own) throw new Error(`no lane ${lane.name}`)
    const sides = { direct: direct.origins, gateway: lane.origins, references: own }
    return compare(sides, there.answer, here.answer, byBytes && lane.name === 'same')
  }
  const noted = (
    lane: Lane,
    client: ClientName,
    { operation }: AskOptions,
    there: Exchange,
    here: Exchange,
    divergences: readonly Divergence[],
  ): void => {
    const name = lane.name === 'same' ? 'same' : 'other'
    note({ lane: name, operation, client, direct: there, gateway: here, divergences })
  }

  const ask: Actor['ask'] = async (client, wanted, options) => {
    await counted(client)
    const there = await exchangeOf(direct, client, wanted)
    const replies: Replies = { ...(there && { direct: there.answer }) }
    for (const lane of gateways) {
      const here = await exchangeOf(lane, client, wanted)
      if (here) replies[lane.name] = here.answer
      if (there && here) {
        const { byBytes = false } = options
        noted(lane, client, options, there, here, compared(lane, there, here, byBytes))
      } else if (there) {
        const gone = { place: 'step', kind: 'step', direct: there.ask.path, gateway: UNASKED.path } as const
        noted(lane, client, options, there, { ask: UNASKED, answer: UNANSWERED }, [gone])
      }
    }
    return replies
  }

  /** One lane's way to the end: the distinct states, and the last exchange. */
  interface Way {
    readonly lane: Lane
    readonly states: string[]
    last: Exchange | null
  }
  const step = async (way: Way, client: ClientName, wanted: Wanted): Promise<void> => {
    way.last = await exchangeOf(way.lane, client, wanted)
    const status = statusOf(way.last?.answer)
    if (way.last && way.states.at(-1) !== status) way.states.push(status)
  }
  const pollToEnd: Actor['pollToEnd'] = async (client, wanted, options) => {
    const ways = [direct, ...gateways].map((lane): Way => ({ lane, states: [], last: null }))
    for (let polls = 0; polls < MAX_POLLS; polls += 1) {
      await counted(client)
      const open = ways.filter(({ last }) => polls === 0 || (last !== null && !isOver(last.answer)))
      if (open.length === 0) break
      for (const way of open) await step(way, client, wanted)
      const hints = ways.map(({ last }) => Number((last && headerOf(last.answer, 'retry-after')) ?? 0) * 1_000)
      await stage.pass(Math.max(POLL_MS, ...hints))
    }
    const [first, ...others] = ways
    for (const { lane, states, last } of others) {
      if (!first?.last || !last) continue
      const divergences = compareStates(first.states, states)
      noted(lane, client, options, first.last, last, divergences)
    }
    // The ends themselves, now that all have come.
    return ask(client, wanted, options)
  }

  return { ask, pollToEnd, pass: stage.pass, newWindow }
}
