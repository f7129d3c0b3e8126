import { chmod, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import sandboxManifest from '../packages/sandbox/package.json' with { type: 'json' }
import { buildClient } from './build-client.ts'
import { buildConsole } from './build-console.ts'
import { BUNDLED } from './bundled.ts'
import { buildGuide } from './build-guide.ts'

/**
 * The plain JavaScript that `bin` and the container run: Node strips types only outside `node_modules`. In a checkout
 * nothing needs it.
 */
const ROOT = resolve(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')
const SANDBOX = join(ROOT, 'packages/sandbox')
/** Sources, and where the build of the gateway has their assets. */
const PLACES: Readonly<Record<string, string>> = {
  [SRC]: '',
  [join(SANDBOX, 'src')]: 'sandbox/',
  [join(ROOT, 'packages/client/src')]: 'client/',
}

/** Those of the bundled libraries. */
export const LICENCES = 'LICENSES.txt'

/** What is started by its name: the command, and the threads. `stores/sqlite/writer` is `dist/stores/sqlite/writer.js`. */
export const ENTRIES = ['main', 'stores/sqlite/writer']

/** A module looks beside itself for threads and assets: they are where they were, its own code is in a bundle at the top. */
const placesKept = (places: typeof PLACES): Plugin => ({
  name: 'places kept',
  transform(code, id) {
    const source = Object.keys(places).find((folder) => id.startsWith(folder))
    if (source === undefined || !code.includes('import.meta.url')) return null
    const place = `./${places[source]}${id.slice(source.length + 1).replace(/\.ts$/, '.js')}`
    return code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`)
  },
})

/** undici's fetch and web sockets: only a `FormData` of its own needs them, which nobody else can make. */
const UNDICI_WEB = '\0undici-web'
const lessUndici: Plugin = {
  name: 'less undici',
  resolveId(specifier, from) {
    if (specifier === 'undici') return join(ROOT, 'scripts/undici.js')
    return from?.includes('/undici/lib/') === true && specifier.startsWith('../web/') ? UNDICI_WEB : null
  },
  load: (id) => (id === UNDICI_WEB ? 'module.exports = { webidl: { is: { FormData: () => false } } }' : null),
}

/** Whether `specifier` is a package's name, and the package stays one. */
const isPackage = (specifier: string): boolean =>
  /^[^./]/.test(specifier) &&
  !specifier.startsWith('@talkbridge/') &&
  !BUNDLED.some((name) => specifier === name || specifier.startsWith(`${name}/`))

/** Some files in the place of nine hundred: to find and read so many took Node half of a start. Answers whose code is in it. */
const bundle = async (
  outDir: string,
  input: Readonly<Record<string, string>>,
  places: typeof PLACES,
): Promise<string[]> => {
  const isOurs = (file = ''): boolean => Object.keys(places).some((folder) => file.startsWith(folder))
  const external = (id: string, from: string | undefined): boolean => isOurs(from) && isPackage(id)
  const bundled = await rolldown({
    input,
    platform: 'node',
    external,
    plugins: [placesKept(places), lessUndici],
    // As in Node's own copy of undici: without the experimental parser.
    transform: { define: { esbuildDetection: 'true' } },
  })
  const { output } = await bundled.write({
    dir: outDir,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // V8 keeps the text of all code. One other character doubles that of its file, and nobody reads comments there.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
  })
  await bundled.close()
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  const packages = modules.flatMap((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [])
  return [...new Set(packages)].toSorted()
}

/** What is in the bundle keeps its licence beside it. */
const copyLicences = async (outDir: string, packages: readonly string[]): Promise<void> => {
  const texts = packages.map(async (name) => {
    const folder = join(ROOT, 'node_modules', name)
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    if (file === undefined) throw new Error(`${name} has no licence`)
    return `${name}\n\n${await readFile(join(folder, file), 'utf8')}`
  })
  await writeFile(join(outDir, LICENCES), (await Promise.all(texts)).join('\n\n'))
}

/** Files that a run reads beside the code; words about them stay here. */
const isAsset = ({ name }: { name: string }): boolean => !name.endsWith('.ts') && !name.endsWith('.md')

const copyAssets = async (outDir: string, places: typeof PLACES): Promise<void> => {
  for (const [folder, place] of Object.entries(places)) {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    for (const { name, parentPath } of files.filter(isAsset)) {
      const from = join(parentPath, name)
      await cp(from, join(outDir, place, from.slice(folder.length)))
    }
  }
}

/**
 * Compiles into `outDir`, which is emptied first: a file whose source is gone must not be shipped. `more`: what a benchmark
 * starts in place of the command, by the name that its file gets.
 */
export const build = async (outDir: string, more: Readonly<Record<string, string>> = {}): Promise<void> => {
  await rm(outDir, { recursive: true, force: true })
  const entries = Object.fromEntries(ENTRIES.map((name) => [name, join(SRC, `${name}.ts`)]))
  await copyLicences(outDir, await bundle(outDir, { ...entries, ...more }, PLACES))
  await buildClient(join(outDir, 'client'))
  await copyAssets(outDir, PLACES)
  await buildConsole(join(outDir, 'console'))
  await buildGuide(join(outDir, 'guide'))
  await chmod(join(outDir, 'main.js'), 0o755)
}

/** What `npm publish packages/sandbox/dist` publishes: the command, and a manifest that names the built one. */
export const buildSandbox = async (outDir: string): Promise<void> => {
  await rm(outDir, { recursive: true, force: true })
  const places = { [join(SANDBOX, 'src')]: '' }
  await copyLicences(outDir, await bundle(outDir, { main: join(SANDBOX, 'src/main.ts') }, places))
  await copyAssets(outDir, places)
  await cp(join(ROOT, 'LICENSE'), join(outDir, 'LICENSE'))
  await cp(join(SANDBOX, 'README.md'), join(outDir, 'README.md'))
  const { bin: _sources, exports: _checkout, devDependencies: _bundled, ...manifest } = sandboxManifest
  const published = { ...manifest, bin: { 'talkbridge-sandbox': 'main.js' } }
  await writeFile(join(outDir, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  await chmod(join(outDir, 'main.js'), 0o755)
}

const buildAll = async (): Promise<void> => {
  await build(join(ROOT, 'dist'))
  await buildSandbox(join(SANDBOX, 'dist'))
}

if (import.meta.main)
  await buildAll().catch((error: unknown) => {
    process.stderr.write(`build: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
