import type { Drift, Operation } from './account.ts'
import { nextCursor, nextPage, readItems, type Noun } from './catalog.ts'
import { statusOf, type Dialect } from './dialect.ts'
import { asObject, redact } from './read.ts'
import type { Spellings } from './spellings.ts'

const MAX_FIELDS_PER_ANSWER = 20

/** The kind and size of a value, never the value: a field that nobody knows may hold anything. */
const shapeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array of ${value.length}`
  if (typeof value === 'object') return `object of ${Object.keys(value).length}`
  return typeof value === 'string' ? `string of ${value.length}` : typeof value
}

/** Words as people write them into interfaces. What is longer, or mixes digits in, may be an id, an address or a secret. */
const PLAIN_WORD = /^[\p{L}_$@][\p{L}\p{M}\p{N} _.:$@-]{0,59}$/u
const MAY_BE_SECRET = /\p{N}.*\p{N}.*\p{N}.*\p{N}|@.*\.|(?=\p{L}*\p{N})[\p{L}\p{N}]{12}/u

/** A name or word as it came if nothing private can hide in it, else only its length. */
const shown = (word: string): string =>
  PLAIN_WORD.test(word) && !MAY_BE_SECRET.test(word) ? redact(word) : `[${word.length} characters]`

/** The top-level names that a table of spellings knows, the heads of dotted ones included. */
export const namesIn = (...tables: Spellings[]): ReadonlySet<string> =>
  new Set(
    tables.flatMap((table) => Object.values(table).flatMap((names) => names.map((name) => name.split('.')[0] ?? name))),
  )

/** Top-level fields of `objects` outside `known`, each name once, at most 20. */
export const unknownFields = (
  objects: readonly unknown[],
  known: ReadonlySet<string>,
  operation: Operation,
): Drift[] => {
  const found = new Map<string, string>()
  for (const object of objects) {
    for (const [name, value] of Object.entries(asObject(object) ?? {})) {
      if (found.size >= MAX_FIELDS_PER_ANSWER) break
      if (!known.has(name) && !found.has(name)) found.set(name, shapeOf(value))
    }
  }
  return [...found].map(([name, sample]) => ({
    kind: 'field',
    operation,
    value: shown(name),
    sample,
  }))
}

/** A status word or error code outside the adapter's tables. */
export const unknownWord = (kind: 'status' | 'error_code', word: string, operation: Operation): Drift => {
  const value = shown(word)
  return { kind, operation, value, sample: value }
}

/** What a job may hold that the adapter has been told of. */
export const jobFields = ({ job, progress }: Dialect): ReadonlySet<string> => namesIn(job, { at: progress?.at ?? [] })

/** A status word that the dialect does not know. */
export const unknownStatus = (word: string | null, dialect: Dialect, operation: Operation): Drift[] =>
  word === null || statusOf(word, dialect) !== null ? [] : [unknownWord('status', word, operation)]

/** No contract shows voices on several pages. */
const unreadPages = (body: unknown, dialect: Dialect, operation: Operation): Drift[] =>
  nextCursor(body, null, dialect) === null && nextPage(body, null, dialect) === null
    ? []
    : [{ kind: 'field', operation, value: 'pagination', sample: 'pages that are not read' }]

const fieldsOf = (noun: Noun, dialect: Dialect): ReadonlySet<string> =>
  noun === 'videos' ? jobFields(dialect) : namesIn(noun === 'voices' ? dialect.voice : dialect.puppet)

/** Unknown fields of a list and of its items. */
export const catalogDrift = (body: unknown, noun: Noun, dialect: Dialect, operation: Operation): Drift[] => [
  ...(noun === 'voices' ? unreadPages(body, dialect, operation) : []),
  ...unknownFields([body], namesIn(dialect.list), operation),
  ...unknownFields(readItems(body, noun, dialect) ?? [], fieldsOf(noun, dialect), operation),
]
