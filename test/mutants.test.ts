import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FOLDERS } from '../scripts/mutants/folders.ts'
import { SURVIVORS } from '../scripts/mutants/survivors.ts'

const ROOT = join(import.meta.dirname, '..')

test.each(Object.entries(FOLDERS))('mutants of %s: every pattern finds files', (_, { mutate, tests }) => {
  for (const pattern of [...mutate, ...tests]) expect(globSync(pattern, { cwd: ROOT }), pattern).not.toEqual([])
})

test('every mutant that is listed is of a line that is there', () => {
  for (const { file, line, was } of SURVIVORS) {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
    expect(lines.map((one) => one.trim())).toContain(line)
    expect(line).toContain(was)
  }
})
