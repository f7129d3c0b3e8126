import { expect, test } from 'vitest'
import type { OpenVideo } from '../../../../src/core/store/videos.ts'
import { createRoster } from '../../../../src/engine/polling/due-queue.ts'
import { openVideo } from '../../../fakes/open-video.ts'
import { seededRandom } from '../../../fakes/random.ts'

const row = (id: string, phase: OpenVideo['phase'] = 'accepted'): OpenVideo => openVideo({ id, phase })
const take = (roster: ReturnType<typeof createRoster>, nowMs: number, limit = 99): string[] =>
  roster.take(nowMs, limit).map(({ id }) => id)

test('nothing running: nothing due, and nothing to wait for', () => {
  const roster = createRoster()
  expect([roster.take(9, 9), roster.nextAtMs()]).toEqual([[], null])
})

test('the longest due are taken first, once, and are there again when they are put back', () => {
  const roster = createRoster()
  for (const [id, atMs] of [
    ['a', 5],
    ['b', 2],
    ['c', 9],
    ['d', 7],
  ] as const)
    roster.put(row(id), atMs, false)
  expect(take(roster, 5)).toEqual(['b', 'a'])
  expect(roster.nextAtMs()).toBe(7)
  expect(take(roster, 7)).toEqual(['d'])
  expect(roster.rows.size).toBe(4)
  for (const id of ['a', 'b', 'd']) roster.put(row(id), 8, false)
  expect(take(roster, 9, 2)).toHaveLength(2)
  expect(roster.nextAtMs()).toBe(8)
  roster.drop('c')
  expect(take(roster, 9)).toHaveLength(1)
  expect([...roster.rows.keys()]).toEqual(['a', 'b', 'd'])
})

test('those that somebody waits for are taken first, but some of the others with them', () => {
  const roster = createRoster()
  for (let n = 0; n < 8; n += 1) {
    roster.put(row(`first ${n}`), 5, true)
    roster.put(row(`other ${n}`), 1, false)
  }
  expect(roster.nextAtMs()).toBe(1)
  const taken = take(roster, 9, 4)
  expect(taken.map((id) => id.split(' ')[0])).toEqual(['first', 'first', 'first', 'first', 'other'])
  expect(take(roster, 9, 8).filter((id) => id.startsWith('first'))).toHaveLength(4)
  expect(roster.rows.size).toBe(16)
})

test.each(['doubtful', 'dispatching'] as const)(
  'one that is %s is taken at once, whatever crowd of looks has been due for longer, and with no room for any',
  (phase) => {
    const roster = createRoster()
    for (let n = 0; n < 1_000; n += 1) roster.put(row(`look ${n}`), n % 7, n % 2 === 0)
    roster.put(row('step', phase), 8, false)
    expect(take(roster, 9, 64)).toContain('step')
    expect(take(roster, 9, 0)).toEqual([])
    roster.put(row('step', phase), 8, true)
    expect(take(roster, 9, 0)).toEqual(['step'])
    // It is accepted: a look like others from now on.
    roster.put(row('step'), 9, false)
    expect(take(roster, 9, 0)).toEqual([])
  },
)

test('one that somebody begins to wait for is taken once, with those that go first', () => {
  const roster = createRoster()
  roster.put(row('a'), 1, false)
  roster.put(row('b'), 1, false)
  roster.put(row('b'), 1, true)
  expect(take(roster, 1)).toEqual(['b', 'a'])
  expect([take(roster, 1), roster.nextAtMs()]).toEqual([[], null])
})

test('one that is dealt with is not due, whatever its row says, until it is put again with a time', () => {
  const roster = createRoster()
  roster.put(row('a'), 1, false)
  roster.hold('a')
  roster.put(row('a'), null, false)
  expect([roster.take(9, 9), roster.nextAtMs()]).toEqual([[], null])
  roster.put(row('a'), 3, false)
  expect(take(roster, 3)).toEqual(['a'])
})

test('however times change, it says what a list that is searched as a whole would say', () => {
  const random = seededRandom(7)
  const roster = createRoster()
  const model = new Map<string, number | null>()
  for (let nowMs = 0; nowMs < 3_000; nowMs += 1) {
    const id = `v${Math.floor(random() * 40)}`
    const what = random()
    if (what < 0.7) {
      const atMs = nowMs + Math.floor(random() * 200) - 20
      roster.put(row(id, random() < 0.2 ? 'doubtful' : 'accepted'), atMs, random() < 0.5)
      model.set(id, atMs)
    } else if (what < 0.85) {
      roster.hold(id)
      if (model.has(id)) model.set(id, null)
    } else {
      roster.drop(id)
      model.delete(id)
    }
    const timed = [...model].flatMap(([key, atMs]) => (atMs === null ? [] : [{ key, atMs }]))
    const due = timed.filter(({ atMs }) => atMs <= nowMs)
    expect(roster.nextAtMs()).toBe(timed.length === 0 ? null : Math.min(...timed.map(({ atMs }) => atMs)))
    const taken = take(roster, nowMs)
    expect(taken.toSorted()).toEqual(due.map(({ key }) => key).toSorted())
    for (const key of taken) model.set(key, null)
    const later = timed.filter(({ atMs }) => atMs > nowMs).map(({ atMs }) => atMs)
    expect(roster.nextAtMs()).toBe(later.length === 0 ? null : Math.min(...later))
    expect(roster.rows.size).toBe(model.size)
  }
})
