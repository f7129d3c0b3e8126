import type { AskOptions, Asking, Comparison, Wanted } from './asking.ts'
import { createAsking } from './asking.ts'
import { headerOf, textAt, type Answer, type Ask, type Exchange } from './exchange.ts'
import type { Lane, Stage } from './stage.ts'
import { compareStates } from './states.ts'
import type { ClientName, LaneName } from './vocabulary.ts'

/** What each lane answered; none where there was nothing to ask for. */
export type Replies = Partial<Record<LaneName, Answer>>

/** Asks all lanes the same, and notes what differs. */
export interface Actor {
  ask(client: ClientName, wanted: Wanted, options: AskOptions): Promise<Replies>
  /** Polls as the answers tell until the video of each lane has ended, and compares the states on the way and the end. */
  pollToEnd(client: ClientName, wanted: (lane: LaneName) => Ask | null, options: AskOptions): Promise<Replies>
  /** Where a lane's callbacks of this name go. */
  hookUrl(lane: LaneName, name: string): string
  /** Compares what each lane sent to `hookUrl` of this name. */
  callbacks(client: ClientName, name: string, options: AskOptions): Promise<void>
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

/** Beyond the end of a window that the gateway reckons with, which it may put a second later than it is. */
const WINDOW_MS = 63_000
const MAX_POLLS = 80
const POLL_MS = 15_000

const statusOf = (answer: Answer | undefined): string => textAt(answer, 'status') ?? ''
const isOver = ({ answer }: Exchange): boolean => !['queued', 'processing'].includes(statusOf(answer))

/** One lane's way to the end: the distinct states, and the last exchange. */
interface Way {
  readonly lane: Lane
  readonly states: string[]
  last: Exchange | null
}

const step = async (asking: Asking, way: Way, client: ClientName, wanted: Wanted): Promise<void> => {
  way.last = await asking.exchange(way.lane, client, wanted)
  const status = statusOf(way.last?.answer)
  if (way.last && way.states.at(-1) !== status) way.states.push(status)
}

const hintMs = ({ last }: Way): number => Number((last && headerOf(last.answer, 'retry-after')) ?? 0) * 1_000

/** What a lane sent, as if it had been asked for. */
const sentTo = ({ receiver }: Stage, lane: LaneName, name: string): Exchange[] =>
  receiver.requests
    .filter(({ url }) => url === `/${lane}/${name}`)
    .map(({ method, headers, body }) => {
      const sent = Object.entries(headers).flatMap(([of, value]): [string, string][] =>
        of === 'host' ? [] : [[of, String(value)]],
      )
      return { ask: { method, path: 'webhook_url' }, answer: { status: 200, headers: sent, body: Buffer.from(body) } }
    })

/** Counts what clients ask, and passes to a new window before one of them has no request left. */
const createWindows = ({ stage, keepsRate }: ActorOptions) => {
  const used = new Map<ClientName, number>()
  const renew = async (): Promise<void> => {
    await stage.pass(WINDOW_MS)
    used.clear()
  }
  return {
    renew,
    async count(client: ClientName): Promise<void> {
      if (keepsRate && (used.get(client) ?? 0) >= stage.requestsPerMinute) await renew()
      used.set(client, (used.get(client) ?? 0) + 1)
    },
  }
}

export const createActor = (options: ActorOptions): Actor => {
  const { stage, note } = options
  const { direct, gateways } = stage
  const asking = createAsking(stage, note)
  const windows = createWindows(options)

  const ask: Actor['ask'] = async (client, wanted, options) => {
    await windows.count(client)
    const there = await asking.exchange(direct, client, wanted)
    const replies: Replies = { ...(there && { direct: there.answer }) }
    for (const lane of gateways) {
      const here = await asking.exchange(lane, client, wanted)
      if (here) replies[lane.name] = here.answer
      if (there) asking.compare({ client, lane, options }, there, here)
    }
    return replies
  }

  const pollToEnd: Actor['pollToEnd'] = async (client, wanted, options) => {
    const way: Way = { lane: direct, states: [], last: null }
    const others = gateways.map((lane): Way => ({ lane, states: [], last: null }))
    for (let polls = 0; polls < MAX_POLLS; polls += 1) {
      const open = [way, ...others].filter(({ last }) => polls === 0 || (last !== null && !isOver(last)))
      if (open.length === 0) break
      await windows.count(client)
      for (const one of open) await step(asking, one, client, wanted)
      await stage.pass(Math.max(POLL_MS, ...open.map(hintMs)))
    }
    for (const { lane, states, last } of others) {
      if (way.last && last) asking.note({ client, lane, options }, way.last, last, compareStates(way.states, states))
    }
    // The ends themselves, now that all have come.
    return ask(client, wanted, options)
  }

  const callbacks: Actor['callbacks'] = async (client, name, options) => {
    await stage.settle()
    for (const lane of gateways) {
      const here = sentTo(stage, lane.name, name)
      for (const [at, there] of sentTo(stage, 'direct', name).entries()) {
        asking.compare({ client, lane, options }, there, here[at] ?? null)
      }
    }
  }

  const hookUrl: Actor['hookUrl'] = (lane, name) => `${stage.receiver.url}/${lane}/${name}`
  return { ask, pollToEnd, hookUrl, callbacks, pass: stage.pass, newWindow: windows.renew }
}
