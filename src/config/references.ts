import { dotted, isMapping, type Fault, type Path } from './faults.ts'
import { childOf, fit, type Schema } from './walk.ts'

/**
 * References in the text values of a configuration, resolved after parsing, so that what a variable or file holds can
 * never become structure:
 *
 * - `${NAME}`: the variable; a fault if it is not set.
 * - `${NAME:-default}`: the default if it is not set or empty. The default runs to the next `}`.
 * - `${file:PATH}`: the file's text without its last line break.
 * - `$${` stands for a literal `${`.
 *
 * A value that is one whole reference becomes a number, boolean or null where the schema refuses it as text (`fit`).
 */
export interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Answers the text of a file; may throw (an `ENOENT` say). */
  readonly readFile: (path: string) => string
}

export interface Resolved {
  readonly tree: unknown
  readonly faults: Fault[]
  /** Dotted path → the reference that its value came from, without the default, for fault messages. */
  readonly origins: ReadonlyMap<string, string>
}

const REFERENCE = /\$\$\{|\$\{(?:file:([^}]+)|([A-Za-z_]\w*)(?::-([^}]*))?)\}|\$\{/g
const WHOLE = /^\$\{[^}]+\}$/
/** As `z.toJSONSchema` output needs it: text that holds a reference. */
export const HAS_REFERENCE = '\\$\\{[^}]+\\}'

type Looked = { value: string } | { fault: string }

export const resolveReferences = (root: unknown, schema: Schema, sources: Sources): Resolved => {
  const faults: Fault[] = []
  const origins = new Map<string, string>()

  const visitText = (text: string, schema: Schema | null, path: Path): unknown => {
    if (!text.includes('${')) return text
    const { value, names, messages } = expand(text, sources)
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

const expand = (text: string, sources: Sources): { value: string; names: string[]; messages: string[] } => {
  const names: string[] = []
  const messages: string[] = []
  const value = text.replace(REFERENCE, (match, file?: string, name?: string, fallback?: string) => {
    if (match === '$${') return '${'
    const looked = lookUp(file, name, fallback, sources)
    if ('fault' in looked) {
      messages.push(looked.fault)
      return ''
    }
    names.push(file === undefined ? `\${${name}}` : `\${file:${file}}`)
    return looked.value
  })
  return { value, names, messages }
}

const lookUp = (
  file: string | undefined,
  name: string | undefined,
  fallback: string | undefined,
  { env, readFile }: Sources,
): Looked => {
  if (file !== undefined) return readSecret(file, readFile)
  if (name === undefined)
    return { fault: 'malformed reference; write ${NAME}, ${NAME:-default}, ${file:PATH}, or $${ for a literal ${' }
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  if (fallback !== undefined) return { value: value || fallback }
  return value === undefined ? { fault: `the environment variable ${name} is not set` } : { value }
}

const readSecret = (path: string, readFile: Sources['readFile']): Looked => {
  try {
    return { value: readFile(path).replace(/\r?\n$/, '') }
  } catch (error) {
    return { fault: `the file ${path} cannot be read (${errorCode(error)})` }
  }
}

/** `ENOENT` and the like: the part of a system error that is short and holds no value. */
const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'error'
