import { expect, test } from 'vitest'
import type { SplitState } from '../../../../src/core/store/accounts.ts'
import { countedSince, failsTooOften, stopOf, stops } from '../../../../src/engine/routing/rules.ts'
import { HOUR, T0 } from '../../../fakes/records.ts'
import { split, untouched } from './split.ts'

const STOP_IF = { failureRate: 0.2, of: 10, windowMs: HOUR }
const side = (failed: number, videos: number) => ({ failed, videos })

test.each([
  ['too few videos', side(9, 9), side(0, 0), false],
  ['as many as it takes, all failed', side(10, 10), side(0, 0), true],
  ['exactly the rate', side(2, 10), side(0, 0), true],
  ['just under the rate', side(19, 96), side(0, 0), false],
  ['none failed', side(0, 100), side(0, 0), false],
  ['more often than the old side', side(3, 10), side(29, 100), true],
  ['as often as the old side', side(3, 10), side(30, 100), false],
  ['less often than the old side', side(3, 10), side(31, 100), false],
  ['an old side that never failed', side(2, 10), side(0, 100), true],
])('%s', (_, fresh, old, expected) => expect(stops(STOP_IF, { old, new: fresh })).toBe(expected))

test('a rate in decimals is met exactly, whatever binary fractions make of it', () => {
  for (let hundredths = 1; hundredths <= 100; hundredths += 1) {
    const stopIf = { ...STOP_IF, failureRate: hundredths / 100 }
    expect(failsTooOften(stopIf, side(hundredths, 100))).toBe(true)
    expect(failsTooOften(stopIf, side(hundredths - 1, 100))).toBe(false)
  }
})

test('the window counts, and what ended before the last resume does not', () => {
  expect(countedSince(STOP_IF, untouched(), T0)).toBe(T0 - HOUR)
  expect(countedSince(STOP_IF, untouched({ resumedAtMs: T0 - 5 }), T0)).toBe(T0 - 5)
  expect(countedSince(STOP_IF, untouched({ resumedAtMs: T0 - 2 * HOUR }), T0)).toBe(T0 - HOUR)
})

const asked = async (given: Partial<SplitState>, stopIf: typeof STOP_IF | null = STOP_IF, failed = 5) => {
  const sides: string[] = []
  const stopped = await stopOf(split({ stopIf }), untouched(given), T0, async (backend) => {
    sides.push(backend)
    return backend === 'alt' ? side(failed, 10) : side(1, 10)
  })
  return { sides, stopped }
}

test('it stops with what it went by', async () => {
  const counts = { old: side(1, 10), new: side(5, 10) }
  expect((await asked({})).stopped).toEqual({ atMs: T0, sinceMs: T0 - HOUR, ...counts })
})

test('the old side is only asked about where the new one fails often, and neither where nothing can stop', async () => {
  expect(await asked({}, STOP_IF, 1)).toEqual({ sides: ['alt'], stopped: null })
  expect((await asked({})).sides).toEqual(['alt', 'main'])
  expect(await asked({}, null)).toEqual({ sides: [], stopped: null })
  const stopped = { atMs: T0, sinceMs: 0, old: side(0, 0), new: side(9, 9) }
  expect(await asked({ stopped })).toEqual({ sides: [], stopped: null })
})
