import { describe, expect, test } from 'vitest'
import { MOST_IN_ONE, nextBatch } from '../../../src/stores/postgres/writer.ts'

const write = (name: string, ...locks: string[]) => ({ name, locks: new Set(locks), hasTime: false })
const lazy = (name: string, ...locks: string[]) => ({ ...write(name, ...locks), hasTime: true })
const namesOf = (batch: readonly { name: string }[]): string => batch.map(({ name }) => name).join('')

describe('the next transaction', () => {
  const NONE: string[] = []
  test.each<[string, string[], ReturnType<typeof write>[], string]>([
    ['nothing waits', NONE, [], ''],
    ['what locks the same goes together', NONE, [write('a', 'x'), write('b', 'x')], 'ab'],
    ['what locks something else goes by itself', NONE, [write('a', 'x'), write('b', 'y')], 'a'],
    [
      'what would wait for it joins, with what it locks beside',
      NONE,
      [write('a', 'q', 'x'), write('b', 'q', 'y')],
      'ab',
    ],
    [
      'and so does what would wait for that',
      NONE,
      [write('a', 'q', 'x'), write('b', 'q', 'y'), write('c', 'y')],
      'abc',
    ],
    ['what waits for another transaction stays', ['y'], [write('a', 'q'), write('b', 'q', 'y')], 'a'],
    ['the first that can goes', ['x'], [write('a', 'x'), write('b', 'y')], 'b'],
    ['nobody passes who waits for the same', ['x'], [write('a', 'x', 'y'), write('b', 'y'), write('c', 'z')], 'c'],
    ['nor who waits for what waits', ['x'], [write('a', 'x', 'y'), write('b', 'y', 'z'), write('c', 'z')], ''],
    ['what locks nothing goes with any', NONE, [write('a', 'x'), write('b'), write('c', 'x')], 'abc'],
    ['what has time goes together', NONE, [lazy('a', 'x'), lazy('b', 'y'), write('c', 'z'), lazy('d', 'v')], 'abd'],
    [
      'with one that has none, only if it locks the same',
      NONE,
      [write('a', 'x'), lazy('b', 'y'), lazy('c', 'x')],
      'ac',
    ],
    ['nor does such a one join, but for its locks', NONE, [lazy('a', 'x'), write('b', 'x'), lazy('c', 'y')], 'ab'],
    ['nor passes it what waits for the same', ['y'], [write('a', 'x', 'y'), lazy('b', 'x'), lazy('c', 'z')], 'c'],
    ['all must wait', ['x'], [write('a', 'x'), write('b', 'x')], ''],
  ])('%s', (_, held, waiting, expected) => {
    expect(namesOf(nextBatch(waiting, new Set(held)))).toBe(expected)
  })

  test('is bounded', () => {
    const waiting = Array.from({ length: MOST_IN_ONE + 50 }, () => write('a', 'x'))
    expect(nextBatch(waiting, new Set())).toHaveLength(MOST_IN_ONE)
  })
})
