import { describe, expect, test } from 'vitest'
import { statusOf as alternate } from '../../src/adapters/alternate/wire.ts'
import { statusOf as primary } from '../../src/adapters/primary/wire.ts'

/** Which word of a backend means what (docs/engine.md, "What an answer about a job means"), row by row. */
const COMPLETED = ['completed', 'succeeded', 'complete', 'done', 'ready']
const FAILED = [
  'failed',
  'error',
  'errored',
  'failure',
  'rejected',
  'canceled',
  'cancelled',
  'expired',
  'timed_out',
  'deleted',
]

describe.each([
  ['primary', primary, { queued: 'queued', processing: 'processing' }],
  ['alternate', alternate, { queued: null, processing: 'processing' }],
])('%s', (_name, statusOf, running) => {
  test.each(Object.entries(running))('%s → %s', (word, status) => expect(statusOf(word)).toBe(status))
  test.each(COMPLETED)('%s → completed', (word) => expect(statusOf(word)).toBe('completed'))
  test.each(FAILED)('%s → failed', (word) => expect(statusOf(word)).toBe('failed'))
  test.each(['Completed', 'COMPLETED', ' completed '])('%j in any case', (word) =>
    expect(statusOf(word)).toBe('completed'),
  )
  test.each(['timed out', 'timed-out', 'TIMED_OUT'])('%j in any joint', (word) => expect(statusOf(word)).toBe('failed'))
  test.each(['', 'rendering', 'paused', 'toString', '__proto__', 'constructor'])('%j is not known', (word) =>
    expect(statusOf(word)).toBeNull(),
  )
})
