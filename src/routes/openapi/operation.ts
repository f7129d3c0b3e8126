import type { z } from 'zod'
import type { ProblemCode } from '../../core/errors.ts'
import type { Scope, Surface } from '../../core/vocabulary.ts'
import type {
  BodyName,
  ViewName,
  HeaderName,
  HeadersOf,
  RequestHeaderName,
  HeaderTable,
  JsonSchema,
} from './components.ts'

/** The words around the operations. */

export const TAGS = [
  { name: 'Videos', description: 'Make, read and follow videos on any backend.' },
  { name: 'Voices and portraits', description: 'The voices and saved portraits (puppets) that you make videos from.' },
  { name: 'Audio', description: 'Turn text into speech, and upload audio to make videos from.' },
  {
    name: 'Backends',
    description: 'What each backend can do, what is left of its budget, and what it sends outside its contract.',
  },
  { name: 'Webhooks', description: 'Receive signed events instead of polling.' },
  {
    name: 'Administration',
    description:
      'For operators: videos, events and usage of all clients, creates in doubt, keys, clients, migration and the audit log.',
  },
  { name: 'Operations', description: 'Liveness, readiness, metrics and this document. You need no key.' },
] as const
export type TagName = (typeof TAGS)[number]['name']

/** How a reader finds the tags. */
export const GROUPS: readonly { name: string; tags: readonly TagName[] }[] = [
  {
    name: 'Unified API',
    tags: ['Videos', 'Voices and portraits', 'Audio', 'Backends', 'Webhooks', 'Administration'],
  },
  { name: 'The gateway itself', tags: ['Operations'] },
]

export const INTRODUCTION = `
Send JSON over HTTP, and a gateway key with every request:

\`\`\`
curl $GATEWAY/unified/v1/videos -H "Authorization: Bearer $KEY" \\
  --json '{"image_url": "https://example.com/anna.png", "text": "Hello."}'
\`\`\`

Field names are in \`snake_case\`. Times are ISO 8601 in UTC, with milliseconds. Treat ids as opaque.

**Make a video** and you get 202 immediately. Then follow the video as you like: with a signed webhook (\`webhook_url\`), one long
poll (\`Prefer: wait=30\`), plain polling (\`Retry-After\` says when), or a stream of events. Reads cost the backends nothing,
however often you send them.

**You never pay twice.** Send an \`Idempotency-Key\`, and retry as often as you like: the same key and body give the same video. If
the outcome of a create is unknown, you get 202 with \`queued\`. You never get an error that makes you pay again.

**The gateway drops nothing silently.** Unknown fields get 400, and the answer names each one. An option that the backend does not
have gets 422 \`capability_not_supported\`. With \`unsupported: warn\` the gateway makes the video without it, and lists it in
\`warnings\`.

**Errors** are \`application/problem+json\` (RFC 9457). Each has a \`code\` for programs, \`retryable\`, and \`Retry-After\` if waiting
helps. The schema *Problem* has the table of codes. A method that a path does not have gets 405 with \`Allow\`.

**Lists** have \`limit\` items (1 to 100) on a page. Send \`next_cursor\` to get the next page.

**Limits** of your client are in \`RateLimit\` and \`X-RateLimit-*\`. Above a limit you get 429.

**\`X-Request-Id\`** is on every answer. Give it to your operator when you report a problem.

The [guide](/docs/guide/api.html) shows everything with examples, one topic on each page.
`.trim()

/** Below it in the document of all surfaces. */
export const OF_ALL_SURFACES = `
**Drop-in surfaces.** A client of one of the two services changes only its base URL. \`/api/v1\` works like the primary interface,
\`/v1\` like the alternate one. Any backend can make the video. Errors, headers and limits are those of the two contracts.

\`/openapi.json?surface=primary\`, \`alternate\` or \`unified\` describes only that surface. In this document, operations with the same
name begin with the name of their surface. The drop-in guide is [here](/docs/guide/dropin.html).
`.trim()

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

export type Spec<N extends Names> = Omit<Operation<N>, 'id' | 'method' | 'path' | 'tag'> & {
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

export interface DocumentInfo {
  title: string
  version: string
  summary: string
  description: string
}

/** Everything in which the documents of two surfaces differ. */
export interface SurfaceDocs {
  name: Surface
  info: DocumentInfo
  tags: readonly { name: string; description: string }[]
  /** How a reader finds the tags: `x-tagGroups`. */
  groups: readonly { name: string; tags: readonly string[] }[]
  operations: readonly Operation[]
  /** What is answered and what is sent, by names that no other surface has. */
  views: Readonly<Record<string, z.ZodType>>
  bodies: Readonly<Record<string, z.ZodType>>
  headers: HeaderTable
  /** On answers to a client that is known. */
  rateHeaders: readonly string[]
  /** What is known of a parameter of a path, beside its name. */
  pathParameter: (name: string, path: string) => JsonSchema
  /** The answers of an operation that are errors. */
  refusals: (operation: Operation) => Readonly<Record<string, JsonSchema>>
  /** Of refusals, by name. */
  examples: () => Readonly<Record<string, unknown>>
  webhooks: () => Readonly<Record<string, JsonSchema>>
}
