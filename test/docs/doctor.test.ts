import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROWS } from '../../src/cli/doctor/findings.ts'

const PAGE = readFileSync(new URL('../../docs/doctor.md', import.meta.url), 'utf8')

/** The tables below `## Every finding`: topic → its rows. */
const told = (): Record<string, string[][]> =>
  Object.fromEntries(
    (PAGE.split('## Every finding\n')[1] ?? '').split(/^### /m).flatMap((section) => {
      const [topic = '', ...lines] = section.split('\n')
      const rows = lines.filter((line) => line.startsWith('| `')).map((line) => line.slice(2, -2).split(' | '))
      return rows.length > 0 ? [[topic, rows]] : []
    }),
  )

test('docs/doctor.md has every finding that the doctor can make, and says what it means', () => {
  const means: unknown = expect.stringMatching(/^\S.{10,}\.$/)
  const made = Object.entries(ROWS).map(([topic, rows]) => [
    topic,
    Object.entries(rows).map(([code, { level, advice }]) => [`\`${code}\``, level, means, advice ?? 'Nothing']),
  ])
  expect(told()).toEqual(Object.fromEntries(made))
})

test('each that is not fine says what to do; no code stands for two things', () => {
  const rows = Object.values(ROWS).flatMap((topic) => Object.entries(topic))
  expect(rows.filter(([, { level, advice }]) => (level === 'ok') !== (advice === null))).toEqual([])
  expect(new Set(rows.map(([code]) => code)).size).toBe(rows.length)
})
