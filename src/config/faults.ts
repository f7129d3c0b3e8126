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

/** Keys come from the file: anything unusual is quoted, cut and stripped of control characters, so that a fault stays one line. */
export const printable = (key: string | number): string =>
  PLAIN_SEGMENT.test(String(key))
    ? String(key)
    : JSON.stringify(
        String(key)
          .slice(0, 64)
          .replace(/[^\x20-\x7e]/g, '?'),
      )

export const dotted = (path: Path): string => path.map(printable).join('.')

/** `[]` and `null` are told apart from mappings; class instances never occur in a parsed file. */
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
