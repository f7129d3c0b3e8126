import { z } from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNull = (value: unknown): boolean => isObject(value) && value['type'] === 'null'

/** `anyOf: [X, null]` as `type: [x, null]`: says the same to a validator, and less to a reader. */
const nullable = (schema: JsonSchema): JsonSchema => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return schema
  const [first] = anyOf as unknown[]
  if (!isObject(first) || typeof first['type'] !== 'string') return schema
  const { enum: values } = first
  return {
    ...first,
    ...rest,
    type: [first['type'], 'null'],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  }
}

/** A record whose keys are known is an object with those fields. */
const spelledOut = (schema: JsonSchema): JsonSchema => {
  const { propertyNames, additionalProperties, ...rest } = schema
  const names = isObject(propertyNames) ? propertyNames['enum'] : undefined
  if (!Array.isArray(names)) return schema
  const properties = Object.fromEntries((names as unknown[]).map((name) => [String(name), additionalProperties]))
  return { ...rest, properties, additionalProperties: false }
}

/** Bounds of what a double holds, and the pattern beside a format, are noise to a reader. */
const withoutNoise = (schema: JsonSchema): JsonSchema => {
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !(key === 'minimum' && value === Number.MIN_SAFE_INTEGER) &&
      !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER) &&
      !(key === 'pattern' && schema['format'] === 'date-time'),
  )
  return Object.fromEntries(kept)
}

const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isObject(value)) return value
  const { documentedAs } = value
  if (isObject(documentedAs)) return documentedAs
  return nullable(
    spelledOut(
      withoutNoise(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, tidy(inner)] as const))),
    ),
  )
}

/** The JSON Schema (2020-12) that OpenAPI 3.1 takes, as a reader wants it. */
export const closed = (schema: JsonSchema): JsonSchema => {
  const { $schema: _schema, $id: _id, ...rest } = schema
  const tidied = tidy(rest)
  return isObject(tidied) ? tidied : {}
}

/** Of each field of a query. */
export const fieldSchemas = (query: z.ZodObject): { name: string; required: boolean; schema: JsonSchema }[] => {
  const { properties, required } = closed(z.toJSONSchema(query, { io: 'input' }))
  const needed = Array.isArray(required) ? (required as unknown[]) : []
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) =>
    isObject(schema) ? [{ name, required: needed.includes(name), schema }] : [],
  )
}
