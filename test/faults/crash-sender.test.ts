import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { must } from '../fakes/must.ts'
import { seededRandom } from '../fakes/random.ts'
import { senderRun, VIDEOS, type SenderRun } from './sender-run.ts'

const NEVER = 0
const AT_ONCE = 4
const AT_MOST = 120
const PAIRS = 6
const UP_TO = 40

const CACHE = 'NODE_COMPILE_CACHE'
let cacheDir = ''
beforeAll(() => {
  cacheDir = mkdtempSync(join(tmpdir(), 'talkbridge-compiled-'))
  process.env[CACHE] = cacheDir
})
afterAll(() => {
  delete process.env[CACHE]
  rmSync(cacheDir, { recursive: true, force: true })
})

/** What holds of every run, wherever its processes died. */
const expectHonest = ({ deaths, sent, order }: SenderRun): void => {
  for (const { delivery, attempts, requests, answers } of sent) {
    // At least once, and for good.
    expect(delivery.status).toBe('delivered')
    expect(answers).toContain(204)
    // The same id, target and bytes, however often.
    for (const { body, url } of requests)
      expect([body, url]).toEqual([delivery.event.body, `/${delivery.event.videoId}`])
    // Nothing is recorded that was not sent; a death loses one record of a delivery at the most, and repeats it.
    expect(delivery.attempts).toBe(attempts.length)
    expect(attempts.length).toBeGreaterThanOrEqual(1)
    expect(requests.length - attempts.length).toBeGreaterThanOrEqual(0)
    expect(requests.length - attempts.length).toBeLessThanOrEqual(deaths)
    // What is recorded is what was answered: refusals, and one success at the end.
    const statuses = attempts.map(({ status }) => status)
    expect(statuses.slice(0, -1).every((status) => status === 500)).toBe(true)
    expect(statuses.at(-1)).toBe(204)
    expect(answers.filter((status) => status === 204).length).toBeLessThanOrEqual(1 + deaths)
  }
  // First attempts of a video's events in their order.
  for (const video of VIDEOS) expect(order.indexOf(`evt_${video}_1`)).toBeLessThan(order.indexOf(`evt_${video}_2`))
}

/** In order; begins no more once one has lived through. */
const inTurn = async (count: number, run: (index: number) => Promise<SenderRun>): Promise<SenderRun[]> => {
  const runs: SenderRun[] = []
  let next = 0
  let survived = false
  const work = async (): Promise<void> => {
    while (next < count && !survived) {
      const index = next
      next += 1
      const done = await run(index)
      runs[index] = done
      survived ||= done.deaths === 0
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return runs
}

describe('kill -9 of the sender', () => {
  test(
    'at every write boundary: at least once, under one id, and the record is true',
    { timeout: 120_000 },
    async () => {
      const whole = await senderRun(NEVER)
      expectHonest(whole)
      for (const { answers, attempts } of whole.sent) expect([answers, attempts.length]).toEqual([[500, 204], 2])
      const passed = must(whole.boundaries)
      expect(passed.filter((name) => name === 'attempted >')).toHaveLength(2 * whole.sent.length)

      const runs = await inTurn(AT_MOST, (index) => senderRun(index + 1))
      for (const run of runs) expectHonest(run)
      // 1, 2, 3, … until one lives through them all: each number below was killed at.
      const survived = runs.findIndex(({ deaths }) => deaths === 0)
      expect(survived).toBeGreaterThanOrEqual(
        passed.filter((name) => name !== '> claim' && name !== 'claim >').length - 1,
      )
      // Somewhere a death came between an answer and its record: it was sent again.
      expect(runs.some(({ sent }) => sent.some(({ requests }) => requests.length === 3))).toBe(true)
    },
  )

  test('and again while it recovers', { timeout: 60_000 }, async () => {
    const random = seededRandom(44)
    const at = (): number => 1 + Math.floor(random() * UP_TO)
    const pairs = Array.from({ length: PAIRS }, () => [at(), Math.ceil(at() / 2)] as const)
    const runs = await Promise.all(pairs.map((pair) => senderRun(...pair)))
    for (const run of runs) expectHonest(run)
    expect(runs.filter(({ deaths }) => deaths === 2).length).toBeGreaterThanOrEqual(PAIRS / 2)
  })
})
