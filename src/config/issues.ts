import { z } from 'zod'
import { didYouMean, nearest } from '../core/errors.ts'
import { dotted, kindOf, valueAt, type Fault, type Path } from './faults.ts'
import { located, type Locate } from './positions.ts'
import { dottedKeys, expectedOf, isSecret, keysOf, schemaAt, takesNumbers, type Schema } from './walk.ts'

/** Finds what a mistyped key meant: a sibling, else a key of the same name elsewhere (`port` at the top: `server.port`). */
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
  const option = issue.code === 'invalid_value' && typeof value === 'string' ? nearestOption(value, issue.values) : null
  // A key of digits only, unquoted: YAML made it a number.
  const quotes = typeof value === 'number' && schema && isSecret(schema) ? ' (put it in quotes)' : ''
  return `expected ${expected}, received ${receivedOf(issue, value)}${quotes}${didYouMean(option)}`
}

/** A number as a variable gives it, which would be refused as a number, too. */
const spellsRefused = (value: unknown, schema: Schema): boolean =>
  typeof value === 'string' && /^-?\d{1,9}$/.test(value) && !z.safeParse(schema, Number(value)).success

/** A number or a duration, where one is expected and no secret: its value says more than its kind. Else null. */
const shownOf = (value: unknown, schema: Schema): string | null => {
  if (isSecret(schema)) return null
  if (takesNumbers(schema)) return typeof value === 'number' || spellsRefused(value, schema) ? String(value) : null
  const isDuration = typeof value === 'string' && expectedOf(schema).startsWith('a duration')
  return isDuration && /^-?[\d.]{1,12} ?[a-z]{0,2}$/i.test(value) ? value : null
}

/** "expected a number, received text" but "expected an https URL, received other text". */
const receivedOf = (issue: z.core.$ZodIssue, value: unknown): string =>
  issue.code !== 'invalid_type' && typeof value === 'string' && value !== '' ? 'other text' : kindOf(value)

const nearestOption = (value: string, options: readonly z.core.util.Primitive[]): string | null =>
  nearest(
    value,
    options.filter((option) => typeof option === 'string'),
  )

const plain = (path: readonly PropertyKey[]): (string | number)[] =>
  path.map((key) => (typeof key === 'symbol' ? String(key) : key))

/** The variable or file that a fault's value (or what holds it) came from; null: the configuration itself. */
const originOf = ({ path }: Fault, origins: ReadonlyMap<string, string>): string | null => {
  const segments = path.split('.')
  const known = segments.map((_, i) => origins.get(segments.slice(0, i + 1).join('.')))
  return known.findLast((origin) => origin !== undefined) ?? null
}

/** `fault` with where it stands, or came from: a reference stands in the file, a variable that overrides does not. */
export const withOrigin = (fault: Fault, origins: ReadonlyMap<string, string>, locate: Locate): Fault => {
  const origin = originOf(fault, origins)
  if (origin === null) return located(fault, locate)
  const told = { ...fault, message: `${fault.message} (from ${origin})` }
  return origin.startsWith('${') ? located(told, locate) : told
}
