import { expect, test } from 'vitest'
import { missed, ratioRow, tableOf } from '../../bench/report.ts'

const result = (...ratios: number[]) => ({ name: 'x', notes: [], rows: [ratioRow('CPU', ratios, { most: 1.6 })] })

test('a goal that all rounds hold is met, by their median', () => {
  expect(ratioRow('CPU', [1.2, 1.6, 1.3], { most: 1.6 })).toMatchObject({
    goal: '≤ 1.60×',
    measured: '1.30× (rounds: 1.20 1.60 1.30)',
    met: true,
  })
  expect(ratioRow('rate', [0.5, 0.7, 0.6], { least: 0.5 })).toMatchObject({ goal: '≥ 0.50×', met: true })
})

test('a goal that no round holds is missed', () => {
  expect(ratioRow('CPU', [1.61, 1.9], { most: 1.6 }).met).toBe(false)
  expect(ratioRow('rate', [0.49, 0.3], { least: 0.5 }).met).toBe(false)
  expect(missed(result(1.61, 1.9))).toHaveLength(1)
  expect(tableOf(result(1.7))).toMatch(/\| NO +\|$/)
})

test('a goal between the rounds gets no verdict: the range is said, and fails nothing', () => {
  expect(ratioRow('CPU', [1.5, 1.7, 1.61], { most: 1.6 })).toMatchObject({
    measured: '1.50× to 1.70× (rounds: 1.50 1.70 1.61)',
    met: null,
  })
  expect(ratioRow('rate', [0.49, 0.51], { least: 0.5 }).met).toBeNull()
  expect(missed(result(1.5, 1.7))).toEqual([])
  expect(tableOf(result(1.5, 1.7))).toMatch(/\| unclear +\|$/)
})

test('one round of many decides nothing, on either side', () => {
  const rounds = (...odd: number[]) => [1.8, 1.9, 2, 2.1, 2.2, ...odd]
  expect(ratioRow('CPU', rounds(1.5, 2, 2), { most: 1.6 }).met).toBe(false)
  expect(ratioRow('CPU', rounds(9, 2, 2), { most: 2.2 }).met).toBe(true)
  expect(ratioRow('CPU', rounds(1.5, 1.5, 1.5), { most: 1.6 })).toMatchObject({
    measured: expect.stringMatching(/^1\.50× to 2\.00× /) as string,
    met: null,
  })
})
