import type { Schema } from '../../../api.ts'
import { durationOf } from '../../../ui/time.tsx'
import type { Tone } from '../../../ui/states.tsx'

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
  answer: string | null
  tone: Tone
  /** So many polls in a row, folded into this one. */
  polls: number
}

/** How long something lasted. */
export interface Bar {
  lane: string
  fromMs: number
  toMs: number
  what: string
  tone: Tone
}

export interface History {
  /** In the order of time. */
  moments: Moment[]
  bars: Bar[]
  /** In the order of their first moment. */
  lanes: string[]
  /** While the backend worked on it; null: it never did. */
  made: { fromMs: number; toMs: number } | null
}

const WAITS = 'In the gateway'
const SENDS = 'Create is sent'
const RUNS = 'At the backend'
const DOUBTS = 'Outcome not known'

/** What a line begins: until the next such line the video is there. */
const LANE_OF: Readonly<Record<string, string>> = {
  created: WAITS,
  waiting: WAITS,
  not_sent: WAITS,
  dispatched: SENDS,
  accepted: RUNS,
  imported: RUNS,
  doubt: DOUBTS,
  doubtful: DOUBTS,
}
const TERMINAL = ['completed', 'failed', 'canceled']

const WORDS: Readonly<Record<string, string>> = {
  created: 'Created',
  waiting: 'Waits',
  not_sent: 'Not sent',
  dispatched: 'Create sent',
  accepted: 'Accepted by the backend',
  imported: 'Imported',
  processing: 'Being made',
  queued: 'Queued at the backend',
  polled: 'Polled',
  polls_left_out: 'Polls left out',
  callback: 'The backend sent a callback',
  doubt: 'Outcome searched',
  doubtful: 'Outcome not known',
  resolved: 'An operator answered',
  duplicate_job: 'A second job was made',
  link_owed: 'Ended; the gateway asks for its link',
  link_refreshed: 'The gateway asked for a new link',
  thin_evidence: 'The backend sent something outside its contract',
  audio_transferred: 'Audio sent to the backend',
  audio_transfer_delayed: 'Audio not sent yet',
  completed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
}
const TONES: Readonly<Record<string, Tone>> = {
  completed: 'good',
  failed: 'bad',
  canceled: 'warn',
  doubtful: 'warn',
  doubt: 'warn',
  duplicate_job: 'bad',
  thin_evidence: 'warn',
  polled: 'busy',
}
const BAR_TONES: Readonly<Record<string, Tone>> = { [WAITS]: 'calm', [SENDS]: 'busy', [RUNS]: 'busy', [DOUBTS]: 'warn' }

const words = (type: string): string => WORDS[type] ?? type.replaceAll('_', ' ')

/** Who is informed, without what may be secret in the address. */
const receiverOf = ({ target }: Delivery): string => {
  try {
    const { host, pathname } = new URL(target.url)
    return `To ${host}${pathname === '/' ? '' : pathname}`
  } catch {
    return `To ${target.url}`
  }
}

const attemptsOf = (delivery: Delivery): { moments: Moment[]; bars: Bar[] } => {
  const lane = receiverOf(delivery)
  const attempts = (delivery.attempts ?? []).map((attempt, n) => {
    const isDelivered = attempt.status !== null && attempt.status >= 200 && attempt.status < 300
    const tone: Tone = isDelivered ? 'good' : 'bad'
    const said = attempt.status === null ? (attempt.error ?? 'no answer') : `answered ${attempt.status}`
    const fromMs = Date.parse(attempt.at)
    // Of many, the latest are reported.
    const number = delivery.attempt_count - (delivery.attempts?.length ?? 0) + n + 1
    const what = `${delivery.event_type}, attempt ${number}`
    return {
      moment: {
        key: `${delivery.id} ${n}`,
        atMs: fromMs,
        lane,
        what,
        detail: `${said} in ${durationOf(attempt.duration_ms)}`,
        answer: attempt.response_body === '' ? null : attempt.response_body,
        tone,
        polls: 0,
      },
      bar: { lane, fromMs, toMs: fromMs + attempt.duration_ms, what, tone },
    }
  })
  return { moments: attempts.map(({ moment }) => moment), bars: attempts.map(({ bar }) => bar) }
}

const inStages = (timeline: readonly Entry[], nowMs: number): { moments: Moment[]; bars: Bar[] } => {
  const moments: Moment[] = []
  const bars: Bar[] = []
  let lane = WAITS
  let open: Bar | null = null
  for (const [n, { at, type, detail }] of timeline.entries()) {
    const atMs = Date.parse(at)
    const isOver = TERMINAL.includes(type)
    const next = LANE_OF[type]
    if (open && (isOver || (next !== undefined && next !== lane))) {
      bars.push({ ...open, toMs: atMs })
      open = null
    }
    lane = next ?? lane
    if (next !== undefined) open ??= { lane, fromMs: atMs, toMs: atMs, what: lane, tone: BAR_TONES[lane] ?? 'calm' }
    const what = words(type)
    const polls = type === 'polled' ? 1 : 0
    moments.push({ key: `line ${n}`, atMs, lane, what, detail, answer: null, tone: TONES[type] ?? 'calm', polls })
  }
  if (open) bars.push({ ...open, toMs: Math.max(nowMs, open.fromMs) })
  return { moments, bars }
}

/** What a video's timeline and deliveries show, as moments and bars in lanes. Pure. */
export const historyOf = (timeline: readonly Entry[], deliveries: readonly Delivery[], nowMs: number): History => {
  const parts = [inStages(timeline, nowMs), ...deliveries.map(attemptsOf)]
  const moments = parts.flatMap((part) => part.moments).toSorted((a, b) => a.atMs - b.atMs)
  const bars = parts.flatMap((part) => part.bars)
  const runs = bars.filter(({ lane }) => lane === RUNS)
  const made =
    runs.length === 0
      ? null
      : { fromMs: Math.min(...runs.map(({ fromMs }) => fromMs)), toMs: Math.max(...runs.map(({ toMs }) => toMs)) }
  return { moments, bars, lanes: [...new Set(moments.map(({ lane }) => lane))], made }
}

/** From how many in a row on polls are folded. The last of them, which found something, is not. */
const FOLDED = 3

/** As few rows as tell the same: many polls that found nothing new are one. Pure. */
export const folded = (moments: readonly Moment[]): Moment[] => {
  const rows: Moment[] = []
  for (let from = 0; from < moments.length;) {
    let to = from
    while (to < moments.length && moments[to]?.polls === 1) to += 1
    const [first, last] = [moments[from], moments[to - 2]]
    if (first && last && to - from > FOLDED) {
      const polls = to - from - 1
      const detail = `until ${durationOf(last.atMs - first.atMs)} later, and nothing was new`
      rows.push({ ...first, what: `Polled ${polls} times`, detail, polls })
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

/** Where the time of a video went: how long it waited, was sent and was made. Pure. */
export const sharesOf = (timeline: readonly Entry[], nowMs: number): { what: string; ms: number }[] => {
  const { bars } = inStages(timeline, nowMs)
  return SHARES.map(([lane, what]) => ({
    what,
    ms: bars.filter((bar) => bar.lane === lane).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
  })).filter(({ ms }) => ms > 0)
}
