import type { Surface } from '../../core/vocabulary.ts'
import { openApiDocument } from '../openapi/document.ts'
import type { JsonSchema } from '../openapi/json-schema.ts'
import type { Operation } from '../openapi/operation.ts'
import { OF_ALL_SURFACES } from '../openapi/prose.ts'
import type { SurfaceDocs } from '../openapi/surface.ts'
import { unifiedSurface } from '../openapi/unified.ts'
import { ALTERNATE_SURFACE } from '../dropin/alternate/spec.ts'
import { PRIMARY_SURFACE } from '../dropin/primary/spec.ts'
import { UNIFIED_OPERATIONS } from '../unified/spec.ts'
import { GATEWAY_OPERATIONS } from './operations.ts'

const UNIFIED_SURFACE = unifiedSurface([...UNIFIED_OPERATIONS, ...GATEWAY_OPERATIONS])
/** Everything that the gateway serves, in the order of the document. */
export const SURFACE_DOCS: readonly SurfaceDocs[] = [UNIFIED_SURFACE, PRIMARY_SURFACE, ALTERNATE_SURFACE]

const prefixed = (surface: string, id: string): string => `${surface}${id.slice(0, 1).toUpperCase()}${id.slice(1)}`

/** Beside each other: an operation whose id an earlier surface has gets its own surface's name before it. */
const together = SURFACE_DOCS.map((surface, at) => {
  const taken = new Set(SURFACE_DOCS.slice(0, at).flatMap(({ operations }) => operations.map(({ id }) => id)))
  const operations = surface.operations.map((operation) =>
    taken.has(operation.id) ? { ...operation, id: prefixed(surface.name, operation.id) } : operation,
  )
  return { ...surface, operations }
})

/** The operations of the document of all surfaces. */
export const OPERATIONS: readonly Operation[] = together.flatMap(({ operations }) => operations)

/** The document of one surface, or of all. `interfaces`: the kinds of backends that there are. */
export const documentOf = (name: Surface | 'all', interfaces: readonly string[]): JsonSchema => {
  const { info } = UNIFIED_SURFACE
  if (name !== 'all') {
    const those = SURFACE_DOCS.filter((surface) => surface.name === name)
    return openApiDocument(those, those[0]?.info ?? info, interfaces)
  }
  const description = `${info.description}\n\n${OF_ALL_SURFACES}`
  return openApiDocument(together, { ...info, title: 'Talkbridge', description }, interfaces)
}
