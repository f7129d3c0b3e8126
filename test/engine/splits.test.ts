import { OPERATOR } from '../fakes/access.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import type { Store } from '../../src/core/store/index.ts'
import { resumed, weighed } from '../../src/engine/routing/ramp.ts'
import type { Splits } from '../../src/engine/routing/splits.ts'
import { HOUR, newEndpoint, SECOND } from '../fakes/records.ts'
import { must } from '../fakes/must.ts'
import { SPLIT, splitStage } from './split-stage.ts'

const STEP = { action: 'split.step', detail: {} } as const
const RESUME = { action: 'split.resume', detail: {} } as const

const stepTo = async (splits: Splits, weight: number, nowMs: number): Promise<boolean> =>
  splits.change(weighed(await splits.stateOf(SPLIT.key), weight, 'acme', nowMs), OPERATOR, STEP)

test('the file’s weight counts until somebody steps; nothing before it was loaded', async () => {
  const { clock, start } = await splitStage()
  const splits = await start()
  expect(splits.weightOf(SPLIT)).toBe(10)
  expect(splits.weightOf({ ...SPLIT, key: 'rule_other' })).toBe(0)
  expect(await stepTo(splits, 25, clock.now())).toBe(true)
  expect(splits.weightOf(SPLIT)).toBe(25)
})

test('a change is in force at once where it was made, and elsewhere within two seconds', async () => {
  const { clock, start } = await splitStage()
  const [one, other] = [await start(), await start()]
  for (const splits of [one, other]) splits.start()
  await clock.advance(400)
  expect(await stepTo(one, 50, clock.now())).toBe(true)
  expect([one, other].map((splits) => splits.weightOf(SPLIT))).toEqual([50, 10])
  await clock.advance(2 * SECOND)
  expect([one, other].map((splits) => splits.weightOf(SPLIT))).toEqual([50, 50])
  await Promise.all([one.stop(), other.stop()])
  expect(clock.pending()).toBe(0)
})

test('a restart knows what was stepped, and a rule that left the file and came back does, too', async () => {
  const { clock, start, current } = await splitStage()
  await stepTo(await start(), 25, clock.now())
  const again = await start(await current.reopen())
  expect(again.weightOf(SPLIT)).toBe(25)
})

test('a change that knew an older version writes nothing', async () => {
  const { clock, store, start } = await splitStage()
  const [one, other] = [await start(), await start()]
  const before = await one.stateOf(SPLIT.key)
  expect(await stepTo(other, 25, clock.now())).toBe(true)
  expect(await one.change(weighed(before, 50, 'acme', clock.now()), OPERATOR, STEP)).toBe(false)
  expect(await store.auditOf(SPLIT.key, 10)).toHaveLength(1)
  await one.refresh()
  expect(one.weightOf(SPLIT)).toBe(25)
})

test('a read that began before a change, and ends after it, undoes nothing', async () => {
  const { clock, store, start } = await splitStage()
  const reading = { isLate: false, ended: Promise.withResolvers<void>() }
  const late: Store = {
    ...store,
    operated: async (keys) => {
      const found = await store.operated(keys)
      if (reading.isLate) await reading.ended.promise
      return found
    },
  }
  const splits = await start(late)
  const before = await splits.stateOf(SPLIT.key)
  reading.isLate = true
  const read = splits.load()
  expect(await splits.change(weighed(before, 25, 'acme', clock.now()), OPERATOR, STEP)).toBe(true)
  reading.ended.resolve()
  await read
  expect(splits.weightOf(SPLIT)).toBe(25)
})

test('a store that fails for a moment leaves the last weights in force, and is logged once', async () => {
  const { clock, store, start, logged, warned } = await splitStage()
  let fails = false
  const failing: Store = {
    ...store,
    operated: async (keys) => {
      if (fails) throw new Problem('store_unavailable', 'not now')
      return store.operated(keys)
    },
  }
  const splits = await start(failing)
  splits.start()
  await stepTo(splits, 25, clock.now())
  fails = true
  await clock.advance(10 * SECOND)
  expect(splits.weightOf(SPLIT)).toBe(25)
  expect(warned).toEqual(['weights of splits and pauses of backends cannot be read: the last known ones stay in force'])
  fails = false
  await clock.advance(2 * SECOND)
  expect(logged.at(-1)).toBe('weights of splits and pauses of backends can be read again')
  await splits.stop()
})

test('a canary stops itself: once, with a line of the log, an event to every operator, and an audit entry', async () => {
  const { clock, store, start, end, told, warned } = await splitStage()
  await store.createEndpoint(newEndpoint({ events: ['video.queued'] }))
  const operators = ['acme', 'boss']
  const both = [await start(null, operators), await start(null, operators)]
  for (let n = 0; n < 4; n += 1) await end('main', n === 0 ? 'failed' : 'completed')
  for (let n = 0; n < 3; n += 1) await end('alt', 'failed')
  await end('alt', 'canceled')
  for (const splits of both) await splits.refresh()
  expect(both.map((splits) => splits.weightOf(SPLIT))).toEqual([10, 10])
  await end('alt', 'completed')
  await Promise.all(both.map((splits) => splits.refresh()))
  for (const splits of both) await splits.refresh()
  expect(both.map((splits) => splits.weightOf(SPLIT))).toEqual([0, 0])
  expect(warned).toHaveLength(1)
  const counts = { old: { videos: 4, failed: 1 }, new: { videos: 4, failed: 3 } }
  for (const client of operators) {
    const [event, ...more] = await told(client)
    expect(more).toEqual([])
    expect(JSON.parse(must(event).body)).toMatchObject({
      type: 'routing.stopped',
      data: { rule: SPLIT.key, old: 'main', new: 'alt', weight: 10, outcomes: counts },
    })
  }
  expect(await store.dueDeliveries(10)).toHaveLength(1)
  expect(await store.auditOf(SPLIT.key, 10)).toMatchObject([{ actor: 'gateway', action: 'split.stop' }])
  expect((await store.operated([SPLIT.key])).splits[0]?.stopped).toEqual({
    atMs: clock.now(),
    sinceMs: clock.now() - HOUR,
    ...counts,
  })
})

test('it stays stopped, over restarts and steps, and goes on when it is resumed; what ended before counts no more', async () => {
  const { clock, start, end, told } = await splitStage()
  const splits = await start()
  for (let n = 0; n < 4; n += 1) await end('alt', 'failed')
  await splits.refresh()
  clock.jump(2 * HOUR)
  const again = await start()
  expect(again.weightOf(SPLIT)).toBe(0)
  await stepTo(again, 50, clock.now())
  expect(again.weightOf(SPLIT)).toBe(0)
  for (let n = 0; n < 4; n += 1) await end('alt', 'failed')
  expect(await again.change(resumed(await again.stateOf(SPLIT.key), clock.now()), OPERATOR, RESUME)).toBe(true)
  for (const one of [splits, again]) {
    await one.refresh()
    expect(one.weightOf(SPLIT)).toBe(50)
  }
  clock.jump(1)
  for (let n = 0; n < 4; n += 1) await end('alt', 'failed')
  await again.refresh()
  expect(again.weightOf(SPLIT)).toBe(0)
  expect(new Set((await told()).map(({ id }) => id)).size).toBe(2)
})

test('without stop_if, or at 0 %, nothing stops', async () => {
  const { clock, start, end, told } = await splitStage([{ ...SPLIT, stopIf: null }])
  const { key } = SPLIT
  const splits = await start()
  for (let n = 0; n < 9; n += 1) await end('alt', 'failed')
  await splits.refresh()
  expect(splits.weightOf(SPLIT)).toBe(10)
  await stepTo(splits, 0, clock.now())
  await splits.refresh()
  expect((await splits.stateOf(key)).stopped).toBeNull()
  expect(await told()).toEqual([])
})

type Move =
  | { kind: 'end'; backend: 'main' | 'alt'; status: 'completed' | 'failed' | 'canceled' }
  | { kind: 'refresh'; on: number }
  | { kind: 'both' }
  | { kind: 'resume'; on: number }
  | { kind: 'step'; on: number; weight: number }
  | { kind: 'restart'; on: number }
  | { kind: 'pass'; ms: number }

const on = fc.nat(1)
const MOVE: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      backend: fc.constantFrom('main', 'alt', 'alt'),
      status: fc.constantFrom('completed', 'failed', 'failed', 'canceled'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refresh' as const), on }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('both' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const), on }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('step' as const), on, weight: fc.constantFrom(0, 1, 50, 100) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), on }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 1_000, 3_000_000) }) },
)

test(
  'whatever happens in whatever order: both processes agree after a refresh, what is stopped gets nothing, and each stop is told once',
  { timeout: 120_000 },
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(MOVE, { minLength: 5, maxLength: 40 }), async (moves) => {
        const { clock, store, current, start, end, told, warned, close } = await splitStage()
        try {
          const handles = [store, await current.second()]
          const both = [await start(must(handles[0])), await start(must(handles[1]))]
          const at = (n: number): Splits => must(both[n])
          const refreshAll = () => Promise.all(both.map((splits) => splits.refresh()))
          for (const move of moves) {
            if (move.kind === 'end') await end(move.backend, move.status)
            if (move.kind === 'refresh') await at(move.on).refresh()
            if (move.kind === 'both') await refreshAll()
            if (move.kind === 'pass') clock.jump(move.ms)
            if (move.kind === 'restart') both[move.on] = await start(must(handles[move.on]))
            if (move.kind === 'step') await stepTo(at(move.on), move.weight, clock.now())
            if (move.kind === 'resume') {
              const state = await at(move.on).stateOf(SPLIT.key)
              if (state.stopped) await at(move.on).change(resumed(state, clock.now()), OPERATOR, RESUME)
            }
          }
          await refreshAll()
          await refreshAll()
          const [state] = (await store.operated([SPLIT.key])).splits
          const weight = state?.stopped ? 0 : (state?.weight ?? SPLIT.weight)
          expect(both.map((splits) => splits.weightOf(SPLIT))).toEqual([weight, weight])
          const stops = (await store.auditOf(SPLIT.key, 100)).filter(({ action }) => action === 'split.stop')
          const events = await told()
          expect(events).toHaveLength(stops.length)
          expect(new Set(events.map(({ id }) => id)).size).toBe(stops.length)
          expect(warned).toHaveLength(stops.length)
          // What the stored outcomes say of the moment is what is in force.
          const since = Math.max(clock.now() - HOUR, state?.resumedAtMs ?? 0)
          const side = (backend: string) => store.countOf({ rule: SPLIT.key, backend }, since)
          const [fresh, old] = [await side('alt'), await side('main')]
          const mustStop =
            fresh.videos >= 4 &&
            2 * fresh.failed >= fresh.videos &&
            fresh.failed * Math.max(old.videos, 1) > old.failed * fresh.videos
          if (mustStop && (state?.weight ?? SPLIT.weight) > 0) expect(state?.stopped).toBeTruthy()
        } finally {
          await close()
        }
      }),
      { seed: 14, numRuns: 60 },
    ),
)
