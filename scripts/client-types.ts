import { writeFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { INTERFACES } from '../src/adapters/index.ts'
import type { Surface } from '../src/core/vocabulary.ts'
import { documentOf } from '../src/routes/openapi/document.ts'

/** The types of a client of all surfaces, out of the OpenAPI document. A test holds the file to what this would write. */
export const CLIENT_TYPES = join(import.meta.dirname, '../packages/client/src/schema.d.ts')

/** TypeScript 7 has no compiler API in JavaScript yet, which some tools need: they get the last one that has. */
const WITH_AN_API = 'typescript-5'

/** Loads what imports the compiler. */
export const withCompilerApi = async <T>(load: () => Promise<T>): Promise<T> => {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'typescript' ? WITH_AN_API : specifier, context),
  })
  try {
    return await load()
  } finally {
    hooks.deregister()
  }
}

export const clientTypes = async (name: Surface | 'all' = 'all'): Promise<string> => {
  const { astToString, default: generate } = await withCompilerApi(() => import('openapi-typescript'))
  const document = JSON.stringify(documentOf(name, INTERFACES))
  return `// Written by \`npm run client-types\`. Not to be edited.\n${astToString(await generate(document))}`
}

if (import.meta.main) await writeFile(CLIENT_TYPES, await clientTypes())
