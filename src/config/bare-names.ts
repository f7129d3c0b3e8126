import { dotted, isMapping, type Fault, type Path } from './faults.ts'
import { childOf, expectedOf, isSecret, type Schema } from './walk.ts'

/** A whole value, or a part of a URL, that a shell would replace and this reader does not. */
const WHOLE = /^\$([A-Z_][A-Z0-9_]*)$/
const IN_URL = /[/:@]\$([A-Z_][A-Z0-9_]{2,})(?=$|[/:@?])/

const nameIn = (text: string, schema: Schema): string | null => {
  const isUrl = expectedOf(schema).includes('URL')
  if (!isUrl && !isSecret(schema)) return null
  return (WHOLE.exec(text) ?? (isUrl ? IN_URL.exec(text) : null))?.[1] ?? null
}

/**
 * `$NAME` without braces, where a secret or a URL is expected: it would be taken as it stands, and refused much later by
 * somebody else. Who has a secret that looks so gives it by a variable.
 */
export const bareNameFaults = (root: unknown, schema: Schema): Fault[] => {
  const visit = (node: unknown, at: Schema | null, path: Path): Fault[] => {
    if (Array.isArray(node)) return node.flatMap((value, i) => visit(value, at && childOf(at, i), [...path, i]))
    if (isMapping(node))
      return Object.entries(node).flatMap(([key, value]) => visit(value, at && childOf(at, key), [...path, key]))
    const name = typeof node === 'string' && at ? nameIn(node, at) : null
    if (name === null) return []
    return [{ path: dotted(path), message: `$${name} is not replaced without braces; did you mean \${${name}}?` }]
  }
  return visit(root, schema, [])
}
