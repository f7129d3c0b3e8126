import * as fc from 'fast-check'
import { type CreateOutcome, type JobReport, NOWHERE_ELSE, type ReadOutcome } from '../../../../src/core/adapter.ts'
import { expect, test } from 'vitest'
import type { NewVideo } from '../../../../src/core/store/videos.ts'
import type { VideoRecord } from '../../../../src/core/video.ts'
import { isTerminal, STATUSES, VIDEO_EVENT_TYPES } from '../../../../src/core/vocabulary.ts'
import { calledBack, duplicate, end } from '../../../../src/engine/life/job-steps.ts'
import { type Decided, withEvents } from '../../../../src/engine/life/apply.ts'
import { afterPoll } from '../../../../src/engine/polling/poll-plan.ts'
import { afterCreate, applyVerdict, recovered, sending } from '../../../../src/engine/life/create-steps.ts'
import {
  acceptedAs,
  doubt,
  HOUR,
  MINUTE,
  problem,
  rate,
  refused,
  report,
  T0,
  unreachable,
  video,
  WIRE,
} from '../../../fakes/records.ts'

/**
 * Whatever a backend says and in whatever order it comes, with callbacks, crashes and cancels between, what is told of a
 * video is a legal history: status never goes back, and it ends once.
 */
type Happening =
  | { kind: 'create'; outcome: CreateOutcome }
  | { kind: 'poll'; outcome: ReadOutcome<JobReport> }
  | { kind: 'callback'; jobId: string | null; attempt: number }
  | { kind: 'crash' }
  | { kind: 'cancel' }
type Timed = Happening & { afterMs: number }

const jobIds = fc.constantFrom('job_1', 'job_2')
const links = fc.record({
  url: fc.constantFrom('https://cdn.example/1', 'https://cdn.example/2'),
  expiresAtMs: fc.option(fc.integer({ min: T0 - HOUR, max: T0 + 48 * HOUR })),
})
const orNone = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(some, { freq: 2 })
const hints = orNone(fc.integer({ min: T0 - HOUR, max: T0 + 30 * HOUR }))
const reports = fc
  .record({
    status: fc.constantFrom(null, 'queued', 'processing', 'processing', 'completed', 'failed'),
    backendStatus: orNone(fc.constantFrom('queued', 'Rendering', '%', 'completed')),
    progress: orNone(fc.double({ min: 0, max: 1, noNaN: true })),
    link: orNone(links),
    failure: fc.option(
      fc.record({
        code: fc.constantFrom('broke', null),
        message: fc.constant('it broke'),
        retryable: fc.boolean(),
      }),
      { freq: 5 },
    ),
    nextPollAtMs: hints,
    durationSeconds: orNone(fc.double({ min: 0, max: 100, noNaN: true })),
  })
  .map((given) => report(given))
const rates = orNone(fc.integer({ min: T0 - HOUR, max: T0 + 48 * HOUR }).map((dateMs) => rate({ dateMs })))
const problems = fc.record({
  code: fc.constantFrom('backend_error', 'upload_not_found', 'idempotency_key_conflict', 'insufficient_credits'),
  retryable: fc.boolean(),
  retryAtMs: hints,
})
const outcomes: fc.Arbitrary<CreateOutcome> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(jobIds, reports).map(([id, said]) => acceptedAs(id, said)) },
  fc.tuple(problems, fc.constantFrom('slot', 'budget', 'check', null)).map(([given, waits]) => refused(given, waits)),
  problems.map(unreachable),
  problems.map(doubt),
)
const polls: fc.Arbitrary<ReadOutcome<JobReport>> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ok: fc.constant(true), value: reports, rate: rates }) },
  fc.record({
    ok: fc.constant(false),
    problem: hints.map((retryAtMs) => problem({ retryAtMs })),
    lost: fc.boolean(),
    rate: rates,
  }),
)
const happenings: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: outcomes.map((outcome) => ({ kind: 'create' as const, outcome })) },
  { weight: 8, arbitrary: polls.map((outcome) => ({ kind: 'poll' as const, outcome })) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('callback' as const),
      jobId: orNone(jobIds),
      attempt: fc.integer({ min: 0, max: 3 }),
    }),
  },
  fc.constantFrom({ kind: 'crash' as const }, { kind: 'cancel' as const }),
)
const gaps = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }),
  fc.integer({ min: 0, max: 20 * MINUTE }),
  fc.constant(9 * HOUR),
)
const histories = fc.record({
  resends: fc.boolean(),
  // The same again and again is what thin evidence grows from.
  steps: fc
    .array(
      fc
        .tuple(happenings, gaps, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 8 })))
        .map(([what, afterMs, times]) => Array.from({ length: times }, (): Timed => ({ ...what, afterMs }))),
      { minLength: 1, maxLength: 25 },
    )
    .map((runs) => runs.flat()),
})
interface History {
  resends: boolean
  steps: Timed[]
}

/** The rules of `send.ts`: who may write down what became of a create. */
const created = (current: VideoRecord, outcome: CreateOutcome, resends: boolean, nowMs: number): Decided => {
  const mode = current.phase === 'doubtful' ? 'resend' : 'queued'
  const context = { mode, nowMs, resendWindowMs: 20 * HOUR, resends, random: 0.5, otherwise: NOWHERE_ELSE } as const
  const verdict = afterCreate(outcome, current, context)
  if (verdict.kind === 'answer') throw new Error('it was told of already')
  if (verdict.kind === 'accepted' && (current.backendJobId !== null || current.phase === 'ended'))
    return duplicate(current, verdict.outcome.jobId, nowMs) ?? 'keep'
  return applyVerdict(current, verdict, { nowMs, firstPollAt: (_video, hintAtMs) => hintAtMs ?? nowMs })
}

const decide = (current: VideoRecord, what: Timed, resends: boolean, nowMs: number): Decided => {
  switch (what.kind) {
    case 'create': {
      // One that comes late, of a create that the gateway gave up on, brings a job all the same.
      if (current.phase !== 'doubtful' && current.phase !== 'dispatching')
        return what.outcome.kind === 'accepted' ? created(current, what.outcome, resends, nowMs) : 'keep'
      return created(current, what.outcome, resends, nowMs)
    }
    case 'poll':
      return afterPoll(current, what.outcome, {
        nowMs,
        over: null,
        startedAtMs: nowMs - 50,
        ranAtMs: null,
        dueAtMs: nowMs + 1_000,
        maxAgeMs: 24 * HOUR,
        upSinceMs: 0,
        polls: [],
      })
    case 'callback':
      return calledBack(current, { ...what, body: null }, current.dueAtMs, nowMs) ?? 'keep'
    case 'crash':
      return current.phase === 'dispatching' ? recovered(current, nowMs) : 'keep'
    case 'cancel':
      return current.phase === 'waiting' ? end(current, { status: 'canceled' }, nowMs) : 'keep'
  }
}

type Owed = NewVideo['events'][number]['event']

/** The records that were written and the events that they owed, as `apply.ts` makes them. */
const told = ({ resends, steps }: History): { records: VideoRecord[]; events: Owed[] } => {
  const url = (id: string): string => `https://gateway.example/${id}`
  const links = { contentUrl: url, eventsUrl: url, ownBody: () => null }
  let nowMs = T0
  const start = withEvents(
    null,
    video({ told: true, webhookUrl: 'https://hooks.example/', webhookEvents: [...VIDEO_EVENT_TYPES] }),
    { nowMs, ...links },
  )
  const records = [start.video]
  const events = start.events.map(({ event }) => event)
  const write = (decided: Decided): void => {
    const before = records.at(-1)
    if (decided === 'keep' || decided === 'discard' || !before || decided.video === before) return
    const owed = withEvents(before, decided.video, { nowMs, ...links })
    records.push({ ...owed.video, version: before.version + 1 })
    events.push(...owed.events.map(({ event }) => event))
  }
  const now = (): VideoRecord => records.at(-1) ?? start.video
  for (const step of steps) {
    nowMs += step.afterMs
    // Its turn comes, and its bytes are stored: as `admit` of the store and the dispatcher do.
    if (step.kind !== 'cancel' && now().phase === 'waiting') {
      const lease = { token: 'lease', untilMs: nowMs }
      write({ video: { ...now(), phase: 'dispatching', lease, waitReason: null }, notes: [] })
      if (step.kind !== 'crash' || step.afterMs % 2 === 0)
        write(sending(now(), { wire: WIRE, offsetMs: null }, MINUTE, nowMs))
    }
    write(decide(now(), step, resends, nowMs))
  }
  return { records, events }
}

const rankOf = (status: string): number => (status === 'queued' ? 0 : status === 'processing' ? 1 : 2)
const sorted = (values: readonly number[]): boolean =>
  values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0))
const bodyOf = ({ body }: Owed) =>
  JSON.parse(body) as { type: string; data: { status: string; progress: number | null; sequence: number } }

const RUNS = { numRuns: 3_000, seed: 20_261_120 }

test('status never goes back, progress never falls, and what ended stays as it ended', () => {
  const ends = new Set<string>()
  fc.assert(
    fc.property(histories, (history) => {
      const { records } = told(history)
      expect(sorted(records.map(({ status }) => rankOf(status)))).toBe(true)
      expect(sorted(records.map(({ progress }) => progress ?? 0))).toBe(true)
      expect(records.every(({ progress }, i) => progress !== null || (records[i - 1]?.progress ?? null) === null)).toBe(
        true,
      )
      for (const { phase, status, error } of records) {
        expect(isTerminal(status)).toBe(phase === 'ended')
        expect(error !== null).toBe(status === 'failed')
      }
      const outcome = ({ status, error, progress, endedAtMs, link }: VideoRecord) => ({
        status,
        error,
        progress,
        endedAtMs,
        link,
      })
      const over = records.filter(({ phase }) => phase === 'ended')
      for (const later of over) expect(outcome(later)).toEqual(outcome(over[0] ?? later))
      ends.add(records.at(-1)?.error?.code ?? records.at(-1)?.status ?? '')
    }),
    RUNS,
  )
  // The histories come to every end there is, so that the rules were tried on each.
  for (const status of STATUSES.filter((one) => one !== 'failed')) expect(ends).toContain(status)
  for (const code of [
    'backend_failed',
    'backend_job_lost',
    'backend_job_expired',
    'video_url_missing',
    'create_outcome_unknown',
  ])
    expect(ends).toContain(code)
})

test('events are numbered without a gap, tell of one end, last, and are the same when history is played again', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { records, events } = told(history)
      const bodies = events.map(bodyOf)
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
      expect(bodies.map(({ data }) => data.sequence)).toEqual(events.map((_, i) => i + 1))
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
      expect(events[0]?.type).toBe('video.queued')
      expect(sorted(bodies.map(({ data }) => rankOf(data.status)))).toBe(true)
      expect(sorted(bodies.map(({ data }) => data.progress ?? 0))).toBe(true)
      const terminal = bodies.flatMap(({ type }, i) => (/completed|failed|canceled/.test(type) ? [i] : []))
      expect(terminal).toEqual(isTerminal(records.at(-1)?.status ?? 'queued') ? [events.length - 1] : [])
      expect(told(history).events).toEqual(events)
    }),
    RUNS,
  )
})
