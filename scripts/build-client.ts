import { execFile } from 'node:child_process'
import { cp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { CLIENT_TYPES, freshClientTypes } from './client-types.ts'

const ROOT = resolve(import.meta.dirname, '..')
const CLIENT = join(ROOT, 'packages/client')

const stdoutOf = (error: unknown): string =>
  error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)

/** `@talkbridge/client`, which is `talkbridge/client` too: for older Nodes and browsers, with its types, the generated ones among them. */
export const buildClient = async (outDir: string): Promise<void> => {
  await freshClientTypes()
  await rm(outDir, { recursive: true, force: true })
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', CLIENT, '--noEmit', 'false', '--outDir', outDir]
  await promisify(execFile)(process.execPath, args).catch((cause: unknown) => {
    throw new Error(`tsc: ${stdoutOf(cause)}`, { cause })
  })
  await cp(CLIENT_TYPES, join(outDir, 'schema.d.ts'))
}

if (import.meta.main)
  await buildClient(join(CLIENT, 'dist')).catch((error: unknown) => {
    process.stderr.write(`build-client: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
