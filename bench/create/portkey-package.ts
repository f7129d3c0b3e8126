import { execFile } from 'node:child_process'
import { access, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const NAME = '@portkey-ai/gateway'
export const PORTKEY = `${NAME}@1.15.2`

const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'bench', 'portkey-1.15.2')
const ENTRY = join(FOLDER, 'node_modules', NAME, 'build', 'start-server.js')

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

export type Fetched = { ok: true; entry: string } | { ok: false; why: string }

/** Installed when it is first measured, and no dependency: 22 MB that nothing else needs. None of its scripts is run. */
export const fetchPortkey = async (): Promise<Fetched> => {
  if (await isThere(ENTRY)) return { ok: true, entry: ENTRY }
  const fresh = `${FOLDER}.new`
  const quiet = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  try {
    await rm(fresh, { recursive: true, force: true })
    await promisify(execFile)('npm', ['install', '--prefix', fresh, ...quiet, PORTKEY], { timeout: 300_000 })
    await rename(fresh, FOLDER)
    return { ok: true, entry: ENTRY }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ok: false, why: message.split('\n').find((line) => line.includes('npm error')) ?? message.slice(0, 200) }
  }
}
