import { LineCounter, parseDocument, type Document, type ErrorCode } from 'yaml'
import { dotted, isMapping, type Fault, type Path } from './faults.ts'
import { locateIn, type Locate } from './positions.ts'

export type Format = 'yaml' | 'json'

/** The file as plain values; `tree` is null when there is nothing to look at beyond the faults. */
export interface Read {
  readonly tree: unknown
  readonly faults: readonly Fault[]
  readonly locate: Locate
}

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

interface Parsed {
  readonly document: Document.Parsed
  readonly faults: Fault[]
  readonly broken: boolean
  readonly locate: Locate
}

const parse = (source: string): Parsed => {
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

export const deeperThan = (node: unknown, levels: number): boolean =>
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
