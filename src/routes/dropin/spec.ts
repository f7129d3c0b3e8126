import { allOf, headerRefs, type HeadersOf, type HeaderTable } from '../openapi/headers.ts'
import { refTo } from '../openapi/components.ts'
import type { JsonSchema } from '../openapi/json-schema.ts'

/** How the documents of both drop-in surfaces are written. */

/** An error of a dialect, as its document tells it. */
export interface Refusal {
  status: number
  title: string
  retryable: boolean
}
export type Refusals<Code extends string> = Readonly<Record<Code, Refusal>>

interface RefusalDocs<Code extends string> {
  codes: Refusals<Code>
  /** Name of the schema of every error body. */
  body: string
  table: HeaderTable
  /** An answer with one of these statuses has the rate headers always; the others may come before a client is known. */
  rated: { headers: readonly string[]; always: readonly number[] }
  /** What an answer of this status, with one of these codes, has beside them. */
  headersOf: (status: number, codes: readonly Code[]) => HeadersOf
  exampleOf: (code: Code) => unknown
}

/** The name of an error's example among the document's components. */
const exampleName = (body: string, code: string): string => `${body}.${code}`

/** What a document says of a dialect's errors. */
export const createRefusals = <Code extends string>(docs: RefusalDocs<Code>) => {
  const { codes, body, table, rated, headersOf, exampleOf } = docs
  const isCode = (code: string): code is Code => Object.hasOwn(codes, code)
  const all = Object.keys(codes).filter(isCode)

  const responseOf = (status: number, those: readonly Code[]): JsonSchema => ({
    description: those.map((code) => `\`${code}\`: ${codes[code].title}`).join('. '),
    headers: headerRefs(table, {
      'X-Request-Id': 'always',
      ...allOf(rated.headers, rated.always.includes(status) ? 'always' : 'sometimes'),
      ...headersOf(status, those),
    }),
    content: {
      'application/json': {
        schema: { $ref: refTo(body) },
        examples: Object.fromEntries(
          those.map((code) => [code, { $ref: `#/components/examples/${exampleName(body, code)}` }]),
        ),
      },
    },
  })

  return {
    /** One answer for each status that these codes have. */
    responses(named: readonly string[]): Record<string, JsonSchema> {
      const byStatus = Map.groupBy(new Set(named.filter(isCode)), (code) => codes[code].status)
      return Object.fromEntries([...byStatus].map(([status, those]) => [String(status), responseOf(status, those)]))
    },
    examples: (): Record<string, unknown> =>
      Object.fromEntries(
        all.map((code) => [exampleName(body, code), { summary: codes[code].title, value: exampleOf(code) }]),
      ),
  }
}

/** The whole table of a dialect's codes, as people read it. */
export const codeTable = (codes: Refusals<string>): string =>
  [
    '| status | code | meaning | retry? |',
    '|---|---|---|---|',
    ...Object.entries(codes).map(
      ([code, { status, title, retryable }]) => `| ${status} | \`${code}\` | ${title} | ${retryable ? 'yes' : 'no'} |`,
    ),
  ].join('\n')

/** The headers that the gateway adds to any dialect's. */
export const OWN_HEADERS = {
  'X-Request-Id': {
    description: "Of the gateway: the request's own id if it is sane, else a new one.",
    schema: { type: 'string' },
  },
  'Talkbridge-Warning': {
    description:
      'Of the gateway: what could not be carried over, such as `option_ignored; param=language, unknown_field; param=mood`.',
    schema: { type: 'string', pattern: '^(option_ignored|unknown_field); param=' },
  },
} as const

/** Those that both contracts have. */
export const RATE_HEADERS = {
  'X-RateLimit-Limit': { description: 'Requests a minute.', schema: { type: 'integer', minimum: 1 } },
  'X-RateLimit-Remaining': { description: 'Requests left of them.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': { description: 'Unix seconds at which the window resets.', schema: { type: 'integer' } },
} as const
export const RATE_HEADER_NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
