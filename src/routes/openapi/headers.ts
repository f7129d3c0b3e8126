type Json = Readonly<Record<string, unknown>>

export type When = 'always' | 'sometimes'
/** The headers of a surface's answers. `prefix` stands before the names of their components: surfaces spell some alike. */
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

const partOf = ({ prefix }: HeaderTable, name: string, when: When): string =>
  `${prefix}${name}${when === 'always' ? '' : '-optional'}`

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
