import type { JsonSchema } from './schema.ts'

export type JsonDocument = Readonly<Record<string, unknown>>

export interface ResponseDoc {
  readonly description: string
  /** Name of a component schema; `null`: no body. */
  readonly body: string | null
  readonly headers: Readonly<Record<string, 'always' | 'sometimes'>>
}

export interface OperationDoc {
  readonly name: string
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  readonly summary: string
  readonly scope?: string
  readonly parameters?: readonly JsonSchema[]
  readonly request?: JsonSchema
  readonly responses: Readonly<Record<number, ResponseDoc>>
  readonly callbacks?: JsonSchema
}

const HEADERS: Readonly<Record<string, { description: string; schema: JsonSchema }>> = {
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the current one-minute window.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': { description: 'Unix time in seconds when the window resets.', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 0 } },
  'X-Service-Next-Poll-At': {
    description: 'Absolute retry or poll time; mirrors next_poll_at of the body.',
    schema: { type: 'string', format: 'date-time' },
  },
  Location: { description: 'Absolute status URL of the video job.', schema: { type: 'string', format: 'uri' } },
  'Content-Location': {
    description: 'Absolute status URL of the video job.',
    schema: { type: 'string', format: 'uri' },
  },
  ...Object.fromEntries(
    ['Service-Operation-Id', 'X-Service-Operation-Id', 'Service-Request-Id', 'X-Service-Request-Id'].map((name) => [
      name,
      { description: 'Public id of the job.', schema: { type: 'string', pattern: '^api_video_' } },
    ]),
  ),
  'X-Service-Credits-Required': {
    description: 'Credits charged or required by the create.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Service-Credits-Remaining': {
    description: 'Credit balance after the create debit.',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': { description: 'The scheme that is wanted.', schema: { type: 'string' } },
}

const responseOf = ({ description, body, headers }: ResponseDoc): JsonSchema => ({
  description,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, when]) => [name, { ...HEADERS[name], required: when === 'always' }]),
  ),
  ...(body !== null && { content: { 'application/json': { schema: { $ref: `#/components/schemas/${body}` } } } }),
})

const operationOf = (operation: OperationDoc): JsonSchema => ({
  operationId: operation.name,
  summary: operation.summary,
  ...(operation.scope !== undefined && { description: `Required scope: \`${operation.scope}\`.` }),
  ...(operation.parameters && { parameters: operation.parameters }),
  ...(operation.request && {
    requestBody: { required: true, content: { 'application/json': { schema: operation.request } } },
  }),
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [status, responseOf(response)]),
  ),
  ...(operation.callbacks && { callbacks: operation.callbacks }),
})

/** An OpenAPI 3.1 document of one contract. */
export const documentOf = (service: {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly operations: readonly OperationDoc[]
  readonly schemas: Readonly<Record<string, JsonSchema>>
}): JsonDocument => {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of service.operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationOf(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: service.title,
      version: service.version,
      description: service.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This sandbox' }],
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, schemas: service.schemas },
  }
}
