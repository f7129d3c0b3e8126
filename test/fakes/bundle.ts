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

/** What tests start in processes of its own, by its path in the repository. */
const ENTRIES = [
  'src/main.ts',
  'test/attacks/gateway-child.ts',
  'test/faults/sender-victim.ts',
  'test/faults/victim.ts',
] as const

const nameOf = (path: string): string => path.replaceAll('/', '-').replace(/\.ts$/, '')

/**
 * The file of a module with all that it imports. Hundreds of processes are started only to die: loading a few files and
 * not a thousand takes a third of the time, and it is the same code.
 */
export const bundled = (path: (typeof ENTRIES)[number]): string => join(OUT, `${nameOf(path)}.mjs`)

const WRITER = 'src/stores/sqlite/writer.ts'
const WRITER_FILE = join(OUT, `${nameOf(WRITER)}.cjs`)
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

interface Bundle {
  input: Readonly<Record<string, string>>
  ending: 'cjs' | 'mjs'
}

const bundle = async ({ input, ending }: Bundle): Promise<void> => {
  // Peers that an operator installs stay packages.
  const build = await rolldown({
    input,
    platform: 'node',
    external: /^@opentelemetry\//,
    plugins: [bundledWriter, ownPlace],
  })
  const format = ending === 'cjs' ? 'cjs' : 'esm'
  const names = { entryFileNames: `[name].${ending}`, chunkFileNames: `part-[name].${ending}` }
  const { output } = await build.generate({ format, ...names })
  await build.close()
  mkdirSync(OUT, { recursive: true })
  for (const file of output) {
    // Whole at once: another process may be starting it.
    const draft = join(OUT, `${file.fileName}.${process.pid}`)
    writeFileSync(draft, file.type === 'chunk' ? file.code : file.source)
    renameSync(draft, join(OUT, file.fileName))
  }
}

const byName = (paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [nameOf(path), join(ROOT, path)]))

const bundleAll = async (): Promise<void> => {
  await bundle({ input: byName([WRITER]), ending: 'cjs' })
  await bundle({ input: byName(ENTRIES), ending: 'mjs' })
}

/** Bundles before any test, and before tests that are watched run again. */
export const setup = async (project: TestProject): Promise<void> => {
  await bundleAll()
  project.onTestsRerun(bundleAll)
}
