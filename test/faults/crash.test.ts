import { describe, expect, test } from 'vitest'
import { isFull } from '../fakes/full.ts'
import { must } from '../fakes/must.ts'
import { HANG_MS } from '../fakes/until.ts'
import { seededRandom } from '../fakes/random.ts'
import { crashRun, NEVER, WHEN_TAKEN, type CrashRun } from './run.ts'
import { inTurn } from './runs.ts'
import { SCENARIOS, type ScenarioName } from './scenarios.ts'

/** Runs at once: each is mostly waiting. The last of them find no boundary any more. */
const AT_ONCE = isFull ? 8 : 3
const AT_MOST = 200
/**
 * What one run may number more than another: how often a full slot is asked for (2) and a job polled (4) is up to the
 * moment. All else is the same in every run.
 */
const SLACK = 24

/**
 * Of the boundaries of a run, each is killed at, or every so many. Where the counting begins differs by scenario, so that
 * together they die before and after nearly each verb and socket; the rest is of the full run.
 */
const STRIDE = isFull ? 1 : 12
const OFFSETS: Record<ScenarioName, number> = { primary: 2, alternate: 6, exclusive: 10 }

/** A selection of deaths, one in the first process and one in the second, whose start is numbered, too. */
const PAIRS = isFull ? 6 : 2
const FIRST = 20
const SECOND = 22
const SEEDS: Record<ScenarioName, number> = { primary: 11, alternate: 22, exclusive: 33 }

/** What holds of every run, wherever its processes died. */
const expectHonest = (name: ScenarioName, { deaths, videos, ledger }: CrashRun): void => {
  const jobs = ledger.jobs.map(({ id }) => id)
  for (const { status, errorCode, jobId, webhooks } of videos) {
    // Every terminal event delivered, and none under two ids.
    expect(webhooks).toEqual([{ id: expect.stringMatching(/^evt_/), type: `video.${status}` }])
    if (status !== 'completed') expect([status, errorCode, jobId]).toEqual(['failed', 'create_outcome_unknown', null])
  }
  const owned = videos.flatMap(({ jobId }) => jobId ?? [])
  if (name === 'primary') expect(owned).toHaveLength(videos.length)
  // One job each, and where a create was taken, its job is found. A callback is answered before it is written down: if
  // that process dies too, what it named is not known, and its create stays honestly unknown.
  const told = ledger.callbacks.filter(({ status }) => status === 204).map((callback) => callback.job_id)
  const forgotten = jobs.filter((id) => !owned.includes(id) && deaths > 1 && told.includes(id))
  expect([...owned, ...forgotten].toSorted()).toEqual(jobs.toSorted())
  // A job of the alternate is all that is paid there: its contract shows no credits.
  expect(ledger.charges.map((charge) => charge.job_id).toSorted()).toEqual(name === 'primary' ? jobs.toSorted() : [])
}

const commits = (boundaries: readonly string[], verb: string): number =>
  boundaries.filter((one) => one === `${verb} >`).length

/** What every run commits that dies nowhere, for each video: nothing twice. */
const expectWhole = (name: ScenarioName, { boundaries, videos }: CrashRun): void => {
  const passed = must(boundaries)
  const n = videos.length
  expect(Object.fromEntries(['open', 'attempted', 'secrets'].map((verb) => [verb, commits(passed, verb)]))).toEqual({
    open: n,
    attempted: n,
    secrets: n,
  })
  // Its job id and its end are two changes; a callback is one; a poll that finds it running may be one. The first video
  // has its slot, its ticket and its bytes in the write that opens it; the others, which wait for their turn, in `admit`.
  expect(commits(passed, 'change')).toBeGreaterThanOrEqual((name === 'alternate' ? 3 : 2) * n)
  expect(commits(passed, 'admit')).toBeGreaterThanOrEqual(n - 1)
}

describe.each(['primary', 'alternate', 'exclusive'] as const)('kill -9, %s', (name) => {
  const scenario = SCENARIOS[name]

  test('at the write boundaries from create to delivery', { timeout: 5 * HANG_MS }, async () => {
    const whole = await crashRun(scenario, NEVER)
    expect(whole).toMatchObject({ deaths: 0, toldBefore: scenario.videos })
    expectWhole(name, whole)
    const first = isFull ? 1 : OFFSETS[name]
    const runs = await inTurn(
      { count: AT_MOST / STRIDE, atOnce: AT_ONCE },
      (index) => crashRun(scenario, first + index * STRIDE),
      ({ deaths }) => deaths === 0,
    )
    for (const run of [whole, ...runs]) expectHonest(name, run)
    // Up to one that lives through them all: all before it were killed.
    const survivor = runs.findIndex(({ deaths }) => deaths === 0)
    expect(survivor).toBeGreaterThan(0)
    expectWhole(name, must(runs[survivor]))
    const numbered = must(whole.boundaries).length
    for (const count of [first + (survivor - 1) * STRIDE, must(runs[survivor]?.boundaries).length]) {
      expect(Math.abs(count - numbered)).toBeLessThanOrEqual(SLACK + STRIDE - 1)
    }
  })

  test('when the create was taken and is not answered yet: it is found', async () => {
    const run = await crashRun(scenario, WHEN_TAKEN)
    expectHonest(name, run)
    expect(run).toMatchObject({ deaths: 1, toldBefore: 0 })
    expect(run.videos.map(({ status }) => status)).toEqual(run.videos.map(() => 'completed'))
  })

  test('and again while it recovers', { timeout: 5 * HANG_MS }, async () => {
    const random = seededRandom(SEEDS[name])
    const upTo = (most: number): number => 1 + Math.floor(random() * most)
    const pairs = Array.from(
      { length: PAIRS },
      (_, n) => [n % 2 === 0 ? WHEN_TAKEN : upTo(FIRST), upTo(SECOND)] as const,
    )
    const runs = await inTurn({ count: PAIRS, atOnce: AT_ONCE }, (index) => crashRun(scenario, ...must(pairs[index])))
    for (const run of runs) expectHonest(name, run)
    // The first death is certain, and so are most of the second: recovering passes about as many boundaries as it dies at.
    for (const { deaths } of runs) expect(deaths).toBeGreaterThanOrEqual(1)
    expect(runs.filter(({ deaths }) => deaths === 2).length).toBeGreaterThanOrEqual(PAIRS / 2)
  })
})
