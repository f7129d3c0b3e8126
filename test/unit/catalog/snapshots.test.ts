import { describe, expect, test } from 'vitest'
import { createSnapshots } from '../../../src/catalog/snapshots.ts'
import { createCursors } from '../../../src/core/api/cursor.ts'
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
const whole = (count: number) => ({ items: items(count), note: null })
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
    let { page } = snapshots.first('c', 's', whole(count), limit)
    const seen = [...page.data]
    for (; page.next_cursor !== null; seen.push(...page.data)) {
      expect([page.has_more, page.data.length]).toEqual([true, limit])
      ;({ page } = snapshots.next('c', 's', page.next_cursor, limit))
    }
    expect([page.has_more, seen]).toEqual([false, items(count)])
  })

  test('a cursor belongs to its scope, and is gone after ten minutes', async () => {
    const { snapshots, clock } = start()
    const cursor = must(snapshots.first('c', 's', whole(3), 1).page.next_cursor)
    expect(() => snapshots.next('c', 't', cursor, 1)).toThrow(INVALID)
    expect(() => snapshots.next('d', 's', cursor, 1)).toThrow(INVALID)
    expect(() => snapshots.next('c', 's', `${cursor}A`, 1)).toThrow(INVALID)
    await clock.advance(599_999)
    expect(snapshots.next('c', 's', cursor, 1).page.data).toEqual([{ n: 1 }])
    await clock.advance(2)
    expect(() => snapshots.next('c', 's', cursor, 1)).toThrow(INVALID)
  })

  test('what its reader must be told is told with every page', () => {
    const { snapshots } = start()
    const first = snapshots.first('c', 's', { items: items(3), note: 'incomplete' }, 1)
    expect(first.note).toBe('incomplete')
    expect(snapshots.next('c', 's', must(first.page.next_cursor), 1).note).toBe('incomplete')
  })

  test('of 50,000 items of one client, those of its oldest make room', () => {
    const { snapshots } = start()
    const first = must(snapshots.first('c', 's', whole(2), 1).page.next_cursor)
    snapshots.first('c', 's', whole(49_998), 1)
    expect(snapshots.next('c', 's', first, 1).page.data).toEqual([{ n: 1 }])
    snapshots.first('c', 's', whole(30_000), 1)
    snapshots.first('c', 's', whole(20_000), 1)
    expect(() => snapshots.next('c', 's', first, 1)).toThrow(INVALID)
  })

  test('a client that floods pushes out its own, and nobody who keeps less', () => {
    const { snapshots } = start()
    const quiet = must(snapshots.first('quiet', 's', whole(1_000), 1).page.next_cursor)
    for (let i = 0; i < 100; i += 1) snapshots.first('loud', 's', whole(10_000), 1)
    expect(snapshots.next('quiet', 's', quiet, 1).page.data).toEqual([{ n: 1 }])
  })

  test('of 200,000 items in all, those of whoever keeps most make room', () => {
    const { snapshots } = start()
    const quiet = must(snapshots.first('quiet', 's', whole(1_000), 1).page.next_cursor)
    const first = must(snapshots.first('client 0', 's', whole(20_000), 1).page.next_cursor)
    snapshots.first('client 0', 's', whole(30_000), 1)
    for (const n of [1, 2, 3]) snapshots.first(`client ${n}`, 's', whole(49_000), 1)
    // 198,000 so far; the next ones are too many.
    expect(snapshots.next('client 0', 's', first, 1).page.data).toEqual([{ n: 1 }])
    snapshots.first('client 4', 's', whole(10_000), 1)
    expect(snapshots.next('quiet', 's', quiet, 1).page.data).toEqual([{ n: 1 }])
    // It was read last, so that the other of its client's went.
    expect(snapshots.next('client 0', 's', first, 1).page.data).toEqual([{ n: 1 }])
    for (const n of [5, 6, 7, 8]) snapshots.first(`client ${n}`, 's', whole(30_000), 1)
    expect(snapshots.next('quiet', 's', quiet, 1).page.data).toEqual([{ n: 1 }])
  })

  test('a list of one page is not kept', () => {
    const { snapshots } = start()
    const kept = must(snapshots.first('c', 's', whole(2), 1).page.next_cursor)
    for (let i = 0; i < 60_000; i += 1) snapshots.first('c', 's', whole(2), 2)
    expect(snapshots.next('c', 's', kept, 1).page.data).toEqual([{ n: 1 }])
  })
})
