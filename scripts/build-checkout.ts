import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'
import { freshConsole } from './build-console.ts'
import { freshGuide } from './build-guide.ts'

const ROOT = resolve(import.meta.dirname, '..')
/** Under the packages, so that what is not bundled is found. `scripts/talkbridge.js` starts `main.mjs` there. */
const CHECKOUT = join(ROOT, 'node_modules/.cache/checkout')
const WRITER = join(CHECKOUT, 'writer.cjs')

const ownPlace = {
  name: 'what a module finds by its own place it finds by that of its source',
  // What the bundler adds has no file: its place is that of the bundle.
  transform: (code: string, id: string) =>
    id.startsWith('\0') ? null : code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}

const STARTS = '/src/stores/sqlite/index.ts'
const PLACE = 'new URL(file, import.meta.url)'

export const replaced = (code: string, what: string, by: string): string => {
  if (!code.includes(what)) throw new Error(`${STARTS} does not start its thread by ${what} any more`)
  return code.replace(what, by)
}

/** Of what is bundled. A thread of its own, it starts twice as fast as one file. */
export const bundledWriter = {
  name: 'the writer thread is one file',
  transform: (code: string, id: string): string | null =>
    id.endsWith(STARTS) ? replaced(code, PLACE, `new URL(${JSON.stringify(pathToFileURL(WRITER).href)})`) : null,
}

/**
 * Node evaluates every getter of a built-in module that an `import` names. Those of these two load fetch and Web Crypto, which
 * nobody here uses: an eighth of a start.
 */
const LAZY = new Set(['node:crypto', 'node:http'])
const PREFIX = '\0lazy:'

const lazyBuiltins: Plugin = {
  name: 'lazy builtins',
  resolveId: (specifier, _from, { kind }) =>
    kind === 'import-statement' && LAZY.has(specifier) ? PREFIX + specifier : null,
  load(id) {
    if (!id.startsWith(PREFIX)) return null
    const name = id.slice(PREFIX.length)
    const properties = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(name)))
    const plain = properties.filter(([, { get }]) => get === undefined).map(([property]) => property)
    return `const all = process.getBuiltinModule('${name}'); export default all; export const { ${plain.join(', ')} } = all`
  },
}

interface Bundle {
  /** Paths in the repository, by the names of their files in `outDir`. */
  input: Readonly<Record<string, string>>
  outDir: string
  ending: 'cjs' | 'mjs'
}

/** Modules with all that they import: to find and read a thousand files takes Node most of a start. */
export const bundle = async ({ input, outDir, ending }: Bundle): Promise<void> => {
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, join(ROOT, path)])),
    platform: 'node',
    // Peers that an operator installs stay packages.
    external: /^@opentelemetry\//,
    plugins: [bundledWriter, ownPlace, lazyBuiltins],
  })
  const format = ending === 'cjs' ? 'cjs' : 'esm'
  const names = { entryFileNames: `[name].${ending}`, chunkFileNames: `part-[name].${ending}` }
  const { output } = await build.generate({ format, ...names })
  await build.close()
  mkdirSync(outDir, { recursive: true })
  for (const file of output) {
    // Whole at once: another process may be starting it.
    const draft = join(outDir, `${file.fileName}.${process.pid}`)
    writeFileSync(draft, file.type === 'chunk' ? file.code : file.source)
    renameSync(draft, join(outDir, file.fileName))
  }
}

/** Builds what a checkout starts: the command, and the pages that it serves. `sources`: what they are built from, in words. */
export const buildCheckout = async (sources: string): Promise<void> => {
  await Promise.all([
    freshConsole(),
    freshGuide(),
    bundle({ input: { writer: 'src/stores/sqlite/writer.ts' }, outDir: CHECKOUT, ending: 'cjs' }),
    bundle({ input: { main: 'src/main.ts' }, outDir: CHECKOUT, ending: 'mjs' }),
  ])
  writeFileSync(join(CHECKOUT, 'sources'), sources)
}
