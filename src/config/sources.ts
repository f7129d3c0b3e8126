import { LineCounter, parseDocument, type ErrorCode } from 'yaml'
import {
  dotted,
  isMapping,
  type Fault,
  type Path,
  locateIn,
  type Locate,
  childOf,
  expectedOf,
  isSecret,
  type Schema,
  fit,
  kindOf,
  valueAt,
  unknownKey,
  isContainer,
  isList,
  schemaAt,
} from './faults.ts'
import { codeOf, didYouMean } from '../core/errors.ts'
import { isLoopback } from './fields.ts'

export type Format = 'yaml' | 'json'

/** The file as plain values; `tree` is null when there is nothing to look at beyond the faults. */
export interface Read {
  readonly tree: unknown
  readonly faults: readonly Fault[]
  readonly locate: Locate
}

/** Of the process: its variables. */
export type Environment = Readonly<Record<string, string | undefined>>

export const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 32
const MAX_ALIASES = 100

/** Our words, not the parser's: its messages quote the source, which may hold a secret. */
const SYNTAX: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: 'an alias takes no tag or anchor',
  BAD_DIRECTIVE: 'malformed % directive',
  BAD_DQ_ESCAPE: 'invalid escape in a double-quoted text',
  BAD_INDENT: 'wrong indentation, or a bracket that is not closed',
  BAD_SCALAR_START: 'text that starts with this character needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second `: ` on one line: put text that contains `: ` in quotes',
  DUPLICATE_KEY: 'duplicate key',
  MISSING_CHAR: 'a quote, colon, comma or bracket is missing',
  MULTIPLE_DOCS: 'more than one document in the file',
  NON_STRING_KEY: 'a key must be text',
  RESOURCE_EXHAUSTION: 'nested too deeply',
  TAB_AS_INDENT: 'tabs cannot indent',
  TAG_RESOLVE_FAILED: 'tags (!) are not supported',
  UNEXPECTED_TOKEN: 'unexpected text or bracket (inside { } or [ ], quote "${…}")',
}

const nowhere: Locate = () => null
const whole = (message: string): Read => ({ tree: null, faults: [{ path: '', message }], locate: nowhere })

/** Parses YAML or JSON. Never throws; references (`${…}`) stay text. */
export const readText = (source: string, format: Format): Read => {
  if (Buffer.byteLength(source) > MAX_BYTES) return whole('larger than 1 MiB')
  try {
    return format === 'json' ? readJson(source) : readYaml(source)
  } catch {
    // What the parsers throw instead of reporting: a stack exhausted by nesting.
    return whole('cannot be parsed: nested too deeply')
  }
}

const readYaml = (source: string): Read => {
  const { document, faults, broken, locate } = parse(source)
  // A tree with a duplicate key is still worth checking for the other mistakes; one with broken syntax is not.
  if (broken) return { tree: null, faults, locate }
  let tree: unknown
  try {
    tree = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch {
    return whole(`aliases (*) that are unknown, or that repeat more than ${MAX_ALIASES} anchors (&)`)
  }
  return guard({ tree: tree ?? {}, faults, locate })
}

const readJson = (source: string): Read => {
  // JSON.parse takes the last of two equal keys in silence; JSON is YAML enough for the other parser to see them.
  const { faults, locate } = parse(source)
  try {
    const tree: unknown = JSON.parse(source)
    const duplicates = faults.filter(({ message }) => message.endsWith(SYNTAX.DUPLICATE_KEY ?? ''))
    return guard({ tree, faults: duplicates, locate })
  } catch (error) {
    // Its message quotes the source; only the position is taken, if it has one.
    const position = error instanceof SyntaxError ? /\(line (\d+) column (\d+)\)/.exec(error.message) : null
    if (position) return whole(`line ${position[1]}, column ${position[2]}: not valid JSON`)
    return faults[0] ? { tree: null, faults, locate } : whole('not valid JSON')
  }
}

const parse = (source: string) => {
  const lines = new LineCounter()
  const document = parseDocument(source, {
    prettyErrors: false,
    stringKeys: true,
    resolveKnownTags: false,
    logLevel: 'error',
    lineCounter: lines,
  })
  const problems = [...document.errors, ...document.warnings]
  // After the first error of syntax the parser guesses, and stumbles over what it guessed.
  const broken = problems.find(({ code }) => code !== 'DUPLICATE_KEY')
  const faults = problems
    .filter((problem) => problem.code === 'DUPLICATE_KEY' || problem === broken)
    .map(({ code, pos }) => {
      const { line, col } = lines.linePos(pos[0])
      const message = `line ${line}, column ${col}: ${SYNTAX[code] ?? 'not valid YAML'}`
      return { path: '', message, line, column: col }
    })
  return { document, faults, broken: broken !== undefined, locate: locateIn(document, lines) }
}

/** What no schema sees: nesting beyond sense (cyclic aliases too), and `__proto__`, which zod's records skip. */
const guard = ({ tree, faults, locate }: Read): Read => {
  if (deeperThan(tree, MAX_DEPTH)) return whole(`nested more than ${MAX_DEPTH} levels deep`)
  return { tree, faults: [...faults, ...protoKeys(tree, [])], locate }
}

const deeperThan = (node: unknown, levels: number): boolean =>
  typeof node === 'object' &&
  node !== null &&
  (levels === 0 || Object.values(node).some((child) => deeperThan(child, levels - 1)))

const protoKeys = (node: unknown, path: Path): Fault[] => {
  if (Array.isArray(node)) return node.flatMap((child, i) => protoKeys(child, [...path, i]))
  if (!isMapping(node)) return []
  return Object.entries(node).flatMap(([key, child]) =>
    key === '__proto__' ? [{ path: dotted([...path, key]), message: 'unknown key' }] : protoKeys(child, [...path, key]),
  )
}

/** A whole value, or a part of a URL, that a shell would replace and this reader does not. */
const BARE_WHOLE = /^\$([A-Z_][A-Z0-9_]*)$/
const IN_URL = /[/:@]\$([A-Z_][A-Z0-9_]{2,})(?=$|[/:@?])/

/**
 * `NAME` of a `$NAME` without braces, where a secret or a URL is expected: it would be used as it is, and refused much
 * later by somebody else. A secret that looks like this is given by a variable.
 */
const bareNameIn = (text: string, schema: Schema): string | null => {
  const isUrl = expectedOf(schema).includes('URL')
  if (!isUrl && !isSecret(schema)) return null
  return (BARE_WHOLE.exec(text) ?? (isUrl ? IN_URL.exec(text) : null))?.[1] ?? null
}

/**
 * References in the text values of a configuration, resolved after parsing, so that what a variable or file holds can
 * never become structure:
 *
 * - `${NAME}`: the variable; a fault if it is not set.
 * - `${NAME:-default}`: the default if it is not set or empty. The default runs to the next `}`.
 * - `${file:PATH}`: the file's text without its last line break.
 * - `$${` represents a literal `${`.
 *
 * A value that is one whole reference becomes a number, boolean or null where the schema refuses it as text (`fit`).
 */
export interface Sources {
  readonly env: Environment
  /** Answers the text of a file; may throw (an `ENOENT` say). */
  readonly readFile: (path: string) => string
}

interface Resolved {
  readonly tree: unknown
  readonly faults: Fault[]
  /** Dotted path → the reference that its value came from, without the default, for fault messages. */
  readonly origins: ReadonlyMap<string, string>
}

const REFERENCE = /\$\$\{|\$\{(?:file:([^}]+)|([A-Za-z_]\w*)(?::-([^}]*))?)\}|\$\{/g
const WHOLE = /^\$\{[^}]+\}$/
/** As `z.toJSONSchema` output needs it: text that holds a reference. */
export const HAS_REFERENCE = '\\$\\{[^}]+\\}'

export const resolveReferences = (root: unknown, schema: Schema, sources: Sources): Resolved => {
  const faults: Fault[] = []
  const origins = new Map<string, string>()

  const visitText = (text: string, schema: Schema | null, path: Path): unknown => {
    const { value, names, messages } = expand(text, sources)
    const bare = schema && bareNameIn(text, schema)
    if (bare) messages.push(`$${bare} is not replaced without braces; did you mean \${${bare}}?`)
    faults.push(...messages.map((message) => ({ path: dotted(path), message })))
    if (messages.length > 0) return text
    if (names.length > 0) origins.set(dotted(path), names.join(', '))
    return WHOLE.test(text) ? fit(value, schema) : value
  }
  const visit = (node: unknown, schema: Schema | null, path: Path): unknown => {
    const child = (key: string | number, value: unknown): unknown =>
      visit(value, schema && childOf(schema, key), [...path, key])
    if (typeof node === 'string') return visitText(node, schema, path)
    if (Array.isArray(node)) return node.map((value, i) => child(i, value))
    if (isMapping(node)) return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, child(key, value)]))
    return node
  }
  return { tree: visit(root, schema, []), faults, origins }
}

const expand = (text: string, { env, readFile }: Sources): { value: string; names: string[]; messages: string[] } => {
  const names: string[] = []
  const messages: string[] = []
  const refused = (message: string): string => {
    messages.push(message)
    return ''
  }
  const fileText = (file: string): string => {
    try {
      return readFile(file).replace(/\r?\n$/, '')
    } catch (error) {
      return refused(`the file ${file} cannot be read (${codeOf(error) || 'error'})`)
    }
  }
  const value = text.replace(REFERENCE, (match, file?: string, name?: string, fallback?: string) => {
    if (match === '$${') return '${'
    names.push(file === undefined ? `\${${name}}` : `\${file:${file}}`)
    if (file !== undefined) return fileText(file)
    if (name === undefined)
      return refused('malformed reference; write ${NAME}, ${NAME:-default}, ${file:PATH}, or $${ for a literal ${')
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    if (fallback !== undefined) return value || fallback
    return value ?? refused(`the environment variable ${name} is not set`)
  })
  return { value, names, messages }
}

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

const isNoSetting = (name: string, value: string): boolean =>
  RESERVED.has(name) ||
  // The tests of this repository find servers by these.
  name.startsWith('TALKBRIDGE_TEST_') ||
  SERVICE_LINK.test(name) ||
  (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value))

const MISPLACED = Symbol('misplaced')

export const applyOverrides = (file: Resolved, schema: Schema, env: Environment): Resolved => {
  const faults = [...file.faults]
  const origins = new Map(file.origins)
  let tree = file.tree
  for (const { name, path, value: text } of overridesIn(env)) {
    const at = dotted(path)
    const read = readOverride(name, path, text, schema)
    const placed = 'message' in read ? MISPLACED : place(tree, path, read.value, schema)
    if ('message' in read) faults.push(read)
    else if (placed === MISPLACED)
      faults.push({
        path: at,
        message: `${name} has no place there: the list is too short, or the value above is not a mapping`,
      })
    else {
      tree = placed
      // It replaces whatever references were at its path and below.
      for (const known of origins.keys()) if (known === at || known.startsWith(`${at}.`)) origins.delete(known)
      origins.set(at, name)
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
export const replacedValues = (file: unknown, defaults: unknown, env: Environment): Replaced[] => [
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

const overridesIn = (env: Environment) =>
  Object.entries(env)
    .flatMap(([name, value]) =>
      value !== undefined && name.startsWith(PREFIX) && !isNoSetting(name, value)
        ? [{ name, path: name.slice(PREFIX.length).toLowerCase().split('__'), value }]
        : [],
    )
    .toSorted((a, b) => a.path.length - b.path.length || (a.name < b.name ? -1 : 1))

const readOverride = (
  name: string,
  path: readonly string[],
  text: string,
  root: Schema,
): { value: unknown } | Fault => {
  const unknownAt = path.findIndex((_, i) => schemaAt(root, path.slice(0, i + 1)) === null)
  if (unknownAt !== -1) {
    const { suggestion } = unknownKey(path[unknownAt] ?? '', schemaAt(root, path.slice(0, unknownAt)), root)
    const message = `unknown key, set by ${name}${didYouMean(suggestion)}`
    return { path: dotted(path.slice(0, unknownAt + 1)), message }
  }
  const leaf = schemaAt(root, path)
  if (!leaf || !isContainer(leaf)) return { value: fit(text, leaf) }
  const value = parseJson(text)
  const fits = isList(leaf) ? Array.isArray(value) : isMapping(value)
  if (fits && !deeperThan(value, MAX_DEPTH)) return { value }
  // `null` and the empty text take a nullable list back to null.
  if (fit(text, leaf) === null) return { value: null }
  const kind = isList(leaf) ? 'a list' : 'a mapping'
  return { path: dotted(path), message: `expected ${kind} as JSON in ${name}, received ${kindOf(value ?? text)}` }
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

/** `backends.*.proxy`: what the environment says where the file says nothing, and that an origin has one way out. */

/** `host`, `.host`, `*.host` (the first two for the host and all below it) or `*`, each with `:port` or without. */
const ENTRY = /^(\*\.|\.)?(\*|\[[^\]]+\]|[^:]+|[^:]*:.*:.*?)(?::(\d+))?$/

const bare = (hostname: string): string => hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '')

/** Whether `NO_PROXY` keeps this URL from a proxy. Pure. */
export const isExempt = (noProxy: string, url: URL): boolean => {
  const host = bare(url.hostname)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return noProxy.split(/[\s,]+/).some((entry) => {
    const [, prefix, name = '', only = port] = ENTRY.exec(entry) ?? []
    if (name === '' || only !== port) return false
    return name === '*' || host.endsWith(`.${bare(name)}`) || (prefix !== '*.' && host === bare(name))
  })
}

const proxyFor = (baseUrl: unknown, env: Environment): string | null => {
  const url = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null
  // As curl and others: the lower-case name first.
  const proxy = env['https_proxy'] || env['HTTPS_PROXY']
  // http is for a loopback host only, and a proxy's loopback is another machine's.
  if (url?.protocol !== 'https:' || !proxy || isLoopback(url.hostname)) return null
  if (isExempt(env['no_proxy'] || env['NO_PROXY'] || '', url)) return null
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

/** Fills in `HTTPS_PROXY` where a backend names no proxy. */
export const withProxies = ({ tree, faults, origins }: Resolved, env: Environment): Resolved => {
  const backends = valueAt(tree, ['backends'])
  if (!isMapping(tree) || !isMapping(backends)) return { tree, faults, origins }
  const known = new Map(origins)
  const filled = Object.entries(backends).map(([name, backend]): [string, unknown] => {
    if (!isMapping(backend) || (backend['proxy'] ?? null) !== null) return [name, backend]
    const proxy = proxyFor(backend['base_url'], env)
    if (proxy === null) return [name, backend]
    known.set(dotted(['backends', name, 'proxy']), 'HTTPS_PROXY')
    return [name, { ...backend, proxy }]
  })
  return { tree: { ...tree, backends: Object.fromEntries(filled) }, faults, origins: known }
}
