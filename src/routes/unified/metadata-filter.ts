import { z } from 'zod'
import { DocumentedAs } from '../parse.ts'
import { METADATA } from './videos/input.ts'

const NAME = /^metadata(?:\[(.*)\])?$/s

/** A query in which `metadata=…` and `metadata[key]=…` are one field, for `MetadataFilter`. */
export const withMetadata = ({ query }: { query: object }): { query: object } => {
  const given: [string, unknown][] = Object.entries(query)
  const asked = given.filter(([name]) => NAME.test(name))
  if (asked.length === 0) return { query }
  return { query: { ...Object.fromEntries(given.filter(([name]) => !NAME.test(name))), metadata: asked } }
}

export interface MetadataWish {
  key: string | null
  value: string
}

/** What is asked for, or what is wrong with it. */
const wishOf = (asked: readonly [string, unknown][]): MetadataWish | string => {
  const [[name, value] = ['', ''], ...more] = asked
  if (more.length > 0) return 'give only one: metadata=1001, or metadata[order]=1001'
  if (typeof value !== 'string') return 'must be given once'
  const key = NAME.exec(name)?.[1] ?? null
  if (key !== null && (key === '' || key.length > METADATA.key)) {
    return `must have a key of 1 to ${METADATA.key} characters: metadata[order]=1001`
  }
  if (value.length > METADATA.value || (value === '' && key === null)) {
    return `must be 1 to ${METADATA.value} characters`
  }
  return { key, value }
}

/** A value of the metadata: of any key, or of this one. */
export const MetadataFilter = DocumentedAs(
  z
    .array(z.tuple([z.string(), z.unknown()]))
    .transform((asked, context): MetadataWish => {
      const wish = wishOf(asked)
      if (typeof wish !== 'string') return wish
      context.addIssue({ code: 'custom', message: wish })
      return z.NEVER
    })
    .optional(),
  {
    description:
      'Only videos whose metadata has exactly this value: `metadata=1001` under any key, `metadata[order]=1001` under the key `order`. Give one of them. With other filters, a page may be short while `has_more` is true.',
    anyOf: [
      { type: 'string', minLength: 1, maxLength: METADATA.value },
      {
        type: 'object',
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: { type: 'string', maxLength: METADATA.value },
      },
    ],
    style: 'deepObject',
    explode: true,
  },
)
