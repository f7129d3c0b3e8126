import { isProblemCode, Problem, PROBLEMS, type ProblemCode, type ProblemExtras } from '../../core/errors.ts'
import type { ErrorAnswer, ErrorContext } from '../middleware/view.ts'
import {
  refTo,
  allOf,
  headerRefs,
  HEADERS,
  type HeadersOf,
  type HeaderTable,
  type JsonSchema,
  TIMED,
} from '../openapi/components.ts'
import { BODY_PROBLEMS, type Operation } from '../openapi/operation.ts'

/** How the documents of both drop-in surfaces are written. */

/** What any operation may answer. */
const COMMON = [
  'invalid_request',
  'unauthenticated',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'store_unavailable',
] as const satisfies readonly ProblemCode[]

/** What an operation that asks a backend may answer. */
export const BACKEND_ERRORS = [
  'quota_exceeded',
  'backend_error',
  'backend_credentials_rejected',
  'backend_unavailable',
  'backend_timeout',
] as const satisfies readonly ProblemCode[]

/** What the create of a video may answer. */
export const CREATE_ERRORS = [
  ...BODY_PROBLEMS,
  ...BACKEND_ERRORS,
  'insufficient_credits',
  'concurrency_limit_reached',
  'capability_not_supported',
  'webhook_url_not_allowed',
  'queue_full',
] as const satisfies readonly ProblemCode[]

interface DialectErrors {
  /** What words a problem: the very function that answers. */
  answerOf: (problem: Problem, context: ErrorContext) => ErrorAnswer
  /** The word for programs in the body of an answer. */
  wordOf: (body: object) => string
  /** Name of the schema of every error body. */
  body: string
  table: HeaderTable
  /** An answer with one of these statuses has the rate headers always; the others may come before a client is known. */
  rated: { headers: readonly string[]; always: readonly number[] }
  /** What an answer of this status, for one of these reasons, has beside them. */
  headersOf: (status: number, codes: readonly ProblemCode[]) => HeadersOf
  /** Of a problem in an example. */
  extras: Partial<Record<ProblemCode, ProblemExtras>>
}

const AT_MS = Date.parse('2026-11-20T12:00:00.000Z')
const CLOCK = { now: () => AT_MS, wall: () => AT_MS, elapsed: () => 0, leaptSince: () => 0, at: () => () => undefined }

interface Told {
  code: ProblemCode
  word: string
  answer: ErrorAnswer
}

/** What a document says of a dialect's errors: read off the answers themselves. */
export const createRefusals = ({ answerOf, wordOf, body, table, rated, headersOf, extras }: DialectErrors) => {
  const toldOf = ({ method, path, problems }: Operation): Told[] => {
    const context = {
      clock: CLOCK,
      requestId: '',
      origin: 'https://gateway.example',
      interfaceOf: () => null,
      refusalOn: () => null,
    }
    return [...new Set([...COMMON, ...problems.filter(isProblemCode)])].map((code) => {
      const back = TIMED.includes(code) ? { retryAtMs: AT_MS + 12_000 } : {}
      const problem = new Problem(code, PROBLEMS[code].title, { ...back, ...extras[code] })
      const answer = answerOf(problem, { ...context, method: method.toUpperCase(), path })
      return { code, word: wordOf(answer.body), answer }
    })
  }

  const meaningOf = (those: readonly Told[]): string => those.map(({ code }) => PROBLEMS[code].title).join(', ')

  const responseOf = (status: number, those: readonly Told[]): JsonSchema => {
    const byWord = [...Map.groupBy(those, ({ word }) => word)]
    return {
      description: byWord.map(([word, told]) => `\`${word}\`: ${meaningOf(told)}`).join('. '),
      headers: headerRefs(table, {
        'X-Request-Id': 'always',
        ...allOf(rated.headers, rated.always.includes(status) ? 'always' : 'sometimes'),
        ...headersOf(
          status,
          those.map(({ code }) => code),
        ),
      }),
      content: {
        'application/json': {
          schema: { $ref: refTo(body) },
          examples: Object.fromEntries(
            byWord.map(([word, told]) => [word, { summary: meaningOf(told), value: told[0]?.answer.body }]),
          ),
        },
      },
    }
  }

  return {
    /** One answer for each status. */
    responses(operation: Operation): Record<string, JsonSchema> {
      const byStatus = Map.groupBy(toldOf(operation), ({ answer }) => answer.status)
      return Object.fromEntries([...byStatus].map(([status, those]) => [String(status), responseOf(status, those)]))
    },

    /** The words of all of them, as people read them. */
    tableOf(operations: readonly Operation[]): string {
      const all = operations.flatMap(toldOf)
      const rows = Map.groupBy(all, ({ word, answer }) => `| ${answer.status} | \`${word}\` |`)
      return [
        '| status | code | when |',
        '|---|---|---|',
        ...[...rows]
          .map(([start, told]) => `${start} ${[...new Set(told.map(({ code }) => PROBLEMS[code].title))].join(', ')} |`)
          .toSorted(),
      ].join('\n')
    },
  }
}

/** Those that the gateway adds, and those that both contracts have. */
export const COMMON_HEADERS = {
  'X-Request-Id': {
    description: "Added by the gateway: the request's own id if it is valid. Otherwise a new one.",
    schema: { type: 'string' },
  },
  'Talkbridge-Warning': {
    description:
      'Added by the gateway: what it could not pass on, such as `option_ignored; param=language, unknown_field; param=mood`. In a list: which member of a pool it could not read, such as `incomplete; backend=main-b; reason=backend_timeout`.',
    schema: { type: 'string', pattern: '^((option_ignored|unknown_field); param=|incomplete; backend=)' },
  },
  'X-RateLimit-Limit': HEADERS['X-RateLimit-Limit'],
  'X-RateLimit-Remaining': HEADERS['X-RateLimit-Remaining'],
  'X-RateLimit-Reset': {
    description: 'The time when the window resets, in Unix seconds.',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': { description: 'The authentication scheme to use.', schema: { type: 'string' } },
} as const
export const RATE_HEADER_NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
