import { expect, test } from 'vitest'
import { MigrationView, SplitView } from '../../src/core/api/migration.ts'
import { splitsOf } from '../../src/engine/routing/rules.ts'
import { fakeClock } from '../fakes/clock.ts'
import { createEndings } from '../fakes/ended-videos.ts'
import { bearer, KEYS, testApp, type GatewayOptions } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { HOUR, MINUTE } from '../fakes/records.ts'
import { expectProblem } from './expect.ts'

const GATES = { least_videos: 4, failure_rate: 0.1 }
const STOP_IF = { failure_rate: 0.5, of: 4, window: '1h' }
const RULE = { when: { surface: 'unified' }, split: { main: 100, alt: 0 }, stop_if: STOP_IF }

const stage = async (routing: GatewayOptions['routing'] = {}, options: GatewayOptions = {}) => {
  const clock = fakeClock()
  const app = await testApp({ clock, routing: { rules: [RULE], gates: GATES, ...routing }, ...options })
  const { splits, rules } = app.deps.routing
  const change = (name: 'step' | 'rollback' | 'resume', body?: object, key: string = KEYS.anna) => {
    const request = app.raw.post(`/unified/v1/admin/migration/${name}`).set(bearer(key))
    return body === undefined ? request : request.send(body)
  }
  const changed = async (name: 'step' | 'rollback' | 'resume', body?: object, key?: string) =>
    SplitView.parse((await change(name, body, key).expect(200)).body)
  return {
    app,
    clock,
    all: splitsOf(rules),
    split: must(splitsOf(rules)[0]),
    splits,
    change,
    changed,
    status: async (query = '') => MigrationView.parse((await app.get(`/migration${query}`).expect(200)).body),
    end: createEndings(app.deps.store),
  }
}

test('nothing happened: every backend and split is there, and the ramp may begin', async () => {
  const { status, clock, split } = await stage()
  const { outcomes, splits, since, until, counted } = await status()
  expect(Date.parse(until) - Date.parse(since)).toBe(24 * HOUR)
  expect(Date.parse(until)).toBe(clock.now())
  expect(counted).toEqual({ videos: 0, limit: 100_000, complete: true })
  expect(outcomes.backends.map(({ backend, videos, success }) => [backend, videos, success])).toEqual([
    ['main', 0, null],
    ['alt', 0, null],
  ])
  expect(splits).toMatchObject([
    {
      rule: split.key,
      path: 'routing.rules[0]',
      when: { surface: 'unified', client: null },
      old: 'main',
      new: 'alt',
      file_weight: 0,
      ramp_weight: 0,
      weight: 0,
      stepped_at: null,
      next_weight: 1,
      ready: true,
      stop_if: { failure_rate: 0.5, of: 4, window_seconds: 3_600 },
      gates_since: null,
      audit: [],
    },
  ])
})

test('outcomes stand side by side: of backends, of rules, of both sides of a split, since a time', async () => {
  const { status, end, clock, split } = await stage()
  const endedAtMs = clock.now() - MINUTE
  await end(3, split.key, { endedAtMs, seconds: 20, credits: { charged: 2, remaining: null } })
  await end(1, split.key, { endedAtMs, status: 'failed' })
  await end(2, split.key, { endedAtMs, backend: 'alt', seconds: 5 })
  await end(1, split.key, { endedAtMs, backend: 'alt', status: 'canceled' })
  await end(4, null, { endedAtMs })
  await end(1, 'rule_of_before', { endedAtMs })
  await end(9, split.key, { endedAtMs: clock.now() - 25 * HOUR, status: 'failed' })
  const { outcomes, counted } = await status()
  expect(counted.videos).toBe(12)
  const [main, alt] = outcomes.backends
  expect(main).toMatchObject({ backend: 'main', videos: 9, completed: 8, failed: 1, credits: { total: 6, each: 2 } })
  expect(main?.success?.rate).toBeCloseTo(8 / 9)
  expect(alt).toMatchObject({ backend: 'alt', videos: 3, completed: 2, canceled: 1, seconds: { p50: 5, p95: 5 } })
  expect(outcomes.rules).toMatchObject([
    { rule: split.key, path: 'routing.rules[0]', videos: 7 },
    { rule: null, path: null, videos: 4 },
  ])
  expect(outcomes.splits).toMatchObject([
    { rule: split.key, old: { videos: 4, failed: 1, seconds: { p50: 20 } }, new: { videos: 3, completed: 2 } },
  ])
  expect((await status('?since=2d')).counted.videos).toBe(21)
  expect(await status('?since=999999d')).toMatchObject({ since: '1970-01-01T00:00:00.000Z', counted: { videos: 21 } })
  expect((await status('?since=30s')).counted.videos).toBe(0)
  expect((await status(`?since=${new Date(clock.now() - 2 * MINUTE).toISOString()}`)).counted.videos).toBe(12)
})

test.each(['since=', 'since=yesterday', 'since=24', 'since=24h&since=25h', 'until=1h', 'since=-1h'])(
  'a query that is none: %s',
  async (query) => void expectProblem(await (await stage()).app.get(`/migration?${query}`), 'invalid_request'),
)

test('the ramp: begun without a gate, then each step by its gates, each by whom and from what to what', async () => {
  const { changed, change, end, clock, split, splits, status } = await stage()
  expect(await changed('step')).toMatchObject({ weight: 1, next_weight: 5, stepped_by: 'anna', ready: false })
  expect(splits.weightOf(split)).toBe(1)
  const problem = expectProblem(await change('step'), 'ramp_refused', { retryable: true })
  expect(problem.detail).toBe(
    `${split.key} stays at 1 %: least_videos: the new side finished only 0 videos since the last step; 4 are needed`,
  )
  expect(problem.details).toMatchObject({ gates: [{ name: 'least_videos', held: false, new: 0, limit: 4 }] })
  clock.jump(MINUTE)
  await end(4, split.key, { endedAtMs: clock.now(), backend: 'alt' })
  clock.jump(MINUTE)
  const [ready] = (await status()).splits
  expect(ready).toMatchObject({ ready: true })
  expect(ready?.curve.map((step) => step.new.videos)).toEqual([0, 4, 0])
  expect(await changed('step', {}, KEYS.bert)).toMatchObject({ weight: 5, stepped_by: 'bert' })
  // What ended before the step counts no more.
  expectProblem(await change('step', { force: false }), 'ramp_refused')
  expect(await changed('step', { force: true })).toMatchObject({
    weight: 10,
    audit: [
      { actor: 'anna', action: 'split.step', detail: { from: 5, to: 10, forced: true } },
      { actor: 'bert', action: 'split.step', detail: { from: 1, to: 5, forced: false } },
      { actor: 'anna', action: 'split.step', detail: { from: 0, to: 1 } },
    ],
  })
})

test('a step that fails a gate says which, and its figures', async () => {
  const { change, changed, end, clock, split } = await stage()
  await changed('step')
  clock.jump(MINUTE)
  await end(3, split.key, { endedAtMs: clock.now(), backend: 'alt', seconds: 40 })
  await end(2, split.key, { endedAtMs: clock.now(), backend: 'alt', status: 'failed' })
  await end(8, split.key, { endedAtMs: clock.now(), seconds: 20 })
  const { detail } = expectProblem(await change('step'), 'ramp_refused')
  expect(detail).toContain(
    'failure_rate: 40 % of the new side’s videos failed, 0 % of the old side’s; at most 10 % may',
  )
  expect(detail).toContain('p95: seconds to completion (p95): 40 on the new side, more than 1.5 × 20 of the old one')
  expect(detail).not.toContain('least_videos')
})

test('all the way up, and back at once', async () => {
  const { changed, change, split, splits } = await stage()
  const weights: number[] = []
  for (let n = 0; n < 6; n += 1) weights.push((await changed('step', { force: true })).weight)
  expect(weights).toEqual([1, 5, 10, 25, 50, 100])
  const problem = expectProblem(await change('step', { force: true }), 'ramp_refused', { retryable: false })
  expect(problem.detail).toContain('the new side already gets all videos')
  expect(await changed('rollback')).toMatchObject({ weight: 0, ramp_weight: 0, next_weight: 1, ready: true })
  expect(splits.weightOf(split)).toBe(0)
})

test('a rollback is taken back by a resume, also when it came twice, but not after a step', async () => {
  const { changed, change, clock, split, splits } = await stage({ rules: [{ ...RULE, split: { main: 75, alt: 25 } }] })
  for (let n = 0; n < 2; n += 1)
    expect(await changed('rollback')).toMatchObject({ weight: 0, rolled_back_from: 25, ready: true })
  clock.jump(MINUTE)
  const since = new Date(clock.now()).toISOString()
  expect(await changed('resume')).toMatchObject({ weight: 25, rolled_back_from: null, gates_since: since })
  expect(splits.weightOf(split)).toBe(25)
  expectProblem(await change('resume'), 'ramp_refused', { retryable: false })
  await changed('rollback')
  expect(await changed('step')).toMatchObject({ weight: 1, rolled_back_from: null })
  expectProblem(await change('resume'), 'ramp_refused', { retryable: false })
})

test('a canary that stopped itself gives nothing until it is resumed; no force steps it; rollback is always taken', async () => {
  const { app, changed, change, end, clock, split, splits, status } = await stage({
    rules: [{ ...RULE, split: { main: 90, alt: 10 } }],
  })
  expect(splits.weightOf(split)).toBe(10)
  expectProblem(await change('resume'), 'ramp_refused', { retryable: false })
  await end(4, split.key, { endedAtMs: clock.now(), backend: 'alt', status: 'failed' })
  await splits.refresh()
  expect(splits.weightOf(split)).toBe(0)
  const [shown] = (await status()).splits
  expect(shown).toMatchObject({
    weight: 0,
    ramp_weight: 10,
    file_weight: 10,
    ready: false,
    stopped: { outcomes: { old: { videos: 0, failed: 0 }, new: { videos: 4, failed: 4 } } },
    audit: [{ actor: 'gateway', action: 'split.stop' }],
  })
  const { body } = await app.get('/events?type=routing.stopped').expect(200)
  expect(body).toMatchObject({
    data: [{ type: 'routing.stopped', video_id: null, data: { rule: split.key, weight: 10 } }],
  })
  for (const force of [false, true])
    expect(expectProblem(await change('step', { force }), 'ramp_refused').detail).toContain('resume it first')
  clock.jump(1)
  expect(await changed('resume')).toMatchObject({ weight: 10, stopped: null, gates_since: expect.any(String) })
  await splits.refresh()
  expect(splits.weightOf(split)).toBe(10)
  clock.jump(1)
  await end(4, split.key, { endedAtMs: clock.now(), backend: 'alt', status: 'failed' })
  await splits.refresh()
  expect(await changed('rollback')).toMatchObject({ weight: 0, ramp_weight: 0, stopped: { at: expect.any(String) } })
})

test('of two steps at once one is taken', async () => {
  const { change, status } = await stage()
  const answers = await Promise.all([change('step', { force: true }), change('step', { force: true })])
  const codes = answers.map(({ status: code }) => code).toSorted((a, b) => a - b)
  // The second may have come when the first was written already.
  const [shown] = (await status()).splits
  expect(shown?.audit).toHaveLength(codes.filter((code) => code === 200).length)
  expect(shown?.weight).toBe(codes[1] === 200 ? 5 : 1)
})

test('of several splits one must be named; an unknown one is told which there are', async () => {
  const alt = { when: { source: 'text' }, split: { alt: 50, main: 50 }, by: 'metadata.tier' }
  const { change, changed, all, status } = await stage({ rules: [RULE, { when: { client: 'bert' }, to: 'alt' }, alt] })
  const [first, second] = [must(all[0]), must(all[1])]
  const named = expectProblem(await change('step'), 'invalid_request', { param: 'rule' })
  for (const key of [first.key, second.key]) expect(named.detail).toContain(key)
  const unknown = expectProblem(await change('rollback', { rule: 'rule_none' }), 'rule_not_found')
  expect(unknown.detail).toContain(`${second.key} (routing.rules[2])`)
  expect(await changed('rollback', { rule: second.key })).toMatchObject({
    by: 'metadata.tier',
    file_weight: 50,
    weight: 0,
  })
  expect((await status()).splits.map(({ weight }) => weight)).toEqual([0, 0])
})

test.each([{ rule: 7 }, { rule: '' }, { forced: true }, { force: 'yes' }])('a body that is none: %j', async (body) => {
  expectProblem(await (await stage()).change('step', body), 'invalid_request')
})

test('force is a word about steps alone', async () => {
  const { change } = await stage()
  for (const name of ['rollback', 'resume'] as const)
    expectProblem(await change(name, { force: true }), 'invalid_request', { param: 'force' })
})
