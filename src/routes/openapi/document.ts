import {
  componentSchemas,
  refTo,
  allOf,
  componentHeaders,
  headerRefs,
  REQUEST_HEADERS,
  type When,
  fieldSchemas,
  type JsonSchema,
  BODIES,
  VIEWS,
  RATE_HEADERS,
  UNIFIED_HEADERS,
  problemExamples,
  problemResponses,
} from './components.ts'
import {
  type Answer,
  type Operation,
  type DocumentInfo,
  type SurfaceDocs,
  COMMON_PROBLEMS,
  type UnifiedNames,
  GROUPS,
  INTRODUCTION,
  TAGS,
  OF_ALL_SURFACES,
} from './operation.ts'
import { isProblemCode } from '../../core/errors.ts'
import { VERSION, type Surface } from '../../core/vocabulary.ts'
import { EXAMPLE_IDS } from '../../core/ids.ts'
import { webhooks } from './webhooks.ts'
import { ALTERNATE_SURFACE } from '../dropin/alternate/spec.ts'
import { PRIMARY_SURFACE } from '../dropin/primary/spec.ts'
import { UNIFIED_OPERATIONS } from '../unified/routes.ts'
import { GATEWAY_OPERATIONS } from '../ops/gateway.ts'

const parametersOf = ({ pathParameter }: SurfaceDocs, operation: Operation): JsonSchema[] => {
  const { path, query, requestHeaders = [] } = operation
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      ...pathParameter(name, path),
    })),
    ...(query ? fieldSchemas(query) : []).map(
      ({ name, required, schema: { description, style, explode, example, ...schema } }) => ({
        name,
        in: 'query',
        required,
        ...(style !== undefined && { style, explode }),
        ...(description !== undefined && { description }),
        schema,
        ...(example !== undefined && { example }),
      }),
    ),
    ...requestHeaders.map((name) => ({ name, in: 'header', required: false, ...REQUEST_HEADERS[name] })),
  ]
}

const contentOf = ({ body, raw, example }: Answer): JsonSchema => {
  if (!raw && !body) return {}
  return {
    content: {
      ...(body && { 'application/json': { schema: { $ref: refTo(body) }, ...(example !== undefined && { example }) } }),
      ...(raw && { [raw.mediaType]: { schema: { type: 'string' }, examples: { excerpt: { value: raw.example } } } }),
    },
  }
}

const answerOf = ({ headers, rateHeaders }: SurfaceDocs, answer: Answer, rated: When | null): JsonSchema => ({
  description: answer.description,
  headers: headerRefs(headers, {
    'X-Request-Id': 'always',
    ...(rated && allOf(rateHeaders, rated)),
    ...answer.headers,
  }),
  ...contentOf(answer),
})

const bodyOf = ({ body }: Operation): JsonSchema =>
  body === undefined
    ? {}
    : {
        requestBody: {
          required: !body.optional,
          content: { 'application/json': { schema: { $ref: refTo(body.name) }, examples: body.examples } },
        },
      }

/**
 * An operation that promises no success by its number says what else there may be. Never `4XX`: generators refuse
 * ranges.
 */
const withOthers = (responses: Record<string, JsonSchema>): Record<string, JsonSchema> => {
  if (Object.keys(responses).some((status) => status.startsWith('2'))) return responses
  const content = { 'application/problem+json': { schema: { $ref: refTo('Problem') } } }
  return { ...responses, default: { description: 'Every other answer is a problem.', content } }
}

interface OperationObject {
  readonly [field: string]: unknown
  readonly parameters?: readonly JsonSchema[]
  readonly responses: Readonly<Record<string, JsonSchema>>
}

const operationOf = (surface: SurfaceDocs, operation: Operation): OperationObject => {
  const { id, tag, summary, description, scope, signed, onSandbox } = operation
  const parameters = parametersOf(surface, operation)
  const answers = Object.entries(operation.answers).map(([status, answer]): [string, JsonSchema] => [
    status,
    // A link that carries its own signature is nobody's request.
    answerOf(surface, answer, scope === null ? null : signed ? 'sometimes' : 'always'),
  ])
  const words = [
    description,
    scope !== null && `Needs the scope \`${scope}\`.`,
    onSandbox && `The sandbox of \`npm start\` answers the example with ${onSandbox.status}, because ${onSandbox.why}.`,
  ].filter(Boolean)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(words.length > 0 && { description: words.join('\n\n') }),
    ...(scope !== null && { 'x-scope': scope }),
    ...(onSandbox && { 'x-sandbox-status': onSandbox.status }),
    security: scope === null ? [] : [{ bearer: [] }, ...(signed ? [{ signature: [] }] : [])],
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(operation),
    responses: withOthers({ ...Object.fromEntries(answers), ...surface.refusals(operation) }),
  }
}

type Methods = Record<string, OperationObject>

const pathsOf = (surfaces: readonly SurfaceDocs[]): Record<string, Methods> => {
  const paths: Record<string, Methods> = {}
  for (const surface of surfaces)
    for (const operation of surface.operations)
      paths[operation.path] = { ...paths[operation.path], [operation.method]: operationOf(surface, operation) }
  return paths
}

/** What is several times, once, by name: `replace` gives a reference to it in its place. */
const createShared = (
  kind: 'parameters' | 'responses' | 'examples',
  all: readonly JsonSchema[],
  nameOf: (part: JsonSchema) => string,
) => {
  const uses = Map.groupBy(all, (part) => JSON.stringify(part))
  const named = new Map<string, { name: string; part: JsonSchema }>()
  const taken = new Set<string>()
  for (const [text, [part, ...more]] of uses) {
    if (!part || more.length === 0) continue
    const base = nameOf(part)
    let name = base
    for (let n = 2; taken.has(name); n += 1) name = `${base}-${n}`
    taken.add(name)
    named.set(text, { name, part })
  }
  return {
    parts: Object.fromEntries([...named.values()].map(({ name, part }) => [name, part])),
    replace: (part: JsonSchema): JsonSchema => {
      const found = named.get(JSON.stringify(part))
      return found ? { $ref: `#/components/${kind}/${found.name}` } : part
    },
  }
}

/** The name of the one example of an answer, where another answer has the same. */
const ONE = 'example'

/** By the codes of its problems, else by its status. */
const responseName = (status: string, { content }: JsonSchema): string => {
  const examples: unknown = Reflect.get(Object(Object.values(Object(content))[0]), 'examples')
  const [code, ...more] = Object.keys(Object(examples))
  if (code === undefined || code === ONE) return `answer-${status}`
  return more.length === 0 ? code : `${code}-etc`
}

const mapped = <T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

type Media = Readonly<{ example?: unknown; examples?: Readonly<Record<string, JsonSchema>> }>
const mediaOf = ({ content }: JsonSchema): Readonly<Record<string, Media>> => ({ ...Object(content) })

/** Answers that are alike but for a header or their words have one example. */
const sharedExamples = (responses: readonly JsonSchema[]) => {
  const values = responses
    .flatMap((response) => Object.values(mediaOf(response)))
    .flatMap(({ example, examples = {} }) => (example === undefined ? Object.values(examples) : [{ value: example }]))
    .filter((one) => 'value' in one)
  const shared = createShared('examples', values, ({ value }) => {
    const { object, error, code } = Object(value)
    return `example-${[object, code, error, Object(error).code].find((name) => typeof name === 'string') ?? 'answer'}`
  })
  const ofMedia = (media: Media): Media => {
    const { example, examples, ...rest } = media
    if (examples) return { ...rest, examples: mapped(examples, shared.replace) }
    const given = { value: example }
    const found = shared.replace(given)
    return found === given ? media : { ...rest, examples: { [ONE]: found } }
  }
  const replace = (response: JsonSchema): JsonSchema =>
    response['content'] === undefined ? response : { ...response, content: mapped(mediaOf(response), ofMedia) }
  return { parts: shared.parts, replace }
}

/** Answers, their examples and parameters of several operations are written once, among the components. */
const sharedOf = (given: Readonly<Record<'paths' | 'webhooks', Readonly<Record<string, Methods>>>>) => {
  const all = Object.values(given).flatMap((paths) => Object.values(paths).flatMap((methods) => Object.values(methods)))
  const examples = sharedExamples(all.flatMap(({ responses }) => Object.values(responses)))
  const withExamples = (operation: OperationObject): OperationObject => ({
    ...operation,
    responses: mapped(operation.responses, examples.replace),
  })
  const paths = mapped(given.paths, (methods) => mapped(methods, withExamples))
  const webhooks = mapped(given.webhooks, (methods) => mapped(methods, withExamples))
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods))
  const statuses = new Map(
    operations
      .flatMap(({ responses }) => Object.entries(responses))
      .map(([status, one]) => [JSON.stringify(one), status]),
  )
  const parameters = createShared(
    'parameters',
    operations.flatMap((one) => one.parameters ?? []),
    ({ name }) => String(name),
  )
  const responses = createShared(
    'responses',
    operations.flatMap((one) => Object.values(one.responses)),
    (part) => responseName(statuses.get(JSON.stringify(part)) ?? '', part),
  )
  const replaced = (operation: OperationObject): OperationObject => ({
    ...operation,
    ...(operation.parameters && { parameters: operation.parameters.map(parameters.replace) }),
    responses: mapped(operation.responses, responses.replace),
  })
  return {
    paths: mapped(paths, (methods) => mapped(methods, replaced)),
    webhooks: mapped(webhooks, (methods) => mapped(methods, replaced)),
    parameters: parameters.parts,
    responses: responses.parts,
    examples: examples.parts,
  }
}

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A gateway key.' },
  signature: {
    type: 'apiKey',
    in: 'query',
    name: 'sig',
    description: 'The signature in every `content_url` and `events_url`.',
  },
}

type Parts = Readonly<Record<string, unknown>>
const joined = (parts: readonly Parts[]): Parts => Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
const kept = (parts: Parts, keep: (name: string) => boolean): Parts =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => keep(name)))

/** The OpenAPI 3.1 document of some surfaces. `interfaces`: the kinds of backends that there are. Pure. */
const openApiDocument = (
  surfaces: readonly SurfaceDocs[],
  info: DocumentInfo,
  interfaces: readonly string[],
): JsonSchema => {
  const used = new Set(surfaces.flatMap(({ operations }) => operations.map(({ tag }) => tag)))
  const schemas = joined(surfaces.map((surface) => componentSchemas(surface, interfaces)))
  // Each is one operation, as `webhooks.ts` makes it.
  const received = joined(surfaces.map(({ webhooks: made }) => made())) as Record<string, Methods>
  const { paths, webhooks, parameters, responses, examples } = sharedOf({
    paths: pathsOf(surfaces),
    webhooks: received,
  })
  const text = JSON.stringify([paths, parameters, responses, webhooks, schemas])
  const isReferred = (kind: string) => (name: string) => text.includes(`"#/components/${kind}/${name}"`)
  const groups = surfaces.flatMap((surface) => surface.groups)
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This gateway' }],
    security: [{ bearer: [] }],
    tags: surfaces.flatMap(({ tags }) => tags.filter(({ name }) => used.has(name))),
    'x-tagGroups': groups.map(({ name, tags }) => ({ name, tags: tags.filter((tag) => used.has(tag)) })),
    paths,
    webhooks,
    components: {
      securitySchemes: kept(SECURITY, (name) => text.includes(`{"${name}":[]}`)),
      schemas,
      parameters,
      responses,
      headers: kept(joined(surfaces.map(({ headers }) => componentHeaders(headers))), isReferred('headers')),
      examples: {
        ...kept(joined(surfaces.map((surface) => surface.examples())), isReferred('examples')),
        ...examples,
      },
    },
  }
}

const PATH_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  id: { description: 'The id, as an earlier answer showed it.', schema: { type: 'string' } },
  name: { description: 'The name of a backend of the configuration.', schema: { type: 'string' }, example: 'main' },
}

/** What represents `{id}` in an example, by what is before it; the sandbox's gateway has one of each. */
const EXAMPLES: readonly (readonly [RegExp, string])[] = [
  [/\/puppets\//, `main:${EXAMPLE_IDS.puppet}`],
  [/endpoints\//, EXAMPLE_IDS.endpoint],
  [/\/deliveries\//, EXAMPLE_IDS.delivery],
  [/\/keys\//, EXAMPLE_IDS.key],
  [/\/clients\//, EXAMPLE_IDS.client],
  [/\/cancel$/, EXAMPLE_IDS.canceledVideo],
  [/\/videos\//, EXAMPLE_IDS.video],
  [/\/events\//, EXAMPLE_IDS.event],
]
const exampleId = (path: string): string | undefined => EXAMPLES.find(([where]) => where.test(path))?.[1]

/** The unified API and what the gateway says of itself. */
const unifiedSurface = (operations: readonly Operation<UnifiedNames>[]): SurfaceDocs => ({
  name: 'unified',
  info: {
    title: 'Talkbridge: unified API',
    version: VERSION,
    summary: 'One API to make talking-head videos on any of your backends.',
    description: INTRODUCTION,
  },
  tags: TAGS,
  groups: GROUPS,
  operations,
  views: VIEWS,
  bodies: BODIES,
  headers: UNIFIED_HEADERS,
  rateHeaders: RATE_HEADERS,
  pathParameter: (name, path) => ({ ...(name === 'id' && { example: exampleId(path) }), ...PATH_PARAMETERS[name] }),
  refusals({ scope, problems }) {
    const own = problems.filter(isProblemCode)
    return problemResponses(scope === null ? own : [...COMMON_PROBLEMS, ...own], scope !== null)
  },
  examples: problemExamples,
  webhooks,
})

const UNIFIED_SURFACE = unifiedSurface([...UNIFIED_OPERATIONS, ...GATEWAY_OPERATIONS])
/** Everything that the gateway serves, in the order of the document. */
export const SURFACE_DOCS: readonly SurfaceDocs[] = [UNIFIED_SURFACE, PRIMARY_SURFACE, ALTERNATE_SURFACE]

const prefixed = (surface: string, id: string): string => `${surface}${id.slice(0, 1).toUpperCase()}${id.slice(1)}`

/** Beside each other: an operation whose id an earlier surface has gets its own surface's name before it. */
const together = SURFACE_DOCS.map((surface, at) => {
  const taken = new Set(SURFACE_DOCS.slice(0, at).flatMap(({ operations }) => operations.map(({ id }) => id)))
  const operations = surface.operations.map((operation) =>
    taken.has(operation.id) ? { ...operation, id: prefixed(surface.name, operation.id) } : operation,
  )
  return { ...surface, operations }
})

/** The operations of the document of all surfaces. */
export const OPERATIONS: readonly Operation[] = together.flatMap(({ operations }) => operations)

/** The document of one surface, or of all. `interfaces`: the kinds of backends that there are. */
export const documentOf = (name: Surface | 'all', interfaces: readonly string[]): JsonSchema => {
  const { info } = UNIFIED_SURFACE
  if (name !== 'all') {
    const those = SURFACE_DOCS.filter((surface) => surface.name === name)
    return openApiDocument(those, those[0]?.info ?? info, interfaces)
  }
  const description = `${info.description}\n\n${OF_ALL_SURFACES}`
  return openApiDocument(together, { ...info, title: 'Talkbridge', description }, interfaces)
}
