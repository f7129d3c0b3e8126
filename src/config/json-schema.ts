import { z } from 'zod'
import { isMapping } from './faults.ts'
import { HAS_REFERENCE } from './references.ts'
import { ConfigSchema } from './schema.ts'

type Node = Readonly<Record<string, unknown>>

const REFERENCE = { $ref: '#/$defs/reference' }
const SCALARS: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/**
 * The JSON Schema of a configuration file, for editors. It describes the text as written: durations as text, defaults as
 * in the file, and any scalar may be a reference (`port: ${PORT}`). Rules over several keys are not in it.
 */
export const configJsonSchema = (): Node => {
  const { $schema, ...root } = z.toJSONSchema(ConfigSchema, { io: 'input' })
  return {
    $schema,
    title: 'Talkbridge configuration',
    ...withReferences(root),
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
const allowReference = ({ title, default: preset, writeOnly, ...constraint }: Node): Node => ({
  ...(title === undefined ? {} : { title }),
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
