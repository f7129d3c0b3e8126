import { describe, expect, test } from 'vitest'
import { createCursors } from '../../../src/core/api/signed.ts'
import { listPage, openPlace } from '../../../src/routes/unified/operation.ts'
import { must } from '../../fakes/must.ts'

const INVALID = expect.objectContaining({ code: 'invalid_cursor' }) as Error
const KEY = Buffer.alloc(32, 1)

/** One process: it shares the key with the others, and nothing else. */
const open = () => {
  const cursors = createCursors(KEY)
  return (items: readonly string[], limit: number, cursor?: string | null, scope = 's') =>
    listPage(items, openPlace(cursors, scope, cursor ?? undefined), { cursors, scope, limit, keyOf: (item) => item })
}
const letters = (count: number): string[] => Array.from({ length: count }, (_, n) => `item ${n}`)

describe('pages of a list that only its items order', () => {
  test.each([
    [0, 1],
    [1, 1],
    [5, 2],
    [6, 2],
    [3, 100],
  ])('%i items by %i, each page of another process: each once, and an end', (count, limit) => {
    let page = open()(letters(count), limit)
    const seen = [...page.data]
    for (; page.next_cursor !== null; seen.push(...page.data)) {
      expect([page.has_more, page.data.length]).toEqual([true, limit])
      page = open()(letters(count), limit, page.next_cursor)
    }
    expect([page.has_more, seen]).toEqual([false, letters(count)])
  })

  test('goes on behind its last item, wherever that is now', () => {
    const cursor = open()(['a', 'b', 'c', 'd'], 2).next_cursor
    expect(open()(['new', 'a', 'b', 'c', 'd'], 2, cursor).data).toEqual(['c', 'd'])
    expect(open()(['b', 'c', 'd'], 2, cursor).data).toEqual(['c', 'd'])
  })

  test('if its last item is gone, an item may come twice, and none is left out', () => {
    const cursor = open()(['a', 'b', 'c', 'd'], 2).next_cursor
    expect(open()(['a', 'c', 'd'], 2, cursor).data).toEqual(['c', 'd'])
    expect(open()(['a', 'x', 'c', 'd'], 3, cursor).data).toEqual(['x', 'c', 'd'])
    expect(open()([], 2, cursor)).toMatchObject({ data: [], has_more: false, next_cursor: null })
  })

  test('a cursor belongs to its scope, and is what was made here', () => {
    const cursor = must(open()(['a', 'b'], 1).next_cursor)
    expect(() => open()(['a', 'b'], 1, cursor, 'another')).toThrow(INVALID)
    expect(() => open()(['a', 'b'], 1, `${cursor}A`)).toThrow(INVALID)
    // Of a release that kept lists in memory.
    const older = createCursors(KEY).seal('s', 'snap_01JD0000000000000000000000/2')
    expect(() => open()(['a', 'b'], 1, older)).toThrow(INVALID)
  })
})
