import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '../..')
/** Under the packages, so that what is not bundled is found. */
const OUT = join(ROOT, 'node_modules/.cache/bundled')

const ownPlace = {
  name: 'what a module finds by its own place it finds by that of its source',
  transform: (code: string, id: string) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}

interface Bundle {
  file: string
  /** Every module that is in it. */
  modules: readonly string[]
}

const bundle = async (path: string): Promise<Bundle> => {
  // What is loaded only where it is asked for would be loaded by all of them.
  const build = await rolldown({
    input: join(ROOT, path),
    platform: 'node',
    external: [/^node-av/, /tracing\/sdk/],
    plugins: [bundledWriter, ownPlace],
  })
  const [{ code, moduleIds }] = (await build.generate({ format: 'esm', codeSplitting: false })).output
  await build.close()
  mkdirSync(OUT, { recursive: true })
  // Whole at once: another process may be starting it.
  const file = join(OUT, path.replaceAll('/', '-').replace(/\.ts$/, '.mjs'))
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, code)
  renameSync(draft, file)
  return { file, modules: moduleIds }
}

const bundles = new Map<string, Promise<Bundle>>()

const known = (path: string): Promise<Bundle> => {
  const made = bundles.get(path) ?? bundle(path)
  bundles.set(path, made)
  return made
}

/**
 * A module, by its path in the repository, with all that it imports, as one file. Hundreds of processes are started only to
 * die: loading one file and not a thousand takes a third of the time, and it is the same code.
 */
export const bundled = async (path: string): Promise<string> => (await known(path)).file

const STARTS = '/src/stores/sqlite/write.ts'
const PLACE = 'new URL(file, import.meta.url)'

/** For the modules of tests: thousands of them open a store, and its writer thread starts twice as fast as one file. */
export const bundledWriter = {
  name: 'the writer thread is one file',
  enforce: 'pre' as const,
  async transform(this: { addWatchFile(id: string): void }, code: string, id: string): Promise<string | null> {
    if (!id.endsWith(STARTS)) return null
    if (!code.includes(PLACE)) throw new Error(`${STARTS} does not start its thread by ${PLACE} any more`)
    const { file, modules } = await bundle('src/stores/sqlite/writer.ts')
    // One that is changed while tests are watched is bundled anew.
    for (const module of modules) this.addWatchFile(module)
    return code.replace(PLACE, `new URL(${JSON.stringify(pathToFileURL(file).href)})`)
  },
}
