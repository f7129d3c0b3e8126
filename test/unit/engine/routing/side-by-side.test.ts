import { expect, test } from 'vitest'
import type { EndedQuery, EndedVideo } from '../../../../src/core/store/accounts.ts'
import { sideBySide } from '../../../../src/engine/routing/ramp.ts'
import { SECOND, T0 } from '../../../fakes/records.ts'
import { split } from './split.ts'

/** Answers pages of `total` videos, newest first, and notes what was asked. */
const storeOf = (total: number) => {
  const asked: EndedQuery[] = []
  let held = 0
  const video = (n: number): EndedVideo => ({
    id: `vid_${n}`,
    backend: n % 2 === 0 ? 'main' : 'alt',
    rule: n % 4 < 2 ? 'rule_a' : null,
    status: 'completed',
    createdAtMs: T0 + n - SECOND,
    endedAtMs: T0 + n,
    credits: 1,
    isWarned: false,
  })
  const ended = async (query: EndedQuery): Promise<EndedVideo[]> => {
    asked.push(query)
    const from = query.before ? query.before.endedAtMs - T0 - 1 : total - 1
    const page = Array.from({ length: Math.min(query.limit, from + 1) }, (_, n) => video(from - n))
    held = Math.max(held, page.length)
    return page
  }
  return { store: { ended }, asked, held: () => held }
}

const compared = (total: number, limit: number) => {
  const { store, asked, held } = storeOf(total)
  const given = {
    store,
    backends: ['main', 'alt', 'idle'],
    pools: {},
    rules: [],
    splits: [split()],
    pathOf: () => null,
  }
  return sideBySide(given, T0 - 1, T0 + total, limit).then((answer) => ({ answer, asked, held }))
}

test.each([
  [0, 10, 0, true],
  [9, 10, 9, true],
  [10, 10, 10, true],
  [11, 10, 10, false],
  [1_000, 1_000, 1_000, true],
  [1_001, 1_000, 1_000, false],
  [250, 1_000, 250, true],
  [500, 500, 500, true],
])('of %i videos, %i are counted at most: %i', async (total, limit, videos, complete) => {
  const { answer } = await compared(total, limit)
  expect(answer.counted).toEqual({ videos, limit, complete })
  expect(answer.outcomes.backends.reduce((sum, one) => sum + one.videos, 0)).toBe(videos)
})

test('it reads pages of a few hundred, and lets other work run between them', async () => {
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const { asked, held } = await compared(10_000, 100_000)
  isOver = true
  expect(held()).toBeLessThanOrEqual(250)
  expect(asked.length).toBeGreaterThanOrEqual(40)
  expect(turns).toBeGreaterThanOrEqual(40)
})

test('both sides of a split, and a backend that made nothing', async () => {
  const { answer } = await compared(400, 1_000)
  expect(answer.outcomes.backends.map(({ backend, videos }) => [backend, videos])).toEqual([
    ['main', 200],
    ['alt', 200],
    ['idle', 0],
  ])
  expect(answer.outcomes.splits).toMatchObject([{ rule: 'rule_a', old: { videos: 100 }, new: { videos: 100 } }])
})
