import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JobReport, ReadOutcome } from '../../src/core/adapter.ts'
import { isTerminal, VIDEO_EVENT_TYPES } from '../../src/core/vocabulary.ts'
import { completed, running, unread } from '../fakes/adapter.ts'
import { MINUTE, SECOND } from '../fakes/records.ts'
import { openEngine } from './harness.ts'

/** The legal histories of `test/unit/engine/life/history.test.ts`, through the account loop and the store, over crashes. */
const polls: fc.Arbitrary<ReadOutcome<JobReport>> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        status: fc.constantFrom('queued' as const, 'processing' as const, null),
        progress: fc.option(fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)),
        backendStatus: fc.constantFrom('queued', 'Rendering', null),
      })
      .map((given) => running(given)),
  },
  fc.boolean().map((lost) => unread(lost)),
  fc.constantFrom(completed(), completed({ link: null }), running({ status: 'failed' })),
)
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ poll: polls, passMs: fc.integer({ min: SECOND, max: 3 * MINUTE }) }) },
    fc.record({ callback: fc.constantFrom('job_1', 'job_9', null) }),
    fc.record({ restart: fc.constantFrom('stopped' as const, 'crashed' as const) }),
  ),
  { minLength: 3, maxLength: 12 },
)
const rankOf = (status: string): number => (status === 'queued' ? 0 : status === 'processing' ? 1 : 2)
const bodyOf = (body: string) =>
  JSON.parse(body) as { type: string; data: { status: string; progress: number | null; sequence: number } }
const rises = (values: readonly number[]): boolean => values.every((value, i) => value >= (values[i - 1] ?? value))

test('what the store keeps to be told is numbered, never goes back and ends once, over crashes', async () => {
  const ends = new Set<string>()
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      let engine = await openEngine()
      try {
        engine.videos.start()
        const { video } = await engine.create({
          webhookUrl: 'https://hooks.example/',
          webhookEvents: [...VIDEO_EVENT_TYPES],
        })
        const seen = [await engine.record(video.id)]
        let told: string[] = []
        for (const step of all) {
          if ('poll' in step) {
            engine.adapter.polls.push(step.poll)
            await engine.pass(step.passMs)
          } else if ('callback' in step) {
            await engine.videos.hinted(video.id, 1, { id: step.callback })
            await engine.rest()
          } else {
            engine = await engine.restart(step.restart)
            engine.videos.start()
            await engine.rest()
          }
          seen.push(await engine.record(video.id))
          const events = (await engine.store.deliveriesOf(video.id))
            .map(({ event }) => event)
            .toSorted((a, b) => a.sequence - b.sequence)
          const bodies = events.map(({ body }) => bodyOf(body))
          expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
          // What was owed once is owed for ever, byte for byte.
          expect(events.map(({ id, body }) => `${id} ${body}`).slice(0, told.length)).toEqual(told)
          told = events.map(({ id, body }) => `${id} ${body}`)
          expect(rises(bodies.map(({ data }) => rankOf(data.status)))).toBe(true)
          expect(rises(bodies.map(({ data }) => data.progress ?? 0))).toBe(true)
          const terminal = bodies.filter(({ type }) => /completed|failed|canceled/.test(type))
          expect(terminal).toHaveLength(isTerminal(seen.at(-1)?.status ?? 'queued') ? 1 : 0)
          if (terminal[0]) expect(bodies.at(-1)).toBe(terminal[0])
        }
        expect(rises(seen.map(({ status }) => rankOf(status)))).toBe(true)
        expect(rises(seen.map(({ progress }) => progress ?? 0))).toBe(true)
        expect(rises(seen.map(({ version }) => version))).toBe(true)
        ends.add(seen.at(-1)?.status ?? '')
        await engine.videos.stop()
      } finally {
        // Polls are answered while time passes: how many is up to the run.
        engine.adapter.polls.length = 0
        await engine.destroy()
      }
    }),
    { numRuns: 15, seed: 20_261_120 },
  )
  expect([...ends].toSorted()).toEqual(['completed', 'failed', 'processing'])
})
