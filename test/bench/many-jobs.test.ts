import { expect, test } from 'vitest'
import { installed } from '../../bench/many-jobs/installed.ts'
import { memory, rowsOf as rowsOfMemory, type Taken } from '../../bench/memory/index.ts'
import { polls, rowsOf as rowsOfPolls, type Found, type Round } from '../../bench/polls/index.ts'
import { restart, rowsOf as rowsOfRestart, type Start } from '../../bench/restart/index.ts'
import { isFull } from '../fakes/full.ts'

/** One file for the three, which run one installed gateway: it is built once, and not into the same folder at a time. */
let built: ReturnType<typeof installed> | null = null
const build = () => (built ??= installed())
const MB = 1024 * 1024

test.runIf(isFull)('polls runs whole, in small: each job is polled, and never before its time', async () => {
  const { rows } = await polls(
    { jobs: [2, 20, 40], everyMs: 200, rounds: 1, roundMs: 400, warmMs: 300, leadMs: 0 },
    build,
  )
  for (const { measured } of rows.slice(0, 3))
    expect(measured).toMatch(/^[1-9]\d* µs, [\d.]+× the bare loop \([1-9]\d* µs\); \d+ polls a second$/)
  expect(rows.at(-1)).toMatchObject({ what: 'polls before the backend wanted them', measured: '0', met: true })
})

test.runIf(isFull)('memory runs whole, in small', async () => {
  const { rows } = await memory({ open: 50, everyMs: 1_000, atMostMs: 120_000, idleMs: 0, reads: 20 }, build)
  expect(rows[1]?.what).toBe('50 open videos, 50 of them polled')
  expect(rows[2]?.measured).toMatch(/^[1-9]\d+ MB$/)
  expect(rows[3]?.measured).toMatch(/^[1-9]\d+ MB: -?\d+ bytes a video$/)
})

test.runIf(isFull)('restart runs whole, in small: polls go on, and no window is exceeded', async () => {
  const size = { open: 200, limit: 20, windowMs: 1_000, rounds: 1, runMs: 3_000 }
  const { rows } = await restart(size, build)
  expect(rows[0]?.measured).toMatch(/^\d+\.\d\d s; with an empty store \d+\.\d\d s$/)
  expect(rows.slice(2).map(({ met }) => met)).toEqual([true, true])
})

const round = (given: Partial<Round> = {}): Round => ({
  rate: 2_000,
  cpuUs: 200,
  mainUs: 150,
  heldMs: 2,
  early: 0,
  bareUs: 50,
  ...given,
})

test('polls: a whole core, too few polls, growth with the jobs, a held thread and an early poll are missed goals', () => {
  const found = (jobs: number, ...rounds: Partial<Round>[]): Found => ({ jobs, rounds: rounds.map(round) })
  const met = (middle: Partial<Round>, many: Partial<Round> = {}, few: Partial<Round> = {}) =>
    rowsOfPolls([found(1, few), found(20, middle, middle, { cpuUs: 9_999 }), found(200, many)], 2_000)
      .slice(3)
      .map((row) => row.met)
  expect(met({})).toEqual([true, true, true, true, true])
  expect(met({ cpuUs: 500 })).toEqual([false, true, true, true, true])
  expect(met({ rate: 1_899 })).toEqual([true, false, true, true, true])
  expect(met({}, { cpuUs: 301 })).toEqual([true, true, false, true, true])
  // The whole machine was slower: the reference was as well.
  expect(met({}, { cpuUs: 600, bareUs: 150 })).toEqual([true, true, true, true, true])
  expect(met({}, { heldMs: 11 })).toEqual([true, true, true, false, true])
  expect(met({}, {}, { early: 1 })).toEqual([true, true, true, true, false])
})

test('memory: of the idle one what was seen while it was idle counts, of the full one the most', () => {
  const taken = (mostMb: number, idleMb: number): Taken => ({
    open: 1_000,
    polled: 1_000,
    idleBytes: idleMb * MB,
    servingBytes: 100 * MB,
    mostBytes: mostMb * MB,
    heapBytes: MB,
    externalBytes: MB,
  })
  const met = (fullMb: number, idleMb: number) =>
    rowsOfMemory(taken(fullMb, 999), taken(999, idleMb))
      .slice(2)
      .map((row) => row.met)
  expect(met(300, 150)).toEqual([true, true])
  expect(met(301, 150)).toEqual([true, false])
  expect(met(300, 151)).toEqual([false, true])
})

test('restart: two seconds, one request over the window, a refusal or no poll at all are missed goals', () => {
  const start = (given: Partial<Start>): Start => ({
    servingMs: 900,
    cpuMs: 800,
    resumedMs: 10,
    fullest: 20,
    refused: 0,
    polls: 5,
    ...given,
  })
  const met = (given: Partial<Start>) => rowsOfRestart([start(given)], [start({})], 20).map((row) => row.met)
  expect(met({})).toEqual([true, true, true, true])
  expect(met({ cpuMs: 2_000 })).toEqual([false, true, true, true])
  expect(met({ fullest: 21 })).toEqual([true, true, false, true])
  expect(met({ refused: 1 })).toEqual([true, true, false, true])
  expect(met({ polls: 0, resumedMs: null })).toEqual([true, true, true, false])
})
