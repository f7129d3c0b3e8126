import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ROOT = resolve(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'packages/console/src')
/** Where a checkout serves it from. */
export const CONSOLE_DIR = join(ROOT, 'dist/console')

/** What is worth compressing. */
const TEXT = /\.(html|js|css|svg)$/

const compress = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile() && TEXT.test(entry.name))) {
    const file = join(parentPath, name)
    const body = await readFile(file)
    await writeFile(`${file}.gz`, gzipSync(body, { level: constants.Z_BEST_COMPRESSION }))
    await writeFile(`${file}.br`, brotliCompressSync(body))
  }
}

/** Builds the page at `/console` into `outDir`, which is emptied first. `watch`: again after every change, until it is stopped. */
export const buildConsole = async (outDir: string = CONSOLE_DIR, watch = false): Promise<void> => {
  const { build } = await import('vite')
  await rm(outDir, { recursive: true, force: true })
  await build({
    configFile: false,
    root: SOURCES,
    base: '/console/',
    logLevel: watch ? 'info' : 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // The policy of the page allows no inline code and no data but images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      watch: watch ? {} : null,
    },
  })
  // While it is watched, the server sends what is there as it is.
  if (!watch) await compress(outDir)
}

const changedAtMs = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.mtimeMs ?? 0

/** Builds the page of this checkout unless it is there, and newer than its sources. A checkout without Vite goes without the page. */
export const freshConsole = async (): Promise<void> => {
  const builtAtMs = await changedAtMs(join(CONSOLE_DIR, 'index.html'))
  const sources = await readdir(SOURCES, { recursive: true })
  const times = await Promise.all(sources.map((name) => changedAtMs(join(SOURCES, name))))
  if (Math.max(...times) < builtAtMs) return
  // Not by `import.meta.resolve`: where tests run there is none.
  const hasVite = await import('vite').then(
    () => true,
    () => false,
  )
  if (!hasVite) return
  // Whole at once: another process may be serving from it, or building it, too.
  const building = `${CONSOLE_DIR}.${process.pid}`
  await buildConsole(building)
  await rm(CONSOLE_DIR, { recursive: true, force: true })
  await rename(building, CONSOLE_DIR).catch(() => rm(building, { recursive: true, force: true }))
}

if (import.meta.main)
  await buildConsole(CONSOLE_DIR, process.argv.includes('--watch')).catch((error: unknown) => {
    process.stderr.write(`build-console: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
