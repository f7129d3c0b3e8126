import { execFileSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createStopping } from '../../src/cli/process.ts'
import { start, temporaryFolder } from './harness.ts'

test('the first signal asks; one of the same moment is npm handing it on; a later one insists', () => {
  const insisted: string[] = []
  let nowMs = 5_000
  const stopping = createStopping(
    () => nowMs,
    (signal) => void insisted.push(signal),
  )
  expect(stopping.signal.aborted).toBe(false)
  stopping.ask('SIGINT')
  expect(stopping.signal.reason).toBe('SIGINT')
  nowMs += 999
  stopping.ask('SIGINT')
  expect(insisted).toEqual([])
  nowMs += 1
  stopping.ask('SIGTERM')
  expect(insisted).toEqual(['SIGTERM'])
  expect(stopping.signal.reason).toBe('SIGINT')
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends who waits for a configuration from a pipe', async (signal) => {
  const cwd = temporaryFolder()
  execFileSync('mkfifo', [join(cwd, 'pipe.yaml')])
  const running = start(['config', 'check', 'pipe.yaml'], { cwd })
  // Opens when the command reads.
  const writer = await open(join(cwd, 'pipe.yaml'), 'w')
  running.kill(signal)
  expect(await running.ended).toEqual({ code: null, stdout: '', stderr: '' })
  await writer.close()
})
