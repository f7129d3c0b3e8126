import { describe, expect, test } from 'vitest'
import { ERRORS as ALTERNATE } from '../../src/adapters/alternate/errors.ts'
import { ERRORS as PRIMARY } from '../../src/adapters/primary/errors.ts'
import { readFault } from '../../src/adapters/shared/problems.ts'
import type { ProblemCode } from '../../src/core/errors.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const RESET = { 'x-ratelimit-reset': String(NOW / 1000 + 30) }

type Case = [
  status: number,
  body: Record<string, unknown>,
  headers: Record<string, string>,
  expected: [code: ProblemCode, retryable: boolean, waits: string | null, onCreate: string, retryAfterS: number | null],
]

const check = (dialect: { rows: typeof PRIMARY; resetIsHint: boolean }, [status, body, headers, expected]: Case) => {
  const fault = readFault({ kind: 'json', status, headers, body }, dialect, NOW)
  const { problem, waits, onCreate } = fault
  const afterS = problem.retryAtMs === null ? null : (problem.retryAtMs - NOW) / 1000
  expect([problem.code, problem.retryable, waits, onCreate, afterS]).toEqual(expected)
  return fault
}

/** Without any one row, some case above comes out differently: no row is there for nothing, and none unproven. */
const everyRowDecides = (dialect: { rows: typeof PRIMARY; resetIsHint: boolean }, cases: readonly Case[]): void => {
  const passes = (rows: typeof PRIMARY, row: Case): boolean => {
    const [status, body, headers, [code, retryable, waits, onCreate]] = row
    const fault = readFault({ kind: 'json', status, headers, body }, { ...dialect, rows }, NOW)
    const got = [fault.problem.code, fault.problem.retryable, fault.waits, fault.onCreate]
    return JSON.stringify(got) === JSON.stringify([code, retryable, waits, onCreate])
  }
  test.each(dialect.rows.map((row, index) => ({ row, index })))('row $index $row decides a case', ({ index }) => {
    expect(cases.every((one) => passes(dialect.rows.toSpliced(index, 1), one))).toBe(false)
  })
}

const error = (code: string, more: Record<string, unknown> = {}) => ({ error: code, message: 'So it is', ...more })

describe('primary (contract, "Error codes seen" and "Status code meanings")', () => {
  const dialect = { rows: PRIMARY, resetIsHint: false }
  const refused = (code: ProblemCode): Case[3] => [code, false, null, 'refused', null]
  const cases: Case[] = [
    [400, error('invalid_request'), {}, refused('invalid_request')],
    [
      400,
      error('invalid_request', { retry_block_code: 'HOSTED_AUDIO_UPLOAD_NOT_FOUND' }),
      {},
      refused('upload_not_found'),
    ],
    [
      400,
      error('invalid_request', { retryBlockCode: 'HOSTED_AUDIO_UPLOAD_PENDING' }),
      {},
      ['upload_not_finished', true, null, 'refused', null],
    ],
    [400, error('invalid_image'), {}, refused('invalid_image')],
    [
      400,
      error('hosted_audio_upload_unavailable', { details: { retryAfter: 4 } }),
      {},
      ['upload_check_unavailable', true, 'check', 'refused', 4],
    ],
    [400, error('something_new'), {}, refused('invalid_request')],
    [400, error('something_new', { retryable: true }), {}, ['invalid_request', true, null, 'refused', null]],
    [400, error('something_new', { retryAfter: 3 }), {}, ['invalid_request', true, null, 'refused', 3]],
    [401, error('unauthorized', { retryable: true }), {}, refused('backend_credentials_rejected')],
    [402, error('insufficient_credits'), {}, refused('insufficient_credits')],
    [403, error('forbidden'), {}, refused('backend_credentials_rejected')],
    [404, error('voice_not_found'), {}, refused('voice_not_found')],
    [404, error('no', { retry_block_code: 'SERVICE_VOICE_NOT_FOUND' }), {}, refused('voice_not_found')],
    [404, error('puppet_not_found', { retryable: true }), {}, refused('puppet_not_found')],
    [404, error('job_not_found'), {}, refused('video_not_found')],
    [404, error('route_not_found'), {}, refused('not_found')],
    [408, error('timeout'), {}, ['backend_timeout', true, null, 'doubt', null]],
    [
      409,
      error('idempotency_key_in_progress'),
      { 'retry-after': '2' },
      ['idempotency_key_in_progress', true, null, 'doubt', 2],
    ],
    [409, error('idempotency_key_conflict'), {}, ['idempotency_key_conflict', false, null, 'doubt', null]],
    [
      409,
      error('idempotency_key_conflict', { retryable: true }),
      {},
      ['idempotency_key_conflict', false, null, 'doubt', null],
    ],
    [409, error('something_new'), {}, ['idempotency_key_conflict', false, null, 'doubt', null]],
    [413, error('payload_too_large'), {}, refused('payload_too_large')],
    [413, error('file_too_large'), {}, refused('file_too_large')],
    [413, error('no', { retry_block_code: 'AUDIO_UPLOAD_FILE_TOO_LARGE' }), {}, refused('file_too_large')],
    [413, error('no', { retry_block_code: 'AUDIO_UPLOAD_PAYLOAD_TOO_LARGE' }), {}, refused('payload_too_large')],
    [415, error('unsupported_media_type'), {}, refused('backend_error')],
    [415, error('unsupported_media_type', { retryable: true }), {}, refused('backend_error')],
    [418, error('teapot'), {}, refused('backend_error')],
    [
      429,
      error('concurrent_job_limit_reached', { retry_after_seconds: 20 }),
      {},
      ['concurrency_limit_reached', true, 'slot', 'refused', 20],
    ],
    [429, error('concurrent_job_limit_reached'), {}, ['concurrency_limit_reached', true, 'slot', 'refused', null]],
    [429, error('rate_limited'), { 'retry-after': '9' }, ['rate_limited', true, 'budget', 'refused', 9]],
    [429, error('rate_limited'), RESET, ['rate_limited', true, 'budget', 'refused', 30]],
    [429, error('beta_quota', { retryAfter: 60 }), {}, ['rate_limited', true, 'budget', 'refused', 60]],
    [429, error('beta_quota', { retryable: true }), {}, ['rate_limited', true, 'budget', 'refused', null]],
    [429, error('beta_quota'), {}, refused('quota_exceeded')],
    [429, error('beta_quota'), RESET, refused('quota_exceeded')],
    [
      429,
      error('beta_quota', { retryable: false }),
      { 'retry-after': '60' },
      ['quota_exceeded', false, null, 'refused', 60],
    ],
    [500, error('internal'), {}, ['backend_error', true, null, 'doubt', null]],
    [502, error('bad_gateway'), { 'retry-after': '5' }, ['backend_error', true, null, 'doubt', 5]],
    [503, error('counter_unavailable'), { 'retry-after': '5' }, ['backend_unavailable', true, null, 'refused', 5]],
    [503, { message: 'Service Unavailable' }, {}, ['backend_unavailable', true, null, 'doubt', null]],
    [503, { error: 'Service Unavailable', status: 503 }, {}, ['backend_unavailable', true, null, 'doubt', null]],
    [504, error('timeout'), {}, ['backend_timeout', true, null, 'doubt', null]],
    [302, {}, {}, ['backend_error', false, null, 'doubt', null]],
    [599, {}, {}, ['backend_error', true, null, 'doubt', null]],
    [600, {}, {}, ['backend_error', true, null, 'doubt', null]],
  ]
  test.each(cases)('%i %j %j', (...row) => void check(dialect, row))
  everyRowDecides(dialect, cases)

  test('what the backend said goes along, redacted, and `video_generation` in one spelling', () => {
    const fault = check(dialect, [
      429,
      error('concurrent_job_limit_reached', {
        message: 'Full, see https://x.example/?k=v',
        details: {
          videoGeneration: { canCreate: false, reason: 'slots', activeJobs: 2, availableSlots: 0, retryAfter: 8 },
        },
      }),
      {},
      ['concurrency_limit_reached', true, 'slot', 'refused', 8],
    ])
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
    const fault = readFault({ kind: 'json', status: 400, headers: {}, body: error('novel') }, dialect, NOW)
    expect(fault.unknownCode).toBe('novel')
  })
})

describe('alternate (no body shown: read tolerantly)', () => {
  const dialect = { rows: ALTERNATE, resetIsHint: true }
  const refused = (code: ProblemCode): Case[3] => [code, false, null, 'refused', null]
  const cases: Case[] = [
    [400, { message: 'No script' }, {}, refused('invalid_request')],
    [422, { detail: 'No script' }, {}, refused('invalid_request')],
    [400, { error: { code: 'voice_not_found', message: 'No' } }, {}, refused('voice_not_found')],
    [404, { error: 'puppet_not_found' }, {}, refused('puppet_not_found')],
    [404, {}, {}, refused('not_found')],
    [401, {}, {}, refused('backend_credentials_rejected')],
    [402, {}, {}, refused('insufficient_credits')],
    [403, {}, {}, refused('backend_credentials_rejected')],
    [408, {}, {}, ['backend_timeout', true, null, 'doubt', null]],
    [409, {}, {}, refused('backend_error')],
    [413, {}, {}, refused('payload_too_large')],
    [429, {}, RESET, ['rate_limited', true, 'budget', 'refused', 30]],
    [429, {}, { 'retry-after': '5' }, ['rate_limited', true, 'budget', 'refused', 5]],
    [429, { error: 'rate_limited' }, {}, ['rate_limited', true, 'budget', 'refused', null]],
    [
      429,
      { error: { code: 'concurrent_job_limit_reached' } },
      {},
      ['concurrency_limit_reached', true, 'slot', 'refused', null],
    ],
    [429, {}, {}, refused('quota_exceeded')],
    [500, {}, {}, ['backend_error', true, null, 'doubt', null]],
    [503, error('busy'), {}, ['backend_unavailable', true, null, 'doubt', null]],
    [504, {}, {}, ['backend_timeout', true, null, 'doubt', null]],
    [301, {}, {}, ['backend_error', false, null, 'doubt', null]],
  ]
  test.each(cases)('%i %j %j', (...row) => void check(dialect, row))
  everyRowDecides(dialect, cases)

  test.each<[Record<string, unknown>, string | null, string | null]>([
    [{ error: 'bad_script', message: 'Empty' }, 'bad_script', 'Empty'],
    [{ error: { code: 'bad_script', message: 'Empty' } }, 'bad_script', 'Empty'],
    [{ error: 'The script is empty' }, null, 'The script is empty'],
    [{ detail: 'Empty' }, null, 'Empty'],
    [{ error: { type: 'validation', message: 'Empty' } }, 'validation', 'Empty'],
    [{ errors: ['?'] }, null, null],
  ])('%j is read as code %j, message %j', (body, code, message) => {
    const { problem } = readFault({ kind: 'json', status: 400, headers: {}, body }, dialect, NOW)
    expect(problem.backendError).toEqual({ status: 400, code, block_code: null, message })
  })
})
