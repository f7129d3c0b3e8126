// Where the scripts of package.json start: an older Node cannot read src/main.ts far enough to say what is wrong.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const OLDEST_NODE = 24
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `talkbridge: needs Node 24 or 26; this is ${process.versions.node} (${process.execPath}). ` +
      'In a checkout, `npm ci` brings the right one, and `npm run talkbridge -- COMMAND` uses it.\n',
  )
  process.exit(1)
}

const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules/.cache')
/** What `build-checkout.ts` builds: the command in some files instead of a thousand, and the pages at /console and /docs/guide. */
const BUILT = [
  join(CACHE, 'checkout/main.mjs'),
  join(ROOT, 'dist/console/index.html'),
  join(ROOT, 'dist/guide/index.html'),
]
const FOLDERS = ['docs', 'scripts', 'src', 'packages/client/src', 'packages/console/src', 'packages/sandbox/src']

const filesIn = (folder) => readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name))
const isSource = (path) => !path.endsWith('.d.ts')
const stated = (path) => {
  const { size, mtimeMs } = statSync(path)
  return `${path} ${size} ${mtimeMs}`
}
/** Each file that something is built from, with its size and time. */
const sources = ['README.md', 'package-lock.json', ...FOLDERS.flatMap(filesIn).filter(isSource)]
  .map((path) => stated(join(ROOT, path)))
  .join('\n')

const isFresh = () => BUILT.every(existsSync) && readFileSync(join(CACHE, 'checkout/sources'), 'utf8') === sources
if (!isFresh()) await import('./build-checkout.ts').then((script) => script.buildCheckout(sources))

// The threads of the gateway read it, too.
process.env.NODE_COMPILE_CACHE ??= join(CACHE, 'compiled')
const { enableCompileCache } = await import('node:module')
enableCompileCache()
await import(BUILT[0])
