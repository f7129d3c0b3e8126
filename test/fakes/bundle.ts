import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'

const ROOT = join(import.meta.dirname, '../..')
/** Under the packages, so that what is not bundled is found. */
const OUT = join(ROOT, 'node_modules/.cache/bundled')

const ownPlace = {
  name: 'what a module finds by its own place it finds by that of its source',
  transform: (code: string, id: string) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}

const fileOf = (path: string, ending = '.mjs'): string => join(OUT, path.replaceAll('/', '-').replace(/\.ts$/, ending))

const bundle = async (path: string, file = fileOf(path)): Promise<string> => {
  // What is loaded only where it is asked for would be loaded by all of them.
  const build = await rolldown({
    input: join(ROOT, path),
    platform: 'node',
    external: [/tracing\/sdk/, /\/(postgres|redis)\/index\.ts$/],
    plugins: [bundledWriter, ownPlace],
  })
  const [{ code }] = (await build.generate({ format: file.endsWith('.cjs') ? 'cjs' : 'esm', codeSplitting: false }))
    .output
  await build.close()
  mkdirSync(OUT, { recursive: true })
  // Whole at once: another process may be starting it.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, code)
  renameSync(draft, file)
  return file
}

const bundles = new Map<string, Promise<string>>()

/**
 * A module, by its path in the repository, with all that it imports, as one file. Hundreds of processes are started only to
 * die: loading one file and not a thousand takes a third of the time, and it is the same code.
 */
export const bundled = (path: string): Promise<string> => {
  const made = bundles.get(path) ?? bundle(path)
  bundles.set(path, made)
  return made
}

const WRITER = 'src/stores/sqlite/writer.ts'
const WRITER_FILE = fileOf(WRITER, '.cjs')
const STARTS = '/src/stores/sqlite/index.ts'
const PLACE = 'new URL(file, import.meta.url)'
const THREAD = "import { Worker } from 'node:worker_threads'"

const replaced = (code: string, what: string, by: string): string => {
  if (!code.includes(what)) throw new Error(`${STARTS} does not start its thread by ${what} any more`)
  return code.replace(what, by)
}

/**
 * For processes that tests start: each opens a store, and its writer thread starts twice as fast as one file. Vitest keeps
 * what a transform returns for as long as the module itself is the same, so this returns a path and `setup` writes the file.
 */
const bundledWriter = {
  name: 'the writer thread is one file',
  transform: (code: string, id: string): string | null =>
    id.endsWith(STARTS) ? replaced(code, PLACE, `new URL(${JSON.stringify(pathToFileURL(WRITER_FILE).href)})`) : null,
}

/** For the modules of tests: thousands of them open a store, one after the other, and threads are lent again. */
export const lentWriter = {
  name: 'the writer threads are lent',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | null {
    const bundled = bundledWriter.transform(code, id)
    const pool = JSON.stringify(join(ROOT, 'test/fakes/writer-pool.ts'))
    return bundled === null ? null : replaced(bundled, THREAD, `import { WriterThread as Worker } from ${pool}`)
  },
}

/** Bundles the writer thread before any test, and before tests that are watched run again. */
export const setup = async (project: TestProject): Promise<void> => {
  await bundle(WRITER, WRITER_FILE)
  project.onTestsRerun(async () => void (await bundle(WRITER, WRITER_FILE)))
}
