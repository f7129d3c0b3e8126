import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rename, utimes, writeFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import type { Surface } from '../src/core/vocabulary.ts'

/**
 * The types of a client of all surfaces, out of the OpenAPI document. They are not in the repository: what compiles them
 * (types, tests, lint, the build) writes them first, unless they are there and the document is the same.
 */
const ROOT = join(import.meta.dirname, '..')
export const CLIENT_TYPES = join(ROOT, 'packages/client/src/schema.d.ts')

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

/** Loaded late: where the types are newer than its sources nobody needs the document. */
const documentText = async (name: Surface | 'all'): Promise<string> => {
  const { INTERFACES } = await import('../src/adapters/index.ts')
  const { documentOf } = await import('../src/routes/openapi/document.ts')
  return JSON.stringify(documentOf(name, INTERFACES))
}

/** Its first line says of which document it is. */
const headOf = (document: string): string =>
  `// Written by \`npm run client-types\`. Not to be edited. ${createHash('sha256').update(document).digest('hex')}\n`

export const clientTypes = async (name: Surface | 'all' = 'all'): Promise<string> => {
  const { astToString, default: generate } = await withCompilerApi(() => import('openapi-typescript'))
  const document = await documentText(name)
  return headOf(document) + astToString(await generate(document))
}

const changedAtMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Writes the types of this checkout into `file`, unless they are there and of its document. */
export const freshClientTypes = async (file: string = CLIENT_TYPES): Promise<void> => {
  const writtenAtMs = changedAtMs(file)
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const isOld = sources.some((name) => changedAtMs(join(ROOT, 'src', name)) >= writtenAtMs)
  if (!isOld) return
  if (writtenAtMs > 0 && readFileSync(file, 'utf8').startsWith(headOf(await documentText('all')))) {
    const now = new Date()
    return utimes(file, now, now)
  }
  // Whole at once: another process may be reading it.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, await clientTypes())
  await rename(draft, file)
}

if (import.meta.main) await freshClientTypes()
