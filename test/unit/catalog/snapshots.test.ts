import { describe, expect, test } from 'vitest'
import { createSnapshots } from '../../../src/catalog/snapshots.ts'
import { createCursors } from '../../../src/core/cursor.ts'
import { createIds } from '../../../src/core/ids.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { must } from '../../fakes/must.ts'
import { seededRandom } from '../../fakes/random.ts'

const start = () => {
  const clock = fakeClock()
  const cursors = createCursors(Buffer.alloc(32, 1))
  return { clock, cursors, snapshots: createSnapshots({ clock, cursors, newId: createIds(clock, seededRandom(1)) }) }
}
const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n }))
const INVALID = expect.objectContaining({ code: 'invalid_cursor' }) as Error

describe('snapshots', () => {
  test.each([
    [0, 1],
    [1, 1],
    [5, 2],
    [6, 2],
    [3, 100],
  ])('%i items by %i: each once, and an end', (count, limit) => {
    const { snapshots } = start()
    let page = snapshots.first('s', items(count), limit)
    const seen = [...page.data]
    for (; page.next_cursor !== null; seen.push(...page.data)) {
      expect([page.has_more, page.data.length]).toEqual([true, limit])
      page = snapshots.next('s', page.next_cursor, limit)
    }
    expect([page.has_more, seen]).toEqual([false, items(count)])
  })

  test('a cursor belongs to its scope, and is gone after ten minutes', async () => {
    const { snapshots, clock } = start()
    const cursor = must(snapshots.first('s', items(3), 1).next_cursor)
    expect(() => snapshots.next('t', cursor, 1)).toThrow(INVALID)
    expect(() => snapshots.next('s', `${cursor}A`, 1)).toThrow(INVALID)
    await clock.advance(599_999)
    expect(snapshots.next('s', cursor, 1).data).toEqual([{ n: 1 }])
    await clock.advance(2)
    expect(() => snapshots.next('s', cursor, 1)).toThrow(INVALID)
  })

  test('of a thousand the oldest makes room', () => {
    const { snapshots } = start()
    const first = must(snapshots.first('s', items(2), 1).next_cursor)
    for (let i = 0; i < 999; i += 1) snapshots.first('s', items(2), 1)
    expect(snapshots.next('s', first, 1).data).toEqual([{ n: 1 }])
    for (let i = 0; i < 1_000; i += 1) snapshots.first('s', items(2), 1)
    expect(() => snapshots.next('s', first, 1)).toThrow(INVALID)
  })

  test('a list of one page is not kept', () => {
    const { snapshots } = start()
    const kept = must(snapshots.first('s', items(2), 1).next_cursor)
    for (let i = 0; i < 2_000; i += 1) snapshots.first('s', items(2), 2)
    expect(snapshots.next('s', kept, 1).data).toEqual([{ n: 1 }])
  })
})
