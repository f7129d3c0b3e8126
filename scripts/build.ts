import { execFile } from 'node:child_process'
import { chmod, cp, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

/**
 * The plain JavaScript that `bin` and the container run: Node strips types only outside `node_modules`. In a checkout
 * nothing needs it.
 */
const ROOT = resolve(import.meta.dirname, '..')
const run = promisify(execFile)

const stdoutOf = (error: unknown): string =>
  error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)

/** Files that a run reads beside the code; words about them stay here. */
const isAsset = (name: string): boolean => !name.endsWith('.ts') && !name.endsWith('.md')

const copyAssets = async (outDir: string): Promise<void> => {
  const src = join(ROOT, 'src')
  const files = (await readdir(src, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  for (const { name, parentPath } of files.filter((file) => isAsset(file.name))) {
    const from = join(parentPath, name)
    await cp(from, join(outDir, from.slice(src.length)))
  }
}

/** What the page at `/docs` takes from its library, whose own install script would phone home: copied, not depended on. */
export const PAGE_LIBRARY = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']

const copyPageLibrary = async (outDir: string): Promise<void> => {
  for (const name of PAGE_LIBRARY)
    await cp(join(ROOT, 'node_modules/swagger-ui-dist', name), join(outDir, 'routes/ops/page/swagger-ui', name))
}

/** Compiles into `outDir`, which is emptied first: a file whose source is gone must not be shipped. */
export const build = async (outDir: string): Promise<void> => {
  await rm(outDir, { recursive: true, force: true })
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '-p', join(ROOT, 'tsconfig.build.json'), '--outDir', outDir]).catch(
    (cause: unknown) => {
      throw new Error(`tsc: ${stdoutOf(cause)}`, { cause })
    },
  )
  await copyAssets(outDir)
  await copyPageLibrary(outDir)
  await chmod(join(outDir, 'main.js'), 0o755)
}

if (import.meta.main)
  await build(join(ROOT, 'dist')).catch((error: unknown) => {
    process.stderr.write(`build: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
