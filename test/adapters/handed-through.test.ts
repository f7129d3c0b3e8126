import { describe, expect, onTestFinished, test } from 'vitest'
import { INTERFACES } from '../../src/adapters/index.ts'
import { NOW_MS, speak } from './harness.ts'

const spoken = (name: (typeof INTERFACES)[number]) => {
  const one = speak(name, 'https://backend.example')
  onTestFinished(() => one.agents.close())
  return one
}
const NOTHING_TOLD = { limit: null, remaining: null, resetAtMs: null, dateMs: null }

describe.each(INTERFACES)('what a head means on the %s interface', (name) => {
  test('a success tells the window and that the key may', () => {
    const { adapter, permitted } = spoken(name)
    const headers = {
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': String(NOW_MS / 1_000 + 30),
      date: new Date(NOW_MS).toUTCString(),
    }
    const rate = { limit: 10, remaining: 4, resetAtMs: NOW_MS + 30_000, dateMs: NOW_MS }
    expect(adapter.handedThrough('createSpeech', { kind: 'answered', status: 200, headers })).toEqual({
      rate,
      problem: null,
      spoke: true,
    })
    // The caller's own condition was met.
    expect(adapter.handedThrough(null, { kind: 'answered', status: 304, headers })).toEqual({
      rate,
      problem: null,
      spoke: true,
    })
    expect(permitted).toEqual([['createSpeech', true]])
  })

  test.each([
    [400, {}, 'invalid_request', true],
    [401, {}, 'backend_credentials_rejected', true],
    [403, {}, 'backend_credentials_rejected', true],
    [404, {}, 'not_found', true],
    [429, { 'retry-after': '20' }, 'rate_limited', true],
    [302, {}, 'backend_error', true],
    [500, { 'content-type': 'application/problem+json; charset=utf-8' }, 'backend_error', true],
    [500, { 'content-type': 'text/html' }, 'backend_error', false],
    [503, {}, 'backend_unavailable', false],
    [799, {}, 'backend_error', false],
  ])('%d %j is %s; the backend itself spoke: %s', (status, headers, code, spoke) => {
    const { adapter } = spoken(name)
    const meaning = adapter.handedThrough(null, { kind: 'answered', status, headers })
    expect(meaning).toMatchObject({ rate: NOTHING_TOLD, problem: { code }, spoke })
    expect(meaning.problem?.retryAtMs).toBe('retry-after' in headers ? NOW_MS + 20_000 : null)
    expect(meaning.problem?.backendError).toEqual({ status, code: null, block_code: null, message: null })
  })

  test('a 403 is about what was asked for', () => {
    const { adapter, permitted } = spoken(name)
    const reply = { kind: 'answered', status: 403, headers: {} } as const
    adapter.handedThrough('createSpeech', reply)
    adapter.handedThrough(null, reply)
    expect(permitted).toEqual([['createSpeech', false]])
  })

  test.each([
    [false, 'connection', 'ECONNREFUSED', 'backend_unavailable', 'The backend cannot be reached (ECONNREFUSED)'],
    [false, 'timeout', '', 'backend_unavailable', 'The backend cannot be reached'],
    [true, 'timeout', '', 'backend_timeout', 'The backend did not answer in time'],
    [true, 'connection', 'ECONNRESET', 'backend_error', 'The backend closed the connection without an answer'],
  ] as const)('silence (began: %s, %s %s) is %s', (began, fault, message, code, words) => {
    const { adapter } = spoken(name)
    expect(adapter.handedThrough('createSpeech', { kind: 'failed', began, fault, message })).toMatchObject({
      rate: null,
      problem: { code, message: words, retryable: true },
      spoke: false,
    })
  })
})
