import type { ProblemCode } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { componentSchemas, refTo } from './components.ts'
import { componentHeaders, headerRefs, rateHeaders, REQUEST_HEADERS, type HeadersOf } from './headers.ts'
import { fieldSchemas, type JsonSchema } from './json-schema.ts'
import { COMMON_PROBLEMS, type Answer, type Operation } from './operation.ts'
import { problemExamples, problemResponses, PROBLEM_TABLE } from './problems.ts'
import { INTRODUCTION, SURFACES, TAGS } from './prose.ts'
import { DELIVERY, ENDPOINT, EVENT } from './webhook-examples.ts'
import { webhooks } from './webhooks.ts'

const PATH_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  id: { description: 'Its id, as it was answered.', schema: { type: 'string' } },
  name: { description: 'Name of a configured backend.', schema: { type: 'string' }, example: 'main' },
}

/** What stands for `{id}` in an example. */
const exampleId = (path: string): string => {
  if (path.includes('/puppets/')) return 'main:puppet_ada'
  if (path.includes('/webhook_endpoints/')) return ENDPOINT.id
  if (path.includes('/events/')) return EVENT.id
  if (path.includes('/deliveries/')) return DELIVERY.id
  return 'vid_01M7WA9S7VF4P8S27TV0W2QQJ9'
}

const parametersOf = ({ path, query, requestHeaders = [] }: Operation): JsonSchema[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(name === 'id' && { example: exampleId(path) }),
    ...PATH_PARAMETERS[name],
  })),
  ...(query ? fieldSchemas(query) : []).map(({ name, required, schema: { description, ...schema } }) => ({
    name,
    in: 'query',
    required,
    ...(description !== undefined && { description }),
    schema,
  })),
  ...requestHeaders.map((name) => ({ name, in: 'header', required: false, ...REQUEST_HEADERS[name] })),
]

const contentOf = ({ body, raw, example }: Answer): JsonSchema => {
  if (raw)
    return {
      content: { [raw.mediaType]: { schema: { type: 'string' }, examples: { excerpt: { value: raw.example } } } },
    }
  if (!body) return {}
  return {
    content: { 'application/json': { schema: { $ref: refTo(body) }, ...(example !== undefined && { example }) } },
  }
}

const answerOf = (answer: Answer, rated: 'always' | 'sometimes' | null): JsonSchema => {
  const headers: HeadersOf = { 'X-Request-Id': 'always', ...(rated && rateHeaders(rated)), ...answer.headers }
  return { description: answer.description, headers: headerRefs(headers), ...contentOf(answer) }
}

const bodyOf = ({ body }: Operation): JsonSchema =>
  body === undefined
    ? {}
    : {
        requestBody: {
          required: !body.optional,
          content: { 'application/json': { schema: { $ref: refTo(body.name) }, examples: body.examples } },
        },
      }

/** An operation that promises no success by its number says what else there may be. Never `4XX`: generators refuse ranges. */
const withOthers = (responses: JsonSchema): JsonSchema => {
  if (Object.keys(responses).some((status) => status.startsWith('2'))) return responses
  const content = { 'application/problem+json': { schema: { $ref: refTo('Problem') } } }
  return { ...responses, default: { description: 'Anything else is a problem.', content } }
}

const operationOf = (operation: Operation): JsonSchema => {
  const { id, tag, summary, description, scope, signed } = operation
  const parameters = parametersOf(operation)
  const problems: ProblemCode[] = [...(scope === null ? [] : COMMON_PROBLEMS), ...operation.problems]
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    // A link that carries its own signature is nobody's request.
    answerOf(answer, scope === null ? null : signed ? 'sometimes' : 'always'),
  ])
  const words = [description, scope !== null && `Needs the scope \`${scope}\`.`].filter(Boolean)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(words.length > 0 && { description: words.join('\n\n') }),
    ...(scope !== null && { 'x-scope': scope }),
    security: scope === null ? [] : [{ bearer: [] }, ...(signed ? [{ signature: [] }] : [])],
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(operation),
    responses: withOthers({
      ...(Object.fromEntries(answers) as JsonSchema),
      ...problemResponses(problems, scope !== null),
    }),
  }
}

const pathsOf = (operations: readonly Operation[]): Record<string, Record<string, JsonSchema>> => {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationOf(operation) }
  return paths
}

/** Those of `parts` that `text` refers to. */
const usedIn = (text: string, kind: string, parts: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))

/** The OpenAPI 3.1 document of the whole table. `interfaces`: the kinds of backends that there are. Pure. */
export const openApiDocument = (operations: readonly Operation[], interfaces: readonly string[]): JsonSchema => {
  const used = new Set(operations.map(({ tag }) => tag))
  const schemas = componentSchemas(interfaces)
  const paths = pathsOf(operations)
  const events = webhooks()
  const text = JSON.stringify([paths, events, schemas])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Talkbridge',
      version: VERSION,
      summary: 'One API for talking-head videos, whichever backend makes them.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    security: [{ bearer: [] }],
    tags: TAGS.filter(({ name }) => used.has(name)),
    'x-tagGroups': SURFACES.map(({ name, tags }) => ({ name, tags: tags.filter((tag) => used.has(tag)) })),
    paths,
    webhooks: events,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A gateway key.' },
        signature: { type: 'apiKey', in: 'query', name: 'sig', description: 'Part of every `content_url`.' },
      },
      schemas: {
        ...schemas,
        Problem: {
          ...schemas['Problem'],
          description: `Every error (RFC 9457). \`code\` is for programs:\n\n${PROBLEM_TABLE()}`,
        },
      },
      headers: usedIn(text, 'headers', componentHeaders()),
      examples: usedIn(text, 'examples', problemExamples()),
    },
  }
}
