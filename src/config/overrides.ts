import { didYouMean } from '../core/errors.ts'
import { dotted, isMapping, kindOf, valueAt, type Fault, type Path } from './faults.ts'
import { deeperThan } from './read.ts'
import type { Resolved } from './references.ts'
import { unknownKey } from './issues.ts'
import { childOf, fit, isContainer, isList, schemaAt, type Schema } from './walk.ts'

/**
 * `TALKBRIDGE_SERVER__PORT=9000` sets `server.port`: lower-cased, `__` descends, a number indexes a list (its length
 * appends), lists and mappings are JSON. The value is taken as it is (no references in it) and fitted like a whole
 * reference. Variables apply over the file, the shallower first.
 */
const PREFIX = 'TALKBRIDGE_'

/** Variables of that prefix with a meaning of their own. */
const RESERVED: ReadonlySet<string> = new Set([
  'TALKBRIDGE_CONFIG',
  'TALKBRIDGE_SECRET_KEY',
  'TALKBRIDGE_ADMIN_KEY',
  'TALKBRIDGE_DEBUG',
  'TALKBRIDGE_KEY',
  'TALKBRIDGE_WEBHOOK_SECRET',
])

/** What Kubernetes puts into every pod beside a Service named `talkbridge…`: nobody's setting. */
const SERVICE_LINK =
  /^TALKBRIDGE_(?:[A-Z0-9]+_)*(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/
/** For the tests of this repository, which say where servers are. They may be exported where a gateway is started, too. */
const FOR_TESTS = 'TALKBRIDGE_TEST_'
const isServiceLink = (name: string, value: string): boolean =>
  SERVICE_LINK.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value))

const isNoSetting = (name: string, value: string): boolean =>
  RESERVED.has(name) || name.startsWith(FOR_TESTS) || isServiceLink(name, value)

const MISPLACED = Symbol('misplaced')

export const applyOverrides = (
  file: Resolved,
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): Resolved => {
  const faults = [...file.faults]
  const origins = new Map(file.origins)
  let tree = file.tree
  for (const { name, path, value } of overridesIn(env)) {
    const read = readOverride(name, path, value, schema)
    if ('fault' in read) {
      faults.push(read.fault)
      continue
    }
    const placed = place(tree, path, read.value, schema)
    if (placed === MISPLACED)
      faults.push({
        path: dotted(path),
        message: `${name} has no place there: the list is too short, or the value above is not a mapping`,
      })
    else {
      tree = placed
      forget(origins, dotted(path))
      origins.set(dotted(path), name)
    }
  }
  return { tree, faults, origins }
}

/** A value that another one replaces. `by`: a variable; null: the file, whose value replaces a default. */
export interface Replaced {
  readonly path: string
  readonly by: string | null
}

/** The values of the file that a variable replaces, and the defaults that the file does. */
export const replacedValues = (
  file: unknown,
  defaults: unknown,
  env: Readonly<Record<string, string | undefined>>,
): Replaced[] => [
  ...overridesIn(env).flatMap(({ name, path }) =>
    valueAt(file, path) === undefined ? [] : [{ path: dotted(path), by: name }],
  ),
  ...leavesOf(defaults).flatMap(({ path, value }) => {
    const own = valueAt(file, path)
    return own === undefined || own === value ? [] : [{ path: dotted(path), by: null }]
  }),
]

const leavesOf = (node: unknown, path: Path = []): { path: Path; value: unknown }[] =>
  isMapping(node)
    ? Object.entries(node).flatMap(([key, child]) => leavesOf(child, [...path, key]))
    : [{ path, value: node }]

/** `file` over `defaults`: mappings key by key, anything else as a whole. */
export const overDefaults = (defaults: unknown, file: unknown): unknown => {
  if (!isMapping(defaults) || !isMapping(file)) return file
  const own = Object.entries(file).map(([key, value]) => [
    key,
    Object.hasOwn(defaults, key) ? overDefaults(defaults[key], value) : value,
  ])
  return { ...defaults, ...Object.fromEntries(own) }
}

const overridesIn = (env: Readonly<Record<string, string | undefined>>) =>
  Object.entries(env)
    .flatMap(([name, value]) =>
      value !== undefined && name.startsWith(PREFIX) && !isNoSetting(name, value)
        ? [{ name, path: name.slice(PREFIX.length).toLowerCase().split('__'), value }]
        : [],
    )
    .toSorted((a, b) => a.path.length - b.path.length || (a.name < b.name ? -1 : 1))

/** A value set from outside replaces whatever references stood at its path and below. */
const forget = (origins: Map<string, string>, path: string): void => {
  for (const known of origins.keys()) if (known === path || known.startsWith(`${path}.`)) origins.delete(known)
}

const readOverride = (
  name: string,
  path: readonly string[],
  text: string,
  root: Schema,
): { value: unknown } | { fault: Fault } => {
  const unknownAt = path.findIndex((_, i) => schemaAt(root, path.slice(0, i + 1)) === null)
  if (unknownAt !== -1) {
    const parent = schemaAt(root, path.slice(0, unknownAt))
    const { suggestion } = unknownKey(path[unknownAt] ?? '', parent, root)
    return {
      fault: {
        path: dotted(path.slice(0, unknownAt + 1)),
        message: `unknown key, set by ${name}${didYouMean(suggestion)}`,
      },
    }
  }
  const leaf = schemaAt(root, path)
  if (!leaf || !isContainer(leaf)) return { value: fit(text, leaf) }
  const kind = isList(leaf) ? 'a list' : 'a mapping'
  const value = parseJson(text)
  const fits = isList(leaf) ? Array.isArray(value) : isMapping(value)
  if (fits && !deeperThan(value, 32)) return { value }
  // `null` and the empty text take a nullable list back to null.
  const scalar = fit(text, leaf)
  if (scalar === null) return { value: null }
  return {
    fault: { path: dotted(path), message: `expected ${kind} as JSON in ${name}, received ${kindOf(value ?? text)}` },
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A copy of `node` with `value` at `path`; mappings and lists on the way are made where missing. */
const place = (node: unknown, path: readonly string[], value: unknown, schema: Schema | null): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return value
  const below = schema && childOf(schema, key)
  const empty = node === undefined || node === null
  if (Array.isArray(node) || (empty && schema && isList(schema))) {
    const list: unknown[] = Array.isArray(node) ? node : []
    const index = /^\d{1,4}$/.test(key) ? Number(key) : Infinity
    if (index > list.length) return MISPLACED
    const placed = place(list[index], rest, value, below)
    return placed === MISPLACED ? MISPLACED : [...list.slice(0, index), placed, ...list.slice(index + 1)]
  }
  if (!empty && !isMapping(node)) return MISPLACED
  const map = isMapping(node) ? node : {}
  const placed = place(Object.hasOwn(map, key) ? map[key] : undefined, rest, value, below)
  return placed === MISPLACED ? MISPLACED : { ...map, [key]: placed }
}
