import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf, FOLDERS } from '../scripts/mutants/folders.ts'
import { SURVIVORS } from '../scripts/mutants/survivors.ts'

const ROOT = join(import.meta.dirname, '..')

test('the mutants of the verbs run in the thread of the tests, whose switches they need', () => {
  // What `scripts/mutants/vitest.config.ts` replaces.
  const store = readFileSync(join(ROOT, 'src/stores/sqlite/index.ts'), 'utf8')
  expect(store.match(/await startWriter\(/g)).toHaveLength(1)
})

test.each(Object.entries(FOLDERS))('mutants of %s: every pattern finds files', (_, { mutate, tests }) => {
  expect(filesOf([...mutate, ...tests], ROOT)).not.toEqual([])
  expect(() => filesOf([...mutate, 'src/core/{errors,gone}.ts'], ROOT)).toThrow('src/core/gone.ts finds no file')
})

test('every mutant that is listed is of a file that is measured, and of a line that is there', () => {
  const measured = Object.values(FOLDERS).flatMap(({ mutate }) => filesOf(mutate, ROOT))
  for (const { file, lines } of SURVIVORS) {
    expect(measured).toContain(file)
    const present = readFileSync(join(ROOT, file), 'utf8').split('\n')
    expect(present.map((line) => line.trim())).toEqual(expect.arrayContaining(Object.keys(lines)))
  }
})
