import { describe, expect, test } from 'vitest'
import { goalsOf, rowsOf, type Seen, type Told } from '../../bench/outages/figures.ts'
import { outages } from '../../bench/outages/index.ts'
import { missed } from '../../bench/report.ts'
import { isFull } from '../fakes/full.ts'
import { skippedWithout } from '../fakes/servers.ts'

const told = (video: string, atMs: number, seenMs: number): Told => ({
  video,
  event: `event of ${video}`,
  atMs,
  seenMs,
})

const phase = (changes: Partial<Seen> = {}): Seen => ({
  name: 'a phase',
  tally: { requests: 9, refused: 0, refusals: 0, lastRefusedMs: null, askedAgain: 2, longestMs: 1_234, lost: [] },
  outage: null,
  accepted: 3,
  told: [told('a', 1_500, 1_400), told('b', 5_000, 2_000), told('c', 2_600, 2_590)],
  endedMs: new Map([
    ['a', 1_000],
    ['b', 2_000],
    ['c', 2_500],
  ]),
  ...changes,
})

const measured = (seen: Seen): Record<string, string> =>
  Object.fromEntries(rowsOf(seen).map((row) => [row.what.replace('a phase: ', ''), row.measured]))

describe('the figures of a phase', () => {
  test('nothing was away', () => {
    expect(measured(phase())).toEqual({
      requests: '9 (3 videos)',
      'requests refused with 503': '0',
      'connections broken or unanswered, asked again': '2',
      'longest that a client waited': '1.2 s',
      "from a job's end to the delivery": 'median 0.50 s, longest 3.0 s',
      'from the event to the delivery': 'median 0.10 s, longest 3.0 s',
      'deliveries doubled': '0',
    })
  })

  test('something was away: what came meanwhile counts, and the last refusal from when it was back', () => {
    const tally = { ...phase().tally, refused: 2, refusals: 7, lastRefusedMs: 5_250 }
    const outage = { fromMs: 1_600, backMs: 5_000, takenOverMs: 44_000 }
    expect(measured(phase({ tally, outage }))).toMatchObject({
      away: '3.4 s',
      'jobs ended meanwhile': '2',
      'videos reported meanwhile': '1',
      'another replica held the accounts after': '44.0 s',
      'requests refused with 503': '2 (7 answers, until 0.25 s after it was back)',
    })
  })

  test('a phase that has a goal misses it by one duration', () => {
    const cut = (endedMs: number) =>
      rowsOf(phase({ name: 'replica cut off', endedMs: new Map([['b', endedMs]]), told: [told('b', 40_000, 0)] }))
    const verdict = (endedMs: number) => missed({ name: 'outages', notes: [], rows: cut(endedMs) })
    expect(verdict(10_000)).toEqual([])
    expect(verdict(9_999)).toMatchObject([{ what: "replica cut off: from a job's end to the delivery" }])
  })

  test('a delivery that came twice is doubled, and its first one counts', () => {
    const twice = phase({ told: [told('a', 9_000, 1_400), told('a', 1_500, 1_400)] })
    expect(measured(twice)).toMatchObject({
      'deliveries doubled': '1',
      'from the event to the delivery': 'median 0.10 s, longest 0.10 s',
    })
  })

  test('a lost request misses the goal, and so does each broken promise', () => {
    const lost = phase({ tally: { ...phase().tally, lost: ['GET was lost: 500'] } })
    const verdict = (all: Seen[], faults: string[]) =>
      missed({ name: 'outages', notes: [], rows: goalsOf(all, { promises: faults }) }).map(({ what }) => what)
    expect(verdict([phase()], [])).toEqual([])
    expect(verdict([phase(), lost], [])).toEqual(['requests lost'])
    expect(verdict([phase()], ['a job is that of two videos'])).toEqual(['promises'])
  })
})

describe.skipIf(await skippedWithout(['ownPostgres', 'ownRedis']))('the benchmark of outages', () => {
  test.runIf(isFull)('runs in small, and keeps its promises', async () => {
    const phases = ['calm', 'PostgreSQL restarted']
    const result = await outages({ phases, besideMs: 1_500, redisMs: 0, postgresMs: 500, stallMs: 0 })
    expect(missed(result)).toEqual([])
    const rows = new Map(result.rows.map(({ what, measured: found }) => [what, found]))
    expect(rows.get('calm: requests refused with 503')).toBe('0')
    expect(Number.parseFloat(rows.get('PostgreSQL restarted: away') ?? '')).toBeGreaterThanOrEqual(0.5)
  })
})
