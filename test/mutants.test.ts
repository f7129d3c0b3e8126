import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FOLDERS } from '../scripts/mutants/folders.ts'
import { SURVIVORS } from '../scripts/mutants/survivors.ts'

const ROOT = join(import.meta.dirname, '..')

/** Each of `{a,b}` for itself: a name that is gone would hide behind another. */
const spelledOut = (pattern: string): string[] => {
  const [braces, names = ''] = /\{([^}]*)\}/.exec(pattern) ?? []
  return braces === undefined
    ? [pattern]
    : names.split(',').flatMap((name) => spelledOut(pattern.replace(braces, name)))
}

test('the mutants of the verbs run in the thread of the tests, whose switches they need', () => {
  // What `scripts/mutants/vitest.config.ts` replaces.
  const store = readFileSync(join(ROOT, 'src/stores/sqlite/index.ts'), 'utf8')
  expect(store.match(/await startWriter\(/g)).toHaveLength(1)
})

test.each(Object.entries(FOLDERS))('mutants of %s: every pattern finds files', (_, { mutate, tests }) => {
  for (const pattern of [...mutate, ...tests].flatMap(spelledOut))
    expect(globSync(pattern, { cwd: ROOT }), pattern).not.toEqual([])
})

test('every mutant that is listed is of a line that is there', () => {
  for (const { file, line, was } of SURVIVORS) {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
    expect(lines.map((one) => one.trim())).toContain(line)
    expect(line).toContain(was)
  }
})
