import { z } from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>

/** A closed JSON Schema (2020-12) of a zod schema, as an OpenAPI 3.1 component. */
export const fromZod = (schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'output' })
  return rest
}

type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

const kindOf = (value: unknown): Kind => {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'boolean' || kind === 'number' || kind === 'string' ? kind : 'object'
}

/**
 * The closed schema of a body that the contract does not show, read off the decision's own answers: so a variant
 * documents itself. A field that only some samples have is optional; `null` beside another type makes it nullable.
 */
export const byExample = (...samples: readonly unknown[]): JsonSchema => {
  const kinds = [...new Set(samples.map(kindOf))].toSorted()
  const [kind, ...others] = kinds
  if (kind === undefined) return {}
  if (others.length > 0) return { anyOf: kinds.map((one) => byExample(...samples.filter((s) => kindOf(s) === one))) }
  if (kind === 'array') return { type: 'array', items: byExample(...samples.flatMap((list) => asList(list))) }
  return kind === 'object' ? objectByExample(samples.map(asObject)) : { type: kind }
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? [...value] : [])

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const objectByExample = (samples: readonly Record<string, unknown>[]): JsonSchema => {
  const names = [...new Set(samples.flatMap(Object.keys))]
  const properties = Object.fromEntries(
    names.map((name) => [name, byExample(...samples.filter((s) => Object.hasOwn(s, name)).map((s) => s[name]))]),
  )
  const required = names.filter((name) => samples.every((sample) => Object.hasOwn(sample, name)))
  return { type: 'object', properties, required, additionalProperties: false }
}

/** A closed object with the fields of `base` and those of `more`; the fields of `optional` may be absent. */
export const joined = (base: JsonSchema, more: JsonSchema, optional: JsonSchema): JsonSchema => ({
  ...base,
  properties: { ...asObject(optional['properties']), ...asObject(more['properties']), ...asObject(base['properties']) },
  required: [...new Set([...asList(base['required']), ...asList(more['required'])])],
})

interface AliasGroup {
  readonly names: readonly string[]
  readonly schema: JsonSchema
  readonly required: boolean
}

export const needed = (names: readonly string[], schema: JsonSchema): AliasGroup => ({ names, schema, required: true })
export const allowed = (names: readonly string[], schema: JsonSchema): AliasGroup => ({
  names,
  schema,
  required: false,
})

/** A request body of alias groups (primary, "Alias convention"): one name of each required group must be there. */
export const aliased = (groups: readonly AliasGroup[]): JsonSchema => {
  const required = groups.filter((group) => group.required).map(({ names }) => names)
  const choices = required.filter((names) => names.length > 1)
  return {
    type: 'object',
    properties: Object.fromEntries(groups.flatMap(({ names, schema }) => names.map((name) => [name, schema]))),
    required: required.filter((names) => names.length === 1).flat(),
    additionalProperties: false,
    ...(choices.length > 0 && {
      allOf: choices.map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) })),
    }),
  }
}
