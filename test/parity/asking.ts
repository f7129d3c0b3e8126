import { setTimeout } from 'node:timers/promises'
import { compare, type Divergence } from './compare.ts'
import type { Answer, Ask, Exchange } from './exchange.ts'
import { createReferences } from './references.ts'
import type { Lane, Stage } from './stage.ts'
import type { ClientName, GatewayLane, LaneName } from './vocabulary.ts'

/** One request, as the service and as one lane of the gateway answered it. */
export interface Comparison {
  readonly lane: GatewayLane
  readonly operation: string
  readonly client: ClientName
  readonly direct: Exchange
  readonly gateway: Exchange
  readonly divergences: readonly Divergence[]
}

/** The request as a lane has to make it: with its own ids. null: it has none to ask for. */
export type Wanted = Ask | ((lane: LaneName) => Ask | null)

export interface AskOptions {
  readonly operation: string
  /** Passed through where the same interface is behind: compared to the byte. */
  readonly byBytes?: boolean
}

const UNASKED: Ask = { method: '-', path: 'not asked: an answer before gave nothing to ask for' }
const UNANSWERED: Answer = { status: 0, headers: [], body: Buffer.alloc(0) }

/** Of one client, in one lane. */
export interface Side {
  readonly client: ClientName
  readonly lane: Lane
  readonly options: AskOptions
}

export interface Asking {
  /** null where there is nothing to ask for. */
  exchange(lane: Lane, client: ClientName, wanted: Wanted): Promise<Exchange | null>
  /** Compares and notes. An exchange that the gateway's lane has not is a divergence. */
  compare(side: Side, direct: Exchange, gateway: Exchange | null): void
  note(side: Side, direct: Exchange, gateway: Exchange, divergences: readonly Divergence[]): void
}

const STEP_MS = 1_000

/**
 * Turns of the event loop, a millisecond each or longer, after which a gateway that asks nobody anything waits for the
 * clock; a busy machine's turns take longer, too.
 */
const STUCK_TURNS = 250

const isThere = async (asked: Promise<Answer>): Promise<boolean> => {
  const answered = new AbortController()
  const turns = async (): Promise<false> => {
    for (let turn = 0; turn < STUCK_TURNS && !answered.signal.aborted; turn += 1) await setTimeout(1)
    return false
  }
  const first = await Promise.race([asked.then(() => true), turns()])
  answered.abort()
  return first
}

/** Single exchanges of a stage, and what each lane's ids stand for. */
export const createAsking = (stage: Stage, told: (comparison: Comparison) => void): Asking => {
  const references = new Map(stage.gateways.map(({ name }) => [name, createReferences()]))
  const note: Asking['note'] = ({ client, lane, options: { operation } }, direct, gateway, divergences) => {
    const name = lane.name === 'other' ? 'other' : 'same'
    told({ lane: name, operation, client, direct, gateway, divergences })
  }
  return {
    async exchange(lane, client, wanted) {
      const ask = typeof wanted === 'function' ? wanted(lane.name) : wanted
      if (ask === null) return null
      const asked = lane.ask(client, ask)
      // The gateway may wait for a moment of the backend's window, and only we let time pass.
      while (!(await isThere(asked)))
        if (lane !== stage.direct && stage.isIdle() && stage.isDue(STEP_MS)) await stage.pass(STEP_MS)
      const answer = await asked
      await stage.settle()
      return { ask, answer }
    },
    compare(side, direct, gateway) {
      const { lane, options } = side
      if (gateway === null) {
        const gone: Divergence = { place: 'step', kind: 'step', direct: direct.ask.path, gateway: UNASKED.path }
        return note(side, direct, { ask: UNASKED, answer: UNANSWERED }, [gone])
      }
      const own = references.get(lane.name)
      if (!own) throw new Error(`no lane ${lane.name}`)
      const sides = { direct: stage.direct.origins, gateway: lane.origins, references: own }
      const byBytes = options.byBytes === true && lane.name === 'same'
      note(side, direct, gateway, compare(sides, direct.answer, gateway.answer, byBytes))
    },
    note,
  }
}
