import type { Refusal } from '../../contract/adapter-kit.ts'
import { NOW_MS } from '../harness.ts'

const RESET = { 'x-ratelimit-reset': String(NOW_MS / 1000 + 30) }
const error = (code: string, more: Record<string, unknown> = {}) => ({ error: code, message: 'So it is', ...more })
const refused = (code: Refusal[3][0]): Refusal[3] => [code, false, null, 'refused', null]

/** Its contract shows no error body: read tolerantly. */
export const REFUSALS: readonly Refusal[] = [
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
