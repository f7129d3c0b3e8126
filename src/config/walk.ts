import { z } from 'zod'
import type { Path } from './faults.ts'

/** Reads the schema itself, so that what depends on the list of keys (overrides, suggestions, redaction) cannot drift from it. */
export type Schema = z.core.$ZodType

/** The schema under its wrappers (default, null, optional) and before its transform: what the file holds. */
export const bare = (schema: Schema): Schema => {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
  )
    return bare(schema.unwrap())
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema
}

/** The keys of a mapping with fixed keys, else none. */
export const keysOf = (schema: Schema): readonly string[] => {
  const inner = bare(schema)
  if (inner instanceof z.ZodUnion) return inner.options.flatMap(keysOf)
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

export const childOf = (schema: Schema, key: string | number): Schema | null => {
  const inner = bare(schema)
  if (inner instanceof z.ZodObject) return Object.hasOwn(inner.shape, key) ? (inner.shape[key] ?? null) : null
  if (inner instanceof z.ZodRecord) return inner.valueType
  if (inner instanceof z.ZodUnion) {
    return inner.options.map((option) => childOf(option, key)).find((child) => child !== null) ?? null
  }
  return inner instanceof z.ZodArray ? inner.element : null
}

export const schemaAt = (root: Schema, path: Path): Schema | null =>
  path.reduce<Schema | null>((schema, key) => schema && childOf(schema, key), root)

export const isList = (schema: Schema): boolean => bare(schema) instanceof z.ZodArray
export const isContainer = (schema: Schema): boolean =>
  isList(schema) || bare(schema) instanceof z.ZodObject || bare(schema) instanceof z.ZodRecord

/** Whether a number may be right. */
export const takesNumbers = (schema: Schema): boolean => {
  const inner = bare(schema)
  return inner instanceof z.ZodNumber || (inner instanceof z.ZodUnion && inner.options.some(takesNumbers))
}

const metaOf = (schema: Schema): Readonly<Record<string, unknown>> => z.globalRegistry.get(bare(schema)) ?? {}

export const isSecret = (schema: Schema): boolean => metaOf(schema)['writeOnly'] === true

/** Completes "expected …". */
export const expectedOf = (schema: Schema): string => {
  const inner = bare(schema)
  const { title } = metaOf(inner)
  if (typeof title === 'string') return title
  if (inner instanceof z.ZodEnum)
    return inner.options.length === 1 ? String(inner.options[0]) : `one of ${inner.options.join(', ')}`
  if (inner instanceof z.ZodBoolean) return 'true or false'
  if (isList(inner)) return 'a list'
  return isContainer(inner) ? 'a mapping' : 'text'
}

/** Every dotted key below `schema`; `<name>` stands for a name of the operator's, `<n>` for an index. */
export const dottedKeys = (schema: Schema, prefix = ''): string[] => {
  const inner = bare(schema)
  if (inner instanceof z.ZodRecord) return dottedKeys(inner.valueType, `${prefix}<name>.`)
  if (inner instanceof z.ZodArray) return dottedKeys(inner.element, `${prefix}<n>.`)
  return keysOf(inner).flatMap((key) => {
    const child = childOf(inner, key)
    return [prefix + key, ...(child ? dottedKeys(child, `${prefix}${key}.`) : [])]
  })
}

const scalarOf = (text: string): unknown => {
  if (text === '' || text === 'null' || text === '~') return null
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
}

/**
 * Text that a variable or a file gave, as the schema wants it: text where text is accepted (an api key of digits stays
 * text), else the number, boolean or null that it spells (empty is null, as in YAML), else unchanged for the schema to refuse.
 */
export const fit = (text: string, schema: Schema | null): unknown => {
  if (!schema || z.safeParse(schema, text).success) return text
  const scalar = scalarOf(text.trim())
  return z.safeParse(schema, scalar).success ? scalar : text
}
