import type { Schema } from '../../../api.ts'
import { durationOf } from '../../../ui/time.tsx'
import { type Tone, waitsFor } from '../../../ui/states.tsx'
import { keptOf, type Span } from './scale.ts'

export interface Entry {
  at: string
  type: string
  detail: string | null
}
export type Delivery = Schema<'Delivery'>

/** Something that happened at one time. */
export interface Moment {
  key: string
  atMs: number
  lane: string
  what: string
  detail: string | null
  /** What a receiver answered. */
  answer?: string | null
  tone: Tone
  isPoll?: boolean
}

/** How long something lasted. */
export interface Bar {
  lane: string
  fromMs: number
  toMs: number
  what: string
  tone: Tone
}

interface Drawn {
  moments: Moment[]
  bars: Bar[]
}

export interface History extends Drawn {
  /** In the order of their first moment. */
  lanes: string[]
  /** What is always to scale: from the create to the end, or, after a very long wait, the backend's work. Null: there is none. */
  kept: Span | null
}

const WAITS = 'In the gateway'
const SENDS = 'Create is sent'
const RUNS = 'At the backend'
const DOUBTS = 'Outcome not known'

interface Line {
  words: string
  tone?: Tone
  /** Where the video is from here on. */
  lane?: string
  isEnd?: true
}

const LINES: Readonly<Record<string, Line>> = {
  created: { words: 'Created', lane: WAITS },
  waiting: { words: 'Waits', lane: WAITS },
  not_sent: { words: 'Not sent', lane: WAITS },
  dispatched: { words: 'Create sent', lane: SENDS },
  accepted: { words: 'Accepted by the backend', lane: RUNS },
  imported: { words: 'Imported', lane: RUNS },
  processing: { words: 'Being made' },
  queued: { words: 'Queued at the backend' },
  polled: { words: 'Polled', tone: 'busy' },
  polls_left_out: { words: 'Polls left out' },
  callback: { words: 'The backend sent a callback' },
  doubt: { words: 'Outcome searched', tone: 'warn', lane: DOUBTS },
  doubtful: { words: 'Outcome not known', tone: 'warn', lane: DOUBTS },
  resolved: { words: 'An operator answered' },
  duplicate_job: { words: 'A second job was made', tone: 'bad' },
  link_owed: { words: 'Ended; the gateway asks for its link' },
  link_refreshed: { words: 'The gateway asked for a new link' },
  thin_evidence: { words: 'The backend sent something outside its contract', tone: 'warn' },
  audio_transferred: { words: 'Audio sent to the backend' },
  audio_transfer_delayed: { words: 'Audio not sent yet' },
  completed: { words: 'Completed', tone: 'good', isEnd: true },
  failed: { words: 'Failed', tone: 'bad', isEnd: true },
  canceled: { words: 'Canceled', tone: 'warn', isEnd: true },
}
const BAR_TONES: Readonly<Record<string, Tone>> = { [WAITS]: 'calm', [SENDS]: 'busy', [RUNS]: 'busy', [DOUBTS]: 'warn' }

/** Who is informed, without what may be secret in the address. */
const receiverOf = ({ target }: Delivery): string => {
  try {
    const { host, pathname } = new URL(target.url)
    return `To ${host}${pathname === '/' ? '' : pathname}`
  } catch {
    return `To ${target.url}`
  }
}

const attemptsOf = (delivery: Delivery): Drawn => {
  const lane = receiverOf(delivery)
  const { attempts = [], attempt_count: all } = delivery
  const drawn = attempts.map(({ at, status, error, duration_ms: ms, response_body: answer }, n) => {
    const tone: Tone = status !== null && status >= 200 && status < 300 ? 'good' : 'bad'
    const atMs = Date.parse(at)
    // Of many, the latest are reported.
    const what = `${delivery.event_type}, attempt ${all - attempts.length + n + 1}`
    const detail = `${status === null ? (error ?? 'no answer') : `answered ${status}`} in ${durationOf(ms)}`
    return {
      moment: { key: `${delivery.id} ${n}`, atMs, lane, what, detail, answer: answer || null, tone },
      bar: { lane, fromMs: atMs, toMs: atMs + ms, what, tone },
    }
  })
  return { moments: drawn.map(({ moment }) => moment), bars: drawn.map(({ bar }) => bar) }
}

/** What it waits for from this entry on; without a reason it waits for its turn. */
const waitOf = ({ type, detail }: Entry): string =>
  type === 'waiting' && detail !== null ? `for ${waitsFor(detail)}` : 'in the queue'

const inStages = (timeline: readonly Entry[], nowMs: number): Drawn => {
  const moments: Moment[] = []
  const bars: Bar[] = []
  let lane = WAITS
  let open: Bar | null = null
  for (const [n, entry] of timeline.entries()) {
    const { at, type } = entry
    const detail = type === 'waiting' ? waitOf(entry) : entry.detail
    const atMs = Date.parse(at)
    const line: Line = LINES[type] ?? { words: type.replaceAll('_', ' ') }
    if (open && (line.isEnd || (line.lane ?? lane) !== lane)) {
      bars.push({ ...open, toMs: atMs })
      open = null
    }
    lane = line.lane ?? lane
    if (line.lane) open ??= { lane, fromMs: atMs, toMs: atMs, what: lane, tone: BAR_TONES[lane] ?? 'calm' }
    const isPoll = type === 'polled'
    moments.push({ key: `line ${n}`, atMs, lane, what: line.words, detail, tone: line.tone ?? 'calm', isPoll })
  }
  if (open) bars.push({ ...open, toMs: Math.max(nowMs, open.fromMs) })
  return { moments, bars }
}

/** What a video's timeline and deliveries show, as moments and bars in lanes. Pure. */
export const historyOf = (timeline: readonly Entry[], deliveries: readonly Delivery[], nowMs: number): History => {
  const stages = inStages(timeline, nowMs)
  const parts = [stages, ...deliveries.map(attemptsOf)]
  const moments = parts.flatMap((part) => part.moments).toSorted((a, b) => a.atMs - b.atMs)
  const bars = parts.flatMap((part) => part.bars)
  const runs = stages.bars.filter(({ lane }) => lane === RUNS)
  return { moments, bars, lanes: [...new Set(moments.map(({ lane }) => lane))], kept: keptOf(stages.bars, runs) }
}

/** From how many in a row on polls are folded. The last of them, which found something, is not. */
const FOLDED = 3

/** As few rows as tell the same: many polls that found nothing new are one. Pure. */
export const folded = (moments: readonly Moment[]): Moment[] => {
  const rows: Moment[] = []
  for (let from = 0; from < moments.length;) {
    let to = from
    while (to < moments.length && moments[to]?.isPoll) to += 1
    const [first, last] = [moments[from], moments[to - 2]]
    if (first && last && to - from > FOLDED) {
      const detail = `until ${durationOf(last.atMs - first.atMs)} later, and nothing was new`
      rows.push({ ...first, what: `Polled ${to - from - 1} times`, detail })
      from = to - 1
    }
    const moment = moments[from]
    if (moment) rows.push(moment)
    from += 1
  }
  return rows
}

const SHARES = [
  [WAITS, 'wait'],
  [SENDS, 'send'],
  [DOUBTS, 'in doubt'],
  [RUNS, 'make'],
] as const

/** What it waited for longest. */
const longestWait = (timeline: readonly Entry[], nowMs: number): string => {
  const endMs = (n: number): number => Date.parse(timeline[n + 1]?.at ?? '') || nowMs
  const waits = timeline.map((entry, n) => ({ ...entry, ms: endMs(n) - Date.parse(entry.at) }))
  const [longest] = waits.filter(({ type }) => LINES[type]?.lane === WAITS).toSorted((a, b) => b.ms - a.ms)
  return longest ? waitOf(longest) : ''
}

/** Where the time of a video went: how long it waited, was sent and was made. Pure. */
export const sharesOf = (timeline: readonly Entry[], nowMs: number): { what: string; ms: number }[] => {
  const { bars } = inStages(timeline, nowMs)
  return SHARES.map(([lane, what]) => ({
    what: lane === WAITS ? `${what} ${longestWait(timeline, nowMs)}` : what,
    ms: bars.filter((bar) => bar.lane === lane).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
  })).filter(({ ms }) => ms > 0)
}
