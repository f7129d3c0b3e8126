import type { z } from 'zod'
import type { ProblemCode } from '../../core/errors.ts'
import type { Scope } from '../../core/vocabulary.ts'
import type { BodyName, ViewName } from './components.ts'
import type { HeaderName, HeadersOf, RequestHeaderName } from './headers.ts'
import type { TagName } from './prose.ts'

/** What a surface calls its schemas, tags, headers and errors. */
export interface Names {
  view: string
  body: string
  header: string
  tag: string
  problem: string
}

export interface Example {
  summary: string
  value: unknown
}

export interface Answer<N extends Names = Names> {
  description: string
  /** The JSON body; none where absent. */
  body?: N['view']
  /** A body that is not JSON, by its media type, with an excerpt; beside `body`: where it is asked for. */
  raw?: { mediaType: string; example: string }
  headers?: HeadersOf<N['header']>
  example?: unknown
}

/** One line of the table that documents the API: everything that the document says of an operation. */
export interface Operation<N extends Names = Names> {
  id: string
  method: 'get' | 'post' | 'patch' | 'delete'
  /** As OpenAPI spells it: `/unified/v1/videos/{id}`. */
  path: string
  tag: string
  summary: string
  description?: string
  /** Null: no key is needed. */
  scope: Scope | null
  /** Another way in than a key. */
  signed?: true
  query?: z.ZodObject
  requestHeaders?: readonly RequestHeaderName[]
  /** `optional`: none says what an empty object says. */
  body?: { name: N['body']; examples: Readonly<Record<string, Example>>; optional?: true }
  /** Its examples are refused by what `npm start` runs, as nothing there can be like that. */
  onSandbox?: { status: number; why: string }
  answers: Readonly<Record<number, Answer<N>>>
  /** Those that everything behind a key may answer are added. */
  problems: readonly N['problem'][]
}

type Spec<N extends Names> = Omit<Operation<N>, 'id' | 'method' | 'path' | 'tag'> & {
  at: [Operation['method'], Operation['path']]
}

/** How a surface's operations are written down, in its own names. */
export const specsOf = <N extends Names>() => ({
  /** The operations of one tag, by their ids. */
  operations: (tag: N['tag'], specs: Readonly<Record<string, Spec<N>>>): Operation<N>[] =>
    Object.entries(specs).map(
      ([
        id,
        {
          at: [method, path],
          ...rest
        },
      ]) => ({ id, method, path, tag, ...rest }),
    ),

  /** An answer with a JSON body. */
  json: (description: string, body: N['view'], example: unknown, headers?: HeadersOf<N['header']>): Answer<N> => ({
    description,
    body,
    example,
    ...(headers && { headers }),
  }),
})

export interface UnifiedNames {
  view: ViewName
  body: BodyName
  header: HeaderName
  tag: TagName
  problem: ProblemCode
}
export const { operations, json } = specsOf<UnifiedNames>()

/** What any operation behind a key may answer. */
export const COMMON_PROBLEMS = [
  'invalid_request',
  'unauthenticated',
  'insufficient_scope',
  'not_acceptable',
  'rate_limited',
  'internal_error',
  'store_unavailable',
] as const satisfies readonly ProblemCode[]

/** What an operation that reads a body may answer. */
export const BODY_PROBLEMS = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies readonly ProblemCode[]

/** What an operation that asks a backend may answer: its refusals, translated, and what keeps it from answering. */
export const BACKEND_PROBLEMS = [
  'insufficient_credits',
  'not_found',
  'payload_too_large',
  'concurrency_limit_reached',
  'quota_exceeded',
  'backend_error',
  'backend_credentials_rejected',
  'backend_unavailable',
  'backend_timeout',
] as const satisfies readonly ProblemCode[]

export const IDEMPOTENCY_PROBLEMS = [
  'idempotency_key_invalid',
  'idempotency_key_conflict',
  'idempotency_key_in_progress',
] as const satisfies readonly ProblemCode[]
