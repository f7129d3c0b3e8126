import { describe, expect, test } from 'vitest'
import { ERRORS as ALTERNATE } from '../../src/adapters/alternate/wire.ts'
import { ERRORS as PRIMARY } from '../../src/adapters/primary/wire.ts'
import { readFault } from '../../src/adapters/shared/problems.ts'
import { ERROR } from '../../src/adapters/shared/dialect.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const error = (code: string, more: Record<string, unknown> = {}) => ({ error: code, message: 'So it is', ...more })

describe('primary (contract, "Error codes seen" and "Status code meanings")', () => {
  const dialect = { rows: PRIMARY, resetIsHint: false, error: ERROR }
  test('what the backend said goes along, redacted, and `video_generation` in one spelling', () => {
    const body = error('concurrent_job_limit_reached', {
      message: 'Full, see https://x.example/?k=v',
      details: {
        videoGeneration: { canCreate: false, reason: 'slots', activeJobs: 2, availableSlots: 0, retryAfter: 8 },
      },
    })
    const fault = readFault({ kind: 'json', status: 429, headers: {}, body, text: '' }, dialect, NOW)
    expect(fault.problem.retryAtMs).toBe(NOW + 8_000)
    expect(fault.problem.backendError).toEqual({
      status: 429,
      code: 'concurrent_job_limit_reached',
      block_code: null,
      message: 'Full, see [url]',
    })
    expect(fault.problem.details).toEqual({
      video_generation: {
        can_create: false,
        reason: 'slots',
        active_jobs: 2,
        available_slots: 0,
        retry_after_seconds: 8,
        next_poll_at: null,
      },
    })
  })

  test('a code in no row is reported', () => {
    const fault = readFault({ kind: 'json', status: 400, headers: {}, body: error('novel'), text: '' }, dialect, NOW)
    expect(fault.unknownCode).toBe('novel')
  })
})

describe('alternate (no body shown: read tolerantly)', () => {
  const dialect = { rows: ALTERNATE, resetIsHint: true, error: ERROR }
  test.each<[Record<string, unknown>, string | null, string | null]>([
    [{ error: 'bad_script', message: 'Empty' }, 'bad_script', 'Empty'],
    [{ error: { code: 'bad_script', message: 'Empty' } }, 'bad_script', 'Empty'],
    [{ error: 'The script is empty' }, null, 'The script is empty'],
    [{ detail: 'Empty' }, null, 'Empty'],
    [{ error: { type: 'validation', message: 'Empty' } }, 'validation', 'Empty'],
    [{ errors: ['?'] }, null, null],
  ])('%j is read as code %j, message %j', (body, code, message) => {
    const { problem } = readFault({ kind: 'json', status: 400, headers: {}, body, text: '' }, dialect, NOW)
    expect(problem.backendError).toEqual({ status: 400, code, block_code: null, message })
  })
})

test('an interface of other words has its errors read by those alone', () => {
  const spelled = { ...ERROR, code: ['problem.kind'], message: ['problem.text'] }
  const dialect = { rows: ALTERNATE, resetIsHint: true, error: spelled }
  const body = { error: 'rate_limited', message: 'Not this', problem: { kind: 'voice_not_found', text: 'Who?' } }
  const { problem } = readFault({ kind: 'json', status: 400, headers: {}, body, text: '' }, dialect, NOW)
  expect(problem).toMatchObject({
    code: 'voice_not_found',
    backendError: { status: 400, code: 'voice_not_found', block_code: null, message: 'Who?' },
  })
})
