import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { limitsLeft } from '../../src/cli/process.ts'
import { start } from './harness.ts'

const HEAP = join(import.meta.dirname, '../../src/cli/process.ts')
const MB = 1024 * 1024

/** Keeps a while what it makes, in many turns of the loop, and says how large the space of young objects mostly was. */
const program = (before: string): string => `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { keepHeapSmall } from ${JSON.stringify(HEAP)}
  ${before}
  const young = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size
  const kept = []
  const seen = []
  for (let turn = 0; turn < 8_000; turn += 1) {
    kept[turn % 2_000] = Array.from({ length: 400 }, (_, n) => ({ n, turn: [turn] }))
    if (turn >= 5_000 && turn % 10 === 0) seen.push(young())
    await new Promise((resolve) => setImmediate(resolve))
  }
  console.log('size ' + seen.toSorted((a, b) => a - b)[seen.length >> 1])`

const usualYoung = async (before: string, flags: readonly string[] = []): Promise<number> => {
  const cwd = mkdtempSync(join(tmpdir(), 'talkbridge-heap-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const args = ['--input-type=module', '-e', program(before)]
  const { stdout, stderr } = await start([...flags, ...args], { cwd, command: process.execPath }).ended
  expect(stderr).toBe('')
  return Number(/size (\d+)/.exec(stdout)?.[1])
}

test('young objects take 16 MB at most, and not the 64 MB that V8 allows', async () => {
  // With other threads that help to collect, the size depends on how much CPU they get.
  expect(await usualYoung('keepHeapSmall([])', ['--single-threaded-gc'])).toBeLessThanOrEqual(16 * MB)
})

test('sizes that Node was started with are kept', () => {
  expect(limitsLeft([])).toEqual({ young: true, growing: true })
  expect(limitsLeft(['--import', 'tracing.mjs', ''])).toEqual({ young: true, growing: true })
  expect(limitsLeft(['--max-semi-space-size=32'])).toEqual({ young: false, growing: true })
  expect(limitsLeft(['', '--no-warnings --min_semi_space_size=4'])).toEqual({ young: false, growing: true })
  expect(limitsLeft(['--heap-growing-percent=100'])).toEqual({ young: true, growing: false })
})

test('what V8 gave back to the system comes again with the work', async () => {
  const shrunk = `keepHeapSmall([])
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })`
  expect(await usualYoung(shrunk, ['--expose-gc'])).toBeGreaterThan(4 * MB)
})
