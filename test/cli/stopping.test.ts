import { expect, test } from 'vitest'
import { createStopping } from '../../src/cli/process.ts'

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
