import { describe, expect, test } from 'vitest'
import { DIALECT as ALTERNATE } from '../../src/adapters/alternate/index.ts'
import { DIALECT as PRIMARY } from '../../src/adapters/primary/index.ts'
import { statusOf as read } from '../../src/adapters/shared/dialect.ts'

const alternate = (word: string) => read(word, ALTERNATE)
const primary = (word: string) => read(word, PRIMARY)

/** Design 2, "Status", row by row. */
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
