import { PROBLEMS, PROBLEM_CODES, type ProblemCode } from '../../core/errors.ts'
import type { ProblemView } from '../../core/api/videos.ts'
import { allOf, headerRefs, RATE_HEADERS, UNIFIED_HEADERS, type HeadersOf } from './headers.ts'
import type { JsonSchema } from './json-schema.ts'

const EXAMPLE_REQUEST = 'req_01M7WA9S7VF4P8S27TV0W2QQJ9'
const LIMITED = { retry_after_seconds: 12, retry_at: '2026-11-20T12:00:12.000Z' }
const NEVER = { retry_after_seconds: null, retry_at: null }
const FAULTS: Partial<Record<ProblemCode, ProblemView['errors']>> = {
  invalid_request: [
    { path: 'text', message: 'must not be blank' },
    { path: 'colour', message: 'unknown field' },
  ],
  invalid_cursor: [
    { path: 'cursor', message: 'this cursor does not belong to this list: use next_cursor of its previous page' },
  ],
  capability_not_supported: [{ path: 'image_url', message: 'this backend takes saved portraits only' }],
  webhook_url_not_allowed: [{ path: 'webhook_url', message: 'this address, scheme and port are not allowed' }],
}
/** Problems that say when to come back. */
export const TIMED: readonly ProblemCode[] = [
  'idempotency_key_in_progress',
  'import_in_doubt',
  'rate_limited',
  'concurrency_limit_reached',
  'quota_exceeded',
  'backend_unavailable',
  'queue_full',
  'shutting_down',
]
const saysBackend = (code: ProblemCode): boolean => code.startsWith('backend_') && code !== 'backend_not_found'

const exampleOf = (code: ProblemCode): ProblemView => {
  const { status, title, retryable } = PROBLEMS[code]
  const errors = FAULTS[code] ?? []
  return {
    type: `urn:talkbridge:problem:${code}`,
    title,
    status,
    detail: errors[0]?.message ?? title.toLowerCase(),
    code,
    retryable,
    ...(TIMED.includes(code) ? LIMITED : NEVER),
    param: errors[0]?.path ?? null,
    errors,
    details: null,
    backend: saysBackend(code) ? 'main' : null,
    backend_error:
      code === 'backend_error'
        ? { status: 500, code: 'internal', block_code: null, message: 'something broke there' }
        : null,
    video_id: null,
    request_id: EXAMPLE_REQUEST,
  }
}

export const problemExamples = (): Record<string, { summary: string; value: ProblemView }> =>
  Object.fromEntries(PROBLEM_CODES.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleOf(code) }]))

/** The whole table, as people read it. */
export const PROBLEM_TABLE = [
  '| status | code | meaning | retry? |',
  '|---|---|---|---|',
  ...PROBLEM_CODES.map((code) => {
    const { status, title, retryable } = PROBLEMS[code]
    return `| ${status} | \`${code}\` | ${title} | ${retryable ? 'yes' : 'no'} |`
  }),
].join('\n')

const headersOf = (status: number, rated: boolean): HeadersOf => ({
  'X-Request-Id': 'always',
  ...(status === 401 && { 'WWW-Authenticate': 'always' }),
  ...([409, 429, 502, 503, 504].includes(status) && { 'Retry-After': 'sometimes' }),
  // Not where a request is refused before it is known whose it is.
  ...(rated && status !== 401 && allOf(RATE_HEADERS, 'sometimes')),
})

const responseOf = (status: number, codes: readonly ProblemCode[], rated: boolean): JsonSchema => ({
  description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('. '),
  headers: headerRefs(UNIFIED_HEADERS, headersOf(status, rated)),
  content: {
    'application/problem+json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          { type: 'object', required: ['code'], properties: { code: { type: 'string', enum: codes } } },
        ],
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

/** One answer for each status that these codes have; `rated`: of an operation that takes a key. */
export const problemResponses = (codes: Iterable<ProblemCode>, rated: boolean): Record<string, JsonSchema> => {
  const byStatus = Map.groupBy(new Set(codes), (code) => PROBLEMS[code].status)
  return Object.fromEntries([...byStatus].map(([status, those]) => [String(status), responseOf(status, those, rated)]))
}
