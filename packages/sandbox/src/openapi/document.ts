import { z } from 'zod'
import type { Operation } from '../http.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** A closed JSON Schema (2020-12) of a zod schema, as an OpenAPI 3.1 component. */
export const fromZod = (schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'output' })
  return rest
}

type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

const kindOf = (value: unknown): Kind => {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'boolean' || kind === 'number' || kind === 'string' ? kind : 'object'
}

/**
 * The closed schema of a body that the contract does not show, read off the decision's own answers: so a variant
 * documents itself. A field that only some samples have is optional; `null` beside another type makes it nullable.
 */
export const byExample = (...samples: readonly unknown[]): JsonSchema => {
  const kinds = [...new Set(samples.map(kindOf))].toSorted()
  const [kind, ...others] = kinds
  if (kind === undefined) return {}
  if (others.length > 0) return { anyOf: kinds.map((one) => byExample(...samples.filter((s) => kindOf(s) === one))) }
  if (kind === 'array') return { type: 'array', items: byExample(...samples.flatMap((list) => asList(list))) }
  return kind === 'object' ? objectByExample(samples.map(asObject)) : { type: kind }
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? [...value] : [])

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const objectByExample = (samples: readonly Record<string, unknown>[]): JsonSchema => {
  const names = [...new Set(samples.flatMap(Object.keys))]
  const properties = Object.fromEntries(
    names.map((name) => [name, byExample(...samples.filter((s) => Object.hasOwn(s, name)).map((s) => s[name]))]),
  )
  const required = names.filter((name) => samples.every((sample) => Object.hasOwn(sample, name)))
  return { type: 'object', properties, required, additionalProperties: false }
}

/** A closed object with the fields of `base` and those of `more`; the fields of `optional` may be absent. */
export const joined = (base: JsonSchema, more: JsonSchema, optional: JsonSchema): JsonSchema => ({
  ...base,
  properties: { ...asObject(optional['properties']), ...asObject(more['properties']), ...asObject(base['properties']) },
  required: [...new Set([...asList(base['required']), ...asList(more['required'])])],
})

interface AliasGroup {
  readonly names: readonly string[]
  readonly schema: JsonSchema
  readonly required: boolean
}

export const needed = (names: readonly string[], schema: JsonSchema): AliasGroup => ({ names, schema, required: true })
export const allowed = (names: readonly string[], schema: JsonSchema): AliasGroup => ({
  names,
  schema,
  required: false,
})

/** A request body of alias groups (primary, "Alias convention"): one name of each required group must be there. */
export const aliased = (groups: readonly AliasGroup[]): JsonSchema => {
  const required = groups.filter((group) => group.required).map(({ names }) => names)
  const choices = required.filter((names) => names.length > 1)
  return {
    type: 'object',
    properties: Object.fromEntries(groups.flatMap(({ names, schema }) => names.map((name) => [name, schema]))),
    required: required.filter((names) => names.length === 1).flat(),
    additionalProperties: false,
    ...(choices.length > 0 && {
      allOf: choices.map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) })),
    }),
  }
}

export type JsonDocument = Readonly<Record<string, unknown>>

type Headers = Readonly<Record<string, 'always' | 'sometimes'>>

interface ResponseDoc {
  readonly description: string
  /** Name of a component schema; `null`: no body. */
  readonly body: string | null
  readonly headers: Headers
}
export type Responses = Readonly<Record<number, ResponseDoc>>

/** What an operation itself does not say of it; by its name. */
export type Docs = Readonly<Record<string, OperationDoc>>

interface OperationDoc {
  readonly summary: string
  readonly parameters?: readonly JsonSchema[]
  readonly request?: JsonSchema
  readonly responses: Responses
  readonly callbacks?: JsonSchema
}

export const all = (when: 'always' | 'sometimes', ...names: string[]): Headers =>
  Object.fromEntries(names.map((name) => [name, when]))

const RATE = all('always', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')

export const ok = (description: string, body: string | null, headers: Headers = {}): ResponseDoc => ({
  description,
  body,
  headers: { ...RATE, ...headers },
})

/** The refusals of some statuses, each as the contract's table describes it. */
export const errorsOf =
  (table: Readonly<Record<number, { description: string; headers?: Headers }>>) =>
  (...statuses: number[]): Responses =>
    Object.fromEntries(
      statuses.map((status) => [status, ok(table[status]?.description ?? '', 'Error', table[status]?.headers)]),
    )

const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const STATUS_URL = {
  description: 'Absolute status URL of the video job.',
  schema: { type: 'string', format: 'uri' },
}
const JOB_ID = { description: 'Public id of the job.', schema: { type: 'string', pattern: '^api_video_' } }

const HEADERS: Readonly<Record<string, { description: string; schema: JsonSchema }>> = {
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the current one-minute window.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: COUNT },
  'X-RateLimit-Reset': { description: 'Unix time in seconds when the window resets.', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: COUNT },
  'X-Service-Next-Poll-At': {
    description: 'Absolute retry or poll time; mirrors next_poll_at of the body.',
    schema: { type: 'string', format: 'date-time' },
  },
  Location: STATUS_URL,
  'Content-Location': STATUS_URL,
  'Service-Operation-Id': JOB_ID,
  'X-Service-Operation-Id': JOB_ID,
  'Service-Request-Id': JOB_ID,
  'X-Service-Request-Id': JOB_ID,
  'X-Service-Credits-Required': { description: 'Credits charged or required by the create.', schema: COUNT },
  'X-Service-Credits-Remaining': { description: 'Credit balance after the create debit.', schema: COUNT },
  'WWW-Authenticate': { description: 'The scheme that is wanted.', schema: { type: 'string' } },
}

const responseOf = ({ description, body, headers }: ResponseDoc): JsonSchema => ({
  description,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, when]) => [name, { ...HEADERS[name], required: when === 'always' }]),
  ),
  ...(body !== null && { content: { 'application/json': { schema: { $ref: `#/components/schemas/${body}` } } } }),
})

const operationOf = ({ name, scope }: Operation, doc: OperationDoc): JsonSchema => ({
  operationId: name,
  summary: doc.summary,
  ...(scope !== undefined && { description: `Required scope: \`${scope}\`.` }),
  ...(doc.parameters && { parameters: doc.parameters }),
  ...(doc.request && { requestBody: { required: true, content: { 'application/json': { schema: doc.request } } } }),
  responses: Object.fromEntries(
    Object.entries(doc.responses).map(([status, response]) => [status, responseOf(response)]),
  ),
  ...(doc.callbacks && { callbacks: doc.callbacks }),
})

/** An OpenAPI 3.1 document of one contract. Throws when an operation has no description. */
export const documentOf = (
  service: { readonly title: string; readonly version: string; readonly schemas: Readonly<Record<string, JsonSchema>> },
  operations: readonly Operation[],
  docs: Docs,
): JsonDocument => {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of operations) {
    const doc = docs[operation.name]
    if (!doc) throw new Error(`The operation ${operation.name} is not described.`)
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method]: operationOf(operation, doc) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: service.title,
      version: service.version,
      description: 'A local stand-in. What the contract does not show is decided by the sandbox (docs/sandbox.md).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This sandbox' }],
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, schemas: service.schemas },
  }
}
