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
  'X-Request-Id': { description: "The request's own id if it is sane, else a new one.", schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds after which asking again makes sense.', schema: seconds },
  Location: { description: 'Path of what was made.', schema: { type: 'string', pattern: '^/unified/v1/|^https?://' } },
  ETag: { description: 'For `If-None-Match`.', schema: { type: 'string', pattern: '^(W/)?".+"$' } },
  'Preference-Applied': {
    description: 'The `Prefer: wait=N` that was honoured.',
    schema: { type: 'string', pattern: '^wait=\\d+$' },
  },
  'Idempotency-Replayed': {
    description: 'This key was used before: here is what it made, as it is now.',
    schema: { type: 'string', const: 'true' },
  },
  'X-Cache': {
    description: '`stale`: refreshed behind this answer.',
    schema: { type: 'string', enum: ['hit', 'miss', 'stale'] },
  },
  'Talkbridge-Warning': {
    description: 'The list lacks something: whose items, and why. `incomplete; backend=NAME; reason=CODE`, by commas.',
    schema: { type: 'string', pattern: '^incomplete; backend=[a-z0-9_-]+; reason=[a-z_]+' },
  },
  Allow: { description: 'The methods that are.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'The scheme that is wanted.', schema: { type: 'string', const: 'Bearer' } },
  RateLimit: {
    description: 'Requests left (`r`), and in how many seconds there are more (`t`): IETF draft, a structured field.',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
  },
  'RateLimit-Policy': {
    description: 'Requests (`q`) within a window of seconds (`w`), which slides: IETF draft, a structured field.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
  },
  'X-RateLimit-Limit': { description: 'Requests a minute.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Remaining': { description: 'Requests left of them.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': { description: 'Unix seconds at which there are more.', schema: { type: 'integer' } },
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

export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description: 'The same key and body make one thing, however often they are sent; another body is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
    example: '5f0c6a52-order-1001',
  },
  Prefer: {
    description: '`wait=N`: holds the answer until the video is terminal, N seconds (1 to 60) at most.',
    schema: { type: 'string' },
    example: 'wait=30',
  },
  'If-None-Match': {
    description: 'The `ETag` of an answer: 304 while nothing changed.',
    schema: { type: 'string' },
    example: '"q2h0xGkLrJmZ8w4Tz1VbN5sYc7d"',
  },
  'Last-Event-ID': {
    description: 'The last `id:` that was read: resumes after it.',
    schema: { type: 'string' },
    example: 'q2h0xGkLrJmZ8w4Tz1VbN5sYc7dx',
  },
} as const satisfies Record<string, { description: string; schema: Json; example: string }>
export type RequestHeaderName = keyof typeof REQUEST_HEADERS
