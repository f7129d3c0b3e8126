import { z } from 'zod'
import { isMapping } from './faults.ts'
import { descriptionsIn, type Descriptions } from './descriptions.ts'
import { HAS_REFERENCE } from './references.ts'
import { ConfigSchema } from './schema.ts'
import { dottedKeys } from './walk.ts'

type Node = Readonly<Record<string, unknown>>

const REFERENCE = { $ref: '#/$defs/reference' }
const SCALARS: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/**
 * The JSON Schema of a configuration file, for editors. It describes the text as written: durations as text, defaults as
 * in the file, and any scalar may be a reference (`port: ${PORT}`). Rules over several keys are not in it.
 * `documented`: the text of `config/default.yaml`, whose comments describe the keys.
 */
export const configJsonSchema = (documented = ''): Node => {
  const { $schema, ...root } = z.toJSONSchema(ConfigSchema, { io: 'input' })
  return {
    $schema,
    title: 'Talkbridge configuration',
    ...described(withReferences(root), namedIn(documented), ''),
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

const isScalar = (node: unknown): boolean => isMapping(node) && SCALARS.includes(node['type'])

const withReferences = (node: Node): Node => {
  const { anyOf, properties, items, additionalProperties } = node
  if (isScalar(node) || (Array.isArray(anyOf) && anyOf.every((one) => isScalar(one) || one?.type === 'null')))
    return allowReference(node)
  return {
    ...node,
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one) => (isMapping(one) ? withReferences(one) : one)) }),
    ...(isMapping(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, one]) => [key, isMapping(one) ? withReferences(one) : one]),
      ),
    }),
    ...(isMapping(items) && { items: withReferences(items) }),
    ...(isMapping(additionalProperties) && { additionalProperties: withReferences(additionalProperties) }),
  }
}

/** Paths before which a name of the operator's stands. */
const beforeNames = (): ReadonlySet<string> => {
  return new Set(
    dottedKeys(ConfigSchema).flatMap((key) => [...key.matchAll(/<name>/g)].map(({ index }) => key.slice(0, index))),
  )
}

const namedIn = (documented: string): Descriptions => {
  const named = beforeNames()
  return descriptionsIn(documented, (prefix) => named.has(prefix))
}

/** The same with the description of every key that has one. */
const described = (node: Node, words: Descriptions, prefix: string): Node => {
  const { anyOf, properties, items, additionalProperties } = node
  const below = (child: unknown, path: string): unknown => (isMapping(child) ? described(child, words, path) : child)
  const ofKey = (key: string, child: unknown): unknown => {
    const description = words.get(prefix + key)
    const deeper = below(child, `${prefix}${key}.`)
    return description === undefined || !isMapping(deeper) ? deeper : { description, ...deeper }
  }
  return {
    ...node,
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one) => below(one, prefix)) }),
    ...(isMapping(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, child]) => [key, ofKey(key, child)])),
    }),
    ...(isMapping(items) && { items: below(items, `${prefix}<n>.`) }),
    ...(isMapping(additionalProperties) && {
      additionalProperties: below(additionalProperties, `${prefix}<name>.`),
    }),
  }
}
