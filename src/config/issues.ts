import type { z } from 'zod'
import { didYouMean, dotted, kindOf, nearest, valueAt, type Fault, type Path } from './faults.ts'
import { dottedKeys, expectedOf, isSecret, keysOf, schemaAt, type Schema } from './walk.ts'

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
  if (issue.code === 'custom') return issue.message
  const schema = schemaAt(root, path)
  const expected = schema ? expectedOf(schema) : 'another value'
  if (value === undefined) return `required: expected ${expected}`
  const option = issue.code === 'invalid_value' && typeof value === 'string' ? nearestOption(value, issue.values) : null
  // A key of digits only, unquoted: YAML made it a number.
  const quotes = typeof value === 'number' && schema && isSecret(schema) ? ' (put it in quotes)' : ''
  return `expected ${expected}, received ${receivedOf(issue, value)}${quotes}${didYouMean(option)}`
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

/** `fault` with the variable or file that its value (or what holds it) came from, where that is not the configuration itself. */
export const withOrigin = (fault: Fault, origins: ReadonlyMap<string, string>): Fault => {
  const segments = fault.path.split('.')
  const origin = segments
    .map((_, i) => origins.get(segments.slice(0, i + 1).join('.')))
    .findLast((known) => known !== undefined)
  return origin === undefined ? fault : { ...fault, message: `${fault.message} (from ${origin})` }
}
