import type { Request } from 'express'
import { z } from 'zod'
import { Problem } from '../core/errors.ts'
import { inPlainWords } from './wording.ts'

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
    return isHalf ? `${words}; in a query its + is written %2B` : words
  },
}

const faultsOf = (issues: readonly z.core.$ZodIssue[], { unknown }: Words): Fault[] => {
  const at = ({ path }: z.core.$ZodIssue): string => path.map(String).join('.')
  // zod goes on to measure some values of a wrong type; there is nothing more to say of those.
  const ofWrongType = new Set(issues.filter(({ code }) => code === 'invalid_type').map(at))
  return issues.flatMap((issue): Fault[] => {
    const path = at(issue)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...issue.path.map(String), key].join('.'), message: unknown }))
    }
    if (issue.code === 'invalid_key') {
      return issue.issues.map(({ message }) => ({ path, message: `cannot be a key: ${message}` }))
    }
    return issue.code !== 'invalid_type' && ofWrongType.has(path) ? [] : [{ path, message: issue.message }]
  })
}

type Check = (value: unknown) => Fault[]
const parse = <S extends z.ZodType>(schema: S, value: unknown, words: Words, check: Check): z.output<S> => {
  const parsed = schema.safeParse(value, { error: words.error })
  const errors = [...(parsed.success ? [] : faultsOf(parsed.error.issues, words)), ...check(value)]
  if (parsed.success && errors.length === 0) return parsed.data
  const [first] = errors
  const what = first ? [first.path, first.message].filter(Boolean).join(': ') : 'invalid'
  throw new Problem('invalid_request', errors.length > 1 ? `${what} (and ${errors.length - 1} more)` : what, {
    errors,
    ...(first?.path ? { param: first.path } : {}),
  })
}

/**
 * The only way from a body to a 400: every fault at once, `param` the first. `check` looks across fields and runs on
 * the raw value too, because one wrong type would otherwise hide what zod checks on the whole (STYLE, trap 15).
 */
export const parseOr400 = <S extends z.ZodType>(schema: S, body: unknown, check: Check = () => []): z.output<S> =>
  parse(schema, body, IN_BODY, check)

/** Likewise of a query. */
export const parseQuery = <S extends z.ZodType>(schema: S, { query }: Pick<Request, 'query'>): z.output<S> =>
  parse(schema, query, IN_QUERY, () => [])

/** A schema that transforms, with the JSON Schema of what it takes: none can be derived from it (STYLE, trap 15). */
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
  { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many a page; never clamped' },
)
export const Cursor = z.string().min(1).max(1_000).optional().describe('`next_cursor` of the page before')

/** `Idempotency-Key`: null when absent; throws `idempotency_key_invalid` unless 1 to 200 characters, not blank. */
export const idempotencyKey = (req: Request): string | null => {
  const key = req.get('idempotency-key')
  if (key === undefined) return null
  // node joins them by a comma: the key of neither.
  if ((req.headersDistinct['idempotency-key'] ?? []).length > 1) {
    throw new Problem('idempotency_key_invalid', 'send one Idempotency-Key')
  }
  if (key.trim() === '' || key.length > 200) {
    throw new Problem('idempotency_key_invalid', 'an Idempotency-Key has 1 to 200 characters and is not blank')
  }
  return key
}

/** `Prefer: wait=N` (RFC 7240), N from 1 to 60 seconds; null when absent or, as the RFC wants it, not understood. */
export const preferredWaitSeconds = (req: Request): number | null => {
  for (const preference of (req.get('prefer') ?? '').split(',')) {
    const seconds = /^\s*wait\s*=\s*"?(\d{1,3})"?\s*(;.*)?$/i.exec(preference)?.[1]
    if (seconds !== undefined && Number(seconds) >= 1 && Number(seconds) <= 60) return Number(seconds)
  }
  return null
}
