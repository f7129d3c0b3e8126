import type { HeadersOf, HeaderTable } from '../../openapi/components.ts'
import { OWN_HEADERS, RATE_HEADERS } from '../spec.ts'

const COUNT = { type: 'integer', minimum: 0 }
const STATUS_URL = {
  description: 'The absolute URL where you read the status of the job.',
  schema: { type: 'string', format: 'uri' },
}
/** The job of a missing one is whatever was asked for. */
const JOB_ID = { description: 'The public id of the job.', schema: { type: 'string' } }

/** Primary contract, "Shared response headers". */
const HEADERS = {
  ...OWN_HEADERS,
  ...RATE_HEADERS,
  'WWW-Authenticate': { description: 'The authentication scheme to use.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before you retry or poll again.', schema: COUNT },
  'X-Service-Next-Poll-At': {
    description: 'The same as a time. It equals `next_poll_at` of the body.',
    schema: { type: 'string', format: 'date-time' },
  },
  Location: STATUS_URL,
  'Content-Location': STATUS_URL,
  'Service-Operation-Id': JOB_ID,
  'X-Service-Operation-Id': JOB_ID,
  'Service-Request-Id': JOB_ID,
  'X-Service-Request-Id': JOB_ID,
  'X-Service-Credits-Required': { description: 'The credits that this video cost.', schema: COUNT },
  'X-Service-Credits-Remaining': { description: 'The credits that are left after it.', schema: COUNT },
} as const
export type PrimaryHeader = keyof typeof HEADERS
export const PRIMARY_HEADERS: HeaderTable = { prefix: 'Primary-', headers: HEADERS }

const all = (when: 'always' | 'sometimes', names: readonly PrimaryHeader[]): HeadersOf<PrimaryHeader> =>
  Object.fromEntries(names.map((name) => [name, when]))

const HINT = ['Retry-After', 'X-Service-Next-Poll-At'] as const
const JOB = [
  'Location',
  'Content-Location',
  'Service-Operation-Id',
  'X-Service-Operation-Id',
  'Service-Request-Id',
  'X-Service-Request-Id',
] as const
export const HINTED = all('always', HINT)
export const MAYBE_HINTED = all('sometimes', HINT)
export const OF_JOB = all('always', JOB)
export const MAYBE_OF_JOB = all('sometimes', JOB)
export const MAYBE_CREDITS = all('sometimes', ['X-Service-Credits-Required', 'X-Service-Credits-Remaining'])
