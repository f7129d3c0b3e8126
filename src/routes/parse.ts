import { allNames, type Backends, namedBy } from '../engine/index.ts'
import { z } from 'zod'
import express, { type Request, type RequestHandler } from 'express'
import { bodyTooLarge, Problem, noBackend, didYouMean, nearest } from '../core/errors.ts'
import { durationMs, UNIT_MS } from '../core/time/clock.ts'

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}
const TOO_LARGE = 'is too large'
const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items' }

/** Names the kind of a JSON value and never the value. */
const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'boolean' ? 'a boolean' : (KINDS[typeof value] ?? typeof value)
}

const ofType = (expected: string, value: unknown): string => {
  if (typeof value === 'number') {
    // `1.5` is a number already, and so is `1e999`, which no computer holds.
    if (expected === 'int') return 'must be a whole number'
    if (expected === 'number') return TOO_LARGE
  }
  return `must be ${KINDS[expected] ?? expected}, not ${kindOf(value)}`
}

const oneOf = (values: readonly unknown[]): string => {
  const listed = values.map((value) => JSON.stringify(value)).join(', ')
  return values.length === 1 ? listed : `one of ${listed}`
}

const atLeast = (origin: string, least: string, inclusive: boolean): string => {
  const unit = UNITS[origin]
  if (unit) return least === '1' ? 'must not be empty' : `must have at least ${least} ${unit}`
  return `must be ${inclusive ? 'at least' : 'more than'} ${least}`
}

const atMost = (origin: string, most: string, inclusive: boolean): string => {
  const unit = UNITS[origin]
  return unit ? `must have at most ${most} ${unit}` : `must be ${inclusive ? 'at most' : 'less than'} ${most}`
}

/**
 * What a client reads of a fault, for every issue that its schema says nothing about: what is wanted, with its limits,
 * in words of JSON. zod's own are for the person who wrote the schema.
 */
const inPlainWords = (issue: z.core.$ZodRawIssue): string => {
  const { code, input } = issue
  const isRoot = (issue.path ?? []).length === 0
  if (input === undefined && !isRoot)
    return code === 'invalid_value' ? `is required: ${oneOf(issue.values)}` : 'is required'
  switch (code) {
    case 'invalid_type':
      return isRoot ? `the body must be a JSON object, not ${kindOf(input)}` : ofType(issue.expected, input)
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'too_small':
      return atLeast(issue.origin, String(issue.minimum), issue.inclusive ?? true)
    case 'too_big':
      // Beyond what a number can count exactly.
      if (issue.maximum === Number.MAX_SAFE_INTEGER) return TOO_LARGE
      return atMost(issue.origin, String(issue.maximum), issue.inclusive ?? true)
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be a time in ISO 8601 with its zone, such as 2026-11-20T12:00:00Z'
        : 'is malformed'
    default:
      return 'is not valid'
  }
}

/** Bytes of a JSON body. */
const MAX_BODY_BYTES = 65_536

const announces = (req: Request, moreThanBytes: number): boolean =>
  Number(req.get('content-length') ?? 0) > moreThanBytes

/** RFC 9112, 6.3: a request without either has none. */
const hasBody = (req: Request): boolean => req.get('transfer-encoding') !== undefined || announces(req, 0)

/** Other labels of UTF-8, and of a part of it, which body-parser does not know (WHATWG Encoding, 4.2). */
const UTF8 = /(; {0,8}charset="?)(?:utf8|us-ascii)(?="? {0,8}(?:;|$))/i

/**
 * Parses a JSON body: 415 for another type, 413 over `maxBytes`, 400 for what is no JSON (see `asProblem`). `inflate`:
 * unpacks what is sent packed; otherwise that is 415.
 */
export const jsonBodyOf = (maxBytes: number, types: string[], inflate = false): RequestHandler => {
  const parse = express.json({ limit: maxBytes, strict: false, type: () => true, inflate })
  return (req, res, next) => {
    if (!req.is(types)) {
      const without = hasBody(req) ? '' : ': this request has no body'
      throw new Problem('unsupported_media_type', `send the body as application/json${without}`)
    }
    if (!inflate && (req.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
      throw new Problem('unsupported_media_type', 'send the body as it is, without Content-Encoding')
    }
    req.headers['content-type'] = req.headers['content-type']?.replace(UTF8, '$1utf-8')
    // The parser would read all of it first, for as long as it takes to come.
    if (announces(req, maxBytes)) throw bodyTooLarge(maxBytes)
    parse(req, res, (error?: unknown) => {
      // What the parser throws itself has a `type`; the rest is zlib's.
      const isPacking = error instanceof Error && !('type' in error)
      if (!isPacking) return next(error)
      next(new Problem('invalid_request', 'the body does not match its Content-Encoding', { cause: error }))
    })
  }
}

export const jsonBody = jsonBodyOf(MAX_BODY_BYTES, ['application/json', 'application/*+json'], true)

/** As `jsonBody`, where there is one: none says what an empty object says. */
export const optionalJsonBody: RequestHandler = (req, res, next) => {
  if (hasBody(req)) {
    jsonBody(req, res, next)
  } else {
    req.body = {}
    next()
  }
}

/** More than any way to say nothing, and not much to read for nothing. */
const MAX_NOTHING_BYTES = 1_024
const SAYS_NOTHING = /^\s*(\{\s*\})?\s*$/
const readNothing = express.raw({ limit: MAX_NOTHING_BYTES, type: () => true })

/** Where no body is taken, one is refused; an empty object, which some clients always send, is none. */
export const noBody: RequestHandler = (req, res, next) => {
  if (!hasBody(req)) return next()
  const refused = (cause?: unknown) => new Problem('invalid_request', 'this operation takes no body', { cause })
  if (announces(req, MAX_NOTHING_BYTES)) throw refused()
  readNothing(req, res, (error?: unknown) => {
    const body: unknown = req.body
    const saysSomething = Buffer.isBuffer(body) && !SAYS_NOTHING.test(body.toString())
    next(error || saysSomething ? refused(error) : undefined)
  })
}

export interface Fault {
  path: string
  message: string
}

interface Words {
  unknown: string
  error: z.core.$ZodErrorMap
}
const IN_BODY: Words = { unknown: 'unknown field', error: inPlainWords }
const IN_QUERY: Words = {
  unknown: 'unknown parameter',
  // Every value is a string, and one that is given twice an array of them.
  error: (issue) => {
    if (Array.isArray(issue.input)) return 'must be given once'
    const words = inPlainWords(issue)
    // `+01:00`, unescaped.
    const isHalf = issue.code === 'invalid_format' && / \d\d:\d\d$/.test(String(issue.input))
    return isHalf ? `${words}; in a query, write + as %2B` : words
  },
}

/** What other APIs call a field of ours. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  callback_url: 'webhook_url',
  callbackUrl: 'webhook_url',
  voice: 'voice_id',
  puppet: 'puppet_id',
  image: 'image_url',
  audio: 'audio_url',
}
/** Each suggestion costs a comparison with every field, and nobody reads more. */
const MAX_SUGGESTED = 10

/** The fields of the object at `path`; none where it is not of fixed fields. */
const fieldsAt = (schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] => {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return fieldsAt(schema.unwrap(), path)
  if (schema instanceof z.ZodPipe) return fieldsAt(schema.in, path)
  const [first, ...rest] = path
  if (schema instanceof z.ZodArray && first !== undefined) return fieldsAt(schema.element, rest)
  if (!(schema instanceof z.ZodObject)) return []
  if (first === undefined) return Object.keys(schema.shape)
  const inner = Object.hasOwn(schema.shape, first) ? schema.shape[String(first)] : undefined
  return inner === undefined ? [] : fieldsAt(inner, rest)
}

const meantBy = (key: string, fields: readonly string[]): string | null => {
  const known = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined
  return known !== undefined && fields.includes(known) ? known : nearest(key, fields)
}

const faultsOf = (schema: z.ZodType, issues: readonly z.core.$ZodIssue[], { unknown }: Words): Fault[] => {
  const at = ({ path }: z.core.$ZodIssue): string => path.map(String).join('.')
  // zod continues to measure some values of a wrong type; there is nothing more to say of those.
  const ofWrongType = new Set(issues.filter(({ code }) => code === 'invalid_type').map(at))
  return issues.flatMap((issue): Fault[] => {
    const path = at(issue)
    if (issue.code === 'unrecognized_keys') {
      const before = issue.path.map((name) => `${String(name)}.`).join('')
      const fields = fieldsAt(schema, issue.path)
      return issue.keys.map((key, n) => ({
        path: before + key,
        message: unknown + didYouMean(n < MAX_SUGGESTED ? meantBy(key, fields) : null),
      }))
    }
    if (issue.code === 'invalid_key') {
      return issue.issues.map(({ message }) => ({ path, message: `cannot be a key: ${message}` }))
    }
    return issue.code !== 'invalid_type' && ofWrongType.has(path) ? [] : [{ path, message: issue.message }]
  })
}

/** Entries of an object inside a body. No schema takes as many, and each costs its check. */
const MAX_ENTRIES = 100
/** Nobody mends more immediately, and a small body must not make a large answer. */
const MAX_LISTED = 50
const MAX_PATH = 200

/** `value` without what has too many entries to look at each; the faults say so. */
const uncrowded = (value: unknown): { value: unknown; faults: Fault[] } => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, faults: [] }
  const faults = Object.entries(value).flatMap(([path, inner]: [string, unknown]): Fault[] => {
    const entries = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? Object.keys(inner).length : 0
    return entries > MAX_ENTRIES ? [{ path, message: `must have at most ${MAX_ENTRIES} entries, not ${entries}` }] : []
  })
  const crowded = new Set(faults.map(({ path }) => path))
  if (crowded.size === 0) return { value, faults }
  return { value: Object.fromEntries(Object.entries(value).filter(([name]) => !crowded.has(name))), faults }
}

const short = ({ path, message }: Fault): Fault => ({
  path: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path,
  message,
})

const summary = (listed: readonly Fault[], total: number): string => {
  const [first] = listed
  const what = first ? [first.path, first.message].filter(Boolean).join(': ') : 'invalid'
  if (total <= 1) return what
  return total > listed.length
    ? `${what} (and ${total - 1} more, of which ${listed.length - 1} are listed)`
    : `${what} (and ${total - 1} more)`
}

export type Check = (value: unknown) => Fault[]
const NONE: Check = () => []

const parse = <S extends z.ZodType>(
  schema: S,
  value: unknown,
  words: Words,
  across: Check,
  later: Check,
): z.output<S> => {
  const few = uncrowded(value)
  const parsed = schema.safeParse(few.value, { error: words.error })
  const found = [
    ...few.faults,
    ...(parsed.success ? [] : faultsOf(schema, parsed.error.issues, words)),
    ...across(value),
  ]
  if (parsed.success && found.length === 0) return parsed.data
  const faults = [...found, ...later(value)]
  const errors = faults.slice(0, MAX_LISTED).map(short)
  const param = errors[0]?.path
  throw new Problem('invalid_request', summary(errors, faults.length), { errors, ...(param ? { param } : {}) })
}

/**
 * The only way from a body to a 400: every fault immediately, `param` the first. `across` looks across fields, at the
 * raw value: one wrong type would hide what zod checks on the whole. `later` is what a later step refuses by itself,
 * with more knowledge: it is reported here only beside other faults.
 */
export const parseOr400 = <S extends z.ZodType>(
  schema: S,
  body: unknown,
  across: Check = NONE,
  later: Check = NONE,
): z.output<S> => parse(schema, body, IN_BODY, across, later)

/** The same of a query. */
export const parseQuery = <S extends z.ZodType>(schema: S, { query }: { query: unknown }): z.output<S> =>
  parse(schema, query, IN_QUERY, NONE, NONE)

export const NoQuery = z.strictObject({})

/** A schema that transforms, with the JSON Schema of what it takes: none can be derived from it. */
export const DocumentedAs = <S extends z.ZodType>(schema: S, json: Readonly<Record<string, unknown>>): S =>
  schema.meta({ documentedAs: json })

const OUT_OF_PAGE = 'must be a whole number from 1 to 100'
/** `limit` of every list: 1 to 100, never clamped. */
export const Limit = DocumentedAs(
  z
    .string()
    .regex(/^\d{1,9}$/, OUT_OF_PAGE)
    .transform(Number)
    .pipe(z.int().min(1, OUT_OF_PAGE).max(100, OUT_OF_PAGE))
    .default(20),
  {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'The number of items on a page. Values outside the range get 400',
  },
)
const Cursor = z.string().min(1).max(1_000).optional().describe('The `next_cursor` of the previous page')
export const PAGE = { limit: Limit, cursor: Cursor }
/** Of a list without filters. */
export const PageQuery = z.strictObject(PAGE)

/** A time; comes out as milliseconds since the epoch. */
export const Instant = (description: string) =>
  DocumentedAs(
    z.iso.datetime({ offset: true }).transform((value) => Date.parse(value)),
    { type: 'string', format: 'date-time', description },
  )

const isAge = (ms: number): boolean => ms >= UNIT_MS.s && ms <= 365 * UNIT_MS.d

/** How old something may be; comes out as milliseconds, `off` as 0. */
export const AgeOrOff = (description: string) =>
  DocumentedAs(
    z
      .string()
      .refine((text) => text === 'off' || isAge(durationMs(text)), 'must be off, or a duration from 1s to 365d')
      .transform((text) => (text === 'off' ? 0 : durationMs(text))),
    { type: 'string', description },
  )

export const BackendName = z.string().min(1).max(63)

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined

/**
 * For `later`: a `backend` that the client does not have. Who repeats a request under its key may name one that is
 * gone.
 */
export const unknownBackend =
  (visible: Backends): Check =>
  (body) => {
    const name = fieldOf(body, 'backend')
    const isUnknown = typeof name === 'string' && name !== '' && namedBy(name, visible).length === 0
    return isUnknown ? [{ path: 'backend', message: noBackend(name.slice(0, 63), allNames(visible)) }] : []
  }

/** `Idempotency-Key`: null when absent; throws `idempotency_key_invalid` unless 1 to 200 characters, not blank. */
export const idempotencyKey = (req: Request): string | null => {
  const key = req.get('idempotency-key')
  if (key === undefined) return null
  // node joins them by a comma: the key of neither.
  if ((req.headersDistinct['idempotency-key'] ?? []).length > 1) {
    throw new Problem('idempotency_key_invalid', 'send only one Idempotency-Key')
  }
  if (key.trim() === '' || key.length > 200) {
    throw new Problem('idempotency_key_invalid', 'Idempotency-Key must have 1 to 200 characters, and must not be blank')
  }
  return key
}

const MAX_WAIT_SECONDS = 60

/**
 * `Prefer: wait=N` (RFC 7240), in seconds. More than a minute is cut to one, and `Preference-Applied` says so. Null:
 * the caller does not wait (`wait=0`), says nothing, or says what is no such number, which the RFC has us ignore.
 */
export const preferredWaitSeconds = (req: Request): number | null => {
  for (const preference of (req.get('prefer') ?? '').split(',')) {
    const seconds = /^\s*wait\s*=\s*"?(\d+)"?\s*(;.*)?$/i.exec(preference)?.[1]
    if (seconds !== undefined && Number(seconds) >= 1) return Math.min(Number(seconds), MAX_WAIT_SECONDS)
  }
  return null
}
