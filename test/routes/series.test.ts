import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OverviewSeriesView, OverviewView } from '../../src/core/api/admin.ts'
import type { FakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, type TestApp } from '../fakes/gateway.ts'
import { until } from '../fakes/until.ts'
import { ADMIN, openEnds } from './ends-stage.ts'
import { expectProblem } from './expect.ts'

const MINUTE = 60_000

describe('GET /overview/series', () => {
  let clock: FakeClock
  let app: TestApp
  beforeAll(async () => {
    ;({ clock, app } = await openEnds(10 * MINUTE, {}, { runsEngine: true }))
  })
  afterAll(() => app.close())

  const ask = (query: string, key = bearer(KEYS.anna)) =>
    app.raw.get(`/unified/v1${key === ADMIN ? '/admin' : ''}/overview/series?${query}`).set(key)
  const series = async (query: string, key = bearer(KEYS.anna)) =>
    OverviewSeriesView.parse((await ask(query, key).expect(200)).body)
  const points = async (query: string, key = bearer(KEYS.anna)) =>
    (await series(query, key)).series.map(({ key: name, points: own }) => [
      name,
      own.map(({ at: _at, ...values }) => values),
    ])

  test('how long videos took: of the caller, by backend', async () => {
    const seen = await series('metric=completion')
    expect(seen).toMatchObject({ metric: 'completion', by: 'backend', unit: 'seconds', step_seconds: 900 })
    expect(seen.complete).toBe(true)
    const [main, ...others] = seen.series
    expect(others).toEqual([])
    expect(main).toMatchObject({ key: 'main', points: [{ count: 2 }] })
    expect(Date.parse(main?.points[0]?.at ?? '') % (15 * MINUTE)).toBe(0)
  })

  test('how late ends were noticed, and failures by code and backend', async () => {
    const late = await series('metric=lateness&step=60')
    expect(late.series.map(({ key, points: own }) => [key, own.map(({ count }) => count)])).toEqual([['main', [2, 1]]])
    expect(await points('metric=failures')).toEqual([['backend_failed', [{ count: 1 }]]])
    expect(await points('metric=failures&by=backend')).toEqual([['main', [{ count: 1 }]]])
    expect(await points('metric=failures', bearer(KEYS.bert))).toEqual([])
  })

  test('an operator sees all clients, one by one, or one', async () => {
    const counts = async (query: string) =>
      (await series(query, ADMIN)).series.map(({ key, points: own }) => [key, own.map(({ count }) => count)])
    expect(await counts('metric=completion')).toEqual([['main', [3]]])
    expect(await counts('metric=completion&by=client')).toEqual([
      ['anna', [2]],
      ['bert', [1]],
    ])
    expect(await counts('metric=completion&client=bert')).toEqual([['main', [1]]])
    expect(await counts('metric=completion&backend=alt')).toEqual([])
  })

  test('what videos cost, who cost most first', async () => {
    const seen = await series('metric=credits&by=client', ADMIN)
    expect(seen).toMatchObject({ unit: 'count', complete: true })
    expect(seen.series.map(({ key, points: own }) => [key, own.map(({ count, credits }) => [count, credits])])).toEqual(
      [
        ['anna', [[3, 3]]],
        ['bert', [[1, 1]]],
      ],
    )
    expect(await points('metric=credits')).toEqual([['main', [{ count: 3, credits: 3 }]]])
    expect(await points('metric=credits&client=bert&backend=alt', ADMIN)).toEqual([])
  })

  test('how many waited, and how much of the window was used', async () => {
    await clock.advance(MINUTE)
    await until(async () => (await series('metric=queue')).series.length > 0)
    const [queue, ...others] = (await series('metric=queue&step=60')).series
    expect(others).toEqual([])
    expect(queue).toMatchObject({ key: 'alt' })
    const [point] = queue?.points ?? []
    expect(point).toMatchObject({ max: 2 })
    expect(point?.mean).toBeGreaterThan(0)
    expect(point?.mean).toBeLessThanOrEqual(2)
    expect(await points('metric=queue', bearer(KEYS.bert))).toEqual([])
    const byClient = (await series('metric=queue&by=client', ADMIN)).series
    expect(byClient).toMatchObject([{ key: 'anna', points: [{ max: 2 }] }])
    const budget = await series('metric=budget', ADMIN)
    expect(budget).toMatchObject({ unit: 'ratio', by: 'backend' })
    expect(budget.series.map(({ key }) => key)).toContain('alt')
    for (const { points: own } of budget.series)
      for (const { mean = -1, max = -1 } of own) {
        expect(max).toBeGreaterThanOrEqual(0)
        expect(max).toBeLessThanOrEqual(1)
        expect(mean).toBeLessThanOrEqual(max)
      }
    const { waiting } = OverviewView.parse((await app.get('/overview?range=1h')).body)
    expect(waiting.value).toBe(2)
    expect(Math.max(...waiting.trend.map(Number))).toBeGreaterThan(0)
  })

  test('is bounded: steps are sane, and at most 400', async () => {
    const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString())
    const [from, to] = [at(clock.now() - 30 * 24 * 60 * MINUTE), at(clock.now())]
    for (const [query, seconds] of [
      ['step=1', 300],
      ['step=61', 300],
      ['step=3600', 3_600],
      [`step=1&from=${from}&to=${to}`, 7_200],
      [`from=${from}&to=${to}`, 86_400],
      ['step=86400', 86_400],
    ] as const)
      expect((await series(`metric=completion&${query}`)).step_seconds).toBe(seconds)
  })

  test.each([
    ['metric=none', 'metric'],
    ['metric=completion&by=code', 'by'],
    ['metric=completion&by=client', 'by'],
    ['metric=credits&by=code', 'by'],
    ['metric=budget&by=client', 'by'],
    ['metric=completion&step=0', 'step'],
    ['metric=completion&from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'from'],
    ['metric=completion&from=2026-03-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
    ['metric=queue&backend=none', 'backend'],
    ['metric=deliveries&backend=main', 'backend'],
    ['metric=completion&client=bert', 'client'],
  ])('refuses %s', async (query, param) => {
    expectProblem(await ask(query), 'invalid_request', { param })
  })
})
