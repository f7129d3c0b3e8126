import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JobReport, ReadOutcome } from '../../../../src/core/adapter.ts'
import type { EventRecord, VideoRecord } from '../../../../src/core/video.ts'
import { isTerminal, VIDEO_EVENT_TYPES } from '../../../../src/core/vocabulary.ts'
import { calledBack } from '../../../../src/engine/life/job-steps.ts'
import { renderVideo, withEvents } from '../../../../src/engine/life/apply.ts'
import { afterPoll } from '../../../../src/engine/polling/poll-plan.ts'
import { VideoView } from '../../../../src/core/api/videos.ts'
import { must } from '../../../fakes/must.ts'
import { accepted, HOUR, LINK, MINUTE, problem, report, T0 } from '../../../fakes/records.ts'

/** Whatever a backend may say of a job, sense or nonsense, and whatever may go wrong with asking. */
const said: fc.Arbitrary<ReadOutcome<JobReport>> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        status: fc.constantFrom('queued', 'processing', 'processing', 'completed', 'failed', null),
        backendStatus: fc.constantFrom('queued', 'processing', 'Marinating', null),
        progress: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        link: fc.constantFrom(LINK, null, null),
        failure: fc.constantFrom({ message: 'hm', retryable: true, code: 'x' }, null, null),
        durationSeconds: fc.constantFrom(3, null),
      })
      .map((given) => ({ ok: true as const, value: report(given), rate: null })),
  },
  {
    weight: 2,
    arbitrary: fc.boolean().map((lost) => ({ ok: false as const, problem: problem(), lost, rate: null })),
  },
)
const move = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('poll' as const), said, afterMs: fc.nat(10 * MINUTE) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('callback' as const), afterMs: fc.nat(MINUTE) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sleep' as const), afterMs: fc.nat(30 * HOUR) }) },
)

const RANK = { queued: 0, processing: 1, completed: 2, failed: 2, canceled: 2 } as const

test('any sequence of answers is a legal life: never backwards, one end, events in order', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const context = {
        contentUrl: (id: string) => `https://gateway.example/${id}`,
        eventsUrl: (id: string) => id,
        ownBody: () => null,
      }
      const states: VideoRecord[] = [
        accepted({ webhookUrl: 'https://hooks.example/', webhookEvents: [...VIDEO_EVENT_TYPES] }),
      ]
      const events: EventRecord[] = []
      let nowMs = T0
      for (const one of moves) {
        nowMs += one.afterMs
        const before = must(states.at(-1))
        const polled = {
          nowMs,
          over: null,
          startedAtMs: nowMs,
          ranAtMs: null,
          dueAtMs: nowMs + MINUTE,
          maxAgeMs: 24 * HOUR,
          upSinceMs: 0,
          polls: [],
        }
        const decided =
          one.kind === 'poll'
            ? afterPoll(before, one.said, polled)
            : one.kind === 'callback' &&
              calledBack(before, { attempt: 1, jobId: null, body: null }, before.dueAtMs, nowMs)
        if (!decided || decided === 'keep' || decided === 'discard') continue
        const owed = withEvents(before, decided.video, { ...context, nowMs })
        states.push(owed.video)
        events.push(...owed.events.map(({ event }) => event))
      }

      for (const [n, after] of states.entries()) {
        const before = states[n - 1]
        VideoView.parse(
          renderVideo(after, { ...context, nowMs, position: null, isPaused: false, plannedPollAtMs: after.dueAtMs }),
        )
        expect(after.phase === 'ended').toBe(isTerminal(after.status))
        expect(after.phase === 'ended').toBe(after.dueAtMs === null && after.endedAtMs !== null)
        expect(after.status === 'failed').toBe(after.error !== null)
        if (after.status === 'completed') expect(after.link).not.toBeNull()
        if (!before) continue
        expect(before.phase).not.toBe('ended')
        expect(RANK[after.status]).toBeGreaterThanOrEqual(RANK[before.status])
        expect(after.progress ?? 0).toBeGreaterThanOrEqual(before.progress ?? 0)
        expect(after.backendJobId).toBe(before.backendJobId)
      }
      const last = must(states.at(-1))
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1))
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
      expect(events.filter(({ type }) => ['video.completed', 'video.failed'].includes(type))).toHaveLength(
        last.phase === 'ended' ? 1 : 0,
      )
      if (last.phase === 'ended') expect(events.at(-1)?.type).toBe(`video.${last.status}`)
    }),
    { seed: 20_261_120, numRuns: 1_000 },
  )
})
