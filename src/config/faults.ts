import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type LineCounter } from 'yaml'
import { z } from 'zod'
import { didYouMean, nearest } from '../core/errors.ts'

/** One mistake in a configuration. `path` is dotted (`backends.main.slots`), empty for the file as a whole. */
export interface Fault {
  readonly path: string
  readonly message: string
  /** Where it stands in the file, from 1; not of what a variable set. */
  readonly line?: number
  readonly column?: number
}

export type Path = readonly (string | number)[]

const PLAIN_SEGMENT = /^[\w-]{1,64}$/

/**
 * Keys come from the file: anything unusual is quoted, cut and stripped of control characters, so that a fault stays
 * one line.
 */
const printable = (key: string | number): string =>
  PLAIN_SEGMENT.test(String(key))
    ? String(key)
    : JSON.stringify(
        String(key)
          .slice(0, 64)
          .replace(/[^\x20-\x7e]/g, '?'),
      )

export const dotted = (path: Path): string => path.map(printable).join('.')

/** `[]` and `null` are distinguished from mappings; class instances never occur in a parsed file. */
export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at `path`, by own properties only (`constructor` in a file must not find the prototype's). */
export const valueAt = (tree: unknown, path: Path): unknown =>
  path.reduce<unknown>((node, key) => {
    if (Array.isArray(node)) return node[Number(key)]
    return isMapping(node) && Object.hasOwn(node, key) ? node[key] : undefined
  }, tree)

/** Names the kind of a value and never the value: it may be a secret in the wrong place. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (value === '') return 'empty text'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return Number.isFinite(value) && !Number.isInteger(value) ? 'a fraction' : 'a number'
  return typeof value === 'boolean' ? 'a boolean' : 'a mapping'
}

/** One fault a path (the first is the cause, later ones follow from it), in order of path. */
export const firstPerPath = (faults: readonly Fault[]): Fault[] => {
  const seen = new Set<string>()
  return faults
    .filter(({ path }) => path === '' || (!seen.has(path) && seen.add(path)))
    .toSorted((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }))
}

/**
 * Where a dotted path stands in the file, from 1; of one that is not in it, what should hold it, or nowhere if
 * `isExact`. Null: nowhere.
 */
export type Locate = (path: string, isExact?: boolean) => { line: number; column: number } | null

/** What a mapping or list has: the name in a dotted path, what shows where it is, and what it holds. */
const itemsOf = (node: unknown): { name: string; at: unknown; value: unknown }[] => {
  if (isSeq(node)) return node.items.map((value, i) => ({ name: String(i), at: value, value }))
  if (!isMap(node)) return []
  return node.items.flatMap(({ key, value }) =>
    isScalar(key) ? [{ name: printable(String(key.value)), at: key, value }] : [],
  )
}

/** Finds paths in a parsed file, each when it is asked for. */
export const locateIn =
  (document: Document, lines: LineCounter): Locate =>
  (path, isExact = false) => {
    let node: unknown = document.contents
    let offset = document.contents?.range?.[0]
    for (let rest = path; rest !== '';) {
      const items = itemsOf(isAlias(node) ? node.resolve(document) : node)
      const step = items.find(({ name }) => rest === name || rest.startsWith(`${name}.`))
      if (!step && isExact) return null
      if (!step) break
      node = step.value
      if (isNode(step.at) && !isAlias(step.at)) offset = step.at.range?.[0] ?? offset
      rest = rest.slice(step.name.length + 1)
    }
    if (offset === undefined) return null
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }

/** The fault with where it is, unless it says so already. */
export const located = (fault: Fault, locate: Locate, isExact = false): Fault =>
  fault.path === '' || fault.line !== undefined ? fault : { ...fault, ...locate(fault.path, isExact) }

/**
 * Reads the schema itself, so that what depends on the list of keys (overrides, suggestions) cannot drift
 * from it.
 */
export type Schema = z.core.$ZodType

/** The schema under its wrappers (default, null, optional) and before its transform: what the file holds. */
export const bare = (schema: Schema): Schema => {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
  )
    return bare(schema.unwrap())
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema
}

/** The keys of a mapping with fixed keys, else none. */
export const keysOf = (schema: Schema): readonly string[] => {
  const inner = bare(schema)
  if (inner instanceof z.ZodUnion) return inner.options.flatMap(keysOf)
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

export const childOf = (schema: Schema, key: string | number): Schema | null => {
  const inner = bare(schema)
  if (inner instanceof z.ZodObject) return Object.hasOwn(inner.shape, key) ? (inner.shape[key] ?? null) : null
  if (inner instanceof z.ZodRecord) return inner.valueType
  if (inner instanceof z.ZodUnion) {
    return inner.options.map((option) => childOf(option, key)).find((child) => child !== null) ?? null
  }
  return inner instanceof z.ZodArray ? inner.element : null
}

export const schemaAt = (root: Schema, path: Path): Schema | null =>
  path.reduce<Schema | null>((schema, key) => schema && childOf(schema, key), root)

export const isList = (schema: Schema): boolean => bare(schema) instanceof z.ZodArray
export const isContainer = (schema: Schema): boolean =>
  isList(schema) || bare(schema) instanceof z.ZodObject || bare(schema) instanceof z.ZodRecord

/** Whether a number may be right. */
const takesNumbers = (schema: Schema): boolean => {
  const inner = bare(schema)
  return inner instanceof z.ZodNumber || (inner instanceof z.ZodUnion && inner.options.some(takesNumbers))
}

const metaOf = (schema: Schema): Readonly<Record<string, unknown>> => z.globalRegistry.get(bare(schema)) ?? {}

export const isSecret = (schema: Schema): boolean => metaOf(schema)['writeOnly'] === true

/** Completes "expected …". */
export const expectedOf = (schema: Schema): string => {
  const inner = bare(schema)
  const { title } = metaOf(inner)
  if (typeof title === 'string') return title
  if (inner instanceof z.ZodEnum)
    return inner.options.length === 1 ? String(inner.options[0]) : `one of ${inner.options.join(', ')}`
  if (inner instanceof z.ZodBoolean) return 'true or false'
  if (isList(inner)) return 'a list'
  return isContainer(inner) ? 'a mapping' : 'text'
}

/** Every dotted key below `schema`; `<name>` represents a name of the operator's, `<n>` for an index. */
export const dottedKeys = (schema: Schema, prefix = ''): string[] => {
  const inner = bare(schema)
  if (inner instanceof z.ZodRecord) return dottedKeys(inner.valueType, `${prefix}<name>.`)
  if (inner instanceof z.ZodArray) return dottedKeys(inner.element, `${prefix}<n>.`)
  return keysOf(inner).flatMap((key) => {
    const child = childOf(inner, key)
    return [prefix + key, ...(child ? dottedKeys(child, `${prefix}${key}.`) : [])]
  })
}

const scalarOf = (text: string): unknown => {
  if (text === '' || text === 'null' || text === '~') return null
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
}

/**
 * Text that a variable or a file gave, as the schema wants it: text where text is accepted (an api key of digits stays
 * text), else the number, boolean or null that it spells (empty is null, as in YAML), else unchanged for the schema to
 * refuse.
 */
export const fit = (text: string, schema: Schema | null): unknown => {
  if (!schema || z.safeParse(schema, text).success) return text
  const scalar = scalarOf(text.trim())
  return z.safeParse(schema, scalar).success ? scalar : text
}

/**
 * Finds what a mistyped key meant: a sibling, else a key of the same name elsewhere (`port` at the top: `server.port`).
 */
export const unknownKey = (
  key: string,
  parent: Schema | null,
  root: Schema,
): { suggestion: string | null; sibling: boolean } => {
  const sibling = parent && nearest(key, keysOf(parent))
  if (sibling) return { suggestion: sibling, sibling: true }
  return { suggestion: dottedKeys(root).find((known) => known.endsWith(`.${key}`)) ?? null, sibling: false }
}

/** zod's issues as faults that name kinds and never values. */
export const issueFaults = (issues: readonly z.core.$ZodIssue[], tree: unknown, root: Schema): Fault[] => {
  // One mistake, one fault: `base_urll` for `base_url` is not also a missing `base_url`.
  const meant = new Set<string>()
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? unknownFaults(issue, root, (path) => meant.add(dotted(path))) : [],
  )
  const others = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return []
    const path = plain(issue.path)
    if (issue.code === 'custom' && issue.params?.['isRule'] === true)
      return [{ path: dotted(path), message: issue.message }]
    const value = valueAt(tree, path)
    if (value === undefined && meant.has(dotted(path))) return []
    return [{ path: dotted(path), message: messageOf(issue, value, path, root) }]
  })
  return [...unknown, ...others]
}

const unknownFaults = (
  issue: Extract<z.core.$ZodIssue, { code: 'unrecognized_keys' }>,
  root: Schema,
  means: (path: Path) => void,
): Fault[] => {
  const parent = plain(issue.path)
  return issue.keys.map((key) => {
    const { suggestion, sibling } = unknownKey(key, schemaAt(root, parent), root)
    if (suggestion && sibling) means([...parent, suggestion])
    return { path: dotted([...parent, key]), message: `unknown key${didYouMean(suggestion)}` }
  })
}

const messageOf = (issue: z.core.$ZodIssue, value: unknown, path: Path, root: Schema): string => {
  const schema = schemaAt(root, path)
  const expected = schema ? expectedOf(schema) : 'another value'
  const shown = schema && shownOf(value, schema)
  if (shown !== null) return `${shown} is not ${expected}`
  if (issue.code === 'custom') return issue.message
  if (value === undefined) return `required: expected ${expected}`
  const options = issue.code === 'invalid_value' ? issue.values.filter((option) => typeof option === 'string') : []
  const option = typeof value === 'string' ? nearest(value, options) : null
  // A key of digits only, unquoted: YAML made it a number.
  const quotes = typeof value === 'number' && schema && isSecret(schema) ? ' (put it in quotes)' : ''
  // "expected a number, received text" but "expected an https URL, received other text".
  const isOther = issue.code !== 'invalid_type' && typeof value === 'string' && value !== ''
  // Of a key that is too short or too long, how long it is.
  const [, least, most] = /^(\d+) to (\d+) .*characters/.exec(expected) ?? []
  const isLength =
    isOther && schema && isSecret(schema) && (value.length < Number(least) || value.length > Number(most))
  const other = isLength ? `${value.length} characters` : 'other text'
  return `expected ${expected}, received ${isOther ? other : kindOf(value)}${quotes}${didYouMean(option)}`
}

/** A number or a duration, where one is expected and no secret: its value says more than its kind. Otherwise null. */
const shownOf = (value: unknown, schema: Schema): string | null => {
  if (isSecret(schema)) return null
  if (takesNumbers(schema)) {
    // As a variable gives a number: it would be refused as one, too.
    const isSpelled = typeof value === 'string' && /^-?\d{1,9}$/.test(value)
    const isRefused = isSpelled && !z.safeParse(schema, Number(value)).success
    return typeof value === 'number' || isRefused ? String(value) : null
  }
  const isDuration = typeof value === 'string' && expectedOf(schema).startsWith('a duration')
  return isDuration && /^-?[\d.]{1,12} ?[a-z]{0,2}$/i.test(value) ? value : null
}

const plain = (path: readonly PropertyKey[]): (string | number)[] =>
  path.map((key) => (typeof key === 'symbol' ? String(key) : key))

/**
 * `fault` with where it is, or the variable or file that its value (or what holds it) came from: a reference stands in
 * the file, a variable that overrides does not.
 */
export const withOrigin = (fault: Fault, origins: ReadonlyMap<string, string>, locate: Locate): Fault => {
  const segments = fault.path.split('.')
  const known = segments.map((_, i) => origins.get(segments.slice(0, i + 1).join('.')))
  const origin = known.findLast((one) => one !== undefined)
  if (origin === undefined) return located(fault, locate)
  const told = { ...fault, message: `${fault.message} (from ${origin})` }
  return origin.startsWith('${') ? located(told, locate) : told
}
