import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { HANG_MS } from '../fakes/until.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/flow.ts')

/**
 * The most files of `src` that a request may pass in the main thread until it is answered. Lower them when you can; never
 * raise them.
 */
const MOST_FILES = { create: 62, read: 20, 'poll to webhook': 60, 'drop-in read': 32, 'refused create': 60 }

test('a request passes few files', { timeout: HANG_MS }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, 'all'])
  const counted = Array.from(stdout.matchAll(/^(\S.*?) +(\d+) files +(\d+) functions$/gm), ([, name = '', files]) => ({
    name,
    files: Number(files),
  }))
  expect(counted.map(({ name }) => name)).toEqual(Object.keys(MOST_FILES))
  // A count of nothing would be under every bound.
  for (const { files } of counted) expect(files).toBeGreaterThan(15)
  const over = counted.filter(
    ({ name, files }) => files > (Object.entries(MOST_FILES).find(([key]) => key === name)?.[1] ?? 0),
  )
  expect(over, stdout).toEqual([])
})
