import type { z } from 'zod'
import type { Surface } from '../../core/vocabulary.ts'
import type { HeaderTable } from './headers.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Operation } from './operation.ts'

export interface DocumentInfo {
  title: string
  version: string
  summary: string
  description: string
}

/** Everything in which the documents of two surfaces differ. */
export interface SurfaceDocs {
  name: Surface
  info: DocumentInfo
  tags: readonly { name: string; description: string }[]
  /** How a reader finds the tags: `x-tagGroups`. */
  groups: readonly { name: string; tags: readonly string[] }[]
  operations: readonly Operation[]
  /** What is answered and what is sent, by names that no other surface has. */
  views: Readonly<Record<string, z.ZodType>>
  bodies: Readonly<Record<string, z.ZodType>>
  headers: HeaderTable
  /** On answers to a client that is known. */
  rateHeaders: readonly string[]
  /** What is known of a parameter of a path, beside its name. */
  pathParameter: (name: string, path: string) => JsonSchema
  /** The answers of an operation that are errors. */
  refusals: (operation: Operation) => Readonly<Record<string, JsonSchema>>
  /** Of refusals, by name. */
  examples: () => Readonly<Record<string, unknown>>
  webhooks: () => Readonly<Record<string, JsonSchema>>
}
