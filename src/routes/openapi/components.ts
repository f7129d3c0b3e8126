import { z } from 'zod'
import { PROBLEMS, PROBLEM_CODES, type ProblemCode } from '../../core/errors.ts'
import * as videos from '../../core/api/videos.ts'
import * as admin from '../../core/api/admin.ts'
import * as webhooks from '../../core/api/webhooks.ts'
import * as migration from '../../core/api/migration.ts'
import {
  CreateClientBody,
  CreateKeyBody,
  PatchClientBody,
  RotateKeyBody,
  CreateEndpointBody,
  PatchEndpointBody,
  ReplayBody,
  RotateSecretBody,
  CancelVideosBody,
  CreateVideoBody,
  CreatePuppetBody,
  CreateSpeechBody,
  CreateUploadBody,
  ImportVideoBody,
  NoteBody,
  PauseBody,
  ReplayFailedBody,
  SplitBody,
  StepBody,
  ResolveBody,
} from '../unified/input.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNull = (value: unknown): boolean => isObject(value) && value['type'] === 'null'

/** `anyOf: [X, null]` as `type: [x, null]`: says the same to a validator, and less to a reader. */
const nullable = (schema: JsonSchema): JsonSchema => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return schema
  const [first] = anyOf as unknown[]
  if (!isObject(first) || typeof first['type'] !== 'string') return schema
  const { enum: values } = first
  return {
    ...first,
    ...rest,
    type: [first['type'], 'null'],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  }
}

/** A record whose keys are known is an object with those fields. */
const spelledOut = (schema: JsonSchema): JsonSchema => {
  const { propertyNames, additionalProperties, ...rest } = schema
  const names = isObject(propertyNames) ? propertyNames['enum'] : undefined
  if (!Array.isArray(names)) return schema
  const properties = Object.fromEntries((names as unknown[]).map((name) => [String(name), additionalProperties]))
  return { ...rest, properties, additionalProperties: false }
}

/** Bounds of what a double holds, and the pattern beside a format, are noise to a reader. */
const withoutNoise = (schema: JsonSchema): JsonSchema => {
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !(key === 'minimum' && value === Number.MIN_SAFE_INTEGER) &&
      !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER) &&
      !(key === 'pattern' && schema['format'] === 'date-time'),
  )
  return Object.fromEntries(kept)
}

const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isObject(value)) return value
  const { documentedAs } = value
  if (isObject(documentedAs)) return documentedAs
  return nullable(
    spelledOut(
      withoutNoise(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, tidy(inner)] as const))),
    ),
  )
}

/** The JSON Schema (2020-12) that OpenAPI 3.1 takes, as a reader wants it. */
export const closed = (schema: JsonSchema): JsonSchema => {
  const { $schema: _schema, $id: _id, ...rest } = schema
  const tidied = tidy(rest)
  return isObject(tidied) ? tidied : {}
}

/** Of each field of a query. */
export const fieldSchemas = (query: z.ZodObject): { name: string; required: boolean; schema: JsonSchema }[] => {
  const { properties, required } = closed(z.toJSONSchema(query, { io: 'input' }))
  const needed = Array.isArray(required) ? (required as unknown[]) : []
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) =>
    isObject(schema) ? [{ name, required: needed.includes(name), schema }] : [],
  )
}

type Json = Readonly<Record<string, unknown>>

export type When = 'always' | 'sometimes'
/** The headers of a surface's answers. `prefix` is before the names of their components: surfaces spell some alike. */
export interface HeaderTable {
  readonly prefix: string
  readonly headers: Readonly<Record<string, { description: string; schema: Json }>>
}

const seconds = { type: 'integer', minimum: 1 } as const

/** Headers of answers. */
export const HEADERS = {
  'X-Request-Id': {
    description: "The request's own id if it is valid. Otherwise a new one.",
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before you retry or poll again.', schema: seconds },
  Location: {
    description: 'The path of the new resource, or the URL of a redirect.',
    schema: { type: 'string', pattern: '^/unified/v1/|^https?://' },
  },
  ETag: { description: 'Send it back in `If-None-Match`.', schema: { type: 'string', pattern: '^(W/)?".+"$' } },
  'Preference-Applied': {
    description: 'The `wait=N` of your `Prefer` that the gateway applied.',
    schema: { type: 'string', pattern: '^wait=\\d+$' },
  },
  'Idempotency-Replayed': {
    description: 'You used this `Idempotency-Key` before. The answer shows what it made, as it is now.',
    schema: { type: 'string', const: 'true' },
  },
  'X-Cache': {
    description: '`stale`: the answer is from the cache, and the gateway refreshes it now.',
    schema: { type: 'string', enum: ['hit', 'miss', 'stale'] },
  },
  'Talkbridge-Warning': {
    description:
      'The list is incomplete: whose items it lacks, and why. `incomplete; backend=NAME; reason=CODE`, separated by commas.',
    schema: { type: 'string', pattern: '^incomplete; backend=[a-z0-9_-]+; reason=[a-z_]+' },
  },
  Allow: { description: 'The methods that this path has.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'The authentication scheme to use.', schema: { type: 'string', const: 'Bearer' } },
  RateLimit: {
    description:
      'The requests that you have left (`r`), and the seconds until you get more (`t`). A structured field of an IETF draft.',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
  },
  'RateLimit-Policy': {
    description:
      'The requests (`q`) that you may send in a sliding window of seconds (`w`). A structured field of an IETF draft.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
  },
  'X-RateLimit-Limit': {
    description: 'The requests that you may send in a minute.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Remaining': {
    description: 'The requests that you have left in this minute.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'The time when you get more requests, in Unix seconds.',
    schema: { type: 'integer' },
  },
} as const satisfies Record<string, { description: string; schema: Json }>
export type HeaderName = keyof typeof HEADERS
export const UNIFIED_HEADERS: HeaderTable = { prefix: '', headers: HEADERS }
/** Which headers an answer has, and whether each is there in every case. */
export type HeadersOf<Name extends string = string> = Partial<Record<Name, When>>

/** Short, because hundreds of answers refer to it. */
const partOf = ({ prefix }: HeaderTable, name: string, when: When): string =>
  `${prefix}${name.replace('X-RateLimit-', '')}${when === 'always' ? '' : '-maybe'}`

export const headerRefs = (table: HeaderTable, headers: HeadersOf): Json =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, when]) =>
      when === undefined ? [] : [[name, { $ref: `#/components/headers/${partOf(table, name, when)}` }]],
    ),
  )

/** Each header twice: one that is always there, one that may be. */
export const componentHeaders = (table: HeaderTable): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(table.headers).flatMap(([name, header]) => [
      [partOf(table, name, 'always'), { ...header, required: true }],
      [partOf(table, name, 'sometimes'), { ...header, required: false }],
    ]),
  )

export const allOf = (names: readonly string[], when: When): HeadersOf =>
  Object.fromEntries(names.map((name) => [name, when]))

/** On every answer to a client that is known. */
export const RATE_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly HeaderName[]

/** A page sends each `example` with every request that it tries: only what is always right has one. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'A key of your choice, such as `order-1001`. The same key and body make one thing, however often you send them. The same key with another body gets 409.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  Prefer: {
    description: '`wait=N`: the answer comes when the video has ended, or after N seconds. More than 60 counts as 60.',
    schema: { type: 'string' },
    example: 'wait=30',
  },
  'If-None-Match': {
    description: 'The `ETag` of an earlier answer. You get 304 while nothing changed.',
    schema: { type: 'string' },
    example: '"q2h0xGkLrJmZ8w4Tz1VbN5sYc7d"',
  },
  'Last-Event-ID': {
    description: 'The last `id:` that you received. The stream continues after it.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, { description: string; schema: Json; example?: string }>
export type RequestHeaderName = keyof typeof REQUEST_HEADERS

const EXAMPLE_REQUEST = 'req_01M7WA9S7VF4P8S27TV0W2QQJ9'
const LIMITED = { retry_after_seconds: 12, retry_at: '2026-11-20T12:00:12.000Z' }
const NEVER = { retry_after_seconds: null, retry_at: null }
const FAULTS: Partial<Record<ProblemCode, videos.ProblemView['errors']>> = {
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

const exampleOf = (code: ProblemCode): videos.ProblemView => {
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

export const problemExamples = (): Record<string, { summary: string; value: videos.ProblemView }> =>
  Object.fromEntries(PROBLEM_CODES.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleOf(code) }]))

/** The whole table, as people read it. */
const PROBLEM_TABLE = [
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
          // What else it is, `Problem` says: the same again would make the document a tenth larger.
          { properties: { code: { type: 'string', enum: codes } } },
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

const VideoList = videos.listOf(videos.VideoView)
const BackendVideoList = videos.listOf(videos.BackendVideoView)

const Timeline = z.array(videos.TimelineEntryView).optional().describe('Present only with `expand=timeline`')

/** What is answered. */
export const VIEWS = {
  Video: videos.VideoView,
  VideoWithTimeline: videos.VideoView.extend({ timeline: Timeline }),
  VideoList,
  AdminVideo: videos.AdminVideoView,
  AdminVideoWithTimeline: videos.AdminVideoView.extend({ timeline: Timeline }),
  AdminVideoList: videos.listOf(videos.AdminVideoView),
  AdminEventList: videos.listOf(admin.AdminEventView),
  AdminDeliveryList: videos.listOf(admin.AdminDeliveryView),
  AdminDeliveryWithAttempts: admin.AdminDeliveryWithAttemptsView,
  AdminEndpoint: admin.AdminEndpointView,
  AdminEndpointDetail: admin.AdminEndpointDetailView,
  AdminEndpointList: videos.listOf(admin.AdminEndpointView),
  ClientUsageList: videos.listOf(admin.ClientUsageView),
  DeliveryTarget: webhooks.DeliveryView.shape.target,
  Capabilities: videos.BackendView.shape.capabilities,
  BackendVideo: videos.BackendVideoView,
  VideoRow: videos.VideoRowView,
  VideoRowList: videos.VideoRowListView,
  BackendVideoList,
  VideoListOfOrigin: z.union([VideoList, BackendVideoList]).describe('Jobs of the backend only with `origin=backend`'),
  Cancellation: videos.CancellationView,
  Deletion: videos.DeletionView,
  // The same in each form of a video: the document has them once.
  VideoStatus: videos.VideoView.shape.status,
  VideoInput: videos.VideoView.shape.input,
  VideoRouting: videos.VideoView.shape.routing,
  VideoDoubt: videos.AdminVideoView.shape.doubt,
  VideoError: videos.VideoView.shape.error,
  VideoQueue: videos.VideoView.shape.queue,
  VideoWarnings: videos.VideoView.shape.warnings,
  VideoCredits: videos.VideoView.shape.credits,
  EndpointEvents: webhooks.EndpointView.shape.events,
  EndpointReplay: webhooks.EndpointView.shape.replay,
  Download: videos.DownloadView,
  Check: videos.CheckView,
  Voice: videos.VoiceView,
  VoiceList: videos.listOf(videos.VoiceView),
  Puppet: videos.PuppetView,
  PuppetList: videos.listOf(videos.PuppetView),
  Speech: videos.SpeechView,
  Upload: videos.UploadView,
  Usage: videos.UsageView,
  Backend: videos.BackendView,
  BackendPause: videos.BackendView.shape.paused,
  BackendList: videos.BackendListView,
  BackendDetail: admin.BackendDetailView,
  Overview: admin.OverviewView,
  OverviewSeries: admin.OverviewSeriesView,
  Drift: videos.DriftView,
  DriftList: videos.listOf(videos.DriftView),
  MigrationReport: migration.MigrationReportView,
  WebhookSecret: videos.WebhookSecretView,
  WebhookEndpoint: webhooks.EndpointView,
  DisabledReason: webhooks.EndpointView.shape.disabled_reason,
  Attempts: webhooks.DeliveryWithAttemptsView.shape.attempts,
  ListedAttempts: webhooks.ListedDeliveryView.shape.attempts,
  WebhookEndpointDetail: webhooks.EndpointDetailView,
  WebhookEndpointWithSecret: webhooks.EndpointWithSecretView,
  WebhookEndpointList: videos.listOf(webhooks.EndpointView),
  WebhookTest: webhooks.EndpointTestView,
  Event: webhooks.EventView,
  EventType: webhooks.EventView.shape.type,
  EventList: videos.listOf(webhooks.EventView),
  Delivery: webhooks.ListedDeliveryView,
  DeliveryWithAttempts: webhooks.DeliveryWithAttemptsView,
  DeliveryList: videos.listOf(webhooks.ListedDeliveryView),
  Redelivery: webhooks.RedeliveryView,
  Replay: webhooks.ReplayView,
  VideoEvent: webhooks.VideoEventView,
  EndpointDisabledEvent: webhooks.EndpointDisabledView,
  RoutingStoppedEvent: migration.RoutingStoppedView,
  QuotaWarningEvent: webhooks.QuotaWarningView,
  WebhookTestEvent: webhooks.WebhookTestView,
  Migration: migration.MigrationView,
  Outcome: migration.OutcomeView,
  SuccessRate: migration.OutcomeView.shape.success,
  Split: migration.SplitView,
  Key: admin.KeyView,
  KeyWithSecret: admin.KeyWithSecretView,
  KeyList: videos.listOf(admin.KeyView),
  Client: admin.ClientView,
  ClientList: videos.listOf(admin.ClientView),
  AuditEntry: admin.AuditEntryView,
  AuditEntryList: videos.listOf(admin.AuditEntryView),
  Problem: videos.ProblemView.describe(
    `Every error has this form (RFC 9457). \`code\` is for programs:\n\n${PROBLEM_TABLE}`,
  ),
  BackendError: videos.BackendErrorView,
  OpenApi: z.looseObject({ openapi: z.string() }).describe('Opaque here: the OpenAPI specification describes it'),
  Health: z.strictObject({ status: z.enum(['ok', 'ready']) }),
} as const satisfies Record<string, z.ZodType>
export type ViewName = keyof typeof VIEWS

/** What is sent. */
export const BODIES = {
  CreateVideo: CreateVideoBody,
  CancelVideos: CancelVideosBody,
  ImportVideo: ImportVideoBody,
  CreatePuppet: CreatePuppetBody,
  CreateSpeech: CreateSpeechBody,
  CreateUpload: CreateUploadBody,
  ResolveVideo: ResolveBody,
  CreateWebhookEndpoint: CreateEndpointBody,
  UpdateWebhookEndpoint: PatchEndpointBody,
  RotateSecret: RotateSecretBody,
  ReplayEvents: ReplayBody,
  OperatorNote: NoteBody,
  ReplayFailed: ReplayFailedBody,
  PauseBackend: PauseBody,
  StepSplit: StepBody,
  ChangeSplit: SplitBody,
  CreateKey: CreateKeyBody,
  RotateKey: RotateKeyBody,
  CreateClient: CreateClientBody,
  UpdateClient: PatchClientBody,
} as const satisfies Record<string, z.ZodType>
export type BodyName = keyof typeof BODIES

export const refTo = (name: string): string => `#/components/schemas/${name}`

const schemasOf = (
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
  interfaces: readonly string[],
): Record<string, JsonSchema> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const { schemas: made } = z.toJSONSchema(registry, {
    io,
    uri: refTo,
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === videos.InterfaceField) jsonSchema.examples = [...interfaces]
    },
  })
  return Object.fromEntries(Object.entries(made).map(([id, schema]) => [id, closed(schema)]))
}

export const componentSchemas = (
  { views, bodies }: Readonly<Record<'views' | 'bodies', Readonly<Record<string, z.ZodType>>>>,
  interfaces: readonly string[],
): Record<string, JsonSchema> => ({
  ...schemasOf(views, 'output', interfaces),
  ...schemasOf(bodies, 'input', interfaces),
})
