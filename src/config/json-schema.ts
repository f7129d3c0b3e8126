import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { isMapping, dottedKeys } from './faults.ts'
import { HAS_REFERENCE } from './sources.ts'
import { ConfigSchema } from './schema.ts'

/**
 * What each key is for: the comments of `config/default.yaml`, so that they are written once. By the key's path, in
 * which `<name>` represents a name of the operator's and `<n>` for an index. A key that the file cannot show has its
 * words in the schema (`describe`).
 */
type Descriptions = ReadonlyMap<string, string>

const COMMENT = /^\s*(?:- )?# ?(.*)$/

/** The lines of comment right above a line. */
const commentAbove = (lines: readonly string[], line: number): string => {
  const above: string[] = []
  for (let at = line - 2; at >= 0; at -= 1) {
    const [, words] = COMMENT.exec(lines[at] ?? '') ?? []
    if (words === undefined) break
    above.unshift(words.trim())
  }
  return above.join(' ').trim()
}

/** The first description of each path: of several backends the first explains them all. */
const descriptionsIn = (text: string): Descriptions => {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  const lines = text.split('\n')
  const known = dottedKeys(ConfigSchema)
  const found = new Map<string, string>()
  const visit = (node: unknown, prefix: string): void => {
    if (isSeq(node)) for (const item of node.items) visit(item, `${prefix}<n>.`)
    if (!isMap(node)) return
    const isNamed = known.some((key) => key.startsWith(`${prefix}<name>`))
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      const path = prefix + (isNamed ? '<name>' : String(key.value))
      const words = commentAbove(lines, counter.linePos(key.range?.[0] ?? 0).line)
      if (words !== '' && !found.has(path)) found.set(path, words)
      visit(value, `${path}.`)
    }
  }
  visit(document.contents, '')
  return found
}

type Node = Readonly<Record<string, unknown>>

const REFERENCE = { $ref: '#/$defs/reference' }
const SCALARS: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/**
 * The JSON Schema of a configuration file, for editors. It describes the text as written: durations as text, defaults
 * as in the file, and any scalar may be a reference (`port: ${PORT}`). Rules over several keys are not in it.
 * `documented`: the text of `config/default.yaml`, whose comments describe the keys.
 */
export const configJsonSchema = (documented = ''): Node => {
  const { $schema, ...root } = z.toJSONSchema(ConfigSchema, { io: 'input' })
  return {
    $schema,
    title: 'Talkbridge configuration',
    ...written(root, descriptionsIn(documented), ''),
    $defs: {
      reference: {
        type: 'string',
        pattern: HAS_REFERENCE,
        title: 'a reference: ${NAME}, ${NAME:-default} or ${file:PATH}',
      },
    },
  }
}

/** Annotations stay where editors look for them; only the constraint itself becomes one of two. */
const allowReference = ({ title, description, default: preset, writeOnly, ...constraint }: Node): Node => ({
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  ...(preset === undefined ? {} : { default: preset }),
  ...(writeOnly === undefined ? {} : { writeOnly }),
  anyOf: [...(Array.isArray(constraint['anyOf']) ? constraint['anyOf'] : [constraint]), REFERENCE],
})

const isScalarNode = (node: unknown): boolean => isMapping(node) && SCALARS.includes(node['type'])

/** A node as the file is written: references for scalars, and the description of every key that has one. */
const written = (node: Node, words: Descriptions, path: string, isOption = false): Node => {
  const { anyOf, properties, items, additionalProperties } = node
  const below = (child: unknown, key: string): unknown =>
    isMapping(child) ? written(child, words, path === '' ? key : `${path}.${key}`) : child
  const options = Array.isArray(anyOf) ? anyOf : null
  const isScalar = isScalarNode(node) || options?.every((one) => isScalarNode(one) || one?.type === 'null')
  const whole = isScalar
    ? allowReference(node)
    : {
        ...node,
        ...(options && { anyOf: options.map((one) => (isMapping(one) ? written(one, words, path, true) : one)) }),
        ...(isMapping(properties) && {
          properties: Object.fromEntries(Object.entries(properties).map(([key, child]) => [key, below(child, key)])),
        }),
        ...(isMapping(items) && { items: below(items, '<n>') }),
        ...(isMapping(additionalProperties) && { additionalProperties: below(additionalProperties, '<name>') }),
      }
  const description = isOption ? undefined : words.get(path)
  return description === undefined ? whole : { description, ...whole }
}
