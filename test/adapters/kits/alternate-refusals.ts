import type { Refusal } from '../../contract/adapter-kit.ts'
import { NOW_MS } from '../harness.ts'

const RESET = { 'x-ratelimit-reset': String(NOW_MS / 1000 + 30) }
const refused = (code: Refusal[3][0]): Refusal[3] => [code, false, null, 'refused', null]

/** Its contract shows no error body: read tolerantly. */
export const REFUSALS: readonly Refusal[] = [
  [400, { message: 'No script' }, {}, refused('invalid_request'), [null, 'No script']],
  [422, { detail: 'No script' }, {}, refused('invalid_request'), [null, 'No script']],
  [
    400,
    { error: { code: 'voice_not_found', message: 'No' } },
    {},
    refused('voice_not_found'),
    ['voice_not_found', 'No'],
  ],
  [404, { error: 'puppet_not_found' }, {}, refused('puppet_not_found'), ['puppet_not_found', 'puppet_not_found']],
  [404, {}, {}, refused('not_found'), [null, null]],
  [401, {}, {}, refused('backend_credentials_rejected'), [null, null]],
  [402, {}, {}, refused('insufficient_credits'), [null, null]],
  [403, {}, {}, refused('backend_credentials_rejected'), [null, null]],
  [408, {}, {}, ['backend_timeout', true, null, 'doubt', null], [null, null]],
  [409, {}, {}, refused('backend_error'), [null, null]],
  [413, {}, {}, refused('payload_too_large'), [null, null]],
  [429, {}, RESET, ['rate_limited', true, 'budget', 'refused', 30], [null, null]],
  [429, {}, { 'retry-after': '5' }, ['rate_limited', true, 'budget', 'refused', 5], [null, null]],
  [
    429,
    { error: 'rate_limited' },
    {},
    ['rate_limited', true, 'budget', 'refused', null],
    ['rate_limited', 'rate_limited'],
  ],
  [
    429,
    { error: { code: 'concurrent_job_limit_reached' } },
    {},
    ['concurrency_limit_reached', true, 'slot', 'refused', null],
    ['concurrent_job_limit_reached', null],
  ],
  [429, {}, {}, refused('quota_exceeded'), [null, null]],
  [500, {}, {}, ['backend_error', true, null, 'doubt', null], [null, null]],
  [
    503,
    { error: 'busy', message: 'So it is' },
    {},
    ['backend_unavailable', true, null, 'doubt', null],
    ['busy', 'So it is'],
  ],
  [504, {}, {}, ['backend_timeout', true, null, 'doubt', null], [null, null]],
  [301, {}, {}, ['backend_error', false, null, 'doubt', null], [null, null]],
]
