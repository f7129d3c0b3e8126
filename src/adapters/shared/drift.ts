import type { Drift, Operation } from './account.ts'
import { asObject, redact } from './read.ts'
import { readItems } from './catalog.ts'
import { LIST, PUPPET, VIDEO, VOICE, type Spellings } from './spellings.ts'

const MAX_FIELDS_PER_ANSWER = 20
const MAX_NAME_LENGTH = 100

/** The kind and size of a value, never the value: a field that nobody knows may hold anything. */
const shapeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array of ${value.length}`
  if (typeof value === 'object') return `object of ${Object.keys(value).length}`
  return typeof value === 'string' ? `string of ${value.length}` : typeof value
}

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
    value: redact(name).slice(0, MAX_NAME_LENGTH),
    sample,
  }))
}

/** A status word or error code outside the adapter's tables. */
export const unknownWord = (kind: 'status' | 'error_code', word: string, operation: Operation): Drift => {
  const value = redact(word).slice(0, MAX_NAME_LENGTH)
  return { kind, operation, value, sample: value }
}

const KNOWN = {
  list: namesIn(LIST),
  voices: namesIn(VOICE),
  puppets: namesIn(PUPPET),
  videos: namesIn(VIDEO, { id: ['id', 'video_id', 'videoId'] }),
} as const

/** Unknown fields of a list and of its items. */
export const catalogDrift = (body: unknown, noun: 'voices' | 'puppets' | 'videos', operation: Operation): Drift[] => [
  ...unknownFields([body], KNOWN.list, operation),
  ...unknownFields(readItems(body, noun) ?? [], KNOWN[noun], operation),
]
