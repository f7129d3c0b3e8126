import { describe, expect, test } from 'vitest'
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../src/core/errors.ts'
import { expectProblem } from './expect.ts'
import { PROVOCATIONS, type Provocation } from './provocations.ts'

/** Every code of the API with its status, written down once more beside the code, and each provoked over HTTP. */
const TABLE: Readonly<Record<number, string>> = {
  400: 'invalid_request invalid_json invalid_cursor invalid_image upload_not_found upload_not_finished idempotency_key_invalid',
  401: 'unauthenticated',
  402: 'insufficient_credits',
  403: 'insufficient_scope not_owner',
  404: 'not_found video_not_found voice_not_found puppet_not_found backend_not_found rule_not_found endpoint_not_found event_not_found delivery_not_found key_not_found client_not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  409: 'idempotency_key_conflict idempotency_key_in_progress video_not_cancelable video_not_deletable video_not_completed video_replaced import_in_doubt endpoint_disabled_by_operator ramp_refused key_not_active client_exists client_configured',
  413: 'payload_too_large file_too_large',
  415: 'unsupported_media_type',
  422: 'capability_not_supported webhook_url_not_allowed audio_url_not_allowed audio_unreachable',
  429: 'rate_limited concurrency_limit_reached quota_exceeded',
  500: 'internal_error',
  502: 'backend_error backend_credentials_rejected',
  503: 'backend_unavailable upload_check_unavailable queue_full store_unavailable shutting_down',
  504: 'backend_timeout',
}

/** Those that end differently when they are asked again: with a time, or because the moment passes. */
const PASSING: readonly ProblemCode[] = [
  'upload_not_finished',
  'idempotency_key_in_progress',
  'import_in_doubt',
  'video_not_completed',
  'audio_unreachable',
  'rate_limited',
  'concurrency_limit_reached',
  'quota_exceeded',
  'internal_error',
  'backend_error',
  'backend_unavailable',
  'upload_check_unavailable',
  'queue_full',
  'store_unavailable',
  'shutting_down',
  'backend_timeout',
]
/** Whose end the gateway knows. */
const TIMED: readonly ProblemCode[] = [
  'idempotency_key_in_progress',
  'import_in_doubt',
  'rate_limited',
  'concurrency_limit_reached',
  'quota_exceeded',
  'queue_full',
  'store_unavailable',
  'shutting_down',
]

const ALL = PROBLEM_CODES.flatMap((code): [ProblemCode, Provocation][] => {
  const provoke = PROVOCATIONS[code]
  return provoke ? [[code, provoke]] : []
})

describe('the table', () => {
  test('is the one of the code, status by status', () => {
    const expected = Object.fromEntries(
      Object.entries(TABLE).flatMap(([status, codes]) => codes.split(' ').map((code) => [code, Number(status)])),
    )
    const ours = Object.fromEntries(PROBLEM_CODES.map((code) => [code, PROBLEMS[code].status]))
    const missing = Object.keys(expected).filter((code) => !(code in ours))
    expect(missing).toEqual([])
    expect(expected).toMatchObject(ours)
  })

  test('is provoked whole', () => {
    expect(Object.keys(PROVOCATIONS).toSorted()).toEqual(PROBLEM_CODES.toSorted())
  })
})

test.each(ALL)('%s', async (code, provoke) => {
  const response = await provoke()
  const problem = expectProblem(response, code, { retryable: PASSING.includes(code) })
  if (TIMED.includes(code)) expect(problem.retry_after_seconds).toBeGreaterThanOrEqual(1)
  if (code === 'method_not_allowed') expect(response.headers['allow']).toBe('GET, HEAD, POST')
  if (code === 'unauthenticated') expect(response.headers['www-authenticate']).toBe('Bearer')
  expect(response.text).not.toMatch(/SELECT|at .*\.(js|ts):\d|127\.0\.0\.1|tb_anna|upstream_/)
})
