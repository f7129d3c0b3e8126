import type { Row } from '../report.ts'
import type { Outage } from './phases.ts'
import type { Tally } from './trickle.ts'

/** How long the ends of videos took to be told. */
export interface Told {
  video: string
  /** The delivery's event. */
  event: string
  /** When the delivery came. */
  atMs: number
  /** When the gateway saw the end: the event's own time. */
  seenMs: number
}

/** What one phase came to. All of it is about the videos that were created in it. */
export interface Seen {
  name: string
  tally: Tally
  /** Null: nothing was away. */
  outage: Outage | null
  accepted: number
  told: readonly Told[]
  /** When each video's job ended at its backend. */
  endedMs: ReadonlyMap<string, number>
}

const WAITED = 'longest that a client waited'
const FROM_END = "from a job's end to the delivery"
const TAKEN_OVER = 'another replica held the accounts after'

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)
const median = (values: readonly number[]): number => sorted(values)[values.length >> 1] ?? 0
const longest = (values: readonly number[]): number => sorted(values).at(-1) ?? 0
const s = (ms: number): string => `${(ms / 1_000).toFixed(ms < 995 ? 2 : 1)} s`
const both = (values: readonly number[]): string => `median ${s(median(values))}, longest ${s(longest(values))}`

/** The first delivery of each event. */
const firsts = (told: readonly Told[]): Told[] => [
  ...told
    .toSorted((a, b) => b.atMs - a.atMs)
    .reduce((found, one) => found.set(one.event, one), new Map<string, Told>())
    .values(),
]

const refusals = ({ tally, outage }: Seen): string => {
  const { refused, refusals: answers, lastRefusedMs } = tally
  if (lastRefusedMs === null) return '0'
  const until = outage === null ? '' : `, until ${s(Math.max(0, lastRefusedMs - outage.backMs))} after it was back`
  return `${refused} (${answers} answers${until})`
}

const delays = ({ told, endedMs }: Seen) => {
  const events = firsts(told)
  return {
    fromEnd: events.map(({ video, atMs }) => atMs - (endedMs.get(video) ?? NaN)),
    fromEvent: events.map(({ atMs, seenMs }) => atMs - seenMs),
  }
}

export const doubled = ({ told }: Seen): number => told.length - firsts(told).length

const awayRows = (seen: Seen, outage: Outage): [string, string][] => {
  const { fromMs, backMs, takenOverMs } = outage
  const isMeanwhile = (atMs: number): boolean => atMs >= fromMs && atMs < backMs
  const told = firsts(seen.told)
  const ended = told.filter(({ video }) => isMeanwhile(seen.endedMs.get(video) ?? NaN)).length
  const rows: [string, string][] = [
    ['away', s(backMs - fromMs)],
    ['jobs ended meanwhile', String(ended)],
    ['videos reported meanwhile', String(told.filter(({ atMs }) => isMeanwhile(atMs)).length)],
  ]
  return takenOverMs === null ? rows : [...rows, [TAKEN_OVER, s(takenOverMs)]]
}

/** What a phase may cost on a quiet machine, by its name: the figure, and how long it may be. */
const MOST: Readonly<Record<string, { row: string; mostMs: number; of: (seen: Seen) => number }>> = {
  'database silent': { row: WAITED, mostMs: 6_000, of: ({ tally }) => tally.longestMs },
  'replica cut off': { row: FROM_END, mostMs: 30_000, of: (seen) => longest(delays(seen).fromEnd) },
  'replica killed': { row: TAKEN_OVER, mostMs: 3_000, of: ({ outage }) => outage?.takenOverMs ?? NaN },
}

/** Pure: the rows of one phase. */
export const rowsOf = (seen: Seen): Row[] => {
  const { name, tally, outage, accepted } = seen
  const { fromEnd, fromEvent } = delays(seen)
  const rows: [string, string][] = [
    ...(outage === null ? [] : awayRows(seen, outage)),
    ['requests', `${tally.requests} (${accepted} videos)`],
    ['requests refused with 503', refusals(seen)],
    ['connections broken or unanswered, asked again', String(tally.askedAgain)],
    [WAITED, s(tally.longestMs)],
    [FROM_END, both(fromEnd)],
    ['from the event to the delivery', both(fromEvent)],
    ['deliveries doubled', String(doubled(seen))],
  ]
  const most = MOST[name]
  return rows.map(([what, measured]) => {
    const hasGoal = most?.row === what
    const goal = hasGoal ? `longest ≤ ${s(most.mostMs)}` : null
    return { what: `${name}: ${what}`, goal, measured, optimum: null, met: !hasGoal || most.of(seen) <= most.mostMs }
  })
}

/** Pure: what must hold in every phase. `faults`: what is not as promised, in words, by what was promised. */
export const goalsOf = (all: readonly Seen[], faults: Readonly<Record<string, readonly string[]>>): Row[] => {
  const lost = all.flatMap(({ tally }) => tally.lost)
  return Object.entries({ 'requests lost': lost, ...faults }).map(([what, found]) => ({
    what,
    goal: '0',
    measured: String(found.length),
    optimum: null,
    met: found.length === 0,
  }))
}
